"""The wall clock of devices, divided among the executions that ran, and what they did in it.

Busy, stalled and idle are exclusive: a device is *busy* while any execution computes or moves data within it, *stalled*
while those that run only wait for a copy, a collective, a peer or the host, or exchange data with these, *idle* while
nothing runs. Where several executions count at once they have equal parts. A loop, a branch or a call has what nothing
else covers, and is busy then.
"""

import enum
from itertools import pairwise

import attrs
import numpy as np

from scopelight.analysis.device_time.division_kernels import RANKS, divide_wall, whole_parts
from scopelight.analysis.device_time.stalls import STALLS, stalls_of
from scopelight.formats.columns import Int32, Int64
from scopelight.model.executions import Executions
from scopelight.model.op_work import Work, works_of


class _Rank(enum.IntEnum):
    WORKING = 0
    WAITING = 1
    CONTAINER = 2


@attrs.frozen(eq=False, repr=False)
class Division:
    """By execution a part of the wall clock, and the step that it lies in; parts in other steps are rows of ``more_*``.

    A step is the number of a complete one, -1 outside of them. The parts of a device in a step sum to
    ``busy_ps[device, step]`` + ``stalled_ps[device, step].sum()``, exactly; both are int64[devices, steps + 1], the
    latter by cause in the order of `STALLS` as well, with what lies outside last.
    """

    step: Int32
    wall_ps: Int64
    more_execution: Int64
    more_step: Int64
    more_wall_ps: Int64
    busy_ps: Int64
    stalled_ps: Int64
    stall_of_op: Int64
    """By op what a device waits for while only its executions run, as a row of `STALLS`; -1 where they compute."""


def divide(executions: Executions, starts_ps: Int64, ends_ps: Int64, only: int | None = None) -> Division:
    """Divide the wall clock in which anything ran; steps are given by their starts and ends, sorted and disjoint.

    Where ``only`` one device is looked at, the others have nothing.
    """
    devices, steps = len(executions.devices), len(starts_ps)
    works = works_of(executions)
    stall = stalls_of(executions.ops, works)
    rank_of = np.where(stall >= 0, np.int64(_Rank.WAITING), np.int64(_Rank.WORKING))
    rank_of[works == Work.CONTAINER] = _Rank.CONTAINER
    bounds = _bounds(starts_ps, ends_ps)
    spent_ps = np.zeros((devices, steps + 1, RANKS), dtype=np.int64)
    step = np.full(len(executions), steps, dtype=np.int32)
    wall_ps = np.zeros(len(executions), dtype=np.int64)
    nothing = np.zeros(0, dtype=np.int64)
    more: list[tuple[Int64, Int64, Int64]] = [(nothing, nothing, nothing)]
    for device, (first, beyond) in enumerate(pairwise(executions.rows_of_devices)):
        if only not in (None, device):
            continue
        rows = slice(first, beyond)
        wall_ps[rows], *parts = _divide_device(executions, rows, rank_of, bounds, spent_ps[device], step[rows])
        more.append((first + parts[0], parts[1], parts[2]))
    more_execution, more_step, more_wall_ps = map(np.concatenate, zip(*more, strict=True))
    stalled_ps = np.zeros((devices, steps + 1, len(STALLS)), dtype=np.int64)
    cause = stall[executions.op]
    waits = np.flatnonzero(cause >= 0)
    np.add.at(stalled_ps, (executions.device[waits], step[waits], cause[waits]), wall_ps[waits])
    waits = np.flatnonzero(cause[more_execution] >= 0)
    waiting = more_execution[waits]
    np.add.at(stalled_ps, (executions.device[waiting], more_step[waits], cause[waiting]), more_wall_ps[waits])
    return Division(
        step=np.where(step == steps, np.int32(-1), step),
        wall_ps=wall_ps,
        more_execution=more_execution,
        more_step=np.where(more_step == steps, -1, more_step),
        more_wall_ps=more_wall_ps,
        busy_ps=spent_ps[:, :, _Rank.WORKING] + spent_ps[:, :, _Rank.CONTAINER],
        stalled_ps=stalled_ps,
        stall_of_op=stall,
    )


def _divide_device(
    executions: Executions, rows: slice, rank_of: Int64, bounds: tuple[Int64, Int64], spent_ps: Int64, step: Int32
) -> tuple[Int64, Int64, Int64, Int64]:
    """By row of a device its part in ``step``, which is written; and rows, steps and parts of those that have more."""
    start_ps, duration_ps = executions.start_ps[rows], executions.duration_ps[rows]
    lane, op = executions.lane[rows], executions.op[rows]
    lanes = int(lane.max(initial=0)) + 1
    end_ps = start_ps + duration_ps
    # At a bound only one of each lane takes turns. What is not written of it takes no memory.
    most = len(start_ps) + len(bounds[0]) * lanes
    by_start = _longest_first(start_ps, end_ps)
    by_end = np.argsort(end_ps, kind="stable")
    del end_ps
    if not duration_ps.all():
        # What takes no time has no part.
        by_start, by_end = (order[duration_ps[order] > 0] for order in (by_start, by_end))
    more_row, more_step = np.empty((2, most), dtype=np.int64)
    part, more_part = np.zeros(len(start_ps)), np.empty(most)
    columns = (start_ps, duration_ps, lane, op, rank_of, by_start, by_end, lanes, *bounds, spent_ps)
    more = divide_wall(*columns, part, step, more_row, more_step, more_part)
    if not more:
        nothing = np.zeros(0, dtype=np.int64)
        return whole_parts(part, step, op, rank_of, spent_ps), nothing, nothing, nothing
    # Parts of one row stand together, so that those of one step are rounded as one.
    several = np.unique(more_row[:more])
    row = np.concatenate([several, more_row[:more]])
    order = np.argsort(row, kind="stable")
    row = row[order]
    of_all = (
        np.concatenate([np.concatenate([part[several], more_part[:more]])[order], part]),
        np.concatenate([np.concatenate([step[several], more_step[:more].astype(np.int32)])[order], step]),
        np.concatenate([op[row], op]),
    )
    of_all[0][len(row) + several] = 0
    whole_ps = whole_parts(*of_all, rank_of, spent_ps)
    apart_ps = np.empty(len(row), dtype=np.int64)
    apart_ps[order] = whole_ps[: len(row)]
    whole_ps = whole_ps[len(row) :]
    whole_ps[several] = apart_ps[: len(several)]
    return whole_ps, more_row[:more], more_step[:more], apart_ps[len(several) :]


def _longest_first(start_ps: Int64, end_ps: Int64) -> Int64:
    """Rows by their start, in whose order they are; of those that begin together the longest holds the others."""
    by_start = np.arange(len(start_ps))
    is_together = start_ps[1:] == start_ps[:-1]
    rows = np.flatnonzero(np.append(is_together, False) | np.append(False, is_together))
    by_start[rows] = rows[np.lexsort((-end_ps[rows], start_ps[rows]))]
    return by_start


def _bounds(starts_ps: Int64, ends_ps: Int64) -> tuple[Int64, Int64]:
    """When the step changes, in order of time, and to which; the number of steps stands for outside of them."""
    steps = len(starts_ps)
    bounds_ps = np.stack((starts_ps, ends_ps), axis=1).reshape(-1)
    step_after = np.stack((np.arange(steps), np.full(steps, steps)), axis=1).reshape(-1)
    return bounds_ps.astype(np.int64), step_after.astype(np.int64)
