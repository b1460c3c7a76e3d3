"""Whether the machine's clock was set while a trace ran: jax's profiler dates events by it, and loses those that seem
to lie before the trace began."""

from collections.abc import Iterable, Iterator

from scopelight.findings import Finding, warning
from scopelight.model.run.information import TraceCost

LEAST_SECONDS = 0.05
"""Reading both clocks one after the other on a busy machine may take as long."""
LEAST_RATIO = 1e-3
"""A clock that is only slowed down or sped up, as time services do, is that far off at most."""


def clock_steps(traces: Iterable[TraceCost]) -> Iterator[Finding]:
    """A warning for the largest step back, and one for the largest step forward, of the clock during these traces."""
    steps = [
        step
        for each in traces
        if abs(step := each.stopped - each.started - each.seconds) > max(LEAST_SECONDS, LEAST_RATIO * each.seconds)
    ]
    if (back := min(steps, default=0.0)) < 0:
        yield warning("clock-set-back", moved_s=-back)
    if (forward := max(steps, default=0.0)) > 0:
        yield warning("clock-set-forward", moved_s=forward)
