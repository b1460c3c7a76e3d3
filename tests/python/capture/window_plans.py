"""Window plans as tests make them, and what they are told."""

from pathlib import Path

from scopelight.capture import window
from scopelight.capture.actions import Stop
from scopelight.capture.observed import Observation, Traced
from scopelight.capture.window import WindowPlan
from scopelight.findings import warning
from scopelight.model.run.information import WindowOptions

NOTHING = Observation(None, executions=10, why_none=warning("no-program-runs"))


def traced(seconds=1.0, compiles=0, size=1000, number=1):
    return Traced(seconds, 0.0, seconds, 0.0, 0.0, size, compiles, file=Path(f"{number}"))


def settled(**options):
    """A plan whose first probe has just been observed to be over, at second 11.5."""
    plan = WindowPlan(WindowOptions(**options))
    plan.backend(10.0)
    plan.lowered(10.5)
    plan.compiled(11.0, 0.5)
    assert plan.tick(11.0 + window.QUIET_SECONDS - 0.01) is None
    assert plan.tick(11.0 + window.QUIET_SECONDS) == Stop(goes_on=plan.options.seconds is None)
    return plan


def after(plan, observation):
    """What follows an observation, once the probe that goes on meanwhile has ended for it."""
    action = plan.observed(observation)
    if action == Stop(goes_on=False):
        return plan.traced(traced(number=99))
    if plan.leads_on:
        assert plan.traced(traced(number=99)) is None
    return action
