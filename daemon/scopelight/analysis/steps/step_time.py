"""Step time: how long the complete steps take."""

from scopelight.analysis.records import StepTimeRecord
from scopelight.analysis.steps.steps import Steps


def step_time(steps: Steps) -> StepTimeRecord:
    """The durations of steps."""
    if not len(steps):
        return StepTimeRecord(0, None, None, None, None)
    return StepTimeRecord(
        steps=len(steps),
        mean_ps=round(int(steps.duration_ps.sum()) / len(steps)),
        median_ps=steps.median_ps,
        least_ps=int(steps.duration_ps.min()),
        greatest_ps=int(steps.duration_ps.max()),
    )
