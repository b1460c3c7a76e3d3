"""Whether an interpreter finds the module that is to run, without importing it."""

import sys
import textwrap

import pytest

from scopelight.capture.launching.interpreter import ask_interpreter


def finds(folder, module):
    return ask_interpreter(sys.executable, folder, module).has_module


def write(folder, *files):
    for name in files:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("raise SystemExit('nobody may import it')\n")


def test_a_package_is_looked_up_without_being_imported(tmp_path):
    write(tmp_path, "gpt/__init__.py", "gpt/jobs/__init__.py", "gpt/jobs/train.py")
    assert finds(tmp_path, "gpt.jobs.train")
    assert not finds(tmp_path, "gpt.jobs.evaluate")
    assert not finds(tmp_path, "gpt.jobs.train.step")


def test_namespace_packages_may_be_nested(tmp_path):
    write(tmp_path, "lab/vision/models/train.py", "lab/vision/models/deep/__init__.py", "lab/vision/models/deep/fit.py")
    assert finds(tmp_path, "lab.vision.models.train")
    assert finds(tmp_path, "lab.vision.models.deep.fit")
    assert not finds(tmp_path, "lab.vision.absent")


def test_a_namespace_may_lie_in_several_folders(tmp_path, monkeypatch):
    write(tmp_path, "one/lab/here.py", "other/lab/there/train.py")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "other"))
    assert finds(tmp_path / "one", "lab.here")
    assert finds(tmp_path / "one", "lab.there.train")


def test_a_src_folder_is_found_by_the_path_of_modules(tmp_path, monkeypatch):
    write(tmp_path, "src/gpt/train.py")
    assert not finds(tmp_path, "gpt.train")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "src"))
    assert finds(tmp_path, "gpt.train")


# As setuptools installs a package that stays where it is developed, and as other builders do for each module.
PACKAGES = """
    import sys
    from importlib.util import spec_from_file_location
    class Finder:
        @classmethod
        def find_spec(cls, fullname, path=None, target=None):
            if fullname == "gpt":
                places = [{source!r}]
                return spec_from_file_location(fullname, {source!r} + "/__init__.py", submodule_search_locations=places)
    sys.meta_path.append(Finder)
    """
MODULES = """
    import sys
    from importlib.util import spec_from_file_location
    class Finder:
        def find_spec(self, fullname, path=None, target=None):
            if fullname == "gpt":
                return spec_from_file_location(fullname, {source!r} + "/__init__.py", submodule_search_locations=[])
            if fullname == "gpt.train":
                return spec_from_file_location(fullname, {source!r} + "/train.py")
    sys.meta_path.insert(0, Finder())
    """
NAMESPACES = """
    import sys
    from importlib.machinery import ModuleSpec
    class Finder:
        @classmethod
        def hook(cls, path):
            if path != "placeholder":
                raise ImportError
            return cls
        @classmethod
        def find_spec(cls, fullname, target=None):
            places = {"gpt": [], "gpt.nested": [{source!r}]}.get(fullname)
            if places is not None:
                spec = ModuleSpec(fullname, None, is_package=True)
                spec.submodule_search_locations = [*places, "placeholder"]
                return spec
    sys.path_hooks.append(Finder.hook)
    sys.path.append("placeholder")
    """
BROKEN = """
    import sys
    class Finder:
        def find_spec(self, fullname, path=None, target=None):
            raise RuntimeError("it looks up nothing")
    sys.meta_path.append(Finder())
    """


@pytest.mark.parametrize(("finder", "package"), [(PACKAGES, "gpt"), (MODULES, "gpt"), (NAMESPACES, "gpt.nested")])
def test_editable_installations_are_asked_through_their_finders(tmp_path, monkeypatch, finder, package):
    source = tmp_path / "developed" / "lib"
    write(source, "__init__.py", "train.py")
    (tmp_path / "site").mkdir()
    text = textwrap.dedent(finder).replace("{source!r}", repr(str(source)))
    (tmp_path / "site" / "sitecustomize.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    assert finds(tmp_path, f"{package}.train")
    assert not finds(tmp_path, f"{package}.absent")


def test_a_finder_that_fails_finds_nothing(tmp_path, monkeypatch):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(textwrap.dedent(BROKEN))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    assert not finds(tmp_path, "gpt.train")
