"""Which steps are slow, and what looking for them may cost."""

import random

import pytest

from scopelight_agent.shim.steps import before as before_module
from scopelight_agent.shim.steps import duty as duty_module
from scopelight_agent.shim.steps.before import StepsBefore
from scopelight_agent.shim.steps.duty import Duty
from scopelight_agent.shim.steps.slow import LEAST_KNOWN, REMEMBERED, RunningMedian, SlowSteps


def test_the_median_is_that_of_the_last_steps():
    chance, median, durations = random.Random(7), RunningMedian(), []
    for _ in range(3 * REMEMBERED):
        durations.append(chance.random())
        median.add(durations[-1])
        recent = sorted(durations[-REMEMBERED:])
        known = len(recent) >= LEAST_KNOWN
        assert median.seconds == (recent[len(recent) // 2] if known else None)


def test_a_step_is_slow_by_those_before_it_and_the_loop_may_become_slower():
    slow = SlowSteps(2.0)
    assert not any(slow.is_slow(1.0) for _ in range(LEAST_KNOWN))
    assert [slow.is_slow(each) for each in (1.9, 2.1, 1.0)] == [False, True, False]
    found = [slow.is_slow(3.0) for _ in range(2 * REMEMBERED)]
    assert found[0]
    assert not any(found[REMEMBERED:])


def test_none_is_slow_before_enough_are_known():
    slow = SlowSteps(2.0)
    assert not any(slow.is_slow(each) for each in [1.0] * (LEAST_KNOWN - 1) + [50.0])


def test_steps_from_before_they_were_known_are_judged_once_they_are(monkeypatch):
    now, before, slow = [0.0], StepsBefore(), SlowSteps(2.0)
    monkeypatch.setattr(before_module.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(before_module.time, "time", lambda: 1000.0 + now[0])
    for number in range(60):
        now[0] += 5.0 if number in (4, 30, 50) else 1.0
        before.ended("train_step", number, compiles=number >= 50)
        before.ended("evaluate", number, compiles=0)
    judged = before.judged("train_step", slow)
    # The fourth came before enough were known, and in the last something was compiled.
    assert judged["slow"] == [30]
    assert judged["numbers"] == list(range(60))
    assert judged["last_ended"] == now[0]
    assert judged["ended"][30] == 1000.0 + 30 + 1 + 8
    assert slow.is_ready
    assert before.judged("evaluate", slow)["numbers"] == []


def test_sessions_pause_until_they_cost_as_little_as_was_asked_for(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(duty_module.time, "perf_counter", lambda: now[0])
    duty, sessions, traced = Duty(0.01), 0, 0
    for number in range(200_000):
        is_traced = traced > 0
        # A step takes 10 ms, later 8, and 1 ms longer where it is traced.
        took = (0.010 if number < 120_000 else 0.008) + 0.001 * is_traced
        now[0] += took
        duty.step(took, is_traced=is_traced)
        traced -= is_traced
        if traced == 0 and duty.affords(20):
            sessions, traced = sessions + 1, 20
            now[0] += 0.002
            duty.waited(0.002)
    told = duty.told()
    assert told["cost_seconds"] <= 0.0101 * told["passed_seconds"]
    # By what each session is longer than the steps before it, however the loop's pace changes.
    assert told["cost_seconds"] == pytest.approx(0.022 * sessions, rel=0.01)
    # 22 ms each, of 2000 s: nearly all that may be had.
    assert 0.9 * 0.01 * told["passed_seconds"] / 0.022 < sessions
