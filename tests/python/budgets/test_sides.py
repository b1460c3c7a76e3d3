"""Runs are named by paths, by folders of rounds, by experiments, and by revisions that were captured."""

import json
import subprocess

import pytest

from scopelight.budgets.sides import CheckedSides, NoRunError, newest_run, sides_of


def a_run(path, created, **more):
    path.mkdir(parents=True)
    facts = {"format_version": 1, "state": "captured", "created": created, "script": "train.py", **more}
    (path / "run.json").write_text(json.dumps(facts))
    return path


def of_project(folder, name, created, **more):
    return a_run(folder / ".scopelight" / name, created, **more)


def an_experiment(path, created="2026-05-01T00:00:00+00:00", rounds=2):
    sides = {
        side: tuple(a_run(path / side / f"round-{number}", created) for number in range(1, rounds + 1))
        for side in ("before", "after")
    }
    (path / "comparison.json").write_text(json.dumps({"format_version": 1, "state": "finished", "created": created}))
    return sides["before"], sides["after"]


@pytest.fixture
def repository(tmp_path):
    """A folder of one commit, and its name."""

    def git(*arguments):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        ended = subprocess.run(
            ["git", "-C", str(tmp_path), *identity, *arguments], capture_output=True, text=True, check=True, timeout=60
        )
        return ended.stdout.strip()

    git("init", "--quiet")
    git("commit", "--quiet", "--allow-empty", "-m", "one")
    return tmp_path, git("rev-parse", "HEAD")


def test_the_newest_that_was_measured_is_meant(tmp_path):
    with pytest.raises(NoRunError, match="No run was captured"):
        newest_run(tmp_path)
    predicted = of_project(tmp_path, "c", "2026-03-01T00:00:00+00:00", predicted_for="TPU v5e")
    assert newest_run(tmp_path) == CheckedSides((predicted,))
    of_project(tmp_path, "a", "2026-01-01T00:00:00+00:00")
    newer = of_project(tmp_path, "b", "2026-02-01T00:00:00+00:00")
    of_project(tmp_path, "d", "2026-04-01T00:00:00+00:00", state="failed")
    assert newest_run(tmp_path) == CheckedSides((newer,))
    for folder in (tmp_path, tmp_path / ".scopelight"):
        assert sides_of(folder, None, tmp_path) == CheckedSides((newer,))


def test_a_folder_of_rounds_means_them_the_oldest_first(tmp_path):
    newer = a_run(tmp_path / "rounds" / "b", "2026-02-01T00:00:00+00:00")
    older = a_run(tmp_path / "rounds" / "a", "2026-01-01T00:00:00+00:00")
    assert sides_of(tmp_path / "rounds", None, tmp_path) == CheckedSides((older, newer))
    assert sides_of(newer, None, tmp_path) == CheckedSides((newer,))
    # What is checked is no round of what it is compared with.
    assert sides_of(newer, "rounds", tmp_path) == CheckedSides((newer,), (older,))


def test_an_experiment_is_checked_as_what_came_after_since_what_came_before(tmp_path):
    before, after = an_experiment(tmp_path / "e")
    assert sides_of(tmp_path / "e", None, tmp_path) == CheckedSides(after, before)
    assert sides_of(tmp_path / "e" / "after", "e", tmp_path) == CheckedSides(after, before)
    run = of_project(tmp_path, "a", "2026-01-01T00:00:00+00:00")
    assert sides_of(None, "e", tmp_path) == CheckedSides((run,), before)


def test_a_project_that_has_only_experiments_has_the_newest_of_them_checked(tmp_path):
    an_experiment(tmp_path / ".scopelight" / "old", "2026-04-01T00:00:00+00:00")
    before, after = an_experiment(tmp_path / ".scopelight" / "new")
    assert newest_run(tmp_path) == CheckedSides(after, before)


def test_an_experiment_without_a_round_of_both_sides_has_no_run(tmp_path):
    before = a_run(tmp_path / "e" / "before" / "round-1", "2026-01-01T00:00:00+00:00")
    a_run(tmp_path / "e" / "after" / "round-1", "2026-01-01T00:00:00+00:00", state="failed")
    for run, base in ((tmp_path / "e", None), (before, "e")):
        with pytest.raises(NoRunError, match="No round"):
            sides_of(run, base, tmp_path)


def test_a_revision_means_the_newest_clean_run_of_it_and_never_the_one_that_is_checked(repository):
    folder, commit = repository
    checked = of_project(folder, "d", "2026-04-01T00:00:00+00:00", git={"commit": commit, "dirty": False})
    with pytest.raises(NoRunError, match=r"No other run .* was made of HEAD"):
        sides_of(None, "HEAD", folder)
    of_project(folder, "b", "2026-03-01T00:00:00+00:00", git={"commit": commit, "dirty": True})
    of_project(folder, "c", "2026-03-01T00:00:00+00:00", git={"commit": "0" * 40, "dirty": False})
    with pytest.raises(NoRunError, match="nothing changed since"):
        sides_of(None, "HEAD", folder)
    base = of_project(folder, "a", "2026-01-01T00:00:00+00:00", git={"commit": commit, "dirty": False})
    assert sides_of(None, "HEAD", folder) == CheckedSides((checked,), (base,))


def test_a_run_is_not_compared_with_itself(tmp_path):
    run = of_project(tmp_path, "a", "2026-01-01T00:00:00+00:00")
    (run / "plugins" / "profile" / "1").mkdir(parents=True)
    for checked in (run, run / "plugins" / "profile" / "1"):
        for base in (str(run), "."):
            with pytest.raises(NoRunError, match="no other run"):
                sides_of(checked, base, tmp_path)
    (before,), _ = an_experiment(tmp_path / "e", rounds=1)
    with pytest.raises(NoRunError, match="no other run"):
        sides_of(before, "e", tmp_path)


@pytest.mark.parametrize("wrong", ["no-such", "--help", "a\0b"])
def test_what_is_nothing_of_these_is_said(repository, wrong):
    folder, _ = repository
    of_project(folder, "a", "2026-01-01T00:00:00+00:00")
    with pytest.raises(NoRunError, match="is no run"):
        sides_of(None, wrong, folder)
