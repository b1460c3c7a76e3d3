"""Predicted runs side by side: each column is what the run's own views say, lines are joined by their keys."""

import json
import shutil

import pytest

from made.findings import codes, values
from made.predictions import ALL, MESH, NO_ROOM, SCAN, UNROLLED
from scopelight.analysis.lines.view import lines
from scopelight.analysis.memory.fit.view import fit
from scopelight.analysis.memory.options import FitOptions
from scopelight.analysis.options import ScopeOptions
from scopelight.report.json_text import json_text
from scopelight.report.targets.as_markdown import targets_in_markdown
from scopelight.views.opening import open_subject
from scopelight.views.targets import compared_targets


def compared(*runs):
    return compared_targets([(run.name, run) for run in runs])


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


def test_what_cannot_be_compared_is_said(tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    measured = tmp_path / "measured"
    shutil.copytree(SCAN, measured)
    (measured / "prediction.json").unlink()
    record = compared(MESH, empty, measured)
    assert [each.name for each in record.runs] == ["mesh"]
    assert len([each for each in codes(record, "warning") if each.startswith("compared-run-")]) == 2
    assert codes(compared(empty))[0] == "nothing-to-compare"


def test_the_record_is_json_and_markdown(tmp_path):
    record = compared(SCAN, UNROLLED, NO_ROOM)
    said = json.loads(json_text(record))
    assert [each["name"] for each in said["runs"]] == ["scan", "unrolled", "no_room"]
    assert all(len(each["figures"]) == 3 for each in said["lines"])
    text = targets_in_markdown("step.py", record, tmp_path)
    assert text.startswith("# step.py\n")
    assert "| no\\_room | does not fit | 25.0 of 15.75 GiB |" in text
    assert "≈" in text
