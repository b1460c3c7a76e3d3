"""Which probe holds the slow steps that the job has had before it looked for them."""

from itertools import accumulate
from pathlib import Path

import pytest

from scopelight.capture.actions import Observe, StepsBefore
from scopelight.capture.conditions.plan import ConditionalPlan
from scopelight.capture.observed import Traced
from scopelight.model.run.information import WindowOptions

STEP_SECONDS = 0.003
SLOW = 20


def probe(started, stopped):
    return Traced(stopped - started, started, stopped, 0.0, 0.0, 1000, 0, file=Path(str(started)))


def probes_with(slow_seconds, first, second):
    """The probes that are windows of a job with one long step."""
    plan = ConditionalPlan(WindowOptions(slow_ratio=12.0, slow_by="ring"))
    plan.backend(0.0)
    durations = [*[STEP_SECONDS] * SLOW, slow_seconds, *[STEP_SECONDS] * 20]
    ended = tuple(accumulate(durations))
    plan.traced(probe(*first))
    told = list(plan.slow_steps_before(StepsBefore(tuple(range(len(ended))), ended, (SLOW,), "train_step")))
    return [*told, *filter(None, [plan.traced(probe(*second))])]


@pytest.mark.parametrize("at", [0.1, 0.2, 0.26, 0.3])
def test_a_slow_step_is_in_one_of_the_probes_wherever_one_of_them_ends(at):
    (window,) = probes_with(0.3, (0.0, at), (at + 0.03, 0.5))
    assert isinstance(window, Observe)
    assert (window.traced.started > 0.0) == (at < 0.21)


def test_a_step_that_is_long_for_the_change_of_traces_is_not_slow():
    began = SLOW * STEP_SECONDS
    assert probes_with(0.04, (0.0, began + 0.001), (began + 0.031, 0.5)) == []
    assert len(probes_with(0.08, (0.0, began + 0.001), (began + 0.031, 0.5))) == 1
