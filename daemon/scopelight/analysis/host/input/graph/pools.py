"""Operations that are pools: executors of threads or of processes, whose results the script waits for."""

import itertools
from collections.abc import Iterator
from typing import Final

from scopelight.analysis.host.input.graph.under_way import Graph, native_ids
from scopelight.analysis.host.input.loading_threads import LoadingThread
from scopelight.analysis.host.input.pools import POOLS, asks_pools, awaiting_lines, members_of
from scopelight.analysis.host.input.stages import frame_of
from scopelight.analysis.host.threads.seen import cells_of
from scopelight.analysis.totals.waiting.feeding import is_of
from scopelight.formats.host_recording.reader import RecordedOperation
from scopelight.model.host.record import HostRecord

_IDLE: Final = (("concurrent/futures/thread.py", ("_worker",)), ("multiprocessing/pool.py", ("worker",)))
"""Where a thread of a pool stands itself while it has nothing to do."""


def add_pools(graph: Graph, record: HostRecord) -> Iterator[str]:
    """Add the pools that worked while the script waited for results; gives their keys."""
    launching = [each.thread.line_id for each in graph.threads if each.is_launching]
    pools = [each for each in record.operations if each.kind in POOLS]
    if not pools or not (asks_pools(record, launching, graph.centre) or _awaits(graph)):
        return
    for pool in pools:
        if pool.kind == "processes":
            yield graph.add(
                pool.id,
                "processes",
                _name_of(pool),
                frame_of(pool),
                workers=pool.threads or len(pool.processes) or None,
                process_ids=pool.processes,
            )
            continue
        members = members_of(pool)
        threads = [each for each in graph.threads if each.thread.line_id in members and not each.stages]
        busy_ps = sum(_busy_ps(each, graph.window_ps) for each in threads)
        if not busy_ps:
            continue
        parts = graph.working_on(threads)
        workers = pool.threads or len(threads)
        yield graph.add(
            pool.id,
            "threads",
            _name_of(pool),
            graph.place(parts),
            parts=parts,
            workers=workers,
            # What it calls of libraries alone is no stage.
            busy_ratio=graph.busy_ratio(parts, workers) if parts else _busy_ratio(graph, busy_ps, workers),
            thread_ids=native_ids(threads),
        )


def _awaits(graph: Graph) -> bool:
    """Whether the thread that launches feeds the steps by what it awaits from a pool."""
    return any(
        each.feeds is not None
        and each.thread.stands is not None
        and awaiting_lines(itertools.compress(each.thread.stands.stacks, each.feeds), graph.centre)
        for each in graph.threads
    )


def _name_of(pool: RecordedOperation) -> str:
    return f"{pool.name}({pool.called})" if pool.called else pool.name


def _busy_ratio(graph: Graph, busy_ps: int, workers: int) -> float:
    return min(1.0, busy_ps / max(1, graph.window_ps * workers))


def _busy_ps(thread: LoadingThread, window_ps: int) -> int:
    """For how long a thread had something to do."""
    if thread.thread.stands is None:
        return 0
    cells = cells_of(thread.thread.stands, window_ps)
    return sum(
        time_ps
        for row, time_ps in cells.times_ps().items()
        if cells.stacks[row] and not is_of(cells.stacks[row][0], _IDLE)
    )
