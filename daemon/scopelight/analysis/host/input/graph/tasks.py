"""Operations that are tasks of the event loop in which the steps are launched: those that fill its queues, and those
that the loop of the steps waits for."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

import attrs

from scopelight.analysis.host.input.graph.under_way import Graph
from scopelight.analysis.host.input.pools import TASKS
from scopelight.analysis.host.input.queues import FoundQueue
from scopelight.formats.host_recording.reader import RecordedOperation
from scopelight.model.host.record import HostRecord
from scopelight.program.hlo.frames import Frame


def add_tasks(graph: Graph, record: HostRecord) -> Iterator[str]:
    """Add the tasks that fill queues of the event loop; gives the keys of those that the steps take from."""
    tasks = [each for each in record.operations if each.kind == TASKS]
    launching = {each.thread.line_id for each in graph.threads if each.is_launching}
    queues = [each for each in graph.queues if each.record.kind == "asyncio"]
    filled = {of: [each for each in tasks if queue.id in each.fills] for of, queue in enumerate(queues)}
    for of in _behind(queues, filled, launching):
        queue = queues[of]
        for each in filled[of]:
            behind = [other for other, taken in enumerate(queues) if taken.id in each.inputs and other != of]
            inputs = tuple(_key(graph, queues[other], maker) for other in behind for maker in filled[other])
            yield from _if(queue.consumers & launching, _add(graph, queue, each, inputs))
        if not filled[of] and queue.consumers & launching:
            # Something fills it that was not seen.
            yield graph.add(_name(queue, None), "tasks", queue.record.name, None, queue=queue.record.key)
    if not any(each.consumers & launching for each in queues):
        for each in tasks:
            if each.is_awaited:
                yield _add(graph, None, each, ())


def _behind(
    queues: Sequence[FoundQueue], filled: Mapping[int, Sequence[RecordedOperation]], launching: AbstractSet[int]
) -> Sequence[int]:
    """The queues that the steps take from, and those behind them: others are of other event loops."""
    found = [of for of, queue in enumerate(queues) if queue.consumers & launching]
    for of in found:
        taken = {each for task in filled[of] for each in task.inputs}
        found += [other for other, queue in enumerate(queues) if queue.id in taken and other not in found]
    return found


def _if(is_so: object, key: str) -> Sequence[str]:
    return (key,) if is_so else ()


def _add(graph: Graph, queue: FoundQueue | None, task: RecordedOperation, inputs: tuple[str, ...]) -> str:
    place = task.stood or task.function
    parts = () if task.function is None else graph.inside(*task.function[:2])
    return graph.add(
        _name(queue, task),
        "tasks",
        task.called,
        None if place is None else Frame(place[0], place[2], place[1]),
        inputs=inputs,
        queue=None if queue is None else queue.record.key,
        parts=parts,
        is_seen=task.function is not None,
        workers=task.threads,
        # They share one thread.
        busy_ratio=None if task.function is None else graph.busy_ratio(parts),
    )


def _name(queue: FoundQueue | None, task: RecordedOperation | None) -> str:
    of = "" if queue is None else queue.record.key
    return f"tasks {of} {'' if task is None else ' '.join(map(str, task.function or (task.id,)))}"


def _key(graph: Graph, queue: FoundQueue | None, task: RecordedOperation) -> str:
    return graph.key(_name(queue, task))


def awaited_tasks(graph: Graph, ends: Sequence[str]) -> Mapping[str, str]:
    """Tasks that the steps wait for themselves, with the names of their functions, where these are all that makes the
    data: what awaits them is then in the loop of the steps, and has the time for which they are waited for."""
    found = {each.key: each.name for each in graph.made if each.kind == "tasks" and each.queue is None}
    return found if found.keys() == set(ends) == {each.key for each in graph.made} else {}


def join_pools(graph: Graph, record: HostRecord, pools: Sequence[str]) -> Sequence[str]:
    """Let tasks that have their work done by pools of threads read from these; gives the pools that none does."""
    pooled = {
        _key(graph, queue, each)
        for each in record.operations
        if each.is_pooled
        for queue in (*graph.queues, None)
        if queue is None or queue.id in each.fills
    }
    makers = [each for each in graph.made if each.key in pooled]
    for each in makers:
        graph.replace(attrs.evolve(each, inputs=tuple(dict.fromkeys((*each.inputs, *pools)))))
    return () if makers else pools
