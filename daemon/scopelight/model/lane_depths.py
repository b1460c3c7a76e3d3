"""Depths: which row of a lane each slice is drawn in, so that no two of a row overlap."""

from typing import Final

import numpy as np

from scopelight.formats.columns import Int16, Int64
from scopelight.formats.kernels import kernel

MOST_DEPTHS: Final = 1024
"""Slices that would lie deeper share the last row and may overlap there; it also bounds the work on hostile lanes."""


@kernel
def _place(start: Int64, duration: Int64, ends: Int64, depth: Int16) -> int:
    used, most = 0, 0
    for row in range(len(start)):
        begin, end = start[row], start[row] + duration[row]
        while used and ends[used - 1] <= begin:
            used -= 1
        place = used
        while place and (ends[place - 1] < end or ends[place - 1] <= begin):
            place -= 1
        while place < used and ends[place] > begin:
            place += 1
        place = min(place, len(ends) - 1)
        if place == used:
            ends[place] = end
            used += 1
        else:
            ends[place] = max(ends[place], end)
        most = max(most, used)
        depth[row] = place
    return most


def depths(start_ps: Int64, duration_ps: Int64) -> tuple[Int16, int]:
    """The depth of each slice of one lane, int16[n], and how many there are.

    Rows are sorted by (start ascending, end descending). A slice lies below the deepest one that contains it; where it
    only overlaps others, on the first depth below its containers that is free.
    """
    depth = np.empty(len(start_ps), np.int16)
    most = _place(start_ps, duration_ps, np.zeros(MOST_DEPTHS, np.int64), depth)
    return depth, int(most)
