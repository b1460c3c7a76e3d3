"""What git knows: revisions by any name, and what is in none."""

from pathlib import Path

import pytest

from scopelight.capture.against.repository import Repository
from scopelight.capture.against.worktree import checked_out
from scopelight.capture.failures import CaptureFailure, Exit


def test_a_revision_goes_by_any_name(project):
    first = project.commit("First: it begins", **{"train.py": "1\n"})
    project.commit("Second", **{"train.py": "2\n"})
    project.git("tag", "v1", first)
    repository = Repository.around(project.top)
    assert {repository.revision(name).commit for name in ("HEAD~1", "v1", first[:10])} == {first}
    assert str(repository.revision("v1")) == f"{first[:8]} (First: it begins)"
    assert repository.text(repository.revision("v1"), Path("train.py")) == "1\n"
    assert not repository.has(repository.revision("v1"), Path("other.py"))


@pytest.mark.parametrize("name", ["nothing", "--all", ""])
def test_what_names_no_commit_is_refused_in_a_sentence(project, name):
    project.commit("First")
    with pytest.raises(CaptureFailure, match="names no commit") as raised:
        Repository.around(project.top).revision(name)
    assert raised.value.exit_code == Exit.REVISION_MISSING


def test_outside_of_a_repository_it_is_said(tmp_path):
    with pytest.raises(CaptureFailure, match="is in no git repository"):
        Repository.around(tmp_path)


def test_what_is_in_no_revision_is_listed(project):
    project.commit("First", **{"train.py": "1\n", ".gitignore": "data/\n"})
    project.write("train.py", "2\n")
    project.write("data/a.npz", "")
    project.write("new.py", "")
    repository = Repository.around(project.top)
    assert list(repository.changed()) == ["train.py"]
    assert sorted(repository.untracked()) == ["data/", "new.py"]


def test_a_worktree_is_gone_afterwards_whatever_happened(project):
    project.commit("First", **{"train.py": "1\n"})
    project.write(".git/hooks/post-checkout", "#!/bin/sh\ntouch ran\n").chmod(0o755)
    project.write("train.py", "2\n")
    repository = Repository.around(project.top)
    with pytest.raises(KeyboardInterrupt), checked_out(repository, repository.revision("HEAD")) as folder:
        assert (folder / "train.py").read_text() == "1\n"
        assert project.top not in folder.parents
        assert not (folder / "ran").exists()
        (folder / "left.txt").write_text("by the script")
        raise KeyboardInterrupt
    assert not folder.exists()
    assert not folder.parent.exists()
    assert len(project.git("worktree", "list").splitlines()) == 1
    assert project.git("status", "--porcelain").splitlines() == [" M train.py"]
