"""The wall clock of devices, divided among the executions that ran."""

import numpy as np

from scopelight.analysis.device_time.op_work import Work, works_of
from scopelight.analysis.flame.wall_kernels import divide_wall
from scopelight.formats.columns import Float64, Int64
from scopelight.model.executions import Executions


def wall_of_executions(executions: Executions) -> tuple[Float64, int]:
    """By execution its part of the time in which its device ran anything, in ps, and the sum of those times.

    Where several run at once they have equal parts. A loop, a branch or a call has what nothing inside it covers.
    """
    is_container = works_of(executions) == Work.CONTAINER
    end_ps = executions.start_ps + executions.duration_ps
    wall_ps = np.zeros(len(executions))
    busy_ps = 0
    bounds = np.searchsorted(executions.device, np.arange(len(executions.devices) + 1))
    for first, beyond in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        rows = slice(first, beyond)
        start, end = executions.start_ps[rows], end_ps[rows]
        # What takes no time has no part; of those that begin together the longest holds the others.
        lasts = np.flatnonzero(end > start)
        start, end = start[lasts], end[lasts]
        part = np.zeros(len(lasts))
        busy_ps += divide_wall(
            start,
            end,
            executions.lane[rows][lasts],
            is_container[executions.op[rows][lasts]],
            np.lexsort((-end, start)),
            np.lexsort((-start, end)),
            len(executions.lanes),
            part,
        )
        wall_ps[first + lasts] = part
    return wall_ps, busy_ps


def whole_sums(by_op: Float64, total: int) -> Int64:
    """Sums by op as whole numbers that sum to ``total``: those that lose the most when rounded down are rounded up."""
    whole = np.floor(by_op).astype(np.int64)
    missing = total - int(whole.sum())
    by_loss = np.argsort(whole - by_op, kind="stable")
    whole[by_loss[: max(missing, 0)]] += 1
    if missing < 0:
        # Sums of floating point numbers may be a little more than what they are the sums of.
        whole[np.argmax(whole)] += missing
    return whole
