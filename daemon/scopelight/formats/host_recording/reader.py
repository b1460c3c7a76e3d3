"""Reading a recording: a line of JSON that describes tables of 64-bit integers, and the tables behind it.

The file may have been written by anyone: rows that refer to nothing are left out, and text that is none is empty.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
import numpy as np

from scopelight.formats.columns import Bool, Int64
from scopelight.formats.errors import FormatError

MAGIC: Final = b"scopelight host 1\n"
LINE, START, RETURN, BASE, ON_BASE, DARK, PAUSE = range(7)
"""Kinds of rows of lines: a line began; a function began or went on; it returned or paused; the outermost frame of a
thread when recording began, and one above it; code that is watched no more; a coroutine gave way to others."""
_KINDS: Final = 8
_TABLES: Final[Mapping[str, int]] = {"lines": 4, "samples": 4, "garbage": 4, "queues": 4, "clocks": 4}
_LONGEST_HEADER: Final = 1 << 28


@attrs.frozen(slots=True)
class RecordedCode:
    """A function of Python: its file as recorded, its qualified name, its first line; and whether it is the user's.

    ``is_awaiting``: it is a coroutine, or an asynchronous generator, and gives way to others while it waits.
    """

    file: str
    function: str
    line: int
    is_users: bool
    is_generator: bool
    is_awaiting: bool = False


@attrs.frozen(eq=False, repr=False)
class LineRows:
    """What the interpreter told of the user's code, in the order in which it happened.

    ``ns`` since the epoch; ``thread`` as Python identifies it; ``code`` a row of the codes; ``line`` and ``kind``.
    """

    ns: Int64
    thread: Int64
    code: Int64
    line: Int64
    kind: Int64


@attrs.frozen(eq=False, repr=False)
class SampleRows:
    """Samples: when each was due and taken (ns since the epoch), its thread, and the number of its stack."""

    due_ns: Int64
    taken_ns: Int64
    thread: Int64
    stack: Int64


@attrs.frozen(eq=False, repr=False)
class ClockRows:
    """Readings of the clocks of threads, and of the process's, of their time on cores.

    ``ns`` since the epoch; ``clock`` is 0 for the process, else a row, from 1, of `HostRecording.clock_threads`;
    ``cpu_ns`` what it said; ``since_ns`` when it had said what the row before has, 0 of a first reading. A clock that
    said the same again has no row.
    """

    ns: Int64
    clock: Int64
    cpu_ns: Int64
    since_ns: Int64


@attrs.frozen(slots=True)
class RecordedThread:
    """A thread's name, and the number by which the system knows it; None where it is not known."""

    name: str
    native_id: int | None


@attrs.frozen(slots=True)
class RecordedQueue:
    """A queue in which a thread was seen to wait: its kind, its class, and that thread.

    ``id`` is that of its object, None where it was not kept; ``ends`` by thread and function how often the thread was
    seen to wait there. ``called`` is by what name code reaches it, where that was seen.
    """

    kind: str
    name: str
    thread: int
    id: int | None = None
    ends: Mapping[tuple[int, str], int] = attrs.field(factory=dict)
    called: str = ""


@attrs.frozen(slots=True)
class RecordedOperation:
    """One operation of the script's input, as the library that it is of kept it when the recording ended.

    ``inputs`` are ids of those that it reads from. ``called`` is what it was given to call, ``function`` of what file,
    of what name and on which line that is. ``threads``, ``capacity`` of its buffer and ``processes`` of its workers are
    None and empty where there are none, or not told. ``members`` are the idents of threads that work for it alone.

    Of tasks of asyncio ``fills`` are ids of the queues that they put into, ``stood`` is the file, function and line
    where they mostly wait, ``is_pooled`` whether they have work done by a pool of threads, and ``is_awaited`` whether
    that is waited for where the steps are launched.
    """

    id: int
    kind: str
    name: str
    inputs: Sequence[int]
    called: str = ""
    function: tuple[str, str, int] | None = None
    threads: int | None = None
    capacity: int | None = None
    processes: Sequence[int] = ()
    members: Sequence[int] = ()
    fills: Sequence[int] = ()
    stood: tuple[str, str, int] | None = None
    is_pooled: bool = False
    is_awaited: bool = False


@attrs.frozen(eq=False, repr=False)
class HostRecording:
    """One recording. ``stacks`` are (code, line) of their frames, innermost first; ``dark`` rows of ``codes``.
    So is ``quiet``: of those, lines of loops were told once each time that the rest was.

    ``clocks`` are pairs of the clock of the trace and of one that nobody sets, in ns, at both ends.
    """

    python: str
    has_lines: bool
    is_overloaded: bool
    clocks: Sequence[tuple[int, int]]
    codes: Sequence[RecordedCode]
    dark: Sequence[int]
    quiet: Sequence[int]
    stacks: Sequence[Sequence[tuple[int, int]]]
    threads: Mapping[int, RecordedThread]
    queues: Sequence[RecordedQueue]
    operations: Sequence[RecordedOperation]
    lines: LineRows
    samples: SampleRows
    garbage: Int64
    """int64[n, 4]: start and end in ns since the epoch, thread, row of ``stacks``."""
    queue_sizes: Int64
    """int64[n, 4]: ns since the epoch, row of ``queues``, how many it held, the most it can hold (0 where any)."""
    clock_rows: ClockRows
    """None are of older recordings, and of systems without such clocks."""
    clock_threads: Sequence[tuple[int, int | None]] = ()
    """The system's number of each thread whose clock was read, and what Python calls its ident; native threads have
    one too. None where it is not known."""


def read_recording(path: Path) -> HostRecording:
    """Read the recording in a file. Raises `FormatError` where it is none."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FormatError("it cannot be read ({problem})", path=path, problem=error.strerror or str(error)) from error
    end = data.find(b"\n", len(MAGIC), _LONGEST_HEADER)
    if not data.startswith(MAGIC) or end < 0:
        raise FormatError("it is no recording of the host's threads", path=path)
    try:
        told = json.loads(data[len(MAGIC) : end])
        tables = _tables(told, memoryview(data)[end + 1 :])
        return _recording(told, tables)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError, RecursionError) as error:
        raise FormatError("the recording of the host's threads in it is broken", path=path) from error


def _tables(told: Any, data: memoryview) -> Mapping[str, Int64]:  # noqa: ANN401 (JSON)
    order = ">i8" if told.get("byte_order") == "big" else "<i8"
    tables: dict[str, Int64] = {}
    for name, described in told["tables"].items():
        columns, rows = len(described["columns"]), int(described["rows"])
        size = columns * rows * 8
        if columns != _TABLES.get(name, columns) or columns < 1 or rows < 0 or size > len(data):
            raise ValueError
        tables[name] = np.frombuffer(data[:size], dtype=order).astype(np.int64).reshape(rows, columns)
        data = data[size:]
    return {name: tables.get(name, np.zeros((0, width), dtype=np.int64)) for name, width in _TABLES.items()}


def _recording(told: Any, tables: Mapping[str, Int64]) -> HostRecording:  # noqa: ANN401 (JSON)
    awaiting = {int(each) for each in told.get("awaiting", ())}
    codes = [
        RecordedCode(str(file), str(name), int(line), bool(users), bool(generates), number in awaiting)
        for number, (file, name, line, users, generates) in enumerate(told["codes"])
    ]
    stacks = [
        [(int(code), int(line)) for code, line in zip(stack[::2], stack[1::2], strict=True) if 0 <= code < len(codes)]
        for stack in (*told["stacks"], *told["garbage_stacks"])
    ]
    of_samples = len(told["stacks"])
    samples = _kept(tables["samples"], 3, of_samples)
    garbage = _kept(tables["garbage"], 3, len(stacks) - of_samples)
    garbage[:, 3] += of_samples
    queues = [_queue(each) for each in told["queues"]]
    sizes = _kept(tables["queues"], 1, len(queues))
    clocked = [(int(native), _number(ident)) for native, ident in told.get("clocks_of_threads", ())]
    return HostRecording(
        python=str(told["python"]),
        has_lines=bool(told["has_lines"]),
        is_overloaded=bool(told["is_overloaded"]),
        clocks=[(int(trace), int(steady)) for trace, steady in told["clocks"]],
        codes=codes,
        dark=[int(each) for each in told["dark"] if 0 <= int(each) < len(codes)],
        quiet=[int(each) for each in told.get("quiet", ()) if 0 <= int(each) < len(codes)],
        stacks=stacks,
        threads={
            int(ident): RecordedThread(str(name), int(native) if native is not None else None)
            for ident, name, native in told["threads"]
        },
        queues=queues,
        operations=[_operation(each) for each in told.get("operations", ())],
        lines=_line_rows(tables["lines"], [int(each) for each in told["code_ids"]], len(codes)),
        samples=SampleRows(*samples.T),
        garbage=garbage,
        queue_sizes=sizes,
        clock_rows=ClockRows(*_kept(tables["clocks"], 1, len(clocked) + 1).T),
        clock_threads=clocked,
    )


def _queue(told: Any) -> RecordedQueue:  # noqa: ANN401 (JSON)
    ends = {(int(thread), str(function)): int(times) for thread, function, times in told.get("ends", ())}
    return RecordedQueue(
        kind=str(told["kind"]),
        name=str(told["class"]),
        thread=int(told["thread"]),
        id=_number(told.get("id")),
        ends=ends,
        called=str(told.get("called", "")),
    )


def _operation(told: Any) -> RecordedOperation:  # noqa: ANN401 (JSON)
    return RecordedOperation(
        id=int(told["id"]),
        kind=str(told["kind"]),
        name=str(told["class"]),
        inputs=[int(each) for each in told["inputs"]],
        called=str(told.get("called", "")),
        function=_place(told.get("function")),
        threads=_number(told.get("threads")),
        capacity=_number(told.get("capacity")),
        processes=[int(each) for each in told.get("processes", ())],
        members=[int(each) for each in told.get("members", ())],
        fills=tuple(int(each) for each in told.get("fills", ())),
        stood=_place(told.get("stood")),
        is_pooled=bool(told.get("is_pooled", False)),
        is_awaited=bool(told.get("is_awaited", False)),
    )


def _place(told: Any) -> tuple[str, str, int] | None:  # noqa: ANN401 (JSON)
    return None if told is None else (str(told[0]), str(told[1]), int(told[2]))


def _number(told: Any) -> int | None:  # noqa: ANN401 (JSON)
    return None if told is None else int(told)


def _line_rows(table: Int64, code_ids: Sequence[int], codes: int) -> LineRows:
    ids = np.array(code_ids[:codes], dtype=np.int64)
    order = np.argsort(ids, kind="stable")
    place = np.searchsorted(ids[order], table[:, 2])
    code = order[np.minimum(place, max(0, len(ids) - 1))] if len(ids) else np.zeros(len(table), dtype=np.int64)
    is_known: Bool = ids[code] == table[:, 2] if len(ids) else np.zeros(len(table), dtype=np.bool_)
    table, code = table[is_known], code[is_known]
    # Rows are written in the order of time but for a clock that was set, or a thread that was held up in between.
    return LineRows(table[:, 0], table[:, 1], code, table[:, 3] // _KINDS, table[:, 3] % _KINDS)


def _kept(table: Int64, column: int, numbers: int) -> Int64:
    """The rows that refer to one of so many things."""
    return table[(table[:, column] >= 0) & (table[:, column] < numbers)]
