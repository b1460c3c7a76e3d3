"""A budget is held, broken, or cannot be told: by all that other runs of the same code may take."""

import statistics
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.findings import codes
from scopelight.analysis.budgets.judgement import judged, verdict
from scopelight.analysis.budgets.measured import Measured, exact, noisy, over_rounds, steady
from scopelight.analysis.budgets.outcome import outcome
from scopelight.analysis.budgets.records import Budget, BudgetProblem, BudgetsRecord
from scopelight.findings import warning

MS = 10**9


def test_one_unit_more_of_what_is_exact_breaks_a_budget():
    assert verdict(exact(10**15, "counted"), Fraction(10**15)) == "held"
    assert verdict(exact(10**15 + 1, "counted"), Fraction(10**15)) == "broken"
    assert verdict(steady(3, "measured"), Fraction(2)) == "broken"


@pytest.mark.parametrize(
    ("limit_ms", "told"), [(50, "broken"), (83, "broken"), (84, "cannot-tell"), (119, "cannot-tell"), (121, "held")]
)
def test_of_one_run_on_a_shared_machine_a_near_limit_cannot_be_told(limit_ms, told):
    steps = noisy(Fraction(100 * MS), [100 * MS] * 10, on_cpu=True)
    assert verdict(steps, Fraction(limit_ms * MS)) == told


def test_a_device_with_a_clock_of_its_own_tells_nearer_limits():
    steps = noisy(Fraction(100 * MS), [100 * MS] * 10, on_cpu=False)
    assert verdict(steps, Fraction(103 * MS)) == "held"
    assert verdict(steps, Fraction(97 * MS)) == "broken"


def test_a_single_slow_step_moves_no_median():
    steps_ps = [100 * MS] * 9 + [9_000 * MS]
    step = noisy(Fraction(statistics.median(steps_ps)), steps_ps, on_cpu=False)
    assert verdict(step, Fraction(105 * MS)) == "held"
    # The mean it does: what is one is doubted.
    mean = noisy(Fraction(sum(steps_ps), 10), steps_ps, on_cpu=False, is_mean=True)
    assert verdict(mean, Fraction(500 * MS)) == "cannot-tell"


@given(
    st.lists(st.integers(1, 10**13), min_size=1, max_size=20),
    st.integers(0, 10**13),
    st.booleans(),
    st.booleans(),
)
def test_an_interval_holds_its_value(steps_ps, value, on_cpu, is_mean):
    measured = noisy(Fraction(value), steps_ps, on_cpu=on_cpu, is_mean=is_mean)
    assert 0 <= measured.least <= measured.value <= measured.greatest
    share = noisy(Fraction(value, 10**13), steps_ps, on_cpu=on_cpu, is_mean=is_mean, most=1)
    assert 0 <= share.least <= share.value <= share.greatest <= 1


def test_rounds_are_within_a_limit_where_all_of_them_are():
    rounds = over_rounds([noisy(Fraction(each * MS), [], on_cpu=True) for each in (99, 100, 101, 102, 98)])
    assert (rounds.value, rounds.spread) == (100 * MS, "rounds")
    assert [verdict(rounds, Fraction(each * MS)) for each in (97, 98, 101, 102)] == [
        "broken",
        "cannot-tell",
        "cannot-tell",
        "held",
    ]
    # Of fewer it is not known how far they differ.
    assert verdict(over_rounds([noisy(Fraction(100 * MS), [], on_cpu=True)] * 4), Fraction(101 * MS)) == "cannot-tell"


def test_what_is_counted_is_the_most_of_all_rounds():
    counted = over_rounds([exact(1, "counted"), exact(2, "counted"), exact(1, "counted")])
    assert counted.value == 2
    assert [verdict(counted, Fraction(each)) for each in (0, 1, 2)] == ["broken", "cannot-tell", "held"]
    assert over_rounds([exact(1, "counted")] * 3) == exact(1, "counted")


def test_what_nothing_tells_of_cannot_be_told():
    change = Measured(Fraction(1), None, None, "noisy", "measured")
    assert verdict(change, Fraction(100)) == "cannot-tell"


def test_a_row_says_by_how_much():
    row = judged(Budget("step_ms", Fraction(160 * MS), 3), exact(200 * MS, "measured"))
    assert (row.value, row.over, row.over_ratio, row.verdict) == (200 * MS, 40 * MS, 0.25, "broken")
    free = judged(Budget("compilations", Fraction(0), 3), exact(2, "counted"))
    assert (free.over, free.over_ratio) == (2, None)


def test_what_is_not_measured_says_why_and_has_no_numbers():
    row = judged(Budget("step_ms", Fraction(1), 3), warning("budget-without-steps"))
    assert (row.verdict, row.value, row.over, codes(row)) == ("not-measured", None, None, ["budget-without-steps"])


LIMIT = Fraction(10)
HELD = judged(Budget("compilations", LIMIT, 1), exact(1, "counted"))
BROKEN = judged(Budget("compilations", LIMIT, 2), exact(11, "counted"))
UNTOLD = judged(Budget("step_ms", LIMIT, 3), noisy(LIMIT, [10], on_cpu=True))
MISSING = judged(Budget("step_ms", LIMIT, 4), warning("budget-without-steps"))
PROBLEM = BudgetProblem(5, warning("budgets-no-table"))


@pytest.mark.parametrize(
    ("rows", "problems", "told"),
    [
        ((HELD,), (), "held"),
        ((HELD, UNTOLD), (), "cannot-tell"),
        ((HELD, UNTOLD, MISSING), (), "not-measured"),
        ((HELD,), (PROBLEM,), "not-measured"),
        ((HELD, UNTOLD, MISSING, BROKEN), (PROBLEM,), "broken"),
        ((), (), "not-measured"),
    ],
)
def test_the_gravest_verdict_is_that_of_all(rows, problems, told):
    assert outcome(BudgetsRecord(rows=rows, problems=problems)) == told
