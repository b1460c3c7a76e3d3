"""``comparison.json``: what is written is read, a newer one is refused, and rounds are paired by their numbers."""

import json
import os
import subprocess
import sys

import attrs
import pytest

from scopelight.findings import note
from scopelight.formats.errors import FormatError
from scopelight.model.run.experiment import (
    EXPERIMENT_FILE,
    Experiment,
    ExperimentRound,
    ExperimentSide,
    RoundFailure,
    complete_rounds,
    find_experiment,
    find_experiments,
    round_folder,
    write_experiment,
)
from scopelight.model.run.information import RunInformation
from scopelight.model.run.run_file import write_run_information
from scopelight.model.run.sides import rounds_in, runs_of_side

WHOLE = Experiment(
    state="finished",
    script="train.py",
    args=("--width", "8"),
    before=ExperimentSide("a" * 40, "Begin", "main~1"),
    after=ExperimentSide("b" * 40, "Go on", None, dirty=True),
    seed=7,
    rounds_planned=2,
    rounds=(
        ExperimentRound(1, ("after", "before"), 8.5),
        ExperimentRound(2, ("before", "after"), 2.5, (RoundFailure("after", "It ended."),)),
    ),
    findings=(note("against-uncommitted", names=("train.py",)),),
)


def made(folder, side, number, state="captured"):
    path = round_folder(folder, side, number)
    path.mkdir(parents=True)
    write_run_information(path, RunInformation(state=state))
    return path


def test_what_is_written_is_read(tmp_path):
    write_experiment(tmp_path, WHOLE)
    found = find_experiment(tmp_path)
    assert found == WHOLE
    assert found.path == tmp_path.resolve()
    assert find_experiment(tmp_path / "before") is None


def test_a_newer_one_is_refused_and_what_is_none_too(tmp_path):
    write_experiment(tmp_path, attrs.evolve(WHOLE, format_version=2))
    with pytest.raises(FormatError, match="newer than this Scopelight reads"):
        find_experiment(tmp_path)
    (tmp_path / EXPERIMENT_FILE).write_text("[1]")
    with pytest.raises(FormatError, match="not the description"):
        find_experiment(tmp_path)


def test_fields_that_cannot_be_used_count_as_absent(tmp_path):
    (tmp_path / EXPERIMENT_FILE).write_text(json.dumps({"format_version": 1, "rounds": [3], "seed": "x", "new": 1}))
    assert find_experiment(tmp_path) == Experiment()


def test_rounds_are_those_that_both_sides_have(tmp_path):
    before = [made(tmp_path, "before", number) for number in (1, 2, 10)]
    made(tmp_path, "after", 1, state="failed")
    after = [made(tmp_path, "after", number) for number in (2, 10, 11)]
    assert complete_rounds(tmp_path) == (tuple(before[1:]), tuple(after[:2]))
    assert complete_rounds(tmp_path / "nowhere") == ((), ())
    # Of round 2 the experiment says that it failed, though both have a run.
    write_experiment(tmp_path, WHOLE)
    assert complete_rounds(tmp_path) == ((before[2],), (after[1],))


def test_folders_of_the_sides_are_paired_by_those_rounds_too(tmp_path):
    """By position a failed round would pair each with the next of the other side."""
    for number in (1, 2, 3):
        made(tmp_path, "before", number, "failed" if number == 1 else "captured")
        made(tmp_path, "after", number)
    write_experiment(tmp_path, Experiment(state="finished"))
    for side in ("before", "after"):
        assert [each.name for each in rounds_in(tmp_path / side)] == ["round-2", "round-3"]
        assert runs_of_side(side, tmp_path) == rounds_in(tmp_path / side)
    # Without a round of both each has what it has.
    for number in (2, 3):
        write_run_information(round_folder(tmp_path, "before", number), RunInformation(state="failed"))
    assert len(rounds_in(tmp_path / "after")) == 3


def test_one_whose_process_is_gone_is_not_running(tmp_path):
    """It was killed before it could say so."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    cases = {"lives": os.getpid(), "gone": gone.pid, "gone-with-a-round": gone.pid, "unknown": None}
    for name, pid in cases.items():
        (tmp_path / name).mkdir()
        write_experiment(tmp_path / name, Experiment(state="running", pid=pid))
    for side in ("before", "after"):
        made(tmp_path / "gone-with-a-round", side, 1)
    states = {each.path.rpartition("/")[2]: each.state for each in find_experiments(tmp_path)}
    assert states == {"lives": "running", "gone": "failed", "gone-with-a-round": "interrupted", "unknown": "running"}
