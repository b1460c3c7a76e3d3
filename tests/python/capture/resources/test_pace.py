"""How often resources are read, whatever a reading costs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopelight.capture.resources.pace import BUDGET_RATIO, Pace

BURST_SECONDS = 0.004


@pytest.mark.parametrize(
    ("is_close", "after_seconds", "period_seconds"),
    [(True, 0, 0.05), (False, 0, 0.25), (False, 601, 1.0), (True, 601, 0.05)],
)
def test_it_is_often_while_a_trace_runs_and_seldom_in_a_long_run(is_close, after_seconds, period_seconds):
    pace = Pace(0.05, 100.0, BUDGET_RATIO)
    pace.is_close = is_close
    assert pace.period_seconds(100.0 + after_seconds) == period_seconds


@given(st.lists(st.integers(1_000, 20_000_000), min_size=1, max_size=60), st.booleans())
def test_it_never_takes_more_than_its_budget(costs_ns, is_close):
    pace = Pace(0.05, 0.0, BUDGET_RATIO)
    pace.is_close = is_close
    now, spent = 0.0, 0.0
    for cost_ns in costs_ns:
        spent += cost_ns / 1e9
        now += cost_ns / 1e9
        wait = pace.wait_seconds(now, cost_ns)
        assert wait > 0
        now += wait
        assert spent <= BURST_SECONDS + BUDGET_RATIO * now + 1e-9


def test_cheap_readings_come_at_the_period():
    pace = Pace(0.05, 0.0, BUDGET_RATIO)
    pace.is_close = True
    now = 0.0
    for _ in range(100):
        now += pace.wait_seconds(now, 150_000) + 150e-6
    assert now == pytest.approx(100 * 0.05)
