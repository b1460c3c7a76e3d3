"""Files that changed while rounds were made: what ends them, and what is only said."""

import json

import pytest

from scopelight.capture.against.edits import Edits
from scopelight.capture.against.repository import Repository


@pytest.fixture
def edits(project, tmp_path):
    project.commit("First", **{"sub/train.py": "1\n", "settings.toml": "", ".gitignore": "made/\n"})
    return Edits(Repository.around(project.top), tmp_path / "elsewhere" / "project")


def run_of(folder, **digests):
    """A run that has recorded its files."""
    sources = folder / "sources"
    sources.mkdir(parents=True)
    index = {path: {"file": "x", "sha256": digest} for path, digest in digests.items()}
    (sources / "index.json").write_text(json.dumps(index))
    return folder


def test_a_side_is_compared_with_itself_by_names_of_the_repository(project, edits, tmp_path):
    cwd, earlier = project.top / "sub", edits.worktree / "sub"
    assert edits.since_first("after", run_of(tmp_path / "1", **{"train.py": "a"}), cwd) == []
    assert edits.since_first("before", run_of(tmp_path / "2", **{"train.py": "b"}), earlier) == []
    assert edits.since_first("after", run_of(tmp_path / "3", **{"train.py": "a"}), cwd) == []
    assert edits.since_first("after", run_of(tmp_path / "4", **{"train.py": "c"}), cwd) == ["sub/train.py"]
    # A run that kept nothing tells nothing.
    assert edits.since_first("after", tmp_path / "nowhere", cwd) == []
    assert edits.beside() == []


def test_what_the_script_writes_at_every_start_ends_nothing_and_is_said(project, edits, tmp_path):
    generated = str(project.top / "made" / "kernel.py")
    for digest in ("a", "b"):
        assert edits.since_first("after", run_of(tmp_path / digest, **{generated: digest}), project.top) == []
    assert edits.beside() == ["made/kernel.py"]


def test_files_that_no_run_keeps_are_said(project, edits, tmp_path):
    edits.since_first("after", run_of(tmp_path / "1", **{"train.py": "a"}), project.top / "sub")
    for name in ("sub/train.py", "settings.toml", "new.py", "made/out.py", "out.txt"):
        project.write(name, "width = 3\n")
    assert edits.beside() == ["new.py", "settings.toml"]
