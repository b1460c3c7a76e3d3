"""The window plan alone, where the window is asked for before it came by itself."""

from capture.window_plans import NOTHING, after, settled, traced
from made.findings import values
from scopelight.capture import window
from scopelight.capture.actions import Close, Observe, Stop, Trace
from scopelight.capture.observed import Observation
from scopelight.capture.window import WindowPlan
from scopelight.model.run.information import WindowOptions


def test_there_is_nothing_to_ask_for_before_the_backend_and_after_the_window():
    plan = WindowPlan(WindowOptions())
    assert not plan.is_waiting and plan.capture_now(0.0) is None
    plan = settled()
    plan.traced(traced())
    assert plan.is_waiting
    after(plan, Observation(0.1, periods=4, executions=10))
    assert not plan.is_waiting and plan.capture_now(12.0) is None


def test_where_nothing_repeats_two_seconds_are_captured_whatever_is_compiled_in_them():
    plan = WindowPlan(WindowOptions())
    plan.backend(0.0)
    plan.compiled(1.0, 0.5)
    assert plan.capture_now(1.1) == Stop(goes_on=True)
    assert not plan.is_waiting and plan.tick(9.0) is None
    probe = traced(compiles=1)
    assert plan.traced(probe) == Observe(probe)
    action = after(plan, NOTHING)
    assert action == Trace(0.0, window.BY_HAND_SECONDS, is_window=True)
    plan.compiled(2.0, 0.1)
    assert plan.tick(2.0) is None
    closing = traced(number=2, seconds=2.0, compiles=1)
    plan.traced(closing)
    action = plan.observed(NOTHING)
    assert isinstance(action, Close) and action.traced == closing and action.kind == "time"
    assert values(action.findings, "window-by-hand") == {"window_s": 2.0, "steps": 5}


def test_what_the_running_probe_holds_is_used():
    plan = WindowPlan(WindowOptions(steps=3))
    plan.backend(0.0)
    plan.compiled(1.0, 0.5)
    plan.capture_now(1.1)
    probe = traced()
    plan.traced(probe)
    assert after(plan, Observation(0.1, periods=4, executions=10)) == Close(probe, "steps", steps=3)


def test_steps_that_are_known_are_captured_without_skipping():
    plan = WindowPlan(WindowOptions(steps=5, skip=50))
    plan.backend(0.0)
    plan.compiled(1.0, 0.5)
    plan.capture_now(1.1)
    plan.traced(traced())
    action = after(plan, Observation(0.1, periods=3, executions=10))
    assert isinstance(action, Trace) and action.after_seconds == 0 and action.seconds < 1
    closing = traced(number=2)
    plan.traced(closing)
    assert plan.observed(Observation(0.1, periods=5, executions=10)) == Close(closing, "steps", steps=5)


def test_steps_that_take_long_are_not_waited_for():
    plan = settled()
    plan.traced(traced())
    plan.capture_now(12.0)
    action = after(plan, Observation(30.0, periods=3, executions=10))
    assert isinstance(action, Trace) and action.seconds == window.BY_HAND_SECONDS


def test_where_nothing_ran_in_it_the_last_probe_in_which_something_did_is_kept():
    plan = settled()
    first = traced()
    plan.traced(first)
    plan.observed(NOTHING)
    plan.capture_now(12.0)
    plan.traced(traced(number=2))
    after(plan, Observation(None))
    plan.traced(traced(number=3))
    action = plan.observed(Observation(None))
    assert isinstance(action, Close) and action.traced == first


def test_where_nothing_ran_at_all_it_goes_on():
    plan = settled()
    plan.traced(traced())
    plan.capture_now(12.0)
    after(plan, Observation(None))
    plan.traced(traced(number=3))
    assert plan.observed(Observation(None)) == Trace(0.0, window.BY_HAND_SECONDS, is_window=True)


def test_a_window_of_seconds_is_of_as_many():
    plan = WindowPlan(WindowOptions(seconds=4.0))
    plan.backend(0.0)
    assert plan.capture_now(0.5) == Stop(goes_on=False)
    assert plan.traced(traced()) == Trace(0.0, 4.0, is_window=True)
