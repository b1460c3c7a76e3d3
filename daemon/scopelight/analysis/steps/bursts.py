"""Bursts: steps that follow on each other fast until one takes much longer, over and over.

So they come of an input that is read ahead in batches, or of a checkpoint now and then: what a few of them show is by
chance.
"""

from typing import NamedTuple

import numpy as np

from scopelight.analysis.steps.steps import Steps
from scopelight.model.spans import Spans

LONG = 3.0
"""Of the median: a step that takes longer ends a burst."""
UNEVEN = 1.5
"""By how much the mean is above the median at least: below it, the long ones hardly count."""


class Burst(NamedTuple):
    """How long a burst lasts with the long step at its end, and how many steps it has on average."""

    duration_ps: int
    steps: float


def longest_burst(steps: Steps, compiling: Spans | None = None) -> Burst | None:
    """The longest burst, or as much of it as was seen.

    None where the steps take about the same time. What lies between two steps, such as an evaluation, makes no burst,
    and steps that begin before the last program was compiled are not looked at.
    """
    start_ps, duration_ps = steps.start_ps, steps.duration_ps
    if compiling is not None and len(compiling.start_ps):
        rows = start_ps >= (compiling.start_ps + compiling.duration_ps).max()
        start_ps, duration_ps = start_ps[rows], duration_ps[rows]
    if not len(start_ps):
        return None
    median_ps = float(np.median(duration_ps))
    is_long = duration_ps > LONG * median_ps
    if not is_long.any() or duration_ps.mean() < UNEVEN * median_ps:
        return None
    end_ps = start_ps + duration_ps
    longest_ps = int(np.diff(np.concatenate((start_ps[:1], end_ps[is_long], end_ps[-1:]))).max())
    apart = np.diff(np.flatnonzero(is_long))
    return Burst(longest_ps, float(apart.mean()) if len(apart) else longest_ps / float(duration_ps.mean()))
