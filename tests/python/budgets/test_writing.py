"""Budgets are written where they belong, and nothing else of the file changes."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopelight.budgets.reading import read_budgets
from scopelight.budgets.writing import NewBudget, NotWritableError, replaced, replacements

STEP = NewBudget("step_ms", "220")
SHARE = NewBudget("share", '"20 %"', "model.py:attention")
PLACED_STEP = NewBudget("step_ms", "160", "model.py:attention")


def written(text, *budgets):
    return replaced(text, replacements(text, budgets))


def test_a_table_is_made_where_there_is_none():
    assert written("", STEP, SHARE) == (
        '[tool.scopelight.budgets]\nstep_ms = 220\n"model.py:attention".share = "20 %"\n'
    )
    assert (
        written("[project]\nname = 'x'", STEP) == "[project]\nname = 'x'\n\n[tool.scopelight.budgets]\nstep_ms = 220\n"
    )
    assert written("[a]\n", STEP) == "[a]\n\n[tool.scopelight.budgets]\nstep_ms = 220\n"


def test_limits_are_replaced_and_comments_stay():
    text = """# mine
[tool.scopelight.budgets] # limits
step_ms   =  200   # since March
# between
compilations = 1

[tool.other]  # theirs
x = 1
"""
    assert written(text, STEP, SHARE) == text.replace(" 200 ", " 220 ").replace(
        "compilations = 1\n", 'compilations = 1\n"model.py:attention".share = "20 %"\n'
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '[tool.scopelight.budgets."model.py:attention"]\nshare = 0.1\n[x]\n',
            '[tool.scopelight.budgets."model.py:attention"]\nshare = "20 %"\nstep_ms = 160\n[x]\n',
        ),
        (
            '[tool.scopelight.budgets]\n"model.py:attention" = { share = 0.1 } # here\n',
            '[tool.scopelight.budgets]\n"model.py:attention" = { share = "20 %", step_ms = 160 } # here\n',
        ),
        (
            "[tool.scopelight]\nbudgets.compilations = 1 # one\nother = 2\n",
            '[tool.scopelight]\nbudgets.compilations = 1 # one\nbudgets."model.py:attention".share = "20 %"\n'
            'budgets."model.py:attention".step_ms = 160\nother = 2\n',
        ),
        (
            "[tool]\nscopelight = { budgets = {} }\n",
            '[tool]\nscopelight = { budgets = { "model.py:attention".share = "20 %",'
            ' "model.py:attention".step_ms = 160} }\n',
        ),
        (
            "[tool.scopelight.budgets]\r\nstep_ms = 1\r\n",
            '[tool.scopelight.budgets]\r\nstep_ms = 1\r\n"model.py:attention".share = "20 %"\r\n'
            '"model.py:attention".step_ms = 160\r\n',
        ),
        (
            "[tool.scopelight.budgets]",
            '[tool.scopelight.budgets]\n"model.py:attention".share = "20 %"\n"model.py:attention".step_ms = 160',
        ),
    ],
)
def test_every_form_of_the_table_is_added_to(before, after):
    assert written(before, SHARE, PLACED_STEP) == after


def test_what_cannot_be_written_is_refused():
    with pytest.raises(NotWritableError, match="no TOML"):
        written("a = ", STEP)
    with pytest.raises(NotWritableError, match="step_ms"):
        written("[[tool.scopelight.budgets]]\nx = 1\n", STEP)
    with pytest.raises(NotWritableError):
        written("[tool.scopelight]\nbudgets = 3\n", STEP)


LINES = st.lists(
    st.sampled_from(
        [
            "# a comment",
            "",
            "[tool.scopelight.budgets]",
            "[tool.scopelight]",
            "[project]",
            "step_ms = 3  # three",
            '"a.py".share = 0.5',
            '"a.py" = { share = 0.5 }',
            "budgets.compilations = 2",
            '[tool.scopelight.budgets."a.py"]',
            "share = 1",
            'text = """',
            '"""',
        ]
    ),
    max_size=7,
)


@given(LINES, st.lists(st.sampled_from([STEP, SHARE, NewBudget("share", "0.25", "a.py")]), min_size=1, unique=True))
def test_whatever_is_written_is_read_and_all_else_stays(lines, budgets):
    text = "\n".join(lines)
    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        before = None
    try:
        after = written(text, *budgets)
    except NotWritableError:
        assert before is None or "budgets" in text
        return
    assert before is not None
    wanted = {(each.place, each.name) for each in budgets}
    assert wanted <= {(each.place, each.name) for each in read_budgets(after).budgets}
    others = {(each.place, each.name, each.limit) for each in read_budgets(text).budgets}
    assert {each for each in others if each[:2] not in wanted} <= {
        (each.place, each.name, each.limit) for each in read_budgets(after).budgets
    }
    assert [line for line in lines if line.startswith("#")] == [
        line for line in after.split("\n") if line.startswith("#")
    ]
