"""Operations that libraries told of: grain's datasets, torch's loaders and theirs."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from scopelight.analysis.host.input.graph.under_way import Graph
from scopelight.analysis.host.input.pools import POOLS, TASKS, members_of
from scopelight.analysis.host.input.stages import Part, frame_of
from scopelight.analysis.host.threads.seen import SeenThread
from scopelight.formats.host_recording.reader import RecordedOperation, RecordedThread
from scopelight.model.host.record import HostRecord

_GRAIN_CLASS: Final = re.compile(r"_*(\w+?)(?:(?:Map|Iter)?Dataset(?:Iterator)?)")
"""Its operations are called after what they do, and what they are."""
_LOADER: Final = "DataLoader"
_LOADER_CLASS: Final = "DataLoaderIter"
_IN_THE_LOOP: Final = "_SingleProcessDataLoaderIter"


def add_libraries(graph: Graph, record: HostRecord) -> Iterator[str]:
    """Add the operations that libraries told of; gives the keys of those that the script reads from."""
    operations = [each for each in record.operations if each.kind not in (*POOLS, TASKS)]
    read = {each for operation in operations for each in operation.inputs}
    known = {each.id for each in operations}
    processes = _in_processes(operations)
    # They were found from the script on: what makes data comes last.
    for operation in reversed(operations):
        parts = _parts_of(graph, operation, processes)
        works = [each for each in parts if graph.gathered.stages[each[1]].works]
        busy_ratio = None
        workers = len(operation.processes) or operation.threads
        natives = _natives(record.threads[each] for each in members_of(operation) if each in record.threads)
        if _is_in_the_loop(operation, processes):
            busy_ratio = None if operation.function is None else graph.busy_ratio(works)
            workers = 0 if operation.name == _IN_THE_LOOP else workers
        elif works:
            threads = {key: graph.gathered.stages[number].threads[key] for key, number in works}
            busy_ratio = graph.busy_ratio(works, len(threads))
            workers = workers or len(threads)
            natives = natives or _natives(threads.values())
        runs_in = processes.get(operation.id)
        graph.add(
            operation.id,
            "torch" if operation.kind == "torch" else "grain",
            _name_of(operation),
            frame_of(operation),
            inputs=tuple(graph.key(each) for each in operation.inputs if each in known),
            queue=next((each.record.key for each in graph.queues if each.id == operation.id), None),
            parts=parts,
            is_seen=busy_ratio is not None,
            workers=workers,
            busy_ratio=busy_ratio,
            thread_ids=natives,
            process_ids=operation.processes,
            runs_in=None if runs_in is None else graph.key(runs_in),
        )
        if operation.id not in read:
            yield graph.key(operation.id)


def _natives(threads: Iterable[RecordedThread | SeenThread]) -> Sequence[int]:
    return [each.native_id for each in threads if each.native_id is not None]


def _in_processes(operations: Sequence[RecordedOperation]) -> Mapping[int, int]:
    """By operation the one in whose processes it runs: those that such a one reads from, however far behind."""
    by_id = {each.id: each for each in operations}
    found: dict[int, int] = {}
    for owner in operations:
        waiting = list(owner.inputs) if owner.processes else []
        while waiting:
            each = waiting.pop()
            if each in by_id and each not in found and each != owner.id:
                found[each] = owner.id
                waiting += by_id[each].inputs
    return found


def _is_in_the_loop(operation: RecordedOperation, processes: Mapping[int, int]) -> bool:
    """Whether it is made on the thread that asks for it, by a library that marks nothing."""
    return operation.kind == "torch" and not operation.processes and operation.id not in processes


def _parts_of(graph: Graph, operation: RecordedOperation, processes: Mapping[int, int]) -> Sequence[Part]:
    """Of the stages of an operation: the function that it calls, and what its library marked."""
    if operation.processes:
        return ()
    if not _is_in_the_loop(operation, processes):
        return graph.parts(lambda each: each.name.id == operation.id)
    return () if operation.function is None else graph.inside(*operation.function[:2])


def _name_of(operation: RecordedOperation) -> str:
    """What an operation does, by its class, and what it was given to do it with: ``Map(Decode)``."""
    name = operation.name
    if operation.kind == "torch":
        name = _LOADER if operation.processes or name.endswith(_LOADER_CLASS) else name
    elif operation.kind == "grain":
        plain = _GRAIN_CLASS.fullmatch(name)
        name = plain.group(1) if plain is not None else name
    return f"{name}({operation.called})" if operation.called and operation.called != name else name
