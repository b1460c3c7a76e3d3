"""Runs are named by paths, by folders of runs, and by revisions that were captured."""

import json
import subprocess

import pytest

from scopelight.budgets.sides import NoRunError, newest_run, runs_named


def a_run(folder, name, created, **more):
    path = folder / ".scopelight" / name
    path.mkdir(parents=True)
    facts = {"format_version": 1, "state": "captured", "created": created, "script": "train.py", **more}
    (path / "run.json").write_text(json.dumps(facts))
    return path


def test_the_newest_that_was_measured_is_meant(tmp_path):
    with pytest.raises(NoRunError, match="No run was captured"):
        newest_run(tmp_path)
    predicted = a_run(tmp_path, "c", "2026-03-01T00:00:00+00:00", predicted_for="TPU v5e")
    assert newest_run(tmp_path) == predicted
    a_run(tmp_path, "a", "2026-01-01T00:00:00+00:00")
    newer = a_run(tmp_path, "b", "2026-02-01T00:00:00+00:00")
    a_run(tmp_path, "d", "2026-04-01T00:00:00+00:00", state="failed")
    assert newest_run(tmp_path) == newer


def test_a_folder_means_its_runs_the_oldest_first(tmp_path):
    newer = a_run(tmp_path, "b", "2026-02-01T00:00:00+00:00")
    older = a_run(tmp_path, "a", "2026-01-01T00:00:00+00:00")
    assert runs_named(str(tmp_path / ".scopelight"), tmp_path) == [older, newer]
    assert runs_named(str(newer), tmp_path) == (newer,)


def test_a_revision_means_the_newest_run_of_it(tmp_path, monkeypatch):
    def git(*arguments):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        ended = subprocess.run(
            ["git", "-C", str(tmp_path), *identity, *arguments], capture_output=True, text=True, check=True, timeout=60
        )
        return ended.stdout.strip()

    git("init", "--quiet")
    git("commit", "--quiet", "--allow-empty", "-m", "one")
    commit = git("rev-parse", "HEAD")
    with pytest.raises(NoRunError, match="No run of HEAD"):
        runs_named("HEAD", tmp_path)
    a_run(tmp_path, "a", "2026-01-01T00:00:00+00:00", git={"commit": commit, "dirty": False})
    newer = a_run(tmp_path, "b", "2026-02-01T00:00:00+00:00", git={"commit": commit, "dirty": True})
    a_run(tmp_path, "c", "2026-03-01T00:00:00+00:00", git={"commit": "0" * 40, "dirty": False})
    assert runs_named("HEAD", tmp_path) == (newer,)
    for wrong in ("no-such", "--help", "a\0b"):
        with pytest.raises((NoRunError, ValueError)):
            runs_named(wrong, tmp_path)
