"""What stands after a line's time of its change."""

import attrs
import pytest

from scopelight.analysis.compare.line_changes import LineChanges
from scopelight.analysis.compare.records import ComparedRow, ComparedTotals
from scopelight.server.lines.changes.annotations import change_of_line


@attrs.frozen
class Compared:
    """As much of a comparison as is read."""

    rows: tuple
    totals: ComparedTotals = attrs.field(factory=ComparedTotals)


@attrs.frozen
class Line:
    """As much of a line as is read."""

    key: str


def changes(verdict, judged_by):
    row = ComparedRow(
        key="k",
        kind="line",
        label="step",
        path="train.py",
        file="/a/train.py",
        line=3,
        function="step",
        before_key="k",
        after_key="k",
        before_path="train.py",
        before_line=2,
        paired_by="text",
        verdict=verdict,
        judged_by=judged_by,
        change_ratio=0.12,
    )
    return LineChanges(Compared((row,)), "3f2a")


@pytest.mark.parametrize(
    ("verdict", "judged_by", "said"),
    [
        ("worse", "device-time", "+12 % since 3f2a"),
        ("worse", "cpu-time", "+12 % CPU time since 3f2a"),
        ("cannot-tell", "wall-clock", "±"),
        ("same", "device-time", None),
    ],
)
def test_what_cannot_be_told_is_not_silent_as_what_did_not_change(verdict, judged_by, said):
    assert change_of_line(Line("k"), changes(verdict, judged_by), is_predicted=False) == said


def test_nothing_is_said_of_lines_that_are_not_compared():
    assert change_of_line(Line("other"), changes("cannot-tell", "wall-clock"), is_predicted=False) is None
    assert change_of_line(Line("k"), None, is_predicted=False) is None


def test_predictions_are_marked():
    assert change_of_line(Line("k"), changes("worse", "exact"), is_predicted=True) == "≈+12 % since 3f2a"
