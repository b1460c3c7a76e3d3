"""What a side of a comparison names: runs, folders of them, revisions."""

import json
import subprocess

import pytest

from scopelight.model.run.sides import UnknownSideError, is_experiment, rounds_in, runs_of_side


def git(folder, *arguments):
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def project(tmp_path):
    """A repository of two commits."""
    git(tmp_path, "init", "--quiet")
    for number in (1, 2):
        (tmp_path / "train.py").write_text(f"x = {number}\n")
        git(tmp_path, "add", "train.py")
        git(tmp_path, "commit", "--quiet", "-m", f"Commit {number}")
    return tmp_path


def a_run(path, created, **fields):
    path.mkdir(parents=True)
    information = {"format_version": 1, "state": "captured", "created": created} | fields
    (path / "run.json").write_text(json.dumps(information))
    return path


def test_a_path_is_a_run_and_a_folder_is_its_runs_in_time(tmp_path):
    second = a_run(tmp_path / "runs" / "a", "2026-01-02T00:00:00+00:00")
    first = a_run(tmp_path / "runs" / "b", "2026-01-01T00:00:00+00:00")
    a_run(tmp_path / "runs" / "c", "2026-01-03T00:00:00+00:00", state="failed")
    assert runs_of_side("runs/a", tmp_path) == (second,)
    assert runs_of_side("runs", tmp_path) == (first, second)


def test_a_folder_without_runs_is_a_profile_or_says_that_it_is_none_when_it_is_read(tmp_path):
    (tmp_path / "logs").mkdir()
    assert runs_of_side("logs", tmp_path) == (tmp_path / "logs",)


def test_an_experiment_has_both_sides(tmp_path):
    before = a_run(tmp_path / "e" / "before" / "round-1", "2026-01-01T00:00:00+00:00")
    assert not is_experiment(tmp_path / "e")
    a_run(tmp_path / "e" / "after" / "round-1", "2026-01-01T00:01:00+00:00")
    assert is_experiment(tmp_path / "e")
    assert rounds_in(tmp_path / "e" / "before") == (before,)


def test_a_revision_is_its_newest_run_with_nothing_changed(project):
    commit = git(project, "rev-parse", "HEAD~1")
    runs = project / ".scopelight"
    a_run(runs / "1", "2026-01-01T00:00:00+00:00", git={"commit": commit, "dirty": False})
    newest = a_run(runs / "2", "2026-01-02T00:00:00+00:00", git={"commit": commit, "dirty": False})
    a_run(runs / "3", "2026-01-03T00:00:00+00:00", git={"commit": commit, "dirty": True})
    assert runs_of_side("HEAD~1", project) == (newest,)
    assert runs_of_side(commit[:7], project) == (newest,)
    with pytest.raises(UnknownSideError) as told:
        runs_of_side("HEAD", project)
    assert told.value.revision == git(project, "rev-parse", "HEAD")


@pytest.mark.parametrize("given", ["nothing", "--all", "HEAD;ls"])
def test_what_is_nothing_of_these_is_said(project, given):
    with pytest.raises(UnknownSideError) as told:
        runs_of_side(given, project)
    assert told.value.revision is None
