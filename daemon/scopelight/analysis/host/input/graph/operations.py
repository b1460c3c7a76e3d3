"""The graph of data operations: from what makes the data, over queues, to the script's loop and its devices."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Final

from scopelight.analysis.host.input.core_use import CoreUse
from scopelight.analysis.host.input.graph.libraries import add_libraries
from scopelight.analysis.host.input.graph.own_work import add_own_work
from scopelight.analysis.host.input.graph.pools import add_pools
from scopelight.analysis.host.input.graph.tasks import add_tasks, awaited_tasks, join_pools
from scopelight.analysis.host.input.graph.threads import add_threads
from scopelight.analysis.host.input.graph.under_way import Graph, native_ids
from scopelight.analysis.host.input.graph_records import InputOperation
from scopelight.analysis.host.input.loading_threads import LoadingThread
from scopelight.analysis.host.input.queues import FoundQueue
from scopelight.analysis.host.input.stages import Gathered, Part, stage_keys
from scopelight.analysis.totals.centre import Centre
from scopelight.model.host.record import HostRecord
from scopelight.program.hlo.frames import Frame

TF_DATA: Final = "tensorflow/python/data/ops/"
"""In the paths of the files of tf.data."""
SCRIPT: Final = "script"
DEVICE: Final = "device"


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
    taken: dict[Part, str],
) -> tuple[InputOperation, ...]:
    """The operations of one process, those that make data first; ``uses`` are of cores, by the system's number of a
    process or thread. ``loop`` is where the script asks for data. Whose operation's what of stages is goes to
    ``taken``."""
    graph = Graph(host, centre, threads, gathered, window_ps, queues, uses, stage_keys(centre, gathered), taken)
    ends: list[str] = []
    if record is not None:
        ends += add_libraries(graph, record)
        ends += add_threads(graph)
        ends += add_tasks(graph, record)
        ends += join_pools(graph, record, list(add_pools(graph, record)))
    awaited = awaited_tasks(graph, ends) if record is not None else {}
    if not ends or awaited:
        own = list(add_own_work(graph, record, awaited))
        read = {each for made in graph.made if made.key in own for each in made.inputs}
        ends = [*(each for each in ends if each not in read), *own]
    if record is not None and has_called(record, TF_DATA):
        ends.append(graph.add(TF_DATA, "tf.data", "tf.data", None))
    if ends:
        _add_script_and_device(graph, ends, loop)
    return tuple(graph.made)


def has_called(record: HostRecord, part: str) -> bool:
    """Whether a thread was seen in a file whose path has a part."""
    return any(part in code.file.replace("\\", "/") for recording in record.recordings for code in recording.codes)


def _add_script_and_device(graph: Graph, ends: Sequence[str], loop: Frame | None) -> None:
    launching = [each for each in graph.threads if each.is_launching]
    called = "" if loop is None else _name_of(loop)
    script = graph.add(SCRIPT, "script", called, loop, inputs=tuple(ends), thread_ids=native_ids(launching))
    graph.add(DEVICE, "device", "", None, inputs=(script,))


def _name_of(loop: Frame) -> str:
    """Of the function that it is in; of a script without one that of its file."""
    return PurePath(loop.path).name if loop.function == "<module>" else loop.function
