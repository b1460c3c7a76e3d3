"""Modules come from the worktree: what is installed to be edited, and what PYTHONPATH names."""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from scopelight.capture.against.imports import OwnImports, moved, own_imports


@pytest.fixture
def python(tmp_path):
    """An interpreter with nothing installed."""
    venv.create(tmp_path / "environment", with_pip=False, symlinks=True)
    return tmp_path / "environment" / "bin" / "python"


def site_packages(python):
    asked = [str(python), "-c", "import json, site; print(json.dumps(site.getsitepackages()))"]
    return Path(json.loads(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)[0])


def where(python, environment):
    asked = [str(python), "-c", "import model; print(model.__file__)"]
    return subprocess.run(asked, capture_output=True, text=True, check=True, env=environment, cwd="/").stdout.strip()


def test_packages_that_are_installed_to_be_edited_come_from_the_worktree(tmp_path, python):
    top, worktree = tmp_path / "project", tmp_path / "worktree"
    for each in (top, worktree):
        (each / "src").mkdir(parents=True)
        (each / "src" / "model.py").write_text("")
    (site_packages(python) / "project.pth").write_text(f"{top / 'src'}\n")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    found = own_imports(str(python), top, environment)
    assert found.installed == (top / "src",)
    assert where(python, environment) == str(top / "src" / "model.py")
    assert where(python, moved(environment, found, top, worktree)) == str(worktree / "src" / "model.py")


def test_finders_of_setuptools_are_preceded(tmp_path, python):
    top, worktree = tmp_path / "project", tmp_path / "worktree"
    for each in (top, worktree):
        (each / "lib" / "model").mkdir(parents=True)
        (each / "lib" / "model" / "__init__.py").write_text("")
    finder = f"""\
import importlib.util, sys
MAPPING = {{"model": {str(top / "lib" / "model")!r}}}
class Finder:
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name in MAPPING:
            return importlib.util.spec_from_file_location(name, MAPPING[name] + "/__init__.py")
sys.meta_path.append(Finder)
"""
    packages = site_packages(python)
    (packages / "__editable___model_finder.py").write_text(finder)
    (packages / "model.pth").write_text("import __editable___model_finder\n")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    found = own_imports(str(python), top, environment)
    assert found.installed == (top / "lib",)
    assert where(python, environment).startswith(str(top))
    assert where(python, moved(environment, found, top, worktree)).startswith(str(worktree))


def test_what_pythonpath_names_of_the_repository_is_moved_and_the_rest_kept(tmp_path):
    top, worktree = tmp_path / "project", tmp_path / "worktree"
    path = os.pathsep.join([str(top / "src"), "/elsewhere"])
    found = own_imports(sys.executable, top, {"PYTHONPATH": path, "PATH": os.environ["PATH"]})
    assert found == OwnImports((top / "src",), ())
    changed = moved({"PYTHONPATH": path, "A": "b"}, found, top, worktree)
    assert changed == {"PYTHONPATH": os.pathsep.join([str(worktree / "src"), "/elsewhere"]), "A": "b"}
    assert moved({"A": "b"}, OwnImports((), ()), top, worktree) == {"A": "b"}


def test_an_environment_in_the_repository_is_of_both(tmp_path):
    environment = {"PYTHONPATH": str(tmp_path / ".venv/lib/python3.11/site-packages")}
    assert own_imports(sys.executable, tmp_path / "other", environment).folders == ()
    found = own_imports("/no/such/python", tmp_path, {})
    assert found == OwnImports((), ())
