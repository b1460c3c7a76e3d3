"""Comparisons from Python: what sides are, and what is said of folders that hold more than one run."""

import json
import shutil
import warnings
from pathlib import Path

import pytest

import scopelight
from made.predictions import SCAN, UNROLLED
from made.xspace import Line, plane, write


def a_round(experiment, side, number, *, state="captured"):
    """A run with a trace, a minute after the one before."""
    run = experiment / side / f"round-{number}"
    run.joinpath("plugins", "profile", "session").mkdir(parents=True)
    write(
        run / "plugins" / "profile" / "session" / "host.xplane.pb",
        plane(
            "/device:TPU:0",
            Line("XLA Modules", (("jit_step(1)", 0, 100),)),
            Line("XLA Ops", (("%fusion.1 = f32[8] fusion()", 10, 30 + number), ("%dot.2 = f32[8] dot()", 50, 50))),
        ),
    )
    created = f"2026-01-01T00:0{number}:{'00' if side == 'before' else '30'}+00:00"
    (run / "run.json").write_text(json.dumps({"format_version": 1, "state": state, "created": created}))
    return run


@pytest.fixture(scope="module")
def experiment(tmp_path_factory):
    """Three rounds, the second of which failed on one side."""
    path = tmp_path_factory.mktemp("project") / "experiment"
    for number in (1, 2, 3):
        for side in ("before", "after"):
            a_round(path, side, number, state="failed" if (side, number) == ("after", 2) else "captured")
    (path / "comparison.json").write_text(json.dumps({"format_version": 1, "state": "finished"}))
    return path


def runs_of(record):
    return [[Path(run).relative_to(Path(run).parents[1]).as_posix() for run in side.runs] for side in both(record)]


def both(record):
    return record.before, record.after


WHOLE = [["before/round-1", "before/round-3"], ["after/round-1", "after/round-3"]]


def test_sides_are_runs_paths_and_several_of_them():
    of_runs = scopelight.open(SCAN).compare(UNROLLED)
    sides = [
        (SCAN, str(UNROLLED)),
        (scopelight.open(SCAN), scopelight.open(UNROLLED)),
        ([SCAN], iter([scopelight.open(UNROLLED)])),
    ]
    assert [scopelight.compare(*each).totals for each in sides] == [of_runs.totals] * 3
    assert scopelight.compare(SCAN, UNROLLED, by="op") == scopelight.open(SCAN).compare(UNROLLED, by="op")
    several = scopelight.compare([SCAN, SCAN], (UNROLLED, UNROLLED))
    assert (several.rounds, several.totals.change_ps) == (2, of_runs.totals.change_ps)


def test_an_experiment_is_its_complete_rounds(experiment, monkeypatch):
    for record in (
        scopelight.compare(experiment),
        scopelight.compare(str(experiment), by="op"),
        scopelight.compare(experiment / "before", experiment / "after"),
    ):
        assert runs_of(record) == WHOLE
        assert record.is_paired_in_rounds
    monkeypatch.chdir(experiment)
    assert runs_of(scopelight.compare("."))[1] == WHOLE[1]
    assert runs_of(scopelight.compare("before", "after")) == WHOLE
    assert runs_of(scopelight.compare("before/round-2", "after/round-1")) == [["before/round-2"], ["after/round-1"]]


def test_what_is_no_side_is_said_in_a_sentence(experiment, tmp_path):
    for sides, sentence in (
        ((SCAN, tmp_path / "gone"), "gone is no run, no folder of runs and no revision"),
        ((SCAN, "-x"), "-x is no run, no folder of runs and no revision"),
        ((experiment, SCAN), r"holds rounds of both sides"),
        ((SCAN, []), "The side after has no run"),
        (("", SCAN), "The path is empty"),
    ):
        with pytest.raises(scopelight.ProfileError, match=sentence):
            scopelight.compare(*sides)
    nothing = tmp_path / "nothing"
    for side in ("before", "after"):
        (nothing / side).mkdir(parents=True)
    with pytest.raises(scopelight.ProfileError, match="no round of both sides"):
        scopelight.compare(nothing)
    with pytest.raises(scopelight.OptionError, match="'colour' is not one of line, op"):
        scopelight.compare(SCAN, UNROLLED, by="colour")


def test_other_kinds_of_values_are_named(experiment):
    run = scopelight.open(SCAN)
    for given, kind in ((5, "int"), (None, "NoneType"), ([SCAN, SCAN], "list")):
        with pytest.raises(TypeError, match=f"A run is a Run or a path, not {kind}.*scopelight.compare"):
            run.compare(given)
    for sides in ((5, SCAN), ([5], SCAN), (SCAN, [SCAN, None])):
        with pytest.raises(TypeError, match=r"are runs or paths, not int|is a Run or a path, not"):
            scopelight.compare(*sides)
    with pytest.raises(TypeError, match=r"is no folder of an experiment, .* give what it is compared with"):
        scopelight.compare(run)


def test_a_folder_of_both_sides_is_no_run(experiment, tmp_path):
    for ask in (scopelight.open, scopelight.open(SCAN).compare):
        with pytest.raises(scopelight.ProfileError, match=r"both sides.*scopelight\.compare\('.*experiment'\)"):
            ask(experiment)
    # Folders that are only called so.
    for side in ("before", "after"):
        shutil.copytree(experiment / "before" / "round-1" / "plugins", tmp_path / side / "plugins")
    assert len(scopelight.open(tmp_path).executions)


def test_of_several_rounds_the_one_that_is_opened_is_named(experiment):
    with pytest.warns(UserWarning, match=r"holds 3 profiles.*round-3.*scopelight\.compare") as told:
        run = scopelight.open(experiment / "before")
    assert [Path(each.filename).name for each in told] == [Path(__file__).name]
    with pytest.warns(UserWarning, match=r"after holds 3 profiles") as told:
        assert len(run.compare(experiment / "after").after.runs) == 1
    assert [Path(each.filename).name for each in told] == [Path(__file__).name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scopelight.open(experiment / "before" / "round-1").compare(experiment / "after" / "round-1")
        scopelight.compare(experiment)
