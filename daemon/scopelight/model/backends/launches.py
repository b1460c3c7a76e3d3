"""Launches of kernels: which host thread launched each, when, and in which run of a program."""

from collections.abc import Sequence

import attrs
import numpy as np

from scopelight.formats.columns import Bool, Int32, Int64, distinct_values
from scopelight.model.host_launches import ThreadLaunches
from scopelight.model.joins import find_rows

_LEAST_INSIDE = 0.9
"""Share of a thread's launches that lie in the spans of another row of the file which is the same thread."""
_MOST_PAIRS = 10_000
"""Pairs of rows that are looked at: a hostile file has any number of both."""
_UNKNOWN = -1


@attrs.frozen(eq=False, repr=False)
class Launches:
    """Every launch of one host, columns of equal length; `find` names a launch by its row."""

    correlation_id: Int64
    start_ps: Int64
    thread: Int32
    """Which row of the file it was launched on."""
    run: Int64
    """Number of the span of handing over that it lies in, different for each span of the host; -1 for none."""

    def find(self, correlation_id: Int64) -> Int32:
        """The launch of each execution, by its correlation id (0 for none); -1 where it is not on record."""
        return np.where(correlation_id != 0, find_rows(self.correlation_id, correlation_id), np.int32(_UNKNOWN))


def joined(threads: Sequence[ThreadLaunches]) -> Launches:
    """The launches of all threads of a host, each in the spans of its own thread where that has any."""
    counts = [len(each.start_ps) for each in threads]
    first_span = np.cumsum([0, *(len(each.run_start_ps) for each in threads)])
    runs = [_inside(each.start_ps, each, int(first_span[row])) for row, each in enumerate(threads)]
    empty = np.zeros(0, dtype=np.int64)
    return Launches(
        np.concatenate([empty, *(each.correlation_id for each in threads)]),
        np.concatenate([empty, *(each.start_ps for each in threads)]),
        np.repeat(np.arange(len(threads), dtype=np.int32), counts),
        np.concatenate([empty, *runs]),
    )


def with_runs_of_twins(launches: Launches, threads: Sequence[ThreadLaunches], is_of_program: Bool) -> Launches:
    """Give launches that lie on a row without spans the spans of the row that is the same thread.

    Profilers of devices number threads otherwise than the tracer of the host does, so one thread may be two rows: one
    with its launches, one with its spans. They are paired by time, those first where most launches lie in the shortest
    spans. ``is_of_program`` says which launches are of a program's kernels: the others lie outside of all spans.
    """
    inside_own = np.bincount(launches.thread[launches.run >= 0], minlength=len(threads)) > 0
    wanted = np.bincount(launches.thread[is_of_program], minlength=len(threads))
    alone = np.flatnonzero(~inside_own & (wanted > 0))
    spans = np.array([len(each.run_start_ps) for each in threads], dtype=np.int64)
    offered = np.flatnonzero(~inside_own & (spans > 0))
    most = int(_MOST_PAIRS**0.5)
    if len(alone) * len(offered) > _MOST_PAIRS:
        alone = alone[np.argsort(-wanted[alone], kind="stable")[:most]]
        offered = offered[np.argsort(-spans[offered], kind="stable")[:most]]
    first_span = np.cumsum([0, *spans])
    first = np.searchsorted(launches.thread, np.arange(len(threads) + 1))
    found: list[tuple[int, int, int, int]] = []
    for row in alone.tolist():
        of_thread = slice(first[row], first[row + 1])
        start_ps = launches.start_ps[of_thread][is_of_program[of_thread]]
        for other in offered.tolist():
            each = threads[other]
            span = _inside(start_ps, each, 0)
            inside = int(np.count_nonzero(span >= 0))
            within = (start_ps >= each.run_start_ps[0]) & (start_ps < each.run_end_ps[-1])
            if inside and inside >= _LEAST_INSIDE * np.count_nonzero(within):
                hit = distinct_values(span[span >= 0])
                taken_ps = int((each.run_end_ps[hit] - each.run_start_ps[hit]).sum())
                found.append((-inside, taken_ps, row, other))
    run = launches.run.copy()
    taken: set[tuple[str, int]] = set()
    for _, _, row, other in sorted(found):
        if not {("launches", row), ("spans", other)} & taken:
            taken |= {("launches", row), ("spans", other)}
            mine = slice(first[row], first[row + 1])
            run[mine] = _inside(launches.start_ps[mine], threads[other], int(first_span[other]))
    return attrs.evolve(launches, run=run)


def _inside(start_ps: Int64, thread: ThreadLaunches, first: int) -> Int64:
    """Number of the thread's span in which each time lies, counted from ``first``; -1 outside of all."""
    if not len(thread.run_start_ps):
        return np.full(len(start_ps), _UNKNOWN, dtype=np.int64)
    at = np.searchsorted(thread.run_start_ps, start_ps, side="right") - 1
    return np.where((at >= 0) & (start_ps < thread.run_end_ps[at]), at + first, _UNKNOWN)
