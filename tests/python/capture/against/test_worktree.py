"""Worktrees of captures that were killed are removed by the next, and nobody else's."""

import json
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack

import pytest

from scopelight.capture.against.repository import Repository
from scopelight.capture.against.worktree import checked_out


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def gone():
    """The id of a process that is no more."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def mark(place, **marks):
    """Say of a worktree that another made it."""
    file = place / "made-by.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **marks}))


def test_those_whose_process_is_gone_are_removed_at_the_next_start(project, temporary, gone):
    project.commit("First", **{"train.py": "1\n"})
    repository = Repository.around(project.top)
    with ExitStack() as stack:
        places = [stack.enter_context(checked_out(repository, repository.revision("HEAD"))).parent for _ in range(4)]
        dead, *others = places
        mark(dead, pid=gone)
        mark(others[0], pid=os.getppid())
        mark(others[1], pid=gone, host="another machine")
        mark(others[2], pid=gone, repository="/another")
        unmarked = temporary / "scopelight-against-of-somebody"
        unmarked.mkdir()
        with checked_out(repository, repository.revision("HEAD")):
            listed = project.git("worktree", "list", "--porcelain")
            assert not dead.exists()
            assert str(dead) not in listed
            for each in others:
                assert each.exists()
                assert str(each) in listed
            assert unmarked.exists()
    assert list(temporary.iterdir()) == [unmarked]
    assert len(project.git("worktree", "list").splitlines()) == 1
