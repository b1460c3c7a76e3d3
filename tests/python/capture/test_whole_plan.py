"""The plan of a whole script alone: when it is cut, and where it ends, given limits."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.findings import codes, values
from scopelight.capture import whole
from scopelight.capture.actions import Close, Stop, Trace
from scopelight.capture.observed import Traced
from scopelight.capture.whole import WholePlan
from scopelight.model.run.information import WindowOptions


def part(started, stopped, size=1000):
    return Traced(stopped - started, started, stopped, 0.0, 0.0, size, 0, file=Path("part"))


def test_without_a_limit_it_asks_for_nothing():
    plan = WholePlan(WindowOptions(whole=True))
    plan.backend(0.0)
    plan.compiled(1.0, 0.5)
    assert plan.wake_after(100.0) is None and plan.tick(1000.0) is None
    assert plan.traced(part(0.0, 1000.0)) is None


def test_a_limit_of_time_ends_it_and_says_so():
    plan = WholePlan(WindowOptions(whole=True, most_seconds=5.0))
    plan.backend(10.0)
    assert plan.wake_after(10.0) == 5.0 and plan.tick(14.9) is None
    assert plan.tick(15.0) == Stop(goes_on=False)
    only = part(10.0, 15.0)
    action = plan.traced(only)
    assert (action.traced, action.kind, action.earlier) == (only, "seconds", ())
    assert values(action.findings, "rest-left-out") == {"window_s": 5.0, "trace_bytes": 1000}
    assert plan.tick(100.0) is None


@given(
    rates=st.lists(st.floats(1e3, 1e7), min_size=1, max_size=6),
    most=st.integers(10**6, 10**9),
)
def test_a_limit_of_bytes_is_kept_as_far_as_what_is_written_goes_on_as_before(rates, most):
    plan = WholePlan(WindowOptions(whole=True, most_bytes=most))
    plan.backend(0.0)
    now = began = 0.0
    written, action = 0, None
    for number in range(10_000):
        rate = rates[min(number, len(rates) - 1)]
        now += plan.wake_after(now)
        stop = plan.tick(now)
        if stop is None:
            continue
        size = round(rate * (now - began))
        written += size
        action = plan.traced(part(began, now, size))
        began = now
        if stop == Stop(goes_on=False):
            break
        assert action is None
    assert isinstance(action, Close)
    assert written == sum(each.bytes for each in (*action.earlier, action.traced))
    assert written >= whole.NEARLY_FULL_RATIO * most
    assert ("larger-than-asked" in codes(action.findings)) == (written > most)
    if len(set(rates)) == 1:
        assert written <= 1.01 * max(most, whole.LEAST_PART_SECONDS * rates[0])


@pytest.mark.parametrize("is_asked_for", [True, False])
def test_a_window_that_is_asked_for_is_like_any_other(is_asked_for):
    plan = WholePlan(WindowOptions(whole=True, most_seconds=5.0), is_asked_for=is_asked_for)
    plan.backend(0.0)
    if not is_asked_for:
        assert plan.tick(5.0) == Stop(goes_on=False)
        plan.traced(part(0.0, 5.0))
    assert plan.can_capture_again
    window = plan.capture_again()
    assert isinstance(window, Trace) and window.seconds is not None and window.is_window
