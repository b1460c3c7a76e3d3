"""What stands of a change after a line, and on its card."""

import attrs
import pytest

from scopelight.analysis.compare.line_changes import LineChanges, flops_change_ratio
from scopelight.analysis.compare.records import ComparedRow, ComparedTotals
from scopelight.report.compare.in_text import CANNOT_TELL, change_in_column, change_in_text, change_paragraph

TOTALS = ComparedTotals(before_ps=2 * 10**9, after_ps=3 * 10**9)


@attrs.frozen
class Compared:
    """As much of a comparison as is read."""

    rows: tuple
    rounds: int = 5
    has_steps: bool = True
    totals: ComparedTotals = TOTALS


def row(**fields):
    given = {
        "key": "k",
        "kind": "line",
        "label": "step",
        "path": "train.py",
        "file": "/a/train.py",
        "line": 3,
        "function": "step",
        "before_key": "k",
        "after_key": "k",
        "before_path": "train.py",
        "before_line": 2,
        "paired_by": "text",
        "verdict": "same",
        "judged_by": "device-time",
        "before_ps": 10**9,
        "after_ps": 1_120_000_000,
        "change_ps": 120_000_000,
        "change_ratio": 0.12,
    }
    return ComparedRow(**given | fields)


def changes(*rows, **fields):
    return LineChanges(Compared(rows, **fields), "3f2a")


@pytest.mark.parametrize(
    ("fields", "said", "column"),
    [
        ({"verdict": "worse"}, "+12 % since 3f2a", "+12 %"),
        ({"verdict": "better", "change_ratio": -0.032}, "−3.2 % since 3f2a", "−3.2 %"),
        ({"verdict": "worse", "judged_change_ratio": 0.2}, "+20 % since 3f2a", "+20 %"),
        (
            {"verdict": "worse", "judged_by": "cpu-time", "judged_change_ratio": 0.97, "change_ratio": 1.57},
            "+97 % CPU time since 3f2a",
            "+97 % CPU",
        ),
        (
            {"verdict": "cannot-tell", "judged_by": "cpu-time", "before_flops": 10.0, "after_flops": 11.0},
            "FLOPs +10 % since 3f2a",
            "FLOPs +10 %",
        ),
        ({"verdict": "only-after", "before_ps": None}, "new since 3f2a", "new"),
        ({"verdict": "same"}, None, None),
        ({"verdict": "cannot-tell"}, CANNOT_TELL, CANNOT_TELL),
        (
            {"verdict": "cannot-tell", "before_flops": 10.0, "after_flops": 11.0},
            "FLOPs +10 % since 3f2a",
            "FLOPs +10 %",
        ),
        ({"verdict": "same", "before_flops": 1000.0, "after_flops": 1000.5}, None, None),
        ({"verdict": "worse", "change_ratio": None}, "more since 3f2a", "more"),
    ],
)
def test_what_changed_is_said_and_nothing_else(fields, said, column):
    changed = row(**fields)
    assert change_in_text(changed, changes(changed)) == said
    assert change_in_column(changed) == column


def test_lines_are_found_by_their_keys_after():
    there, gone = row(), row(key="gone", after_key=None, verdict="only-before")
    found = changes(there, gone)

    @attrs.frozen
    class Line:
        key: str

    assert found.of(Line("k")) is there
    assert found.of(Line("gone")) is None
    assert found.whole_ps == 3 * 10**9


def test_flops_that_are_an_estimate_are_no_change():
    assert flops_change_ratio(row(before_flops=1000.0, after_flops=1000.9)) is None
    assert flops_change_ratio(row(before_flops=1000.0, after_flops=1002.0)) == pytest.approx(0.002)
    assert flops_change_ratio(row(before_flops=0.0, after_flops=5.0)) is None
    assert flops_change_ratio(row(before_flops=None, after_flops=5.0)) is None


def test_the_card_has_all_that_a_change_rests_on():
    changed = row(
        verdict="worse",
        judged_by="cpu-time",
        judged_change_ratio=0.12,
        after_ps=2 * 10**9,
        change_ps=10**9,
        change_ratio=1.0,
        before_cpu_ps=10**9,
        after_cpu_ps=1_120_000_000,
        judged_interval=(0.08, 0.16),
        visible_ratio=0.09,
        paired_by="place",
    )
    said = change_paragraph(changed, changes(changed)).replace("\\", "")
    for part in (
        "**+12 % CPU time since 3f2a**",
        "wall clock 1.00 ms → 2.00 ms/step (+1.00 ms, +100 %)",
        "CPU time 1.00 ms → 1.12 ms/step (+12 %)",
        "95 % of CPU time: +8.0 % to +16 %",
        "9.0 % or more of CPU time would have been seen",
        "means of 5 rounds",
        "judged by CPU time",
        "line 2 before: the line was changed",
    ):
        assert part in said, said


def test_the_card_of_a_new_line_says_that_there_was_none():
    fresh = row(verdict="only-after", before_ps=None, before_key=None, before_line=None, paired_by=None)
    said = change_paragraph(fresh, changes(fresh, rounds=1)).replace("\\", "")
    assert "**new since 3f2a**" in said
    assert "1.12 ms/step" in said
    assert "there is none before" in said
    assert "one run each" in said


@pytest.mark.parametrize(
    ("controlled", "why"),
    [(True, "+12 % with what happened to all that is unchanged taken out"), (False, "+12 % from round to round")],
)
def test_a_change_of_cpu_time_that_is_not_that_of_the_means_says_what_it_is(controlled, why):
    changed = row(
        verdict="worse",
        judged_by="cpu-time",
        judged_change_ratio=0.12,
        before_cpu_ps=10**9,
        after_cpu_ps=15 * 10**8,
        controlled=controlled,
    )
    said = change_paragraph(changed, changes(changed)).replace("\\", "")
    assert f"CPU time 1.00 ms → 1.50 ms/step (+50 %; {why})" in said


def test_a_card_that_is_judged_by_the_clock_of_the_device_names_no_other_clock():
    changed = row(verdict="worse", judged_change_ratio=0.12, judged_interval=(0.08, 0.16), visible_ratio=0.09)
    said = change_paragraph(changed, changes(changed)).replace("\\", "")
    assert "**+12 % since 3f2a** · 1.00 ms → 1.12 ms/step (+120 µs, +12 %)" in said
    assert "95 %: +8.0 % to +16 %" in said
    assert "CPU" not in said and "wall clock" not in said
