"""How soon the plan asks for the window, on a script that is simulated second by second."""

import itertools
from collections import Counter

import attrs
import pytest

from scopelight.capture.actions import Close, Observe, Stop, Trace
from scopelight.capture.observed import Observation, Traced
from scopelight.capture.window import WindowPlan
from scopelight.model.run.information import WindowOptions

TICK = 0.01
LOOKING_SECONDS = 0.3
"""How long it takes to look at a probe."""


@attrs.define
class Script:
    """When programs are compiled (from, to), and when what runs of which name begins."""

    compiles: list[tuple[float, float]]
    steps: list[tuple[float, str]]

    def seen(self, began, joined_from, ended):
        """What the observer finds in the probe and in those before it."""
        alone = self.seen_in(began, began, ended)
        return alone.or_joined(self.seen_in(began, joined_from, ended))

    def seen_in(self, began, first, ended):
        names = Counter(name for at, name in self.steps if first <= at < ended)
        name = max(names, key=names.__getitem__, default="")
        within = [at for at, each in self.steps if first <= at < ended and each == name]
        ends = [end for start, end in self.compiles if start < ended and end > first]
        apart = [
            after - before
            for before, after in itertools.pairwise(within)
            if not any(start < after and end > before for start, end in self.compiles)
        ]
        return Observation(
            sorted(apart)[len(apart) // 2] if apart else None,
            periods=max(0, sum(at >= began for at in within) - 1),
            executions=1 + len(within),
            name=name,
            seen=len(apart),
            begun_since_compile=sum(each >= ends[-1] for each in within) if ends else None,
        )


def first_window(script, until=200.0, asked_at=None):
    """When the plan asks for its first window or closes, and the action."""
    plan = WindowPlan(WindowOptions())
    plan.backend(0.0)
    events = sorted(
        [(start, "lowered", 0.0) for start, _ in script.compiles]
        + [(end, "compiled", end - start) for start, end in script.compiles]
    )
    began, joined_from, due, now = 0.0, 0.0, None, 0.0
    while now < until:
        now += TICK
        while events and events[0][0] <= now:
            at, what, seconds = events.pop(0)
            if what == "lowered":
                plan.lowered(at)
            else:
                plan.compiled(at, seconds)
        action = None
        if asked_at is not None and now >= asked_at:
            asked_at = None
            action = plan.capture_now(now)
        if due is not None and now >= due[0]:
            action, due = plan.observed(due[1]), None
        action = action or plan.tick(now)
        if isinstance(action, Stop):
            compiles = sum(began < end <= now for _, end in script.compiles)
            traced = Traced(now - began, began, now, 0.0, 0.0, 1000, compiles, file=None)
            seen = script.seen(began, joined_from, now)
            began = now
            action = plan.traced(traced)
            if isinstance(action, Observe):
                due = (now + LOOKING_SECONDS, seen)
        if isinstance(action, Trace | Close):
            return now, action, plan
    raise AssertionError("the plan asked for no window")


def every(period, start, count=2000, name="jit_train_step"):
    return [(start + number * period, name) for number in range(count)]


def flax_like(period):
    """88 small compiles of preparations in 15 seconds, some of them far apart, then the step's, then steps; a metric is
    compiled later."""
    compiles, now = [], 0.2
    for number in range(88):
        compiles.append((now, now + 0.08))
        now += 0.08 + (1.1 if number % 11 == 5 else 0.02)
    compiled = now + 2.0 + 7.0
    compiles.append((now + 2.0, compiled))
    steps = every(period, compiled)
    metric = steps[20][0] + 0.01
    compiles.append((metric, metric + 0.05))
    return Script(compiles, steps), compiled


@pytest.mark.parametrize("period", [0.02, 0.21, 0.45, 0.9, 2.5])
def test_the_window_is_asked_for_within_three_steps_or_three_seconds_of_the_last_compile(period):
    script, compiled = flax_like(period)
    at, action, _ = first_window(script)
    assert isinstance(action, Trace) and action.is_window
    # Four beginnings bound three steps, which end within the fourth.
    assert at - compiled <= max(3.0, 4 * period) + 2 * LOOKING_SECONDS + TICK
    assert action.seconds < 10 * period + 0.2


@pytest.mark.parametrize("period", [0.21, 4.0])
def test_programs_that_run_once_do_not_keep_the_steps_from_being_found(period):
    # Something else is compiled every other step, as where a number changes its type.
    compiled = 10.0
    steps = every(period, compiled)
    compiles = [(1.0, compiled), *((each + 0.01, each + 0.05) for each, _ in steps[6::8][:20])]
    at, _, _ = first_window(Script(compiles, steps))
    assert at - compiled <= max(3.0, 5 * period) + 2 * LOOKING_SECONDS


def test_what_repeats_until_a_program_is_compiled_is_not_taken_for_the_steps():
    preparations = every(0.1, 3.0, count=6, name="jit_prepare")
    last = preparations[-1][0]
    compiles = [(1.0, 3.0), (last + 0.1, last + 6.0)]
    script = Script(compiles, [*preparations, *every(0.5, last + 6.0)])
    at, action, plan = first_window(script)
    assert at > last + 6.0
    assert plan.period_seconds == pytest.approx(0.5, rel=0.01)
    assert action.is_window
