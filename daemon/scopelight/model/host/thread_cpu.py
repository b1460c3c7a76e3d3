"""How long threads were on a core, by readings of their clocks: curves over the time of the profile."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import attrs
import numpy as np

from scopelight.formats.columns import Float64, Int64
from scopelight.formats.host_recording.reader import HostRecording
from scopelight.model.host.thread_ids import line_id_of

_PROCESS = 0


@attrs.frozen(eq=False, repr=False)
class CpuIntervals:
    """Columns of equal length, in the order of time: between two readings of a clock, so much time on a core.

    The intervals of a thread do not overlap; between them it was on none.
    """

    start_ps: Int64
    end_ps: Int64
    cpu_ps: Int64

    def until(self, time_ps: Int64) -> Float64:
        """How much there was before each time; within an interval it is spread evenly."""
        if not len(self.start_ps):
            return np.zeros(len(time_ps))
        moments_ps = np.stack((self.start_ps, self.end_ps), axis=1).reshape(-1)
        whole_ps = np.cumsum(self.cpu_ps)
        sums_ps = np.stack((whole_ps - self.cpu_ps, whole_ps), axis=1).reshape(-1)
        return np.interp(time_ps, moments_ps, sums_ps)


@attrs.frozen(eq=False, repr=False)
class HostCpu:
    """What clocks told of one process: of all of it, and by the id of its line in the trace of each thread."""

    process: CpuIntervals
    threads: Mapping[int, CpuIntervals]


def host_cpu(recordings: Sequence[HostRecording], zero_ns: int) -> HostCpu | None:
    """What the recordings of a process tell, counted from ``zero_ns``; None where no clock of a thread was read."""
    process: list[CpuIntervals] = []
    threads: dict[int, list[CpuIntervals]] = {}
    for recording in recordings:
        rows = recording.clock_rows
        order = np.lexsort((rows.ns, rows.clock))
        bounds = np.flatnonzero(np.diff(rows.clock[order], prepend=-1, append=-1)).tolist()
        for first, beyond in pairwise(bounds):
            of_clock = order[first:beyond]
            found = _intervals(rows.ns[of_clock], rows.cpu_ns[of_clock], rows.since_ns[of_clock], zero_ns)
            number = int(rows.clock[of_clock[0]])
            if number == _PROCESS:
                process.append(found)
                continue
            ident = recording.clock_threads[number - 1][1]
            if ident is not None:
                threads.setdefault(line_id_of(ident), []).append(found)
    if not threads or not process:
        return None
    return HostCpu(_joined(process), {line_id: _joined(each) for line_id, each in threads.items()})


def _intervals(ns: Int64, cpu_ns: Int64, since_ns: Int64, zero_ns: int) -> CpuIntervals:
    # The first row is where it stood; a clock that went back is another thread's by the same number.
    start_ns, end_ns, new_ns = np.maximum(since_ns[1:], ns[:-1]), ns[1:], np.diff(cpu_ns)
    rows = (new_ns > 0) & (end_ns > start_ns)
    return CpuIntervals((start_ns[rows] - zero_ns) * 1000, (end_ns[rows] - zero_ns) * 1000, new_ns[rows] * 1000)


def _joined(parts: Sequence[CpuIntervals]) -> CpuIntervals:
    """Those of several recordings, one after the other; what begins before the end of another is cut off."""
    start_ps, end_ps, cpu_ps = (
        np.concatenate([getattr(each, name) for each in parts]) for name in ("start_ps", "end_ps", "cpu_ps")
    )
    order = np.argsort(start_ps, kind="stable")
    start_ps, end_ps, cpu_ps = start_ps[order], end_ps[order], cpu_ps[order]
    start_ps[1:] = np.maximum(start_ps[1:], np.maximum.accumulate(end_ps)[:-1])
    rows = end_ps > start_ps
    return CpuIntervals(start_ps[rows], end_ps[rows], cpu_ps[rows])
