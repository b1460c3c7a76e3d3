"""Queues: how full those are that threads were seen to wait in, over time and when the steps take from them."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, cast, get_args

import attrs
import numpy as np

from scopelight.analysis.host.input.calls import PUTTING, filling_threads, queue_name
from scopelight.analysis.host.input.graph_records import InputQueue, QueueKind
from scopelight.analysis.host.input.loading_threads import LoadingThread
from scopelight.analysis.host.threads.seen import cells_of
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.charging import LineKey
from scopelight.analysis.totals.waiting.feeding import is_of, lines_mostly_in
from scopelight.formats.columns import Int64
from scopelight.model.host.record import HostRecord, SeenQueue
from scopelight.program.hlo.frames import Frame

MOST_POINTS: Final = 400
"""Of a curve, which is drawn no finer."""
_KINDS: Final = get_args(QueueKind)
_TAKING: Final = (
    ("/queue.py", ("get",)),
    ("multiprocessing/queues.py", ("get",)),
    ("asyncio/queues.py", ("get",)),
)
"""Ends of files of the standard library, and functions there that take from a queue."""


@attrs.frozen(eq=False, repr=False)
class FoundQueue:
    """A queue's record, the id of its object, and the threads that fill it."""

    record: InputQueue
    id: int | None
    producers: frozenset[int]
    consumers: frozenset[int]
    taken_at: Frame | None


def found_queues(
    host: int, record: HostRecord, centre: Centre, threads: Sequence[LoadingThread], steps: Steps, window_ps: int
) -> Iterator[FoundQueue]:
    """The queues of one process, the one that the steps take from first."""
    launching = {each.thread.line_id for each in threads if each.is_launching and each.thread.host == host}
    known = {each.id for each in record.operations}
    kept = [(number, each) for number, each in enumerate(record.queues) if _is_whole(each, record.queues, known)]
    taken = [(number, each) for number, each in kept if launching & _consumers(each)]
    nearest = max(taken, key=lambda each: sum(each[1].ends.values()), default=None)
    for number, seen in sorted(kept, key=lambda each: nearest is None or each[0] != nearest[0]):
        if seen.queue.kind in _KINDS:
            is_nearest = nearest is not None and number == nearest[0]
            yield _queue(host, number, seen, record, centre, threads, steps, window_ps, is_nearest=is_nearest)


def _is_whole(seen: SeenQueue, queues: Sequence[SeenQueue], known: Collection[int]) -> bool:
    """A loader's own queue is a part of it, which is known as a whole: of grain's by the id of an operation."""
    if seen.queue.kind == "processes":
        whole = [each for each in queues if each.queue.kind == "torch"]
    elif seen.queue.kind.startswith("grain") and seen.queue.id not in known:
        whole = [each for each in queues if each.queue.kind.startswith("grain") and each.queue.id in known]
    else:
        return True
    return not any(_consumers(seen) <= _consumers(each) for each in whole)


def _filling_tasks(record: HostRecord, seen: SeenQueue) -> Iterator[str]:
    """What the tasks are called that fill a queue of an event loop."""
    return (each.called for each in record.operations if seen.queue.id in each.fills)


def _consumers(seen: SeenQueue) -> frozenset[int]:
    return frozenset(line_id for line_id, function in seen.ends if function != PUTTING)


def _queue(
    host: int,
    number: int,
    seen: SeenQueue,
    record: HostRecord,
    centre: Centre,
    threads: Sequence[LoadingThread],
    steps: Steps,
    window_ps: int,
    *,
    is_nearest: bool,
) -> FoundQueue:
    consumers = _consumers(seen)
    producers = frozenset(line_id for line_id, function in seen.ends if function == PUTTING)
    if not producers and seen.queue.kind == "queue":
        # One that is never full has nobody waiting for room: those whose lines fill one of its name.
        producers = filling_threads(record, centre) - consumers
    inside = (seen.time_ps >= 0) & (seen.time_ps < window_ps)
    time_ps, held, capacities = seen.time_ps[inside], seen.held[inside], seen.capacity[inside]
    capacity = int(capacities.max(initial=0)) or None
    if capacity is not None and capacity < 0:
        capacity = None
    gets = _gets(threads, consumers, host, window_ps, _taking_lines(record, consumers, seen, centre))
    step_held = _at_gets(gets, time_ps, held, steps)
    known = [each for each in step_held if each is not None]
    mean = float(held.mean()) if len(held) else None
    chosen = np.unique(np.linspace(0, len(time_ps) - 1, min(len(time_ps), MOST_POINTS)).astype(np.int64))
    taken_at = gets.frame if gets is not None else None
    names = {line_id: thread.name for line_id, thread in record.threads.items()}
    found = InputQueue(
        key=f"{host}:{number}",
        kind=cast("QueueKind", seen.queue.kind),
        name=queue_name(record, seen, centre),
        capacity=capacity,
        mean_held=mean,
        use_ratio=None if mean is None or capacity is None else min(1.0, max(0.0, mean / capacity)),
        gets=len(known),
        empty_gets=sum(each <= 0 for each in known),
        full_gets=sum(each >= capacity for each in known) if capacity is not None else 0,
        is_nearest=is_nearest,
        **centre.frames.place_fields(taken_at),
        producers=tuple(sorted((*(names.get(each, "") for each in producers), *_filling_tasks(record, seen)))),
        consumers=tuple(sorted(names.get(each, "") for each in consumers)),
        step_held=step_held,
        times_ps=tuple(time_ps[chosen].tolist()) if len(time_ps) else (),
        held=tuple(held[chosen].tolist()) if len(held) else (),
    )
    return FoundQueue(found, seen.queue.id, producers, consumers, taken_at)


@attrs.frozen(eq=False, repr=False)
class _Gets:
    """When a thread took from a queue, and on which line it mostly did."""

    start_ps: Int64
    end_ps: Int64
    frame: Frame


def _taking_lines(
    record: HostRecord, consumers: Collection[int], seen: SeenQueue, centre: Centre
) -> frozenset[LineKey]:
    """Lines on which threads were mostly in a queue of Python's: others that wait do so for something else."""
    if seen.queue.kind not in ("queue", "processes", "asyncio"):
        return frozenset()
    stacks = (stack for line_id in consumers for stack in record.sampled_stacks(line_id))
    return lines_mostly_in(stacks, centre.frames, lambda frame: is_of(frame, _TAKING))


def _gets(
    threads: Sequence[LoadingThread],
    consumers: Collection[int],
    host: int,
    window_ps: int,
    taking: Collection[LineKey],
) -> _Gets | None:
    """When the threads that take from a queue stood where they wait for it; of several lines the one they most did, of
    those that are known to take from one where any is."""
    found: list[_Gets] = []
    for each in threads:
        stands = each.thread.stands
        if each.thread.host != host or each.thread.line_id not in consumers or stands is None:
            continue
        cells = cells_of(stands, window_ps)
        by_line: dict[LineKey, list[int]] = {}
        frames: dict[LineKey, Frame] = {}
        for row in sorted(set(cells.stack.tolist())):
            frame = next((each for each in stands.stacks[row] if each.path and each.line), None)
            own = [frame for frame in stands.stacks[row] if (frame.path, frame.line) in each.waits]
            if frame is not None and own:
                by_line.setdefault((own[0].path, own[0].line), []).append(row)
                frames[own[0].path, own[0].line] = own[0]
        for key, stacks in by_line.items():
            rows = np.isin(cells.stack, stacks)
            start_ps, end_ps = cells.start_ps[rows], cells.end_ps[rows]
            begins = np.append(True, start_ps[1:] > end_ps[:-1])
            ends = np.append(begins[1:], True)
            found.append(_Gets(start_ps[begins], end_ps[ends], frames[key]))
    own = [each for each in found if (each.frame.path, each.frame.line) in taking]
    return max(own or found, key=lambda each: int((each.end_ps - each.start_ps).sum()), default=None)


def _at_gets(gets: _Gets | None, time_ps: Int64, held: Int64, steps: Steps) -> tuple[int | None, ...]:
    """By step what the queue held at its first get: while that waited, else by the last reading before it."""
    found: list[int | None] = []
    for start_ps, duration_ps in zip(steps.start_ps.tolist(), steps.duration_ps.tolist(), strict=True):
        begin_ps, end_ps = start_ps, start_ps
        if gets is not None:
            first = int(np.searchsorted(gets.end_ps, start_ps, side="right"))
            if first < len(gets.start_ps) and int(gets.start_ps[first]) < start_ps + duration_ps:
                begin_ps, end_ps = int(gets.start_ps[first]), int(gets.end_ps[first])
        at = int(np.searchsorted(time_ps, begin_ps))
        if at < len(time_ps) and int(time_ps[at]) <= end_ps:
            found.append(int(held[at]))
        elif at and int(time_ps[at - 1]) >= begin_ps - duration_ps:
            found.append(int(held[at - 1]))
        else:
            found.append(None)
    return tuple(found)
