"""Limits are exactly what is written, and what is proposed is written short and never below what it was made of."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopelight.analysis.budgets.kinds import KINDS
from scopelight.budgets.reading import read_budgets
from scopelight.budgets.values import limit_of, written_limit


@pytest.mark.parametrize(
    ("name", "value", "limit"),
    [
        ("step_ms", 0.1, Fraction(10**8)),
        ("share", "12.5 %", Fraction(1, 8)),
        ("share", "12.5%", Fraction(1, 8)),
        ("share", 0.1, Fraction(1, 10)),
        ("flops_change", "-5 %", Fraction(-1, 20)),
        ("flops_change", 3, Fraction(3)),
        ("compilations", 2, Fraction(2)),
    ],
)
def test_a_limit_is_what_is_written(name, value, limit):
    assert limit_of(KINDS[name], value) == limit


@given(st.fractions(min_value=Fraction(1, 10**6), max_value=1))
def test_a_written_share_holds_what_it_was_made_of(share):
    assert_holds("share", share, '"a.py".share')


@given(st.fractions(min_value=1000, max_value=10**15))
def test_a_written_time_holds_what_it_was_made_of(time_ps):
    assert_holds("step_ms", time_ps, "step_ms")


def assert_holds(name, limit, key):
    text = written_limit(KINDS[name], limit)
    (budget,) = read_budgets(f"[tool.scopelight.budgets]\n{key} = {text}\n").budgets
    assert limit <= budget.limit <= limit * Fraction(102, 100)
    assert len(text) <= 24


@pytest.mark.parametrize(
    ("name", "limit", "text"),
    [
        ("step_ms", Fraction(160_123_456_789), "161"),
        ("step_ms", Fraction(1_234_567_890), "1.24"),
        ("step_ms", Fraction(2 * 10**14), "200000"),
        ("share", Fraction(1, 5), '"20 %"'),
        ("share", Fraction(0), '"0 %"'),
        ("peak_memory_gib", Fraction(12 * 2**30), "12"),
        ("compilations", Fraction(11, 10), "2"),
    ],
)
def test_limits_are_written_as_people_write_them(name, limit, text):
    assert written_limit(KINDS[name], limit) == text
