"""Nesting: which event of a lane lies inside which, how deep, and what is left of each as self time."""

from typing import Final

import numpy as np

from scopelight.formats.columns import Int16, Int32, Int64
from scopelight.formats.kernels import kernel


@kernel
def _nest(start: Int64, end: Int64, parent: Int32, own: Int64, stack: Int32) -> None:
    depth = 0
    for row in range(len(start)):
        while depth and end[stack[depth - 1]] <= start[row]:
            depth -= 1
        own[row] = end[row] - start[row]
        parent[row] = -1
        if depth:
            above = stack[depth - 1]
            parent[row] = above
            own[above] -= min(end[row], end[above]) - start[row]
        if end[row] > start[row]:
            stack[depth] = row
            depth += 1


def nest(start_ps: Int64, duration_ps: Int64) -> tuple[Int32, Int64]:
    """Parents and self times of the events of one lane.

    Rows are sorted by (start ascending, end descending). An event is a child of the last one that started
    before it and has not ended. Where the two merely overlap, the overlap belongs to the later one, so that
    self times of a lane never sum to more than the time that the lane was in use.

    Returns the row of each event's parent (-1 for none) and its duration less that of its direct children.
    """
    count = len(start_ps)
    parent = np.empty(count, dtype=np.int32)
    own = np.empty(count, dtype=np.int64)
    _nest(start_ps, start_ps + duration_ps, parent, own, np.empty(count, dtype=np.int32))
    return parent, own


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
