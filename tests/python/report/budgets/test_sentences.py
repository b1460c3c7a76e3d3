"""What is said of a budget claims no more than was measured."""

from fractions import Fraction

import attrs

from scopelight.analysis.budgets.judgement import judged
from scopelight.analysis.budgets.measured import Measured, exact, noisy, over_rounds, steady
from scopelight.analysis.budgets.records import Budget
from scopelight.findings import note
from scopelight.report.budgets.sentences import between, sentence

MS = 10**9


def one(ms):
    return noisy(Fraction(ms) * MS, [], on_cpu=True)


def said(name, limit, taken):
    return sentence(judged(Budget(name, Fraction(limit), 3), taken))


def test_what_one_run_is_expected_to_differ_by_is_no_measurement_of_others():
    assert said("step_ms", 95 * MS, one(100)) == (
        "Median time of a step is 100 ms, and a run of this code may take 83.3 ms to 120 ms, which does not tell"
        " whether its budget of 95.0 ms is held."
    )
    assert said("step_ms", 50 * MS, one(100)) == (
        "Median time of a step is 100 ms, against its budget of 50.0 ms: 100.0 % over. A run of this code may take"
        " 83.3 ms to 120 ms."
    )


def test_rounds_say_what_they_took():
    rounds = over_rounds([one(each) for each in (100, 90, 110, 104, 96)])
    assert said("step_ms", 95 * MS, rounds) == (
        "Median time of a step is 100 ms, and rounds took 90.0 ms to 110 ms: they do not tell whether its budget of"
        " 95.0 ms is held."
    )
    # As few do not know how far they differ.
    assert "a run of this code may take" in said("step_ms", 95 * MS, over_rounds([one(100), one(90)]))


def test_a_change_lies_in_an_interval():
    change = Measured(Fraction(1, 50), Fraction(-1, 100), Fraction(1, 20), "noisy", "measured", spread="interval")
    assert said("step_change", Fraction(3, 100), change) == (
        "Change of the time of a step is +2.0 %, and lies between \N{MINUS SIGN}1.0 % and +5.0 % (95 %): the rounds do"
        " not tell whether its budget of +3.0 % is held."
    )


def test_one_run_each_has_no_interval_of_everything():
    change = Measured(Fraction(1, 50), None, None, "noisy", "measured", (note("budget-one-run-each"),))
    row = judged(Budget("step_change", Fraction(10), 3), change)
    assert (row.verdict, between(row)) == ("cannot-tell", "")
    assert "One run each tells nothing" in sentence(row)
    assert "100.0 %" not in sentence(row)


def test_a_budget_of_nothing_is_in_the_unit_of_its_file():
    assert "its budget of 0 ms" in said("step_ms", 0, one(100))
    assert "its budget of 0 B" in said("peak_memory_gib", 0, attrs.evolve(one(1), least=Fraction(1)))


def test_a_peak_that_is_planned_is_not_called_one_that_was_measured():
    planned = exact(2**30, "planned", note("budget-peak-planned", program="jit_step"))
    said_of_plan = said("peak_memory_gib", 2**31, planned)
    assert said_of_plan.startswith("Peak memory of the compiler's plan is 1 GiB, within its budget")
    assert "without what else the process holds" in said_of_plan
    measured = steady(2**30, "measured", note("budget-peak-measured"))
    assert said("peak_memory_gib", 2**31, measured).startswith("Peak memory is 1 GiB, within its budget")
