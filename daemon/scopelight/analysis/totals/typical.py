"""What a step typically has of something that a few steps have far too much of.

A thread that waits for another to get a core may spin all that time: one step in twenty then has the CPU time of ten.
The median drops that, and most of what the other steps tell; the mean of the middle half drops it alone.
"""

import numpy as np

from scopelight.formats.columns import Float64, Int64


def typical(of_steps: Float64 | Int64) -> Float64:
    """By row the mean over the middle half of its columns, which are steps: the least and the greatest quarter is left
    out. Of fewer than four all count; of none it is 0."""
    steps = of_steps.shape[-1]
    if not steps:
        return np.zeros(of_steps.shape[:-1])
    left_out = steps // 4
    middle: Float64 = np.sort(of_steps, axis=-1)[..., left_out : steps - left_out].mean(axis=-1)
    return middle
