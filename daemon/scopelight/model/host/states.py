"""What the threads of a host were in, by the names of the events that its profiler recorded of them."""

import enum
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import attrs
import numpy as np

from scopelight.formats.columns import Int8, Int64
from scopelight.formats.xspace.events import Events
from scopelight.formats.xspace.reader import XLine

if TYPE_CHECKING:
    from scopelight.model.host.python_calls import PythonCalls


class HostState(enum.IntEnum):
    """What a thread is in: of several at once the first counts, and none of them is plain Python."""

    COMPILE = 0
    GARBAGE = 1
    """Python's collector runs, of which the trace tells nothing: recordings do."""
    RELEASE = 2
    INPUT = 3
    CALLBACK = 4
    TRANSFER = 5
    SYNC = 6
    DISPATCH = 7


XLA_COMPILING: Final = (
    "backend_compile",
    "XlaCompile",
    "TfrtCpuClient::Compile",
    "PjRtCpuClient::Compile",
    "CpuCompiler::",
)
"""Beginnings of the names of host events in which XLA compiles."""
_COMPILING: Final = (
    *XLA_COMPILING,
    "lower_sharding_computation",
    "lower_parallel_callable",
    "trace_to_jaxpr_dynamic",
)
"""The same of jax as well, which traces a function by calling it, and lowers it for XLA.

Its `trace_to_jaxpr_nounits` is none: what is known is computed in it, on devices too.
"""
_RELEASING: Final = ("PythonRefManager::CollectGarbage",)
"""Jax lets go of objects of Python that its own threads need no more, arrays among them: it does so when it is called,
whether or not Python's collector is on, and when that runs."""
_INPUT: Final = ("Iterator::", "IteratorGetNextOp")
_CALLBACK: Final = ("xla_python_cpu_callback", "xla_python_gpu_callback", "xla_ffi_python", "XlaPythonCallback")
_TRANSFERRING: Final = (
    "DevicePut",
    "shard_args",
    "batched_copy_array_to_devices",
    "BatchedCopyToDevice",
    "H2D Dispatch",
    "CommonPjRtClient::LinearizeInto",
    "TfrtTpuClient::BufferFromHostBuffer",
    "TfrtCpuClient::BufferFromHostBuffer",
    "tpu::System::TransferToDevice",
    "MapDmaBuffer",
    "ArrayImpl.copy_to_host_async",
)
_DISPATCHING: Final = ("PjitFunction(", "PmapFunction(", "ExecuteReplicated")
_EXECUTING: Final = "Executable::Execute"
"""In the names of PJRT's events in which a program is handed over, whatever the client."""
_WAITING: Final = "Buffer::Await"
"""How the events end that mark both ends of a wait for an array."""
_READING_BACK: Final = ("np.asarray(jax.Array)", "np.array(jax.Array)")
_STAGE: Final = "_ipl_stage_id"
"""The stat by which libraries of input mark their events, as XProf reads them."""

_STATES: Final[Sequence[tuple[HostState, tuple[str, ...]]]] = (
    (HostState.COMPILE, _COMPILING),
    (HostState.RELEASE, _RELEASING),
    (HostState.INPUT, _INPUT),
    (HostState.CALLBACK, _CALLBACK),
    (HostState.TRANSFER, _TRANSFERRING),
    (HostState.SYNC, _READING_BACK),
    (HostState.DISPATCH, _DISPATCHING),
)
_NONE: Final = -1
_WAITS: Final = len(HostState)
"""The kind of the marks at the ends of waits."""
_CALLS: Final = _WAITS + 1
"""That of calls of Python."""


@attrs.frozen(eq=False, repr=False)
class ThreadStates:
    """The spans in which one thread was in any `HostState`, in the file's order; those of different states may overlap.

    ``line_id`` and ``name`` are those of its line in the trace.
    """

    host: int
    line_id: int
    name: str
    state: Int8
    start_ps: Int64
    end_ps: Int64
    calls: "PythonCalls | None" = None
    """Where the Python tracer was on."""

    def moved(self, origin_ps: int) -> "ThreadStates":
        """The same, counted from ``origin_ps``."""
        calls = None if self.calls is None else self.calls.moved(origin_ps)
        return attrs.evolve(self, start_ps=self.start_ps - origin_ps, end_ps=self.end_ps - origin_ps, calls=calls)

    def of(self, state: HostState) -> tuple[Int64, Int64]:
        """The starts and ends of the spans of one state."""
        rows = self.state == state
        return self.start_ps[rows], self.end_ps[rows]


_SAME: Final[Sequence[Callable[[ThreadStates], object]]] = (
    lambda each: (each.host, each.line_id),
    lambda each: (each.host, each.line_id, each.name),
    id,
)
"""By what lines of several traces are of one thread: the first of these that no trace has twice."""


def joined_threads(traces: Sequence[Sequence[ThreadStates]]) -> Sequence[ThreadStates]:
    """The threads of traces that were made one after the other, each once, by the id of its line.

    Where a trace has an id twice, the name counts as well; lines that this tells apart no better stay alone.
    """
    twice = [{same for each in traces for same, times in Counter(map(of, each)).items() if times > 1} for of in _SAME]
    threads: dict[object, list[ThreadStates]] = {}
    for trace in traces:
        for each in trace:
            same = next(of(each) for of, not_one in zip(_SAME, twice, strict=True) if of(each) not in not_one)
            threads.setdefault(same, []).append(each)
    return [_joined(parts) for parts in threads.values()]


def _joined(parts: Sequence[ThreadStates]) -> ThreadStates:
    if len(parts) == 1:
        return parts[0]
    return attrs.evolve(
        parts[0],
        state=np.concatenate([each.state for each in parts]),
        start_ps=np.concatenate([each.start_ps for each in parts]),
        end_ps=np.concatenate([each.end_ps for each in parts]),
        calls=_joined_calls([each.calls for each in parts if each.calls is not None]),
    )


def _joined_calls(parts: "Sequence[PythonCalls]") -> "PythonCalls | None":
    if not parts:
        return None
    # Few traces have any.
    from scopelight.model.host.python_calls import joined_calls  # noqa: PLC0415

    return joined_calls(parts)


class StateReader:
    """Finds the states of threads by the names of events."""

    def __init__(self, names: Sequence[str], stat_names: Sequence[str]) -> None:
        self._kinds = np.array([_kind_of(name) for name in names], dtype=np.int8)
        self._names = names
        self._has_stages = _STAGE in stat_names

    def read(self, line: XLine, events: Events, host: int) -> ThreadStates | None:
        """The states of the thread of a line; None where its events tell of none."""
        kind = self._kinds[events.metadata[events.firsts]]
        if not self._has_stages and not (kind != _NONE).any():
            return None
        kind = self._kinds[events.metadata]
        if self._has_stages:
            kind = np.where(events.integer_stats((_STAGE,))[_STAGE][1], np.int8(HostState.INPUT), kind)
        rows = np.flatnonzero((kind != _NONE) & (kind < _WAITS))
        waits = np.flatnonzero(kind == _WAITS)
        wait_start_ps, wait_end_ps = _waits(events, waits)
        if not len(rows) and not len(wait_start_ps):
            return None
        start_ps = events.start_ps[rows]
        end_ps = start_ps + events.duration_ps[rows]
        traced_start_ps, traced_end_ps = _traced(kind[rows], start_ps, end_ps)
        return ThreadStates(
            host=host,
            line_id=line.id,
            name=line.name,
            state=np.concatenate(
                [
                    kind[rows],
                    np.full(len(traced_start_ps), HostState.COMPILE, dtype=np.int8),
                    np.full(len(wait_start_ps), HostState.SYNC, dtype=np.int8),
                ]
            ),
            start_ps=np.concatenate([start_ps, traced_start_ps, wait_start_ps]),
            end_ps=np.concatenate([end_ps, traced_end_ps, wait_end_ps]),
            calls=self._calls(events, np.flatnonzero(kind == _CALLS)),
        )

    def _calls(self, events: Events, rows: Int64) -> "PythonCalls | None":
        if not len(rows):
            return None
        # Few traces have any.
        from scopelight.model.host.python_calls import PythonCalls  # noqa: PLC0415

        start_ps = events.start_ps[rows]
        return PythonCalls(events.metadata[rows], start_ps, start_ps + events.duration_ps[rows], self._names)


def _kind_of(name: str) -> int:
    for state, beginnings in _STATES:
        if name.startswith(beginnings):
            return state
    if name.endswith(_WAITING):
        return _WAITS
    if name.startswith("$"):
        return _CALLS if ".py:" in name else _NONE
    return HostState.DISPATCH if _EXECUTING in name else _NONE


def _traced(kind: Int8, start_ps: Int64, end_ps: Int64) -> tuple[Int64, Int64]:
    """Of the calls that compile the spans until they have: before it they trace a function, by calling it.

    Newer releases of jax have no event for that. What callbacks compile is not for the call that runs them.
    """
    compiles = np.flatnonzero(kind == HostState.COMPILE)
    callbacks = np.flatnonzero(kind == HostState.CALLBACK)
    begun = np.searchsorted(np.sort(start_ps[callbacks]), start_ps[compiles], side="right")
    ended = np.searchsorted(np.sort(end_ps[callbacks]), start_ps[compiles], side="right")
    compiles = compiles[begun <= ended]
    compiles = compiles[np.argsort(start_ps[compiles], kind="stable")]
    calls = np.flatnonzero(kind == HostState.DISPATCH)
    first, behind = (np.searchsorted(start_ps[compiles], each[calls]) for each in (start_ps, end_ps))
    calls, behind = calls[behind > first], behind[behind > first]
    compiled_ps = np.maximum.accumulate(end_ps[compiles])[behind - 1]
    return start_ps[calls], np.minimum(compiled_ps, end_ps[calls])


def _waits(events: Events, rows: Int64) -> tuple[Int64, Int64]:
    """Waits from the marks at their ends: the first produces a number, the next that consumes it is the last."""
    stats = events.integer_stats(("_p", "_c"), rows)
    (begun, begins), (ended, ends) = stats["_p"], stats["_c"]
    is_mark = begins | ends
    rows, number, is_end = rows[is_mark], np.where(ends, ended, begun)[is_mark], ends[is_mark]
    order = np.lexsort((is_end, events.start_ps[rows], number))
    rows, number, is_end = rows[order], number[order], is_end[order]
    pairs = np.flatnonzero((number[1:] == number[:-1]) & ~is_end[:-1] & is_end[1:])
    first, last = rows[pairs], rows[pairs + 1]
    return events.start_ps[first], events.start_ps[last] + events.duration_ps[last]
