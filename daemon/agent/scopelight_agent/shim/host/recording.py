"""One recording of where the script's threads stand, for each trace: begun, cut and ended with it.

A recording is a file of a line of JSON and columns of 64-bit integers behind it, whose rows JSON describes. All calls
come from the agent's thread; no file is written while a trace is to go on undisturbed.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import weakref
from array import array
from collections.abc import Mapping, Sequence
from types import FrameType
from typing import Any, NamedTuple

from . import codes
from .codes import Codes, Stack
from .garbage_spans import GarbageSpans
from .line_monitor import LineMonitor
from .operations import Operations
from .queues import Queues
from .sampler import Sampler
from .tasks import Tasks
from .thread_clocks import ThreadClocks

MAGIC = b"scopelight host 1\n"
SUFFIX = ".host"
"""What the name of a recording's file has after that of its trace."""
_COLUMNS = {"lines": ("ns", "thread", "code", "line"), "samples": ("due_ns", "taken_ns", "thread", "stack")}
_COLUMNS |= {"garbage": ("start_ns", "end_ns", "thread", "stack"), "queues": ("ns", "queue", "held", "capacity")}
_COLUMNS |= {"clocks": ("ns", "clock", "cpu_ns", "since_ns")}


NamedQueue = tuple["weakref.ref[Any]", str, int]
"""A queue that the script has named: a weak reference to it, its name, and the thread that takes from it."""


class Recorded(NamedTuple):
    """What was recorded beside one trace: rows by table, stacks of samples and of collections by their numbers, pairs
    of two clocks at both ends, and the threads of the clocks of `ThreadClocks`."""

    rows: Mapping[str, array[int]]
    stacks: Mapping[Stack, int]
    garbage_stacks: Mapping[Stack, int]
    clocks: tuple[tuple[int, int], ...]
    operations: list[dict[str, Any]]
    threads: Sequence[tuple[int, int | None]] = ()


class Recording:
    """What is recorded beside the traces of a script; ``is_whole``: all of them are its window.

    ``named`` are the queues that the script names, now or later.
    """

    def __init__(self, *, is_whole: bool = False, named: Sequence[NamedQueue] = ()) -> None:
        self._is_whole = is_whole
        self._named = named
        self._met = 0
        self._codes = Codes()
        own = {threading.get_ident()}
        self._queues = Queues()
        self._operations = Operations(self._queues)
        self._tasks = Tasks(self._codes, self._queues)
        self._thread_clocks = ThreadClocks()
        self._sampler = Sampler(
            self._codes, own, self._look, self._tells_more, self._tasks.stack_across, self._thread_clocks
        )
        self._monitor = LineMonitor(self._codes, own)
        self._garbage = GarbageSpans(self._codes)
        self._is_monitoring = self._is_running = False
        self._clocks: list[tuple[int, int]] = []

    def begin(self, *, is_window: bool) -> None:
        """A trace has begun: record from now on, where it is not done already."""
        if not self._is_running:
            self._is_running = True
            self._clocks = [_clock()]
            self._is_monitoring = self._monitor.start()
            self._garbage.start()
            self._thread_clocks.begin()
            self._sampler.start()
        if (is_window or self._is_whole) and not self._is_monitoring:
            self._sampler.hurry()

    def cut(self) -> Recorded:
        """What was recorded of the trace that ends now; recording goes on, for another."""
        self._sampler.relax()
        samples, stacks = self._sampler.take()
        garbage, garbage_stacks = self._garbage.take()
        clocks, threads = self._thread_clocks.take()
        began, self._clocks = self._clocks, [_clock()]
        return Recorded(
            {
                "lines": self._monitor.take(),
                "samples": samples,
                "garbage": garbage,
                "queues": self._queues.take(),
                "clocks": clocks,
            },
            stacks,
            garbage_stacks,
            (*began, *self._clocks),
            [*self._operations.described(), *self._tasks.described()],
            threads,
        )

    def end(self) -> None:
        """Record no more: nothing of it stays in the script's process."""
        if self._is_running:
            self._is_running = False
            self._sampler.stop()
            self._garbage.stop()
            self._monitor.stop()

    def write(self, recorded: Recorded, trace: str) -> None:
        """Keep what was recorded beside the file of its trace."""
        columns = {name: each.tobytes() for name, each in recorded.rows.items()}
        tables = {name: {"columns": _COLUMNS[name], "rows": len(each) // 32} for name, each in columns.items()}
        header = json.dumps({**self._described(recorded), "byte_order": sys.byteorder, "tables": tables})
        partial = f"{trace}{SUFFIX}.partial"
        with open(partial, "wb") as file:  # noqa: PTH123
            file.write(b"".join((MAGIC, header.encode("utf-8", "replace"), b"\n", *columns.values())))
        os.replace(partial, trace + SUFFIX)  # noqa: PTH105

    def leave_the_child(self) -> None:
        """In a forked child, which is not recorded; the sampler's thread did not come with it."""
        if self._is_running:
            self._is_running = False
            self._sampler.forget()
            self._garbage.stop()
            self._monitor.stop()

    def _tells_more(self, stack: Stack) -> bool:
        return self._tasks.is_in_loop(stack) or self._queues.are_met_in(stack, self._codes)

    def _look(self, frames: dict[int, FrameType]) -> None:
        self._tasks.look()
        for reference, name, thread in self._named[self._met :]:
            self._met += 1
            queue = reference()
            if queue is not None:
                self._queues.meet_named(queue, name, thread)
        self._queues.look(frames)
        self._operations.look()

    def _described(self, recorded: Recorded) -> dict[str, Any]:
        named = {key for stack in (*recorded.stacks, *recorded.garbage_stacks) for key in stack[::2]} | set(
            recorded.rows["lines"][2::4]
        )
        ids = [key for key in self._codes.by_id if key in named]
        numbers = {key: number for number, key in enumerate(ids)}
        return {
            "process": os.getpid(),
            "python": sys.version.split()[0],
            "main_thread": threading.main_thread().ident,
            "has_lines": self._is_monitoring,
            "is_overloaded": self._sampler.is_overloaded,
            "clocks": recorded.clocks,
            "code_ids": ids,
            "codes": codes.described(self._codes, ids),
            "awaiting": [numbers[key] for key in ids if codes.gives_way(self._codes.by_id[key])],
            "dark": [numbers[key] for key in self._monitor.dark if key in numbers],
            "quiet": [numbers[key] for key in self._monitor.quiet if key in numbers],
            "stacks": [_lines_of(self._codes, stack, numbers) for stack in recorded.stacks],
            "garbage_stacks": [_lines_of(self._codes, stack, numbers) for stack in recorded.garbage_stacks],
            "threads": [[ident, *of] for ident, of in list(self._sampler.threads.items())],
            "queues": self._queues.described(),
            "operations": recorded.operations,
            "clocks_of_threads": recorded.threads,
        }


def _clock() -> tuple[int, int]:
    """The clock of the trace, and one that nobody sets, at one moment."""
    return time.time_ns(), time.monotonic_ns()


def _lines_of(known: Codes, stack: tuple[int, ...], numbers: dict[int, int]) -> list[int]:
    """Of a stack its codes by number and their lines, by turns."""
    found: list[int] = []
    for place in range(0, len(stack), 2):
        key, offset = stack[place], stack[place + 1]
        code = known.by_id[key]
        if known.is_ours(code):
            continue
        found += (numbers[key], codes.line_at(code, offset))
    return found
