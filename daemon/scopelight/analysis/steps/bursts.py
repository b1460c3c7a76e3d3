"""Bursts: steps that follow on each other fast until one takes much longer, over and over.

So they come of an input that is read ahead in batches, or of a checkpoint now and then: what a few of them show is by
chance.
"""

import numpy as np

from scopelight.analysis.steps.steps import Steps

LONG = 3.0
"""Of the median: a step that takes longer ends a burst."""
UNEVEN = 1.5
"""By how much the mean is above the median at least: below it, the long ones hardly count."""


def burst_ps(steps: Steps) -> int | None:
    """How long a burst lasts with the long step at its end: the longest, or as much of it as was seen.

    None where the steps take about the same time. What lies between two steps, such as an evaluation, makes no burst.
    """
    if not len(steps):
        return None
    median_ps = float(np.median(steps.duration_ps))
    is_long = steps.duration_ps > LONG * median_ps
    if not is_long.any() or steps.duration_ps.mean() < UNEVEN * median_ps:
        return None
    end_ps = steps.start_ps + steps.duration_ps
    return int(np.diff(np.concatenate((steps.start_ps[:1], end_ps[is_long], end_ps[-1:]))).max())
