"""The graph of data operations: from what makes the data, over queues, to the script's loop and its devices."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import attrs
import numpy as np

from scopelight.analysis.host.input.graph_records import InputOperation
from scopelight.analysis.host.input.loading_threads import LoadingThread
from scopelight.analysis.host.input.queues import FoundQueue
from scopelight.analysis.host.input.stages import Gathered, StageSums, ThreadKey, frame_of, stage_key
from scopelight.analysis.totals.centre import Centre
from scopelight.formats.host_recording.reader import RecordedOperation
from scopelight.model.host.record import HostRecord
from scopelight.program.hlo.frames import Frame

TF_DATA: Final = "tensorflow/python/data/ops/"
"""In the paths of the files of tf.data."""
SCRIPT: Final = "script"
DEVICE: Final = "device"
_GRAIN_CLASS: Final = re.compile(r"_*(\w+?)(?:(?:Map|Iter)?Dataset(?:Iterator)?)")
"""Its operations are called after what they do, and what they are."""
_LOADER: Final = "DataLoader"
PYTHON_QUEUES: Final = ("queue", "processes")
"""Kinds of queues that threads or processes of the script fill, and no library's operation."""
LEAST_FUNCTION: Final = 0.002
"""Of the window: a function of the loop's own with less is no operation."""


@attrs.define(eq=False)
class _Graph:
    """The operations of one process while they are put together."""

    host: int
    centre: Centre
    gathered: Gathered
    window_ps: int
    queues: Sequence[FoundQueue]
    core_ratios: Mapping[int, float]
    made: list[InputOperation] = attrs.field(factory=list)

    def key(self, name: object) -> str:
        return f"{self.host}:{name}"

    def queue_of(self, id_: int) -> str | None:
        return next((each.record.key for each in self.queues if each.id == id_), None)

    def sums_of(self, id_: int) -> StageSums | None:
        """The stage of an operation: the function that it calls, else what its library marked."""
        own = [each for each in self.gathered.stages if each.name.id == id_]
        return next((each for each in own if each.name.kind == "function"), own[0] if own else None)


def operations_of(
    host: int,
    record: HostRecord | None,
    centre: Centre,
    threads: Sequence[LoadingThread],
    gathered: Gathered,
    queues: Sequence[FoundQueue],
    window_ps: int,
    core_ratios: Mapping[int, float],
    loop: Frame | None,
) -> tuple[InputOperation, ...]:
    """The operations of one process, those that make data first; ``core_ratios`` are by the system's number of a
    process or thread how much of a core it used. ``loop`` is where the script asks for data."""
    graph = _Graph(host, centre, gathered, window_ps, queues, core_ratios)
    ends: list[str] = []
    if record is not None:
        ends += _of_libraries(graph, record.operations)
        ends += _of_threads(graph, threads)
    if not ends:
        ends += _of_own_lines(graph, threads)
    if record is not None and has_called(record, TF_DATA):
        ends += _of_tf_data(graph)
    if ends:
        _add_script_and_device(graph, ends, loop)
    return tuple(graph.made)


def _of_libraries(graph: _Graph, operations: Sequence[RecordedOperation]) -> Iterator[str]:
    """Add the operations that libraries told of; gives the keys of those that the script reads from."""
    read = {each for operation in operations for each in operation.inputs}
    known = {each.id for each in operations}
    # They were found from the script on: what makes data comes last.
    for operation in reversed(operations):
        sums = graph.sums_of(operation.id)
        inputs = tuple(graph.key(each) for each in operation.inputs if each in known)
        processes = len(operation.processes)
        workers = processes or operation.threads or (len(sums.threads) if sums is not None and sums.works else None)
        natives = operation.processes or _natives(sums)
        cores = [graph.core_ratios[each] for each in natives if each in graph.core_ratios]
        works = sums is not None and sums.works
        graph.made.append(
            InputOperation(
                key=graph.key(operation.id),
                kind="torch" if operation.kind == "torch" else "grain",
                name=_name_of(operation),
                **graph.centre.frames.place_fields(frame_of(operation)),
                inputs=inputs,
                queue=graph.queue_of(operation.id),
                stage=None if sums is None else stage_key(graph.centre, sums.name),
                self_ps=sums.self_ps if sums is not None and works else None,
                workers=workers,
                busy_ratio=_busy(sums, graph.window_ps) if sums is not None and works else None,
                core_ratio=sum(cores) / len(cores) if cores else None,
            )
        )
        if operation.id not in read:
            yield graph.key(operation.id)


def _name_of(operation: RecordedOperation) -> str:
    """What an operation does, by its class, and what it was given to do it with: ``Map(Decode)``."""
    name = _LOADER if operation.kind == "torch" and operation.processes else operation.name
    if operation.kind == "grain":
        plain = _GRAIN_CLASS.fullmatch(name)
        name = plain.group(1) if plain is not None else name
    return f"{name}({operation.called})" if operation.called and operation.called != name else name


def _natives(sums: StageSums | None) -> Sequence[int]:
    """The system's numbers of the threads that do the work of a stage."""
    threads = sums.threads.values() if sums is not None and sums.works else ()
    return [each.native_id for each in threads if each.native_id is not None]


def _busy(sums: StageSums, window_ps: int) -> float:
    return min(1.0, sums.self_ps / max(1, window_ps * max(1, len(sums.threads))))


def _of_threads(graph: _Graph, threads: Sequence[LoadingThread]) -> Iterator[str]:
    """Add the threads that fill queues of Python's; gives the keys of those that the loop takes from."""
    launching = {each.thread.line_id for each in threads if each.is_launching}
    makers: dict[int, str] = {}
    for found in graph.queues:
        if found.record.kind not in PYTHON_QUEUES:
            continue
        key = graph.key(f"queue {found.record.key}")
        lines = [each for each in threads if each.thread.line_id in found.producers]
        stage = _busiest_line(graph, {_key_of(each) for each in lines})
        natives = [each.thread.native_id for each in lines]
        cores = [graph.core_ratios[each] for each in natives if each is not None and each in graph.core_ratios]
        graph.made.append(
            InputOperation(
                key=key,
                kind="processes" if found.record.kind == "processes" else "threads",
                name=", ".join(found.record.producers),
                **graph.centre.frames.place_fields(stage.name.frame if stage is not None else None),
                inputs=(),
                queue=found.record.key,
                stage=None if stage is None else stage_key(graph.centre, stage.name),
                self_ps=None if stage is None else stage.self_ps,
                workers=len(lines) or None,
                busy_ratio=_busy_threads(graph, lines) if lines else None,
                core_ratio=sum(cores) / len(cores) if cores else None,
            )
        )
        for each in found.producers:
            makers[each] = key
        if found.consumers & launching:
            yield key
    # A thread may take from one queue to fill another.
    for found in graph.queues:
        is_own = found.record.kind in PYTHON_QUEUES
        key = graph.key(f"queue {found.record.key}" if is_own else found.id)
        if all(each.key != key for each in graph.made):
            continue
        for consumer in found.consumers & makers.keys():
            row = next((row for row, each in enumerate(graph.made) if each.key == makers[consumer]), None)
            if row is not None and makers[consumer] != key:
                made = graph.made[row]
                graph.made[row] = attrs.evolve(made, inputs=tuple(dict.fromkeys((*made.inputs, key))))


def _key_of(thread: LoadingThread) -> ThreadKey:
    return thread.thread.host, thread.thread.line_id


def _busiest_line(graph: _Graph, keys: set[ThreadKey]) -> StageSums | None:
    lines = [each for each in graph.gathered.stages if each.name.kind == "line" and each.works]
    own = [each for each in lines if keys & each.threads.keys()]
    return max(own, key=lambda each: each.self_ps, default=None)


def _busy_threads(graph: _Graph, lines: Sequence[LoadingThread]) -> float:
    """The share of their time in which threads stood where they do not wait for others."""
    keys = {_key_of(each) for each in lines}
    works = np.array([each.works for each in graph.gathered.stages], dtype=np.bool_)
    busy_ps = sum(
        int(segments.duration_ps[works[segments.stage]].sum())
        for key, segments in graph.gathered.segments
        if key in keys
    )
    return min(1.0, busy_ps / max(1, graph.window_ps * len(keys)))


def _of_own_lines(graph: _Graph, threads: Sequence[LoadingThread]) -> Iterator[str]:
    """Add the functions of the script's in which the thread that launches makes its data itself."""
    keys = {_key_of(each) for each in threads if each.is_launching}
    by_function: dict[tuple[str, str], list[StageSums]] = {}
    for sums in graph.gathered.stages:
        frame = sums.name.frame
        if sums.name.kind == "line" and sums.works and frame is not None and keys & sums.threads.keys():
            by_function.setdefault((frame.path, frame.function), []).append(sums)
    for (_, function), lines in by_function.items():
        longest = max(lines, key=lambda each: each.self_ps)
        self_ps = sum(each.self_ps for each in lines)
        if self_ps < LEAST_FUNCTION * graph.window_ps:
            continue
        key = graph.key(f"function {stage_key(graph.centre, longest.name)}")
        graph.made.append(
            InputOperation(
                key=key,
                kind="function",
                name=function,
                **graph.centre.frames.place_fields(longest.name.frame),
                inputs=(),
                stage=stage_key(graph.centre, longest.name),
                self_ps=self_ps,
                workers=1,
                busy_ratio=min(1.0, self_ps / max(1, graph.window_ps)),
            )
        )
        yield key


def _of_tf_data(graph: _Graph) -> Iterator[str]:
    """Add tf.data as a whole: its iterators are not in the trace."""
    key = graph.key(TF_DATA)
    graph.made.append(
        InputOperation(key=key, kind="tf.data", name="tf.data", path=None, file=None, line=None, inputs=())
    )
    yield key


def has_called(record: HostRecord, part: str) -> bool:
    """Whether a thread was seen in a file whose path has a part."""
    return any(part in code.file.replace("\\", "/") for recording in record.recordings for code in recording.codes)


def _add_script_and_device(graph: _Graph, ends: Sequence[str], loop: Frame | None) -> None:
    script = graph.key(SCRIPT)
    graph.made.append(
        InputOperation(
            key=script,
            kind="script",
            name=loop.function if loop is not None else "",
            **graph.centre.frames.place_fields(loop),
            inputs=tuple(ends),
        )
    )
    graph.made.append(
        InputOperation(key=graph.key(DEVICE), kind="device", name="", path=None, file=None, line=None, inputs=(script,))
    )
