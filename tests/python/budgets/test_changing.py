"""A change is evidence of the code where the runs are of the same devices, and where rounds tell it."""

from fractions import Fraction

import attrs
import pytest

from scopelight.analysis.budgets.records import Budget
from scopelight.analysis.compare.records import ComparedQuantity, ComparedSide, ComparedTotals, ComparisonRecord
from scopelight.budgets.changing import Changes
from scopelight.findings import Finding, note, warning

STEP = Budget("step_change", Fraction(1, 10), 3)
FLOPS = Budget("flops_change", Fraction(0), 4)


def a_side():
    return ComparedSide("a", ("/a",), None, "train.py", 1, "CPU", "0.10", ())


def a_comparison(*findings, rounds=1, interval=None):
    values = (100.0,) * rounds
    return ComparisonRecord(
        by="line",
        before=a_side(),
        after=a_side(),
        rounds=rounds,
        has_steps=True,
        is_paired_in_rounds=rounds > 1,
        rows=(),
        totals=ComparedTotals(),
        quantities=(
            ComparedQuantity(
                "step", "noisy", "ps", 100.0, 102.0, 2.0, 0.02, "cannot-tell", interval, None, values, values
            ),
            ComparedQuantity("flops", "exact", "flops", 100.0, 101.0, 1.0, 0.01, "worse", None, None, values, values),
        ),
        findings=findings,
    )


@pytest.mark.parametrize(
    "unlike",
    [
        warning("compared-with-prediction", before=True),
        warning("compared-unlike-devices", before="CPU", after="TPU v5e", before_devices=1, after_devices=1),
    ],
)
def test_runs_of_other_devices_are_no_evidence(unlike):
    changes = Changes(lambda: a_comparison(unlike, warning("compared-without-steps")))
    assert changes.taken(STEP) == changes.taken(FLOPS) == unlike
    # Each budget says that itself.
    assert [each.code for each in changes.findings] == ["compared-without-steps"]


def test_in_what_else_they_differ_is_told_beside():
    unlike = warning("compared-unlike-arguments", before=("1",), after=("2",))
    changes = Changes(lambda: a_comparison(unlike, note("compared-one-run-each", on_cpu=True)))
    assert not isinstance(changes.taken(FLOPS), Finding)
    assert list(changes.findings) == [unlike]


@pytest.mark.parametrize(("rounds", "code"), [(1, "budget-one-run-each"), (3, "budget-rounds-tell-nothing")])
def test_without_an_interval_nothing_tells_of_the_wall_clock(rounds, code):
    taken = Changes(lambda: a_comparison(rounds=rounds)).taken(STEP)
    assert (taken.value, taken.least, taken.greatest) == (Fraction(2, 100), None, None)
    assert [each.code for each in taken.findings] == [code]


def test_the_interval_of_rounds_is_that_of_the_comparison():
    taken = Changes(lambda: a_comparison(rounds=3, interval=(-1.0, 5.0))).taken(STEP)
    assert (taken.least, taken.greatest, taken.spread) == (Fraction(-1, 100), Fraction(5, 100), "interval")


@pytest.mark.parametrize(
    ("before", "after", "between"),
    [((1, 1), (2, 2), (1, 1)), ((1, 1), (1, 2), (0, 1)), ((1, 2), (1, 2), (-1, 1)), ((1, 1, 1), (2,), (1, 1))],
)
def test_counts_that_differ_among_rounds_are_between_them(before, after, between):
    means = [sum(each) / len(each) for each in (before, after)]
    quantity = ComparedQuantity(
        "compilations", "exact", "count", *means, means[1] - means[0], None, "cannot-tell", None, None, before, after
    )
    record = attrs.evolve(a_comparison(rounds=len(before)), quantities=(quantity,))
    taken = Changes(lambda: record).taken(Budget("compilations_change", Fraction(0), 5))
    assert (taken.least, taken.greatest) == between
    assert taken.least <= taken.value <= taken.greatest


def test_a_comparison_is_made_once_and_not_without_need():
    made = []
    changes = Changes(lambda: made.append(1) or a_comparison())
    assert made == []
    changes.taken(STEP)
    changes.taken(FLOPS)
    assert made == [1]
