"""One pass over the starts and ends of a device's executions, that divides the time among those that run."""

import numpy as np

from scopelight.formats.columns import Bool, Float64, Int32, Int64
from scopelight.formats.kernels import kernel


@kernel
def divide_wall(
    start: Int64, end: Int64, lane: Int32, is_container: Bool, by_start: Int64, by_end: Int64, lanes: int, wall: Float64
) -> int:
    """Add to ``wall`` each execution's part of the time in which any runs, and return that time.

    Of a lane only the execution that began last counts, and a container only while nothing but containers runs. Those
    that count at one time have equal parts. ``by_start`` and ``by_end`` are the rows in the order of their starts and
    ends.
    """
    rows = len(start)
    top = np.full(lanes, -1, dtype=np.int64)
    below = np.full(rows, -1, dtype=np.int64)
    has_ended = np.zeros(rows, dtype=np.bool_)
    # What one of each class has had since the beginning, and when that was read for each execution that counts now.
    had = np.zeros(2)
    at_turn = np.zeros(rows)
    running = np.zeros(2, dtype=np.int64)
    busy = 0
    now = start[by_start[0]] if rows else 0
    started = ended = 0
    while ended < rows:
        is_end = started == rows or end[by_end[ended]] <= start[by_start[started]]
        row = by_end[ended] if is_end else by_start[started]
        at = end[row] if is_end else start[row]
        if at > now:
            kind = 0 if running[0] else 1
            if running[kind]:
                had[kind] += (at - now) / running[kind]
                busy += at - now
            now = at
        place = lane[row]
        if is_end:
            ended += 1
            has_ended[row] = True
            if top[place] != row:
                continue
            kind = 1 if is_container[row] else 0
            wall[row] += had[kind] - at_turn[row]
            running[kind] -= 1
            following = below[row]
            while following >= 0 and has_ended[following]:
                following = below[following]
            top[place] = following
        else:
            started += 1
            before = top[place]
            if before >= 0:
                kind = 1 if is_container[before] else 0
                wall[before] += had[kind] - at_turn[before]
                running[kind] -= 1
            below[row] = before
            following = row
            top[place] = row
        if following >= 0:
            kind = 1 if is_container[following] else 0
            at_turn[following] = had[kind]
            running[kind] += 1
    return busy
