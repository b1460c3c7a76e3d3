"""What the host did around the programs: step annotations, compilation."""

import numpy as np

from scopelight.formats.events import Events
from scopelight.formats.xspace import XLine, XPlane
from scopelight.model.executions import Int64
from scopelight.model.profile import Spans, StepMarks

_COMPILING = (
    "backend_compile",
    "XlaCompile",
    "TfrtCpuClient::Compile",
    "PjRtCpuClient::Compile",
    "CpuCompiler::",
)
"""Beginnings of the names of host events in which XLA compiles."""


def merge_spans(start_ps: Int64, end_ps: Int64) -> Spans:
    """The union of spans as sorted, disjoint spans; empty ones vanish."""
    keep = end_ps > start_ps
    start, end = start_ps[keep], end_ps[keep]
    if not len(start):
        return Spans(start, end)
    if (start[1:] < start[:-1]).any():
        order = np.argsort(start, kind="stable")
        start, end = start[order], end[order]
    reach = np.maximum.accumulate(end)
    opens = np.concatenate(([True], start[1:] > reach[:-1]))
    closes = np.concatenate((opens[1:], [True]))
    return Spans(start[opens], reach[closes] - start[opens])


class HostReader:
    """Finds step annotations (events with a ``step_num``, of any name) and compilations in a host's threads."""

    def __init__(self, plane: XPlane) -> None:
        self._names = plane.events_metadata.names
        self._compiling = np.array([name.startswith(_COMPILING) for name in self._names], dtype=np.bool_)
        self._may_mark = "step_num" in plane.stat_names
        self._marks: dict[str, list[tuple[int, int, int]]] = {}
        self._starts: list[Int64] = []
        self._ends: list[Int64] = []
        self._may_launch = "correlation_id" in plane.stat_names
        self.launches: list[tuple[Int64, Int64]] = []
        """Correlation ids and starts of the events that launched work on a device."""

    def read_line(self, _: XLine, events: Events) -> None:
        """Look through the events of a thread."""
        rows = np.flatnonzero(self._compiling[events.metadata])
        self._starts.append(events.start_ps[rows])
        self._ends.append(events.start_ps[rows] + events.duration_ps[rows])
        if self._may_launch:
            correlation_id = events.integer_stats(("correlation_id",))["correlation_id"][0]
            launches = np.flatnonzero(correlation_id)
            self.launches.append((correlation_id[launches], events.start_ps[launches]))
        if self._may_mark:
            number, present = events.integer_stats(("step_num",))["step_num"]
            for row in np.flatnonzero(present).tolist():
                mark = (int(events.start_ps[row]), int(number[row]), int(events.duration_ps[row]))
                self._marks.setdefault(self._names[events.metadata[row]], []).append(mark)

    @property
    def step_marks(self) -> list[StepMarks]:
        """The annotations found, one entry per name, sorted by start."""
        columns = {name: np.array(sorted(found), dtype=np.int64) for name, found in self._marks.items()}
        return [StepMarks(name, rows[:, 1], rows[:, 0], rows[:, 2]) for name, rows in columns.items()]

    @property
    def compiling(self) -> Spans:
        """When any thread compiled."""
        empty = np.zeros(0, dtype=np.int64)
        return merge_spans(np.concatenate([empty, *self._starts]), np.concatenate([empty, *self._ends]))
