"""Kernels of the window query: slices of a row merged to a resolution, without losing count or time.

A *cell* is a stretch of 2^``exponent`` ps, counted from the profile's first event. Slices of a row that are shorter
than a cell are *short*, and short ones that begin in the same cell are merged. So what is merged depends on the
resolution alone, not on the window: nothing flickers while one pans, and what was merged once can be kept. Merged
neighbours less than a cell apart become one box where the same name has the most time in both, and so in their union,
and both are about as busy: a box may be wide, and shows all the same where the work or its density changes.
"""

# Long kernels, because each function that passes arrays on pays for counting references to them.
# ruff: noqa: PLR0912, PLR0915

from typing import Final, NamedTuple

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


class LaneRows(NamedTuple):
    """The slices of a lane, and their order by depth: empty in a lane of one depth, whose slices are in it already."""

    order: Int32
    row_first: Int64
    """Where each depth begins in the order, and the end."""
    name: Int32
    start_ps: Int64
    duration_ps: Int64


class Merged(NamedTuple):
    """Where many slices of a lane are merged at one resolution; nothing where the lane was not merged at it."""

    row_first: Int64
    """Which of them are of which row, and the end."""
    first: Int32
    """The positions that each takes: from here on, and how many."""
    slices: Int32
    top: Int32
    busy_ps: Int64


class Boxes(NamedTuple):
    """The boxes of a window as columns, in the order in which `WindowRows` packs them."""

    start_ps: Float64
    duration_ps: Float64
    busy_ps: Float64
    first_box: UInt32
    name: UInt32
    matched: UInt32
    box: UInt32
    slices: UInt32
    track: UInt16
    depth: UInt16
    colour: UInt8


class Cut(NamedTuple):
    """What is looked at of a lane: cells of 2^``exponent`` ps between two times."""

    exponent: Number
    start_ps: Number
    end_ps: Number


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
def _first_inside(lane: LaneRows, low: Number, high: Number, at_ps: Number) -> Number:
    """The first position of a row whose slice ends after a time, or begins at it or after."""
    while low < high:
        middle = (low + high) >> 1
        slice_ = _slice_at(lane.order, middle)
        if lane.start_ps[slice_] >= at_ps or lane.start_ps[slice_] + lane.duration_ps[slice_] > at_ps:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def _first_from(lane: LaneRows, low: Number, high: Number, at_ps: Number) -> Number:
    """The first position of a row whose slice begins at a time or after."""
    while low < high:
        middle = (low + high) >> 1
        if lane.start_ps[_slice_at(lane.order, middle)] >= at_ps:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def _first_behind(lane: LaneRows, first: Number, last: Number, at_ps: Number) -> Number:
    """The same, where instants at that time lie before it."""
    found = _first_from(lane, first, last, at_ps)
    if found < last:
        slice_ = _slice_at(lane.order, found)
        if lane.start_ps[slice_] == at_ps and lane.duration_ps[slice_] == 0:
            return _first_from(lane, found, last, at_ps + 1)
    return found


@kernel
def count_inside(lane: LaneRows, start_ps: Number, end_ps: Number, counts: Int64) -> None:
    """Count the slices of the first ``len(counts)`` rows that are in a window."""
    for row in range(len(counts)):
        first = lane.row_first[row]
        behind = _first_behind(lane, first, lane.row_first[row + 1], end_ps)
        counts[row] = max(0, behind - _first_inside(lane, first, behind, start_ps))


@kernel
def _inside_ps(lane: LaneRows, slice_: Number, cut: Cut) -> Number:
    """How long a slice goes on inside the window."""
    start_ps = lane.start_ps[slice_]
    inside_ps: Number = min(start_ps + lane.duration_ps[slice_], cut.end_ps) - max(start_ps, cut.start_ps)
    return max(np.int64(0), inside_ps)


@kernel
def _merge_run(
    lane: LaneRows, position: Number, last: Number, cut: Cut, time_of_name: Int64
) -> tuple[Number, Number, Number, Number]:
    """Merge the slice at ``position`` with those behind it that belong to its cell.

    The position behind them, their busy time inside the window, the first slice of the name with most of it (of
    equals the least id), and where the last one ends. ``time_of_name`` holds a zero for each name before and after.
    """
    start, duration, exponent = lane.start_ps, lane.duration_ps, cut.exponent
    top = _slice_at(lane.order, position)
    end = start[top] + duration[top]
    busy_ps = _inside_ps(lane, top, cut)
    behind = position + 1
    if duration[top] >> exponent or behind >= last:
        return behind, busy_ps, top, end
    cell = start[top] >> exponent
    slice_ = _slice_at(lane.order, behind)
    if duration[slice_] >> exponent or start[slice_] >> exponent != cell:
        return behind, busy_ps, top, end
    time_of_name[lane.name[top]] = busy_ps
    while True:
        end = start[slice_] + duration[slice_]
        inside = _inside_ps(lane, slice_, cut)
        busy_ps += inside
        time_of_name[lane.name[slice_]] += inside
        behind += 1
        if behind >= last:
            break
        slice_ = _slice_at(lane.order, behind)
        if duration[slice_] >> exponent or start[slice_] >> exponent != cell:
            break
    return behind, busy_ps, _first_of_longest(lane, position, behind, time_of_name), end


@kernel
def _first_of_longest(lane: LaneRows, position: Number, behind: Number, time_of_name: Int64) -> Number:
    """The first slice of the name with most time (of equals the least id); sets all times to zero."""
    top, top_name, top_ps = _slice_at(lane.order, position), np.int32(0), np.int64(-1)
    for place in range(position, behind):
        slice_ = _slice_at(lane.order, place)
        own = lane.name[slice_]
        own_ps = time_of_name[own]
        time_of_name[own] = 0
        if own_ps > top_ps or (own_ps == top_ps and own < top_name):
            top, top_name, top_ps = slice_, own, own_ps
    return top


@kernel
def _overlapping_run(
    lane: LaneRows, position: Number, last: Number, cut: Cut, time_of_name: Int64
) -> tuple[Number, Number, Number, Number]:
    """As `_merge_run`, of a row whose slices overlap: all that begin before the end of those before them."""
    end = np.int64(-1)
    busy_ps = np.int64(0)
    behind = position
    while behind < last:
        slice_ = _slice_at(lane.order, behind)
        if behind > position and lane.start_ps[slice_] >= end:
            break
        end = max(end, lane.start_ps[slice_] + lane.duration_ps[slice_])
        inside = _inside_ps(lane, slice_, cut)
        busy_ps += inside
        time_of_name[lane.name[slice_]] += inside
        behind += 1
    return behind, busy_ps, _first_of_longest(lane, position, behind, time_of_name), end


@kernel
def merge_lane(lane: LaneRows, exponent: Number, time_of_name: Int64, kept: Merged) -> int:
    """Find where at least `LEAST_KEPT` slices of a lane are merged at one resolution; in how many places."""
    count = 0
    cut = Cut(exponent, np.int64(0), np.int64(0x7FFFFFFFFFFFFFFF))
    for row in range(len(lane.row_first) - 1):
        kept.row_first[row] = count
        position, last = lane.row_first[row], lane.row_first[row + 1]
        while position < last:
            behind, busy_ps, top, _ = _merge_run(lane, position, last, cut, time_of_name)
            if behind - position >= LEAST_KEPT:
                kept.first[count] = position
                kept.slices[count] = behind - position
                kept.top[count] = top
                kept.busy_ps[count] = busy_ps
                count += 1
            position = behind
    kept.row_first[len(lane.row_first) - 1] = count
    return count


@kernel
def draw_lane(
    lane: LaneRows,
    colour: UInt8,
    matched_before: Int32,
    kept: Merged,
    track: int,
    rows: Number,
    overlapping_row: int,
    cut: Cut,
    time_of_name: Int64,
    state: Int64,
    drawn: Boxes,
) -> None:
    """Write the boxes of the first ``rows`` rows of a lane in a window behind those that are there already.

    ``matched_before`` [n + 1] counts the matched slices before each position, or is empty. In ``overlapping_row``
    slices may overlap: there a slice that begins before the end of a box becomes part of it. Boxes for which there is
    no room are only counted.
    """
    boxes, merged, row_count = state[BOXES], state[MERGED], state[ROWS]
    busy_in_all = state[BUSY_PS]
    room = len(drawn.start_ps)
    order, start, duration, name = lane.order, lane.start_ps, lane.duration_ps, lane.name
    exponent, start_ps, end_ps = cut
    cell_ps = np.int64(1) << exponent
    for row in range(rows):
        position = lane.row_first[row]
        last = _first_behind(lane, position, lane.row_first[row + 1], end_ps)
        overlaps = row == overlapping_row
        if not overlaps:
            position = _first_inside(lane, position, last, start_ps)
        place, places = np.int64(0), np.int64(0)
        if len(kept.row_first) and not overlaps:
            place, places = kept.row_first[row], kept.row_first[row + 1]
            place += np.searchsorted(kept.first[place:places], position)
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
            while place < places and kept.first[place] < position:
                place += 1
            if place < places and kept.first[place] == position and position + kept.slices[place] <= last:
                behind = position + kept.slices[place]
                last_slice = _slice_at(order, behind - 1)
                end = start[last_slice] + duration[last_slice]
                if begin >= start_ps and end <= end_ps:
                    busy_ps, top = kept.busy_ps[place], np.int64(kept.top[place])
            if busy_ps < 0 and overlaps:
                behind, busy_ps, top, end = _overlapping_run(lane, position, last, cut, time_of_name)
                if end < start_ps or (end == start_ps and begin < start_ps):
                    position = behind
                    continue
            elif busy_ps < 0:
                behind, busy_ps, top, end = _merge_run(lane, position, last, cut, time_of_name)
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
                        drawn.busy_ps[merged] = min(run_end, end_ps) - max(run_start, start_ps)
                        drawn.box[merged] = boxes - 1
                        drawn.slices[merged] = 1
                    merged += 1
                    run_is_merged = True
                if boxes <= room:
                    drawn.busy_ps[merged - 1] += busy_ps
                    drawn.slices[merged - 1] += behind - position
                    drawn.duration_ps[boxes - 1] = end - run_start
                    if len(matched_before):
                        drawn.matched[boxes - 1] += matched_before[behind] - matched_before[position]
                run_end = end
                position = behind
                continue
            if is_new:
                if row_count < len(drawn.first_box):
                    drawn.first_box[row_count] = boxes
                    drawn.track[row_count] = track
                    drawn.depth[row_count] = row
                row_count += 1
                is_new = False
            run_is_merged = behind > position + 1
            run_is_short, run_name, run_quarter, run_start, run_end = is_short, name[top], quarter, begin, end
            if boxes < room:
                drawn.start_ps[boxes] = begin - start_ps
                drawn.duration_ps[boxes] = end - begin
                drawn.name[boxes] = name[top]
                drawn.colour[boxes] = colour[top]
                if len(matched_before):
                    drawn.matched[boxes] = matched_before[behind] - matched_before[position]
                if run_is_merged:
                    drawn.busy_ps[merged] = busy_ps
                    drawn.box[merged] = boxes
                    drawn.slices[merged] = behind - position
            boxes += 1
            merged += run_is_merged
            position = behind
    state[BOXES], state[MERGED], state[ROWS], state[BUSY_PS] = boxes, merged, row_count, busy_in_all
