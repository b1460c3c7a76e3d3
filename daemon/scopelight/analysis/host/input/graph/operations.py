"""The graph of data operations: from what makes the data, over queues, to the script's loop and its devices."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from scopelight.analysis.host.input.core_use import CoreUse
from scopelight.analysis.host.input.graph.libraries import add_libraries
from scopelight.analysis.host.input.graph.pools import add_pools
from scopelight.analysis.host.input.graph.threads import add_threads
from scopelight.analysis.host.input.graph.under_way import Graph, key_of, native_ids
from scopelight.analysis.host.input.graph_records import InputOperation
from scopelight.analysis.host.input.loading_threads import LoadingThread
from scopelight.analysis.host.input.queues import FoundQueue
from scopelight.analysis.host.input.stages import Gathered, StageSums, stage_key
from scopelight.analysis.totals.centre import Centre
from scopelight.model.host.record import HostRecord
from scopelight.program.hlo.frames import Frame

TF_DATA: Final = "tensorflow/python/data/ops/"
"""In the paths of the files of tf.data."""
SCRIPT: Final = "script"
DEVICE: Final = "device"
LEAST_FUNCTION: Final = 0.002
"""Of the window: a function of the loop's own with less is no operation."""


def operations_of(
    host: int,
    record: HostRecord | None,
    centre: Centre,
    threads: Sequence[LoadingThread],
    gathered: Gathered,
    queues: Sequence[FoundQueue],
    window_ps: int,
    uses: Mapping[int, CoreUse],
    loop: Frame | None,
) -> tuple[InputOperation, ...]:
    """The operations of one process, those that make data first; ``uses`` are of cores, by the system's number of a
    process or thread. ``loop`` is where the script asks for data."""
    graph = Graph(host, centre, threads, gathered, window_ps, queues, uses)
    ends: list[str] = []
    if record is not None:
        ends += add_libraries(graph, record)
        ends += add_threads(graph)
        ends += add_pools(graph, record)
    if not ends:
        ends += _add_own_lines(graph)
    if record is not None and has_called(record, TF_DATA):
        ends.append(graph.add(TF_DATA, "tf.data", "tf.data", None))
    if ends:
        _add_script_and_device(graph, ends, loop)
    return tuple(graph.made)


def _add_own_lines(graph: Graph) -> Iterator[str]:
    """Add the functions of the script's in which the thread that launches makes its data itself."""
    keys = {key_of(each) for each in graph.threads if each.is_launching}
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
        yield graph.add(
            f"function {stage_key(graph.centre, longest.name)}",
            "function",
            function,
            longest.name.frame,
            stage=longest,
            self_ps=self_ps,
            workers=1,
            busy_ratio=min(1.0, self_ps / max(1, graph.window_ps)),
        )


def has_called(record: HostRecord, part: str) -> bool:
    """Whether a thread was seen in a file whose path has a part."""
    return any(part in code.file.replace("\\", "/") for recording in record.recordings for code in recording.codes)


def _add_script_and_device(graph: Graph, ends: Sequence[str], loop: Frame | None) -> None:
    launching = [each for each in graph.threads if each.is_launching]
    called = loop.function if loop is not None else ""
    script = graph.add(SCRIPT, "script", called, loop, inputs=tuple(ends), thread_ids=native_ids(launching))
    graph.add(DEVICE, "device", "", None, inputs=(script,))
