"""Kernels of the window query: slices of a row merged to a resolution, without losing count or time.

A *cell* is a stretch of 2^``exponent`` ps, counted from the profile's first event. Slices of a row that are shorter
than a cell are *short*, and short ones that begin in the same cell are merged. So what is merged depends on the
resolution alone, not on the window: nothing flickers while one pans, and what was merged once can be kept. Merged
neighbours less than a cell apart become one box where the same name has the most time in both, and so in their union,
and both are about as busy: a box may be wide, and shows all the same where the work or its density changes.
"""

# Long kernels, because each function that passes arrays on pays for counting references to them.
# ruff: noqa: PLR0912, PLR0915

from typing import Final

import numpy as np

from scopelight.formats.columns import Float64, Int16, Int32, Int64, UInt8, UInt16, UInt32
from scopelight.formats.kernels import kernel

Number = int | np.int64
"""A whole number in a kernel."""


BOXES: Final = 0
MERGED: Final = 1
ROWS: Final = 2
BUSY_PS: Final = 3
STATE_COLUMNS: Final = 4

LEAST_KEPT: Final = 16
"""Boxes of fewer slices are merged anew for each window: that takes no longer than to look them up."""


@kernel
def order_by_depth(depth: Int16, row_first: Int64, order: Int32) -> None:
    """Slices by depth, in the order of time within each; ``row_first`` [depths + 1] receives where each begins."""
    for slice_ in range(len(depth)):
        row_first[depth[slice_] + 1] += 1
    for row in range(1, len(row_first)):
        row_first[row] += row_first[row - 1]
    place = row_first[:-1].copy()
    for slice_ in range(len(depth)):
        order[place[depth[slice_]]] = slice_
        place[depth[slice_]] += 1


@kernel
def _slice_at(order: Int32, position: Number) -> Number:
    """Number of the slice at a position in the order of depths; lanes of one depth need no order.

    Unsigned, since numba checks signed places for being negative: that would double the time of merging.
    """
    return np.int64(order[np.uintp(position)]) if len(order) else np.int64(position)


@kernel
def _first_inside(order: Int32, start: Int64, duration: Int64, low: Number, high: Number, at_ps: Number) -> Number:
    """The first position of a row whose slice ends after a time, or begins at it or after."""
    while low < high:
        middle = (low + high) >> 1
        slice_ = _slice_at(order, middle)
        if start[slice_] >= at_ps or start[slice_] + duration[slice_] > at_ps:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def _first_behind(order: Int32, start: Int64, duration: Int64, low: Number, high: Number, at_ps: Number) -> Number:
    """The first position of a row whose slice begins at a time or after; instants at that time lie before it."""
    last = high
    while low < high:
        middle = (low + high) >> 1
        if start[_slice_at(order, middle)] >= at_ps:
            high = middle
        else:
            low = middle + 1
    if low < last:
        slice_ = _slice_at(order, low)
        if start[slice_] == at_ps and duration[slice_] == 0:
            high = last
            while low < high:
                middle = (low + high) >> 1
                if start[_slice_at(order, middle)] > at_ps:
                    high = middle
                else:
                    low = middle + 1
    return low


@kernel
def count_inside(
    order: Int32, row_first: Int64, start: Int64, duration: Int64, start_ps: Number, end_ps: Number, counts: Int64
) -> None:
    """Count the slices of the first ``len(counts)`` rows that are in a window."""
    for row in range(len(counts)):
        first, last = row_first[row], row_first[row + 1]
        behind = _first_behind(order, start, duration, first, last, end_ps)
        counts[row] = max(0, behind - _first_inside(order, start, duration, first, behind, start_ps))


@kernel
def _merge_run(
    order: Int32,
    name: Int32,
    start: Int64,
    duration: Int64,
    position: Number,
    last: Number,
    exponent: Number,
    start_ps: Number,
    end_ps: Number,
    time_of_name: Int64,
) -> tuple[Number, Number, Number, Number]:
    """Merge the slice at ``position`` with those behind it that belong to its cell.

    The position behind them, their busy time inside the window, the first slice of the name with most of it (of
    equals the least id), and where the last one ends. ``time_of_name`` holds a zero for each name before and after.
    """
    top = _slice_at(order, position)
    end = start[top] + duration[top]
    busy_ps = max(np.int64(0), min(end, end_ps) - max(start[top], start_ps))
    behind = position + 1
    if duration[top] >> exponent or behind >= last:
        return behind, busy_ps, top, end
    cell = start[top] >> exponent
    slice_ = _slice_at(order, behind)
    if duration[slice_] >> exponent or start[slice_] >> exponent != cell:
        return behind, busy_ps, top, end
    time_of_name[name[top]] = busy_ps
    while True:
        end = start[slice_] + duration[slice_]
        inside = max(np.int64(0), min(end, end_ps) - max(start[slice_], start_ps))
        busy_ps += inside
        time_of_name[name[slice_]] += inside
        behind += 1
        if behind >= last:
            break
        slice_ = _slice_at(order, behind)
        if duration[slice_] >> exponent or start[slice_] >> exponent != cell:
            break
    top = _first_of_longest(order, name, position, behind, time_of_name)
    return behind, busy_ps, top, end


@kernel
def _first_of_longest(order: Int32, name: Int32, position: Number, behind: Number, time_of_name: Int64) -> Number:
    """The first slice of the name with most time (of equals the least id); sets all times to zero."""
    top, top_name, top_ps = _slice_at(order, position), np.int32(0), np.int64(-1)
    for place in range(position, behind):
        slice_ = _slice_at(order, place)
        own = name[slice_]
        own_ps = time_of_name[own]
        time_of_name[own] = 0
        if own_ps > top_ps or (own_ps == top_ps and own < top_name):
            top, top_name, top_ps = slice_, own, own_ps
    return top


@kernel
def _overlapping_run(
    order: Int32,
    name: Int32,
    start: Int64,
    duration: Int64,
    position: Number,
    last: Number,
    start_ps: Number,
    end_ps: Number,
    time_of_name: Int64,
) -> tuple[Number, Number, Number, Number]:
    """As `_merge_run`, of a row whose slices overlap: all that begin before the end of those before them."""
    end = np.int64(-1)
    busy_ps = np.int64(0)
    behind = position
    while behind < last:
        slice_ = _slice_at(order, behind)
        if behind > position and start[slice_] >= end:
            break
        end = max(end, start[slice_] + duration[slice_])
        inside = max(np.int64(0), min(start[slice_] + duration[slice_], end_ps) - max(start[slice_], start_ps))
        busy_ps += inside
        time_of_name[name[slice_]] += inside
        behind += 1
    top = _first_of_longest(order, name, position, behind, time_of_name)
    return behind, busy_ps, top, end


@kernel
def merge_lane(
    order: Int32,
    row_first: Int64,
    name: Int32,
    start: Int64,
    duration: Int64,
    exponent: Number,
    time_of_name: Int64,
    kept_row_first: Int64,
    kept_first: Int32,
    kept_count: Int32,
    kept_top: Int32,
    kept_busy: Int64,
) -> int:
    """Find where at least `LEAST_KEPT` slices of a lane are merged at one resolution; in how many places.

    ``kept_first`` and ``kept_count`` receive the positions that each takes, ``kept_row_first`` [depths + 1] which are
    of which row.
    """
    count = 0
    most = np.int64(0x7FFFFFFFFFFFFFFF)
    for row in range(len(row_first) - 1):
        kept_row_first[row] = count
        position, last = row_first[row], row_first[row + 1]
        while position < last:
            behind, busy_ps, top, _ = _merge_run(
                order, name, start, duration, position, last, exponent, 0, most, time_of_name
            )
            if behind - position >= LEAST_KEPT:
                kept_first[count] = position
                kept_count[count] = behind - position
                kept_top[count] = top
                kept_busy[count] = busy_ps
                count += 1
            position = behind
    kept_row_first[len(row_first) - 1] = count
    return count


@kernel
def draw_lane(
    order: Int32,
    row_first: Int64,
    name: Int32,
    start: Int64,
    duration: Int64,
    colour: UInt8,
    matched_before: Int32,
    kept_row_first: Int64,
    kept_first: Int32,
    kept_count: Int32,
    kept_top: Int32,
    kept_busy: Int64,
    track: int,
    rows: Number,
    overlapping_row: int,
    exponent: Number,
    start_ps: Number,
    end_ps: Number,
    time_of_name: Int64,
    state: Int64,
    box_start: Float64,
    box_duration: Float64,
    merged_busy: Float64,
    row_box: UInt32,
    box_name: UInt32,
    box_matched: UInt32,
    merged_box: UInt32,
    merged_count: UInt32,
    row_track: UInt16,
    row_depth: UInt16,
    box_colour: UInt8,
) -> None:
    """Write the boxes of the first ``rows`` rows of a lane in a window behind those that are there already.

    ``matched_before`` [n + 1] counts the matched slices before each position, or is empty; so are the ``kept`` columns
    of `merge_lane` where the lane was not merged at this resolution. In ``overlapping_row`` slices may overlap: there a
    slice that begins before the end of a box becomes part of it. Boxes for which there is no room are only counted.
    """
    boxes, merged, row_count = state[BOXES], state[MERGED], state[ROWS]
    busy_in_all = state[BUSY_PS]
    room = len(box_start)
    cell_ps = np.int64(1) << exponent
    for row in range(rows):
        position, last = row_first[row], row_first[row + 1]
        last = _first_behind(order, start, duration, position, last, end_ps)
        overlaps = row == overlapping_row
        if not overlaps:
            position = _first_inside(order, start, duration, position, last, start_ps)
        kept, kept_last = np.int64(0), np.int64(0)
        if len(kept_row_first) and not overlaps:
            kept, kept_last = kept_row_first[row], kept_row_first[row + 1]
            high = kept_last
            while kept < high:
                middle = (kept + high) >> 1
                if kept_first[middle] < position:
                    kept = middle + 1
                else:
                    high = middle
        is_new = True
        run_is_short, run_is_merged = False, False
        run_name = np.int32(-1)
        run_quarter: Number = np.int64(-1)
        run_start: Number = np.int64(0)
        run_end: Number = np.int64(0)
        while position < last:
            first_slice = _slice_at(order, position)
            begin = start[first_slice]
            behind: Number = np.int64(0)
            end: Number = np.int64(0)
            top: Number = np.int64(0)
            busy_ps: Number = np.int64(-1)
            while kept < kept_last and kept_first[kept] < position:
                kept += 1
            if kept < kept_last and kept_first[kept] == position and position + kept_count[kept] <= last:
                behind = position + kept_count[kept]
                last_slice = _slice_at(order, behind - 1)
                end = start[last_slice] + duration[last_slice]
                if begin >= start_ps and end <= end_ps:
                    busy_ps, top = kept_busy[kept], np.int64(kept_top[kept])
            if busy_ps < 0 and overlaps:
                behind, busy_ps, top, end = _overlapping_run(
                    order, name, start, duration, position, last, start_ps, end_ps, time_of_name
                )
                if end < start_ps or (end == start_ps and begin < start_ps):
                    position = behind
                    continue
            elif busy_ps < 0:
                behind, busy_ps, top, end = _merge_run(
                    order, name, start, duration, position, last, exponent, start_ps, end_ps, time_of_name
                )
            busy_in_all += busy_ps
            is_short = not overlaps and duration[first_slice] < cell_ps
            quarter = min(np.int64(3), busy_ps >> (exponent - 2) if exponent >= 2 else (busy_ps << 2) >> exponent)
            if (
                run_is_short
                and is_short
                and name[top] == run_name
                and quarter == run_quarter
                and begin - run_end < cell_ps
            ):
                if not run_is_merged:
                    if boxes <= room:
                        merged_busy[merged] = min(run_end, end_ps) - max(run_start, start_ps)
                        merged_box[merged] = boxes - 1
                        merged_count[merged] = 1
                    merged += 1
                    run_is_merged = True
                if boxes <= room:
                    merged_busy[merged - 1] += busy_ps
                    merged_count[merged - 1] += behind - position
                    box_duration[boxes - 1] = end - run_start
                    if len(matched_before):
                        box_matched[boxes - 1] += matched_before[behind] - matched_before[position]
                run_end = end
                position = behind
                continue
            if is_new:
                if row_count < len(row_box):
                    row_box[row_count] = boxes
                    row_track[row_count] = track
                    row_depth[row_count] = row
                row_count += 1
                is_new = False
            run_is_merged = behind > position + 1
            run_is_short, run_name, run_quarter, run_start, run_end = is_short, name[top], quarter, begin, end
            if boxes < room:
                box_start[boxes] = begin - start_ps
                box_duration[boxes] = end - begin
                box_name[boxes] = name[top]
                box_colour[boxes] = colour[top]
                if len(matched_before):
                    box_matched[boxes] = matched_before[behind] - matched_before[position]
                if run_is_merged:
                    merged_busy[merged] = busy_ps
                    merged_box[merged] = boxes
                    merged_count[merged] = behind - position
            boxes += 1
            merged += run_is_merged
            position = behind
    state[BOXES], state[MERGED], state[ROWS], state[BUSY_PS] = boxes, merged, row_count, busy_in_all
