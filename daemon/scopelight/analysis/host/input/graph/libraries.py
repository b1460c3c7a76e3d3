"""Operations that libraries told of: grain's datasets, torch's loaders and theirs."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from scopelight.analysis.host.input.graph.under_way import Graph
from scopelight.analysis.host.input.pools import POOLS, TASKS, members_of
from scopelight.analysis.host.input.stages import StageSums, frame_of
from scopelight.analysis.host.threads.seen import SeenThread, cells_of
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
        sums = _sums_of(graph, operation.id)
        self_ps = busy_ratio = None
        workers = len(operation.processes) or operation.threads
        natives = _natives(record.threads[each] for each in members_of(operation) if each in record.threads)
        if operation.processes:
            pass
        elif operation.kind == "torch" and operation.id not in processes:
            # Made on the thread that asks for it.
            sums, self_ps = _in_the_loop(graph, operation)
            busy_ratio = None if self_ps is None else min(1.0, self_ps / max(1, graph.window_ps))
            workers = 0 if operation.name == _IN_THE_LOOP else workers
        elif sums is not None and sums.works:
            self_ps, busy_ratio = sums.self_ps, _busy(sums, graph.window_ps)
            workers = workers or len(sums.threads)
            natives = natives or _natives(sums.threads.values())
        runs_in = processes.get(operation.id)
        graph.add(
            operation.id,
            "torch" if operation.kind == "torch" else "grain",
            _name_of(operation),
            frame_of(operation),
            inputs=tuple(graph.key(each) for each in operation.inputs if each in known),
            queue=next((each.record.key for each in graph.queues if each.id == operation.id), None),
            stage=sums,
            self_ps=self_ps,
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


def _sums_of(graph: Graph, id_: int) -> StageSums | None:
    """The stage of an operation: the function that it calls, else what its library marked."""
    own = [each for each in graph.gathered.stages if each.name.id == id_]
    return next((each for each in own if each.name.kind == "function"), own[0] if own else None)


def _name_of(operation: RecordedOperation) -> str:
    """What an operation does, by its class, and what it was given to do it with: ``Map(Decode)``."""
    name = operation.name
    if operation.kind == "torch":
        name = _LOADER if operation.processes or name.endswith(_LOADER_CLASS) else name
    elif operation.kind == "grain":
        plain = _GRAIN_CLASS.fullmatch(name)
        name = plain.group(1) if plain is not None else name
    return f"{name}({operation.called})" if operation.called and operation.called != name else name


def _busy(sums: StageSums, window_ps: int) -> float:
    return min(1.0, sums.self_ps / max(1, window_ps * max(1, len(sums.threads))))


def _in_the_loop(graph: Graph, operation: RecordedOperation) -> tuple[StageSums | None, int | None]:
    """Of the function of an operation its line that took longest, and the time of the loop's thread in it."""
    if operation.function is None:
        return None, None
    path, function, _ = operation.function
    time_ps = 0
    for each in graph.threads:
        if each.is_launching and each.thread.stands is not None:
            cells = cells_of(each.thread.stands, graph.window_ps)
            inside = [
                row
                for row in set(cells.stack.tolist())
                if any(frame.path == path and frame.function == function for frame in cells.stacks[row])
            ]
            rows = np.isin(cells.stack, inside)
            time_ps += int((cells.end_ps - cells.start_ps)[rows].sum())
    lines = [
        each
        for each in graph.gathered.stages
        if each.name.kind == "line"
        and each.name.frame is not None
        and (each.name.frame.path, each.name.frame.function) == (path, function)
    ]
    return max(lines, key=lambda each: each.total_ps, default=None), time_ps
