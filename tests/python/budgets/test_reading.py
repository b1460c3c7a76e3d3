"""Budgets are read with their lines; what means nothing is said with why, and what was meant."""

from fractions import Fraction

import pytest

from made.findings import values
from scopelight.analysis.budgets.records import Budget
from scopelight.budgets.reading import read_budgets

EXAMPLE = """[project]
name = "x"

[tool.scopelight.budgets]
step_ms = 200
peak_memory_gib = 12
compilations = 1
padding_ratio = 0.1
flops_change = "0 %"
"train.py:train_step".step_ms = 160
"model.py:attention".share = "20 %"
"data.py".waiting_share = "5 %"
"""


def one_problem(line):
    read = read_budgets(f"[tool.scopelight.budgets]\n{line}\n")
    assert read.budgets == ()
    (problem,) = read.problems
    return problem


def test_the_example_is_read():
    read = read_budgets(EXAMPLE)
    assert read.problems == ()
    assert read.budgets == (
        Budget("step_ms", Fraction(200 * 10**9), 5),
        Budget("peak_memory_gib", Fraction(12 * 2**30), 6),
        Budget("compilations", Fraction(1), 7),
        Budget("padding_ratio", Fraction(1, 10), 8),
        Budget("flops_change", Fraction(0), 9),
        Budget("step_ms", Fraction(160 * 10**9), 10, "train.py:train_step", "train.py", "train_step"),
        Budget("share", Fraction(1, 5), 11, "model.py:attention", "model.py", "attention"),
        Budget("waiting_share", Fraction(1, 20), 12, "data.py", "data.py", None),
    )


@pytest.mark.parametrize(
    "text",
    [
        '[tool.scopelight.budgets."a.py:f"]\nshare = 0.2\n',
        '[tool.scopelight]\nbudgets = { "a.py:f" = { share = 0.2 } }\n',
        'tool.scopelight.budgets."a.py:f".share = 0.2\n',
        '[tool.scopelight.budgets]\n"a.py:f" = { share = "20 %" }\n',
    ],
)
def test_a_table_may_be_written_in_any_way(text):
    read = read_budgets(text)
    (budget,) = read.budgets
    assert (budget.place, budget.limit, read.problems) == ("a.py:f", Fraction(1, 5), ())
    assert "share" in text.splitlines()[budget.line - 1] or "budgets" in text.splitlines()[budget.line - 1]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("step_mss = 3", "budget-unknown"),
        ('step_ms = "200 s"', "budget-value-wrong"),
        ("step_ms = true", "budget-value-wrong"),
        ("step_ms = -1", "budget-value-wrong"),
        ("step_ms = inf", "budget-value-wrong"),
        ("step_ms = nan", "budget-value-wrong"),
        ("step_ms = [1]", "budget-value-wrong"),
        ("step_ms = 1e300", "budget-value-wrong"),
        ("compilations = 1.5", "budget-value-wrong"),
        ("padding_ratio = 10", "budget-value-wrong"),
        ('"a.py:f".share = 20', "budget-value-wrong"),
        ('"a.py:f".share = "120 %"', "budget-value-wrong"),
        ("share = 0.2", "budget-not-of-place"),
        ('"a.py".compilations = 1', "budget-not-of-place"),
        ('"a.py:f".peak_memory_gib = 1', "budget-not-of-place"),
        ('"train.py:42".share = 0.2', "budget-of-line"),
        ('"train.py:42:7".share = 0.2', "budget-of-line"),
        ("train.py.share = 0.2", "budget-place-unquoted"),
        ("train_step.share = 0.2", "budget-place-unclear"),
        ('"a.py:f g".share = 0.2', "budget-place-unclear"),
        ('"".share = 0.2', "budget-place-unclear"),
    ],
)
def test_what_means_nothing_is_said_with_its_line(line, code):
    problem = one_problem(f"# a comment\n{line}")
    assert (problem.finding.code, problem.line) == (code, 3)


def test_the_nearest_name_is_offered():
    assert values([one_problem("step_s = 3").finding], "budget-unknown")["nearest"] == "step_ms"
    assert values([one_problem('"a.py".waitingshare = 0.1').finding], "budget-unknown")["nearest"] == "waiting_share"
    assert values([one_problem("zebra = 3").finding], "budget-unknown")["nearest"] is None
    assert values([one_problem("a.b.py.share = 1").finding], "budget-place-unquoted")["place"] == "a.b.py"


def test_one_bad_budget_leaves_the_others():
    read = read_budgets("[tool.scopelight.budgets]\nbad = 1\nstep_ms = 3\n")
    assert [each.name for each in read.budgets] == ["step_ms"]
    assert [each.line for each in read.problems] == [2]


@pytest.mark.parametrize(
    ("text", "line"),
    [("a = 1\nb = \n", 2), ("[tool.scopelight.budgets]\nstep_ms = 1\nstep_ms = 2\n", 3), ('a = """\n', 2)],
)
def test_a_text_that_is_no_toml_is_said_with_its_line(text, line):
    (problem,) = read_budgets(text).problems
    assert problem.finding.code == "budgets-unreadable"
    assert abs(problem.line - line) <= 1


def test_a_text_without_a_table_has_nothing():
    assert read_budgets("[tool.other]\na = 1\n").has_table is False
    assert read_budgets("[tool.scopelight.budgets]\n").has_table is True
    (problem,) = read_budgets("[tool.scopelight]\nbudgets = 3\n").problems
    assert (problem.finding.code, problem.line) == ("budgets-no-table", 2)


def test_names_of_methods_and_nested_functions_are_places():
    text = '[tool.scopelight.budgets]\n"a/b.py:Model.loss".share = 1\n"a.py:main.<locals>.step".share = 1\n'
    assert [each.function for each in read_budgets(text).budgets] == ["Model.loss", "main.<locals>.step"]
