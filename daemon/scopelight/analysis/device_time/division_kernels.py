"""One pass over the starts and ends of a device's executions, that divides the time among those that run."""

# ruff: noqa: PLR0912, PLR0915

from typing import NamedTuple

import numpy as np

from scopelight.formats.columns import Bool, Float64, Int32, Int64
from scopelight.formats.kernels import kernel

RANKS = 3
"""Classes of executions: of those that run at one time only the least class counts."""
NEVER = np.iinfo(np.int64).max
"""Where no start or bound is left: after all others."""


def divide_wall(
    start: Int64,
    duration: Int64,
    lane: Int32,
    op: Int32,
    rank_of: Int64,
    by_start: Int64,
    by_end: Int64,
    lanes: int,
    bounds: Int64,
    step_after: Int64,
    spent: Int64,
    part: Float64,
    part_step: Int32,
    more_row: Int64,
    more_step: Int64,
    more_part: Float64,
) -> int:
    """Divide the time in which any execution runs among them, and return how many have parts in more than one step.

    ``part`` and ``part_step`` are by row what it had of the last step that it counted in; parts of earlier steps go to
    ``more_row``, ``more_step`` and ``more_part``. Of a lane only the execution that began last counts, and of all
    lanes those whose op has the least of ``rank_of``, with equal parts. ``by_start`` and ``by_end`` are the rows that
    last at all in the order of their starts and ends; of those that start together the longest comes first. From
    ``bounds`` on, ascending, the step is that of ``step_after``, before them the last one of ``spent``,
    int64[steps + 1, RANKS], to which the time is added in which executions of each rank counted.
    """
    rows, nothing = len(start), np.zeros(lanes, dtype=np.int64)
    return _divide_wall(
        _Executions(start, duration, lane, op, rank_of, by_start, by_end),
        _Steps(bounds, step_after, spent),
        _Parts(part, part_step, more_row, more_step, more_part),
        _Lanes(np.full(lanes, -1, dtype=np.int64), nothing, np.full(lanes, -1, dtype=np.int64)),
        _Turns(np.full(rows, -1, dtype=np.int32), np.zeros(rows, dtype=np.bool_), np.zeros(rows)),
        _Ranks(np.zeros(RANKS), np.zeros(RANKS, dtype=np.int64)),
    )


class _Executions(NamedTuple):
    start: Int64
    duration: Int64
    lane: Int32
    op: Int32
    rank_of: Int64
    by_start: Int64
    by_end: Int64


class _Steps(NamedTuple):
    bounds: Int64
    step_after: Int64
    spent: Int64


class _Parts(NamedTuple):
    part: Float64
    part_step: Int32
    more_row: Int64
    more_step: Int64
    more_part: Float64


class _Lanes(NamedTuple):
    """What runs on top of each lane; the lanes on which something runs, and where each of them stands there."""

    top: Int64
    occupied: Int64
    place_of: Int64


class _Turns(NamedTuple):
    """By row what it began on top of, whether it has ended, and what its rank had had when its turn began."""

    below: Int32
    has_ended: Bool
    at_turn: Float64


class _Ranks(NamedTuple):
    """What one of each rank has had since the beginning, and how many count."""

    had: Float64
    running: Int64


@kernel
def _divide_wall(
    executions: _Executions, steps: _Steps, found: _Parts, of_lanes: _Lanes, turns: _Turns, ranks: _Ranks
) -> int:
    start, duration, lane, op, rank_of, by_start, by_end = executions
    bounds, step_after, spent = steps
    part, part_step, more_row, more_step, more_part = found
    top, occupied, place_of = of_lanes
    below, has_ended, at_turn = turns
    had, running = ranks
    rows = len(by_start)
    lanes_occupied = 0
    more = started = ended = passed = 0
    step = len(spent) - 1
    now = start[by_start[0]] if rows else 0
    next_end = start[by_end[0]] + duration[by_end[0]] if rows else 0
    next_start = now
    next_bound = bounds[0] if len(bounds) else NEVER
    while ended < rows:
        is_end = next_end <= next_start
        at = next_end if is_end else next_start
        is_bound = next_bound <= at
        if is_bound:
            at = next_bound
        row = by_end[ended] if is_end else by_start[started]
        if at > now:
            for counting in range(RANKS):
                if running[counting]:
                    share = float(at - now)
                    if running[counting] > 1:
                        share /= running[counting]
                    had[counting] += share
                    spent[step, counting] += at - now
                    break
            now = at
        # Whose turn ends here: at a bound that of the execution on top of each lane, else of the one on top of this.
        for which in range(lanes_occupied if is_bound else 1):
            counted = top[occupied[which] if is_bound else lane[row]]
            if counted < 0:
                continue
            had_now = had[rank_of[op[counted]]]
            if had_now > at_turn[counted]:
                if part_step[counted] != step and part[counted] > 0:
                    more_row[more], more_step[more], more_part[more] = counted, part_step[counted], part[counted]
                    more += 1
                    part[counted] = 0
                part_step[counted] = step
                part[counted] += had_now - at_turn[counted]
            at_turn[counted] = had_now
        if is_bound:
            step = step_after[passed]
            passed += 1
            next_bound = bounds[passed] if passed < len(bounds) else NEVER
            continue
        place = lane[row]
        following = top[place]
        if is_end:
            ended += 1
            if ended < rows:
                next_end = start[by_end[ended]] + duration[by_end[ended]]
            has_ended[row] = True
            if following != row:
                continue
            running[rank_of[op[row]]] -= 1
            following = below[row]
            while following >= 0 and has_ended[following]:
                following = below[following]
        else:
            started += 1
            next_start = start[by_start[started]] if started < rows else NEVER
            if following >= 0:
                running[rank_of[op[following]]] -= 1
            below[row] = following
            following = row
        if (top[place] < 0) != (following < 0):
            if following >= 0:
                occupied[lanes_occupied], place_of[place] = place, lanes_occupied
                lanes_occupied += 1
            else:
                lanes_occupied -= 1
                moved = occupied[lanes_occupied]
                occupied[place_of[place]], place_of[moved] = moved, place_of[place]
        top[place] = following
        if following >= 0:
            at_turn[following] = had[rank_of[op[following]]]
            running[rank_of[op[following]]] += 1
    return more


def whole_parts(part: Float64, step: Int32, op: Int32, rank_of: Int64, spent: Int64) -> Int64:
    """Parts as whole numbers, of which those of a step and a rank sum to ``spent``, and none is more than one off."""
    whole = np.zeros(len(part), dtype=np.int64)
    sums, given = np.zeros(spent.shape), np.zeros(spent.shape, dtype=np.int64)
    _whole_parts(part, step, op, rank_of, spent, sums, given, np.full(spent.shape, -1, dtype=np.int64), whole)
    return whole


@kernel
def _whole_parts(
    part: Float64,
    step: Int32,
    op: Int32,
    rank_of: Int64,
    spent: Int64,
    sums: Float64,
    given: Int64,
    last: Int64,
    whole: Int64,
) -> int:
    for row in range(len(part)):
        if part[row] > 0:
            of, rank = step[row], rank_of[op[row]]
            sums[of, rank] += part[row]
            until = np.int64(sums[of, rank] + 0.5)
            whole[row] = until - given[of, rank]
            given[of, rank] = until
            last[of, rank] = row
    for of in range(len(spent)):
        for rank in range(RANKS):
            # Sums of floating point numbers may be a little more or less than what they are the sums of.
            if last[of, rank] >= 0:
                whole[last[of, rank]] += spent[of, rank] - given[of, rank]
    return len(whole)
