"""How long every thread of the process was on a core, by the system's own clocks: native threads as well.

A clock tells it to the nanosecond wherever the thread runs, for a third of a microsecond. Which line of a trace a
thread is follows from the number by which the C library knows it; the system tells where it keeps what belongs to that.
"""

from __future__ import annotations

import os
import platform
import sys
import threading
import time
from array import array
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

COLUMNS = 4
MOST_ROWS = 1_000_000
SELDOM_READINGS = 64
"""Of a recording with so many rows one in so many readings is taken: no time is lost, but it is told less finely."""
LISTED_EVERY = 25
"""Readings, after which it is looked for threads that began meanwhile."""
MANY_THREADS = 48
"""Of more, those that did nothing lately are read every `QUIET_READINGS` alone."""
QUIET_READINGS = 8
PROCESS = 0
"""The number of the clock of all threads together, those that have ended too."""
_OF_THREAD = 6
"""What the kernel adds to the complement of a thread's number for the clock of its time on cores."""
_TASKS = "/proc/self/task"
_GET_ROBUST_LIST = {"x86_64": 274, "aarch64": 100}
"""The numbers of a system call."""


class _Clock:
    """One clock, and what it said last."""

    __slots__ = ("cpu_ns", "id", "looked_ns", "number", "quiet", "tid")

    def __init__(self, number: int, tid: int) -> None:
        self.number = number
        self.tid = tid
        self.id = time.CLOCK_PROCESS_CPUTIME_ID if number == PROCESS else (~tid << 3) | _OF_THREAD
        self.cpu_ns = -1
        self.looked_ns = 0
        self.quiet = 0


class ThreadClocks:
    """The clocks of the process's threads, read whenever `read` is called; from any thread, one at a time.

    ``rows`` are (ns since the epoch, number of the clock, its ns, when it was looked at before), only where it went on
    since then, and where it is read for the first time, with 0 as the last. Nothing is read where the system has no
    such clocks. Of threads that begin and end between two listings nothing is known but their part of the process's.
    """

    def __init__(self) -> None:
        self.rows = array("q")
        self.threads: list[tuple[int, int | None]] = []
        """By number of a clock, from 1, the system's number of its thread and the C library's; None where unknown."""
        self._clocks: dict[int, _Clock] = {}
        self._readings = 0
        self._listed_ns = 0
        self._lock = threading.Lock()
        self._idents: _Idents | None = None
        self._is_there = os.path.isdir(_TASKS) and hasattr(time, "clock_gettime_ns")  # noqa: PTH112

    def begin(self) -> None:
        """Read them all for the first time."""
        with self._lock:
            self.rows = array("q")
            self._clocks = {0: _Clock(PROCESS, 0)} if self._is_there else {}
            self.threads = []
            self._readings = self._listed_ns = 0
            self._idents = _Idents()
            self._read()

    def read(self) -> None:
        """Read them, and look for new threads now and then. Left out where another thread does it just now."""
        if self._lock.acquire(blocking=False):
            try:
                self._read()
            finally:
                self._lock.release()

    def take(self) -> tuple[array[int], Sequence[tuple[int, int | None]]]:
        """What was read since the last time, to this moment; the clocks are read anew for what follows."""
        with self._lock:
            for each in self._clocks.values():
                each.quiet = 0
            self._name_threads()
            self._read(is_last=True)
            rows, self.rows = self.rows, array("q")
            for each in self._clocks.values():
                if each.cpu_ns >= 0:
                    self.rows.extend((each.looked_ns, each.number, each.cpu_ns, 0))
            return rows, tuple(self.threads)

    def _read(self, *, is_last: bool = False) -> None:
        if not self._is_there:
            return
        if self._readings % LISTED_EVERY == 0:
            self._list()
        self._readings += 1
        rows, clock, now = self.rows, time.clock_gettime_ns, time.time_ns
        if len(rows) >= MOST_ROWS * COLUMNS and self._readings % SELDOM_READINGS and not is_last:
            return
        has_many = len(self._clocks) > MANY_THREADS
        ended = []
        for each in self._clocks.values():
            if has_many and each.quiet and each.quiet % QUIET_READINGS:
                each.quiet += 1
                continue
            now_ns = now()
            try:
                cpu_ns = clock(each.id)
            except OSError:
                ended.append(each.tid)
                continue
            if cpu_ns != each.cpu_ns:
                rows.extend((now_ns, each.number, cpu_ns, each.looked_ns))
                each.cpu_ns, each.quiet = cpu_ns, 0
            else:
                each.quiet += 1
            each.looked_ns = now_ns
        for tid in ended:
            del self._clocks[tid]

    def _list(self) -> None:
        listed_ns, self._listed_ns = self._listed_ns, time.time_ns()
        with suppress(OSError):
            there = {int(each) for each in os.listdir(_TASKS)}  # noqa: PTH208 (a fifth of what a Path takes)
            for tid in there - self._clocks.keys():
                self.threads.append((tid, None))
                new = self._clocks[tid] = _Clock(len(self.threads), tid)
                if listed_ns:
                    # It began since then, with nothing.
                    self.rows.extend((listed_ns, new.number, 0, 0))
                    new.cpu_ns, new.looked_ns = 0, listed_ns
        self._name_threads()

    def _name_threads(self) -> None:
        """Ask for the numbers of those that have none yet: a thread gets it a moment after it is there."""
        if self._idents is None or not self._idents.are_known:
            return
        for row, (tid, ident) in enumerate(self.threads):
            if ident is None and tid in self._clocks:
                self.threads[row] = tid, self._idents.of(tid)


class _Idents:
    """By what number the C library knows a thread, which Python calls its ident: native threads have one too.

    The system knows of each thread where the list of the locks lies that it holds, which glibc keeps in what the number
    is the address of: always as far from its beginning.
    """

    def __init__(self) -> None:
        self._call: Any = None
        self._offset = 0
        number = _GET_ROBUST_LIST.get(platform.machine())
        # jax imports it; nothing is imported for this.
        ctypes: Any = sys.modules.get("ctypes")
        if number is None or ctypes is None:
            return
        with suppress(Exception):
            # That of Python's own library: the C library's, without letting go of the interpreter.
            syscall = ctypes.PyDLL(None).syscall
            head, size = ctypes.c_void_p(), ctypes.c_size_t()

            def call(tid: int) -> int:
                failed = syscall(ctypes.c_long(number), ctypes.c_long(tid), ctypes.byref(head), ctypes.byref(size))
                return 0 if failed else head.value or 0

            own = call(threading.get_native_id())
            self._offset = own - threading.get_ident()
            if own and self._fits_others(call):
                self._call = call

    @property
    def are_known(self) -> bool:
        """Whether they can be told on this machine."""
        return self._call is not None

    def of(self, tid: int) -> int | None:
        """The number of a thread of this process; None where it is not known."""
        head = 0 if self._call is None else self._call(tid)
        return head - self._offset if head else None

    def _fits_others(self, call: Any) -> bool:  # noqa: ANN401
        """Whether it is as far in the other threads of Python, as far as they are known."""
        known = [
            (each.ident, each.native_id)
            for each in list(getattr(threading, "_active", {}).values())
            if getattr(each, "native_id", None) is not None and each.is_alive()
        ]
        heads = [(ident, call(native_id)) for ident, native_id in known]
        return all(head == 0 or head - self._offset == ident for ident, head in heads)
