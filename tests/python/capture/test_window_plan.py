"""The window plan alone: what it asks for, given what it is told."""

from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capture.window_plans import NOTHING, after, settled, traced
from made.findings import codes, values
from scopelight.capture import window
from scopelight.capture.actions import Close, Observe, Stop, Trace
from scopelight.capture.observed import Observation
from scopelight.capture.window import WindowPlan
from scopelight.model.run.information import WindowOptions


def test_the_first_probe_waits_until_compilation_settles():
    settled()


def test_a_program_at_the_compiler_keeps_the_probe_open():
    plan = WindowPlan(WindowOptions())
    plan.backend(0.0)
    plan.compiled(1.0, 0.5)
    plan.lowered(1.2)
    assert plan.tick(30.0) is None
    plan.compiled(40.0, 38.0)
    assert plan.tick(40.4) is None
    assert plan.tick(40.5) == Stop()


def test_the_window_skips_and_holds_complete_steps():
    plan = settled(steps=5, skip=2)
    first = traced()
    assert plan.traced(first) == Observe(first)
    action = after(plan, Observation(0.1, periods=4, executions=10))
    assert isinstance(action, Trace) and action.is_window
    assert action.after_seconds == pytest.approx(0.2)
    assert 0.6 <= action.seconds <= 0.7
    closing = traced(number=2)
    assert plan.traced(closing) == Observe(closing)
    assert after(plan, Observation(0.1, periods=5, executions=9)) == Close(closing, "steps", steps=5)


def test_probes_double_until_three_periods_were_seen():
    plan = settled()
    lengths = []
    began = 11.0 + window.QUIET_SECONDS
    for _ in range(4):
        plan.traced(traced())
        # The next probe has begun with the end of the last, and goes on while that is looked at.
        assert plan.wake_after(began) is None
        assert plan.observed(Observation(3.0, periods=2, executions=10)) is None
        lengths.append(plan.wake_after(began))
        began += lengths[-1]
        assert plan.tick(began) == Stop(goes_on=True)
    # What was looked at in all.
    assert lengths == pytest.approx([0.5, 1, 2, 4])
    plan.traced(traced())
    action = after(plan, Observation(3.0, periods=3, executions=10))
    assert isinstance(action, Trace) and action.is_window


def test_what_repeats_before_a_program_was_compiled_is_no_step():
    plan = settled()
    plan.traced(traced())
    # The script prepared its arrays; its step goes to the compiler while that is looked at, which takes a while.
    plan.lowered(12.0)
    assert plan.observed(Observation(3.0, periods=4, executions=10)) is None
    assert plan.period_seconds is None
    plan.compiled(20.0, 8.0)
    assert plan.tick(20.0 + window.QUIET_SECONDS - 0.01) is None
    assert plan.tick(20.0 + window.QUIET_SECONDS) == Stop(goes_on=True)
    plan.traced(traced(compiles=1, number=2))
    action = after(plan, Observation(0.1, periods=5, executions=20))
    assert isinstance(action, Trace) and action.is_window
    assert action.seconds < 1


def test_a_program_that_never_comes_back_from_the_compiler_does_not_keep_the_steps_from_being_found():
    plan = settled()
    plan.traced(traced())
    plan.lowered(12.0)
    assert plan.observed(NOTHING) is None
    assert plan.tick(12.0 + window.PENDING_SECONDS) == Stop(goes_on=True)
    plan.traced(traced(number=2))
    assert isinstance(after(plan, Observation(0.1, periods=5, executions=20)), Trace)


@pytest.mark.parametrize("has_begun", [False, True])
def test_a_program_compiled_in_the_window_makes_it_a_probe_at_once(has_begun):
    plan = settled(steps=5)
    plan.traced(traced())
    assert after(plan, Observation(30.0, periods=3, executions=10)).seconds > 150
    plan.lowered(13.0)
    assert plan.tick(13.5) is None
    plan.compiled(14.0, 1.0)
    assert plan.tick(14.0) == Stop(goes_on=True)
    assert plan.tick(14.1) is None
    # A window that was still to begin is no trace.
    assert (plan.traced(traced(compiles=1, number=3)) if has_begun else plan.stopped()) is None
    assert plan.tick(14.0 + window.QUIET_SECONDS) == Stop(goes_on=True)
    probe = traced(number=4)
    assert plan.traced(probe) == Observe(probe)
    action = after(plan, Observation(0.1, periods=5, executions=20))
    assert isinstance(action, Trace) and action.is_window
    assert action.seconds < 1
    # Nothing was traced while a window was waited for.
    assert not plan.is_unbroken


def test_the_last_window_is_kept_whatever_is_compiled_in_it():
    plan = settled()
    now = 12.0
    plan.traced(traced())
    action = after(plan, Observation(0.1, periods=4, executions=10))
    for _ in range(window.MOST_WINDOWS - 1):
        now += 1.0
        plan.compiled(now, 0.1)
        assert plan.tick(now) == Stop(goes_on=True)
        plan.traced(traced(compiles=1))
        now += window.QUIET_SECONDS
        assert plan.tick(now) == Stop(goes_on=True)
        plan.traced(traced())
        action = after(plan, Observation(0.1, periods=4, executions=10))
        assert isinstance(action, Trace) and action.is_window
    plan.compiled(now + 1.0, 0.1)
    assert plan.tick(now + 1.0) is None
    plan.traced(traced(compiles=1))
    action = after(plan, Observation(0.1, periods=5, executions=10))
    assert isinstance(action, Close)
    assert codes(action.findings) == ["script-still-compiles"]
    assert values(action.findings, "script-still-compiles") == {"programs": 1}


def test_the_traces_of_a_script_that_ends_before_its_window_follow_on_each_other():
    plan = settled()
    assert not plan.is_unbroken
    plan.traced(traced())
    after(plan, NOTHING)
    plan.traced(traced())
    assert plan.is_unbroken
    window_of = after(plan, Observation(0.1, periods=3, executions=10))
    assert isinstance(window_of, Trace)
    # The probe went on until the window began.
    plan.traced(traced())
    assert plan.is_unbroken
    # The window ended in time, and is taken again when it has been looked at.
    assert isinstance(after(plan, Observation(0.1, periods=2, executions=10)), Trace)
    plan.traced(traced())
    assert not plan.is_unbroken


def test_what_is_skipped_for_long_is_not_traced():
    plan = settled(skip=60)
    plan.traced(traced())
    # A probe goes on for three seconds at most.
    assert plan.observed(Observation(0.1, periods=3, executions=10)) == Stop(goes_on=False)
    window_of = plan.traced(traced())
    assert isinstance(window_of, Trace) and window_of.after_seconds == pytest.approx(6.0)
    plan.traced(traced())
    assert not plan.is_unbroken


def test_a_script_that_is_asked_to_end_in_its_window_has_all_its_traces():
    plan = settled()
    plan.traced(traced())
    after(plan, Observation(0.1, periods=3, executions=10))
    plan.close()
    assert plan.traced(traced()) is None
    assert plan.is_unbroken


def test_an_observation_belongs_to_the_trace_that_was_looked_at():
    plan = settled()
    plan.traced(traced(number=1))
    # The script ends while its first trace is looked at: the one that went on has ended too.
    plan.close()
    plan.traced(traced(number=2))
    plan.observed(Observation(0.1, periods=7, executions=9))
    assert [each.observation and each.observation.periods for each in plan.candidates] == [7, None]


def test_a_probe_that_no_longer_runs_keeps_nothing_waiting():
    plan = settled()
    plan.traced(traced())
    assert plan.observed(Observation(2.0, periods=3, executions=10)) == Stop(goes_on=False)
    action = plan.stopped()
    assert isinstance(action, Trace) and action.is_window
    assert plan.stopped() is None


def test_without_repetition_the_longest_probe_is_the_window_and_says_so():
    plan = settled()
    now = 12.0
    for _ in range(20):
        plan.traced(traced())
        action = after(plan, NOTHING)
        if isinstance(action, Close):
            break
        now += plan.wake_after(now)
        plan.tick(now)
    assert isinstance(action, Close) and action.kind == "time"
    assert codes(action.findings) == ["window-by-time", "no-program-runs"]
    assert now < 12 + 2 * window.LONGEST_PROBE_SECONDS


def test_a_dense_probe_is_not_made_longer():
    plan = settled()
    plan.traced(traced(size=window.MOST_PROBE_BYTES))
    action = after(plan, NOTHING)
    assert isinstance(action, Close) and action.kind == "time"


def test_a_script_that_executes_nothing_yet_is_waited_for():
    plan = settled()
    now = 12.0
    for _ in range(12):
        plan.traced(traced())
        assert plan.observed(Observation(None, executions=0)) is None
        now += plan.wake_after(now)
        plan.tick(now)


def test_a_script_that_never_settles_is_not_waited_for_forever():
    plan = WindowPlan(WindowOptions())
    plan.backend(0.0)
    now, action = 0.0, None
    while action is None and now < 1000:
        now += 0.3
        plan.lowered(now - 0.1)
        plan.compiled(now, 0.1)
        action = plan.tick(now)
    assert action == Stop()
    assert window.UNSETTLED_SECONDS <= now <= 2 * window.UNSETTLED_SECONDS


def test_a_window_with_a_compile_is_taken_again_but_not_forever():
    plan = settled()
    plan.traced(traced())
    action = after(plan, Observation(0.1, periods=4, executions=10))
    windows = 0
    while isinstance(action, Trace):
        windows += 1
        plan.traced(traced(compiles=2))
        action = after(plan, Observation(0.1, periods=5, executions=10))
    assert windows == window.MOST_WINDOWS
    assert isinstance(action, Close) and codes(action.findings) == ["script-still-compiles"]


def test_a_window_with_too_few_steps_grows():
    plan = settled()
    plan.traced(traced())
    first = after(plan, Observation(0.1, periods=4, executions=10))
    plan.traced(traced(seconds=0.3))
    second = after(plan, Observation(0.1, periods=3, executions=10))
    assert isinstance(first, Trace) and isinstance(second, Trace)
    assert second.seconds == pytest.approx(2 * first.seconds)


def test_a_window_in_which_steps_come_less_often_than_before_is_taken_again_for_as_long_as_they_need():
    plan = settled(steps=5)
    plan.traced(traced())
    assert isinstance(after(plan, Observation(0.003, periods=100, executions=100)), Trace)
    plan.traced(traced(seconds=0.06))
    second = after(plan, Observation(None, periods=0, executions=1))
    assert isinstance(second, Trace)
    assert second.seconds == pytest.approx(0.06 * 6 * window.MARGIN_RATIO)


BURSTS = Observation(0.003, periods=40, executions=40, burst_seconds=0.2, burst_steps=16.0)


def test_steps_that_come_in_bursts_are_captured_for_several_of_them_and_all_count():
    plan = settled(steps=5)
    plan.traced(traced())
    opened = after(plan, BURSTS)
    assert isinstance(opened, Trace)
    assert opened.seconds == pytest.approx(window.WINDOW_BURSTS * 0.2 * window.MARGIN_RATIO)
    closing = traced(number=2)
    plan.traced(closing)
    action = after(plan, attrs.evolve(BURSTS, periods=64))
    assert isinstance(action, Close) and action.steps == 64
    assert codes(action.findings) == ["window-of-bursts"]
    assert values(action.findings, "window-of-bursts") == {"complete": 64, "steps": 5, "burst_ps": 200_000_000_000}


def test_steps_that_hold_several_bursts_are_as_many_as_were_asked_for():
    plan = settled(steps=70)
    plan.traced(traced())
    after(plan, BURSTS)
    closing = traced(number=2)
    plan.traced(closing)
    assert after(plan, attrs.evolve(BURSTS, periods=90)) == Close(closing, "steps", steps=70)


def test_one_step_that_took_long_by_chance_makes_no_more_steps_count():
    plan = settled(steps=5)
    plan.traced(traced())
    after(plan, BURSTS)
    closing = traced(number=2)
    plan.traced(closing)
    assert after(plan, attrs.evolve(BURSTS, burst_seconds=None, burst_steps=None)) == Close(closing, "steps", steps=5)


def test_a_window_of_bursts_is_no_larger_than_a_probe_may_be():
    plan = settled(steps=5)
    plan.traced(traced(seconds=1.0, size=window.MOST_PROBE_BYTES // 2))
    opened = after(plan, attrs.evolve(BURSTS, burst_seconds=0.9))
    assert isinstance(opened, Trace)
    assert opened.seconds == pytest.approx(2.0 * window.MARGIN_RATIO, rel=0.01)


def test_as_many_steps_as_were_asked_for_are_captured_of_bursts_that_have_fewer():
    plan = settled(steps=200)
    plan.traced(traced())
    opened = after(plan, BURSTS)
    assert isinstance(opened, Trace)
    assert opened.seconds == pytest.approx(0.003 * 201 * window.MARGIN_RATIO, rel=0.5)
    plan.traced(traced(seconds=opened.seconds))
    again = after(plan, attrs.evolve(BURSTS, periods=60))
    assert isinstance(again, Trace)
    assert again.seconds == pytest.approx(200 / 60 * opened.seconds, rel=0.2)


TRAINING = Observation(0.1, periods=4, executions=10, name="jit_train")
EVALUATION = Observation(0.02, periods=9, executions=9, name="jit_evaluate")


def test_a_window_that_an_evaluation_takes_is_taken_again_and_longer():
    plan = settled()
    plan.traced(traced())
    first = after(plan, TRAINING)
    plan.traced(traced())
    second = after(plan, EVALUATION)
    assert isinstance(first, Trace) and isinstance(second, Trace)
    assert second.seconds == pytest.approx(2 * first.seconds)
    plan.traced(traced())
    action = after(plan, attrs.evolve(TRAINING, periods=5))
    assert isinstance(action, Close) and not action.findings


def test_a_script_that_only_evaluates_from_now_on_is_not_waited_for_forever():
    plan = settled()
    plan.traced(traced())
    action = after(plan, TRAINING)
    while isinstance(action, Trace):
        plan.traced(traced())
        action = after(plan, EVALUATION)
    assert isinstance(action, Close) and codes(action.findings) == ["window-of-other-steps"]


def test_steps_that_come_as_often_under_another_name_are_the_same_loop():
    plan = settled()
    plan.traced(traced())
    after(plan, TRAINING)
    plan.traced(traced())
    action = after(plan, attrs.evolve(TRAINING, name="jit_add", period_seconds=0.12, periods=5))
    assert isinstance(action, Close) and not action.findings


def test_the_best_trace_has_most_steps():
    plan = settled()
    plan.traced(traced(number=1))
    after(plan, Observation(0.1, periods=30, executions=100))
    plan.traced(traced(number=2))
    plan.candidates[-1].observation = Observation(0.1, periods=3, executions=10)
    assert plan.best().traced.file == Path("1")


def test_seconds_open_the_window_when_compilation_has_settled():
    plan = settled(seconds=3.0)
    assert plan.traced(traced()) == Trace(0.0, 3.0, is_window=True)
    closing = traced(number=2)
    assert plan.traced(closing) == Close(closing, "seconds")


@given(st.floats(1e-5, 20.0), st.integers(1, 50), st.integers(0, 20))
def test_a_window_always_has_room_for_its_steps_at_any_phase(period, steps, skip):
    plan = settled(steps=steps, skip=skip)
    plan.traced(traced())
    action = after(plan, Observation(period, periods=3, executions=10))
    assert action.seconds >= (steps + 1) * period
    assert action.after_seconds == pytest.approx(skip * period)


def test_what_was_looked_at_before_a_program_was_compiled_does_not_make_probes_longer():
    plan = settled()
    now = 11.5
    for number in range(5):
        plan.traced(traced(number=number))
        assert plan.observed(NOTHING) is None
        now += plan.wake_after(now)
        assert plan.tick(now) == Stop(goes_on=True)
    plan.lowered(now)
    plan.compiled(now + 1.0, 1.0)
    plan.traced(traced(number=9))
    plan.observed(NOTHING)
    assert plan.wake_after(now + 1.0) == pytest.approx(window.QUIET_SECONDS)


def test_steps_that_did_not_go_on_after_a_compile_are_no_steps_yet():
    plan = settled()
    plan.traced(traced(compiles=1))
    over = Observation(0.2, periods=9, executions=10, seen=9, begun_since_compile=1)
    assert plan.observed(over) is None
    assert plan.tick(13.0) == Stop(goes_on=True)
    plan.traced(traced(number=2))
    action = after(plan, attrs.evolve(over, begun_since_compile=2))
    assert isinstance(action, Trace) and action.is_window


def test_traces_are_looked_at_together_until_they_are_large():
    plan = settled()
    first = traced(size=window.MOST_JOINED_BYTES - 10_000)
    assert plan.traced(first) == Observe(first)
    plan.observed(NOTHING)
    plan.tick(12.0)
    second = traced(number=2)
    assert plan.traced(second) == Observe(second, (first,))
    plan.observed(NOTHING)
    plan.tick(14.0)
    third = traced(number=3, size=20_000)
    assert plan.traced(third) == Observe(third, (second,))
