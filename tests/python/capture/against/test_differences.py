"""What differs beside the code is found, and nothing else."""

from pathlib import Path

from scopelight.capture.against.differences import differences, foreign_files
from scopelight.capture.against.imports import OwnImports
from scopelight.capture.against.repository import Repository

PROJECT = """\
[project]
name = "mine"
version = "1"
dependencies = ["jax"]
"""


def found(project, asked="HEAD", installed=()):
    repository = Repository.around(project.top)
    imports = OwnImports(installed, installed)
    return {each.code: each.values for each in differences(repository, repository.revision(asked), imports)}


def test_of_a_clean_tree_nothing_is_said(project):
    project.commit("First", **{"train.py": "1\n", "pyproject.toml": PROJECT, "requirements.txt": "jax\n"})
    assert found(project) == {}


def test_locked_files_and_dependencies_that_differ_are_said(project):
    first = project.commit("First", **{"pyproject.toml": PROJECT, "uv.lock": "1\n", "requirements.txt": "jax\n"})
    project.commit("Second", **{"uv.lock": "2\n", "requirements/dev.txt": "pytest\n"})
    project.write("pyproject.toml", PROJECT.replace('"jax"', '"jax", "flax"'))
    assert found(project, first)["against-unlike-dependencies"] == {
        "files": ("pyproject.toml", "requirements/dev.txt", "uv.lock")
    }
    assert found(project)["against-uncommitted"] == {"names": ("pyproject.toml",)}


def test_a_version_that_changed_is_no_dependency(project):
    project.commit("First", **{"pyproject.toml": PROJECT})
    project.write("pyproject.toml", PROJECT.replace('"1"', '"2"'))
    assert "against-unlike-dependencies" not in found(project)


def test_what_git_does_not_track_is_said_but_for_caches(project):
    project.commit("First", **{".gitignore": "data/\n.scopelight/\n__pycache__/\n"})
    for name in ("data/a.npz", ".scopelight/run/run.json", "__pycache__/a.pyc", ".venv/bin/python"):
        project.write(name, "")
    assert found(project) == {"against-untracked": {"names": ("data/",)}}


def test_packages_installed_to_be_edited_and_submodules_are_said(project, tmp_path):
    project.commit("First")
    row = "160000," + "1" * 40 + ",third_party/lib"
    project.git("update-index", "--add", "--cacheinfo", row)
    project.git("commit", "--quiet", "-m", "Take a library in")
    said = found(project, installed=(project.top / "src",))
    assert said["against-editable-install"] == {"folders": ("src",)}
    assert said["against-submodules"] == {"names": ("third_party/lib",)}


def test_files_of_the_working_tree_are_told_from_those_of_the_worktree():
    top, worktree = Path("/home/me/project"), Path("/tmp/x/project")
    named = ["/tmp/x/project/train.py", "/home/me/project/model.py", "/home/me/project/.venv/site-packages/a.py"]
    assert list(foreign_files(named, top, worktree)) == ["model.py"]
