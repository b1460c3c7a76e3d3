"""Predicted runs side by side: each column is what the run's own views say, lines are joined by their keys."""

import json
import re
import shutil

import attrs
import pytest

from made.findings import codes, values
from made.predictions import ALL, MESH, NO_ROOM, SCAN, SLICES, UNROLLED, lacking
from made.recorded import DATA, FILE_OF_BACKEND
from scopelight.analysis.lines.view import lines
from scopelight.analysis.memory.fit.view import fit
from scopelight.analysis.memory.options import FitOptions
from scopelight.analysis.options import ScopeOptions
from scopelight.analysis.subject import Subject
from scopelight.analysis.targets.comparison import targets
from scopelight.model.opening.profile import open_profile
from scopelight.report.json_text import json_text
from scopelight.report.targets.as_markdown import targets_in_markdown
from scopelight.source.workspace import line_options
from scopelight.views.opening import open_subject
from scopelight.views.targets import compared_targets


def compared(*runs):
    return compared_targets([(run.name, run) for run in runs])


def unbroken(text):
    return text.replace("\N{NO-BREAK SPACE}", " ")


def as_measured(run, kind="tpu"):
    """A run as if all that was predicted of it had been measured."""
    profile = open_profile(run)
    devices = tuple(attrs.evolve(each, kind=kind) for each in profile.executions.devices)
    executions = attrs.evolve(profile.executions, devices=devices)
    return Subject.of(attrs.evolve(profile, prediction=None, executions=executions), line_options(profile))


@pytest.mark.parametrize("run", ALL, ids=lambda run: run.name)
def test_a_column_is_what_the_views_of_its_run_say(run):
    record = compared(run)
    (column,) = record.runs
    own, memory = lines(open_subject(run), ScopeOptions()), fit(open_subject(run), FitOptions())
    assert (column.fits, column.needed_bytes) == (memory.programs[0].fits, memory.programs[0].needed_bytes)
    assert column.peak_bytes == memory.peak_bytes
    assert column.peak_unpadded_bytes <= column.peak_bytes
    figures = {each.key: each.figures[0] for each in record.lines}
    for line in memory.lines:
        assert figures[line.key].peak_bytes == line.bytes
    assert sum(each.peak_bytes for each in figures.values()) == sum(each.bytes for each in memory.lines)
    if column.step_ps is None:
        assert {each.per_step_ps for each in figures.values()} == {None}
        return
    timed = {each.key: each.wall_ps if each.per_step_ps is None else each.per_step_ps for each in own.lines}
    assert {key: time for key, time in timed.items() if time} == {
        key: each.per_step_ps for key, each in figures.items() if each.per_step_ps
    }


def test_lines_and_what_is_on_none_are_the_step():
    record = compared(SCAN)
    own = lines(open_subject(SCAN), ScopeOptions())
    on_lines = sum(each.figures[0].per_step_ps for each in record.lines)
    rest = own.unattributed_wall_ps / own.extent.steps
    # Each is rounded to a picosecond.
    assert on_lines + rest == pytest.approx(record.runs[0].step_ps, abs=len(record.lines))


def test_lines_of_one_script_are_joined():
    """The same step as a scan and as a loop of Python's."""
    record = compared(SCAN, UNROLLED)
    assert len({each.key for each in record.lines}) == len(record.lines)
    in_both = [each for each in record.lines if all(each.figures)]
    assert {each.line for each in in_both} >= {13, 17, 18, 19, 20, 25, 35, 36}
    for each in in_both:
        if min(figures.share_ratio for figures in each.figures) > 0.05:
            first, second = (figures.per_step_ps for figures in each.figures)
            assert first == pytest.approx(second, rel=0.5)
    first, second = record.runs
    assert first.step_ps == pytest.approx(second.step_ps, rel=0.2)
    shares = [max((each.share_ratio or 0 for each in line.figures if each), default=0) for line in record.lines]
    assert shares == sorted(shares, reverse=True)


def test_a_run_that_does_not_fit_has_memory_and_no_time():
    record = compared(SCAN, NO_ROOM)
    assert [each.fits for each in record.runs] == [True, False]
    assert [each.step_ps is None for each in record.runs] == [False, True]
    assert values(record, "compared-without-time")["names"] == ("no_room",)
    assert any(each.figures[1] is not None and each.figures[1].peak_bytes for each in record.lines)
    assert record.predicted_for == "TPU v5e"


@pytest.mark.parametrize(
    "outcome", ["refused", "not-lowered", "too-few-devices", "crashed", "memory-limit", "cancelled"]
)
def test_a_run_of_which_something_was_not_compiled_has_no_time(outcome, tmp_path):
    record = compared(SCAN, lacking(SCAN, tmp_path / "lacking", outcome))
    assert [each.step_ps is None for each in record.runs] == [False, True]
    assert values(record, "compared-without-time")["names"] == ("lacking",)
    assert {each.figures[1].per_step_ps for each in record.lines if each.figures[1]} == {None}


def test_what_slices_exchange_is_said_to_be_missing_beside_their_run(tmp_path):
    record = compared(SLICES, MESH)
    assert [each.has_slices for each in record.runs] == [True, False]
    assert values(record, "compared-between-slices")["names"] == ("slices",)
    assert "between slices too" in unbroken(targets_in_markdown("slices_step.py", record, tmp_path))
    assert "compared-between-slices" not in codes(compared(MESH))


def test_what_cannot_be_compared_is_said(tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    without = tmp_path / "without"
    shutil.copytree(SCAN, without)
    (without / "prediction.json").unlink()
    record = compared(MESH, empty, without)
    assert [each.name for each in record.runs] == ["mesh"]
    assert len([each for each in codes(record, "warning") if each.startswith("compared-run-")]) == 2
    assert codes(compared(empty))[0] == "nothing-to-compare"


def test_what_was_measured_on_a_tpu_is_joined_by_lines_and_has_no_marks(tmp_path):
    measured = as_measured(UNROLLED)
    record = targets([("v5e-1", open_subject(SCAN)), ("1 × TPU v5e", measured)])
    predicted, column = record.runs
    assert [(each.basis, each.target, each.device) for each in record.runs] == [
        ("predicted", "v5e-8", "TPU v5e"),
        ("measured", None, "TPU v5e"),
    ]
    own = lines(measured, ScopeOptions())
    assert (column.step_ps, column.steps, column.devices) == (own.step_time.mean_ps, own.extent.steps, 1)
    assert column.unestimated_bytes_ratio is None
    assert predicted.unestimated_bytes_ratio > 0
    timed = {each.key: each.per_step_ps for each in own.lines if each.per_step_ps}
    figures = {each.key: each.figures[1] for each in record.lines if each.figures[1] is not None}
    assert timed == {key: each.per_step_ps for key, each in figures.items() if each.per_step_ps}
    assert len([each for each in record.lines if all(each.figures)]) > 5
    assert values(record, "compared-with-measured")["names"] == ("1 × TPU v5e",)
    assert record.predicted_for == "TPU v5e"
    text = targets_in_markdown("step.py", record, tmp_path)
    assert "| line | v5e-1 | peak | 1 × TPU v5e, measured | peak |" in text
    for each in text.splitlines():
        if re.match(r"\| `", each):
            _, _, expected, _, was, *_ = (cell.strip() for cell in each.split("|"))
            assert not expected or expected.startswith("≈")
            assert "≈" not in was
    _, _, expected, was, _ = next(each for each in text.splitlines() if each.startswith("| per step")).split("|")
    assert "≈" in expected
    assert "≈" not in was
    assert "| measured: " in unbroken(text)


def test_what_was_measured_on_a_cpu_stands_beside_no_prediction():
    record = targets([("v5e-8", open_subject(SCAN)), ("1 × CPU", as_measured(UNROLLED, "cpu"))])
    assert [each.name for each in record.runs] == ["v5e-8"]
    assert values(record, "compared-run-elsewhere")["run"] == "1 × CPU"
    assert all(len(each.figures) == 1 for each in record.lines)


def test_measured_runs_alone_are_not_compared_here():
    record = targets([("1 × TPU v5e", as_measured(SCAN))])
    assert (record.runs, record.lines, record.predicted_for) == ((), (), None)
    assert codes(record, "empty") == ["nothing-to-compare"]


@pytest.mark.skipif(not DATA.is_dir(), reason="recorded profiles are not there")
def test_a_recorded_run_of_a_tpu_stands_beside_a_prediction():
    recorded = DATA / FILE_OF_BACKEND["tpu"]
    record = compared_targets([("v5e-8", SCAN), ("4 × TPU v6e", recorded)])
    column = record.runs[1]
    own = lines(open_subject(recorded), ScopeOptions())
    assert (column.basis, column.device, column.devices, column.fits) == ("measured", "TPU v6e", 4, True)
    assert column.step_ps == own.step_time.mean_ps
    assert {each.figures[1].per_step_ps for each in record.lines if each.figures[1]} >= {
        each.per_step_ps for each in own.lines if each.per_step_ps
    }


def test_the_record_is_json_and_markdown(tmp_path):
    record = compared(SCAN, UNROLLED, NO_ROOM)
    said = json.loads(json_text(record))
    assert [each["name"] for each in said["runs"]] == ["scan", "unrolled", "no_room"]
    assert all(len(each["figures"]) == 3 for each in said["lines"])
    text = targets_in_markdown("step.py", record, tmp_path)
    assert text.startswith("# step.py\n")
    assert "|  | scan | unrolled | no\\_room |" in text
    assert "| does not fit: 25 of 15.75 GiB |" in unbroken(text)
    assert "≈" in text
