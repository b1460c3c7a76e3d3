"""Classifies lanes by the names of their planes, lines and events."""

import re
from collections.abc import Sequence
from typing import Literal

LaneKind = Literal["steps", "modules", "ops", "async", "scopes", "stream", "thread", "counter"]

WorkKind = Literal["python", "input", "compile", "transfer", "ops", "other"]
"""What a thread of a host mostly does."""

COUNTER_LINE = "_counters_"

_DEVICE_LINES: dict[str, LaneKind] = {
    "Steps": "steps",
    "Sparse Core Steps": "steps",
    "XLA Modules": "modules",
    "Sparse Core Modules": "modules",
    "XLA Ops": "ops",
    "Sparse Core Ops": "ops",
    "Async XLA Ops": "async",
    "Framework Name Scope": "scopes",
    "TensorFlow Name Scope": "scopes",
    "Framework Ops": "scopes",
    "TensorFlow Ops": "scopes",
    "Source code": "scopes",
    COUNTER_LINE: "counter",
}

_THREADS: tuple[tuple[re.Pattern[str], WorkKind], ...] = (
    (re.compile(r"python|MainThread|Thread-\d", re.IGNORECASE), "python"),
    (re.compile(r"tf_data|input|infeed|prefetch|grain", re.IGNORECASE), "input"),
    (re.compile(r"compil|llvm|codegen", re.IGNORECASE), "compile"),
    (re.compile(r"memcpy|h2d|d2h|transfer", re.IGNORECASE), "transfer"),
    (re.compile(r"XLAEigen|XLAPjRtCpu|XLATfrtCpu"), "ops"),
)
"""By the name of the thread."""

_EVENTS: tuple[tuple[re.Pattern[str], WorkKind], ...] = (
    (re.compile(r"\$.*:\d+ |PjitFunction|PythonRefManager|\$"), "python"),
    (re.compile(r"Iterator::|IteratorGetNext|tf_data|PrefetchProduce|Infeed|Grain|ParallelMap|ReadRecord"), "input"),
    (re.compile(r"backend_compile|XlaCompile|.*(Client::Compile|CpuCompiler::|HloPass)|LLVM|.*Codegen"), "compile"),
    (
        re.compile(
            r".*(TransferTo|TransferFrom|BufferFromHost|CopyToHost|ToLiteral|H2D|D2H|HostToDevice|DeviceToHost)"
        ),
        "transfer",
    ),
    (re.compile(r"ThunkExecutor|end: "), "ops"),
)
"""By the beginning of an event's name."""


_UNIT = re.compile(r"(.*\S)\s*\(([^()]+)\)$")


def counter_name(shown: str) -> tuple[str, str]:
    """The name of a counter and its unit, which may stand in brackets behind it; else empty."""
    parts = _UNIT.match(shown)
    return (parts[1], parts[2]) if parts else (shown, "")


def lane_kind(is_device: bool, line_name: str) -> LaneKind:
    """What a line shows. Lines of devices that are not known by name are streams."""
    if line_name == COUNTER_LINE:
        return "counter"
    if not is_device:
        return "thread"
    return _DEVICE_LINES.get(line_name, "stream")


def thread_work(thread_name: str, event_names: Sequence[str]) -> WorkKind:
    """What a thread mostly does: what most of the events that tell anything are of, else what its name says.

    ``event_names`` are those of a sample of its events, each as often as it is in the sample.
    """
    votes: dict[WorkKind, int] = {}
    for name in event_names:
        for pattern, work in _EVENTS:
            if pattern.match(name):
                votes[work] = votes.get(work, 0) + 1
                break
    if votes:
        return max(votes, key=lambda work: votes[work])
    for pattern, work in _THREADS:
        if pattern.search(thread_name):
            return work
    return "other"
