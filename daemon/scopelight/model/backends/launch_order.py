"""XLA:CPU: which launch each program run is from, where runs were queued behind each other.

A run that waits for the one before it is begun by that one's threads, so that all runs of such a chain descend from the
launch of the first. The runs of a device begin in the order in which they were launched.
"""

import numpy as np

from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.formats.groups import least_by
from scopelight.model.joins import dense_ids


def outermost(start_ps: Int64, end_ps: Int64, thread_rows: Int64, is_launch: Bool) -> Int64:
    """Sorted starts of the launches that are in no other launch of their thread: a launch has others inside."""
    starts = [np.zeros(0, dtype=np.int64)]
    for first, last in zip(thread_rows[:-1].tolist(), thread_rows[1:].tolist(), strict=True):
        rows = first + np.flatnonzero(is_launch[first:last])
        reach = np.maximum.accumulate(np.concatenate(([np.iinfo(np.int64).min], end_ps[rows])))[:-1]
        starts.append(start_ps[rows[start_ps[rows] >= reach]])
    return np.sort(np.concatenate(starts))


def least_known(group: Int32, count: int, at_ps: Int64) -> Int64:
    """By group the least of its times that is known; -1 stands for one that is not, here and there."""
    never = np.iinfo(np.int64).max
    least = least_by(group, count, np.where(at_ps < 0, never, at_ps))
    return np.where(least == never, -1, least)


def _assign(at: list[int], start: list[int], outer: list[int], launch: list[int]) -> list[int]:
    before = -1
    for row, own in enumerate(at):
        if own > before:
            before = own
        elif own >= 0 and before + 1 < len(outer) and outer[before + 1] <= start[row]:
            before += 1
            launch[row] = outer[before]
    return launch


def launches_in_order(
    run: Int32, firsts: Int32, device: Int64, start_ps: Int64, launch_ps: Int64, outer_ps: Int64
) -> Int64:
    """When the run of each execution was launched; ``launch_ps`` is when the launch was that it descends from, or -1.

    Executions are sorted by their start; ``run`` numbers their run ids, ``firsts`` are the first of each number. Of the
    runs of a device that descend from one launch the first is from it, the others are from those that follow. Where
    there are several devices this is known only of those for which every launch was.
    """
    if not len(run) or not len(outer_ps):
        return launch_ps
    devices = int(device.max()) + 1
    if devices > 1:
        run, firsts = dense_ids(run.astype(np.int64) * devices + device)
    launched = least_known(run, len(firsts), launch_ps)
    for each in range(devices):
        rows = np.flatnonzero(device[firsts] == each)
        if devices > 1 and len(rows) != len(outer_ps):
            continue
        at = np.where(launched[rows] >= 0, np.searchsorted(outer_ps, launched[rows], side="right") - 1, -1)
        if (np.diff(at[at >= 0]) <= 0).any():
            columns = (at, start_ps[firsts[rows]], outer_ps, launched[rows])
            launched[rows] = _assign(*(column.tolist() for column in columns))
    return launched[run]
