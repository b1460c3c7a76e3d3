"""Step time: how long the complete steps take."""

import numpy as np

from scopelight.analysis.records import StepTimeRecord
from scopelight.analysis.steps.steps import Steps
from scopelight.formats.columns import Int64


def step_time(steps: Steps) -> StepTimeRecord:
    """The durations of steps."""
    return step_time_of(steps.duration_ps)


def step_time_of(duration_ps: Int64) -> StepTimeRecord:
    """Of steps that take so long."""
    count = len(duration_ps)
    if not count:
        return StepTimeRecord(0, None, None, None, None)
    return StepTimeRecord(
        steps=count,
        mean_ps=round(int(duration_ps.sum()) / count),
        median_ps=int(np.median(duration_ps)),
        least_ps=int(duration_ps.min()),
        greatest_ps=int(duration_ps.max()),
    )
