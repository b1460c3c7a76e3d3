"""Which slice of a stored lane is which execution: lanes have events as the file does, executions what they mean."""

import threading

import numpy as np

from scopelight.formats.columns import Int32, Int64
from scopelight.formats.kernels import kernel
from scopelight.model.executions import Executions
from scopelight.model.joins import dense_ids
from scopelight.model.slices import Lane, LaneSlices, SliceNames

ANY = -1
"""Stands for whatever name a slice has."""
_MOST_AT_ONCE = 64
"""Slices of one start that are looked at for an execution; where more of them are not it, no program ran there."""


@kernel
def _match(slice_start: Int64, slice_name: Int32, start: Int64, name: Int32, execution: Int32) -> None:
    place = 0
    count = len(slice_start)
    for row in range(len(start)):
        while place < count and slice_start[place] < start[row]:
            place += 1
        at = place
        while at < count and at < place + _MOST_AT_ONCE and slice_start[at] == start[row]:
            if name[row] == ANY or slice_name[at] == name[row]:
                execution[at] = row
                place = at + 1
                break
            at += 1


@kernel
def _go_on(slice_start: Int64, slice_name: Int32, end: Int64, execution: Int32, latest: Int32) -> None:
    for at in range(len(slice_start)):
        row = latest[slice_name[at]]
        if execution[at] >= 0:
            latest[slice_name[at]] = execution[at]
        elif row >= 0 and slice_start[at] < end[row]:
            execution[at] = row


def match_executions(slice_start_ps: Int64, slice_name: Int32, start_ps: Int64, end_ps: Int64, name: Int32) -> Int32:
    """For each slice of a lane the row in ``start_ps`` of the execution that it is, -1 where it is none.

    Both sides are in the lane's order: by start, those that end later first. Names are small numbers. A slice is an
    execution that starts with it and has its name (or `ANY`); of several such, the first is the first. A slice that is
    none belongs to the latest execution of its name where that is not over yet: some are on record in parts (a sort of
    XLA:CPU and the copies made for it). Ends may differ: an execution can go on after its event.
    """
    execution = np.full(len(slice_start_ps), -1, dtype=np.int32)
    _match(slice_start_ps, slice_name, start_ps, name, execution)
    latest = np.full(int(slice_name.max(initial=-1)) + 1, -1, dtype=np.int32)
    _go_on(slice_start_ps, slice_name, end_ps, execution, latest)
    return execution


class LaneExecutions:
    """The executions of a profile by the lanes that they were read from. Safe to use from several threads."""

    def __init__(self, executions: Executions, names: SliceNames) -> None:
        self.executions = executions
        self._names = names
        self._lanes = {place: lane for lane, place in enumerate(executions.lane_places)}
        self._known: dict[str, Int32] = {}
        self._lock = threading.Lock()

    def rows(self, lane: Lane) -> Int32:
        """Rows of the executions that were read from a lane, by start."""
        row = self._lanes.get(lane.place)
        if row is None:
            return np.zeros(0, dtype=np.int32)
        rows = np.flatnonzero(self.executions.lane == row).astype(np.int32)
        starts = self.executions.start_ps[rows]
        # They are sorted by device first: those of a thread that works for several are not in order yet.
        return rows if (starts[1:] >= starts[:-1]).all() else rows[np.argsort(starts, kind="stable")]

    def of_lane(self, lane: Lane) -> Int32:
        """For each slice of a lane the row of the execution that it is, -1 where it is none."""
        slices = lane.slices()
        if lane.place not in self._lanes:
            return np.full(len(slices), -1, dtype=np.int32)
        with self._lock:
            if lane.id not in self._known:
                self._known[lane.id] = self._match(lane, slices)
            return self._known[lane.id]

    def _match(self, lane: Lane, slices: LaneSlices) -> Int32:
        rows, executions = self.rows(lane), self.executions
        ids, firsts = dense_ids(slices.name)
        codes: dict[str, int] = {}
        code = [codes.setdefault(self._names.text(name), len(codes)) for name in slices.name[firsts].tolist()]
        op, firsts = dense_ids(executions.op[rows])
        # Slices that are called otherwise than their ops have the names of kernels or whole texts of HLO.
        name = [codes.get(executions.ops[each].name, ANY) for each in executions.op[rows[firsts]].tolist()]
        execution = np.full(len(slices), -1, dtype=np.int32)
        found = match_executions(
            slices.start_ps,
            np.array(code, dtype=np.int32)[ids],
            executions.start_ps[rows],
            executions.start_ps[rows] + executions.duration_ps[rows],
            np.array(name, dtype=np.int32)[op],
        )
        execution[found >= 0] = rows[found[found >= 0]]
        return execution
