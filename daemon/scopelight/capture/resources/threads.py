"""The threads of a process, as Linux counts them: time on a core, time waiting for one, and how often it got one."""

import contextlib
import os
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from scopelight.capture.resources.kept_file import KeptFile, read_once

MOST_KEPT = 300
"""Threads whose two files are kept open: a process may have 1024 descriptors. Others are opened at every look."""
MOST_SKIPPED = 8
"""Of a thread that does nothing so many readings are left out: counts only grow, so none of it is lost."""
YOUNG_NS = 2_000_000_000
"""A thread gets its name after it was made: so long it is asked for again."""


@attrs.define(slots=True, eq=False)
class _Thread:
    id: int
    tid: int
    path: str
    file: KeptFile | None
    children: KeptFile | None
    seen_ns: int
    looked_ns: int
    name: str = ""
    counts: bytes = b"0 0 0"
    quiet: int = 0
    skipped: int = 0


class Threads:
    """The threads of one process. ``next_id`` gives numbers that, unlike those of the system, are of one thread."""

    def __init__(self, pid: int, next_id: Callable[[], int], root: str = "/proc") -> None:
        self._folder = f"{root}/{pid}/task"
        self._next_id = next_id
        self._threads: dict[int, _Thread] = {}

    def __len__(self) -> int:
        return len(self._threads)

    def meet(self, now_ns: int, since_ns: int, kept: int) -> Sequence[dict[str, Any]]:
        """Look for new threads, which did not exist at ``since_ns``; those, and those that got another name.

        ``kept`` files are open for threads of other processes. Raises `OSError` where the process has ended.
        """
        there = {int(each) for each in os.listdir(self._folder)}  # noqa: PTH208 (a fifth of what a Path takes)
        for tid in self._threads.keys() - there:
            self._forget(tid)
        told = []
        for tid in sorted(there - self._threads.keys()):
            thread = self._open(tid, now_ns, since_ns, may_keep=kept + len(self._threads) < MOST_KEPT)
            if thread is not None:
                self._threads[tid] = thread
        for thread in self._threads.values():
            if thread.name and now_ns - thread.seen_ns > YOUNG_NS:
                continue
            name = self._name(thread.tid)
            if name and name != thread.name:
                thread.name = name
                told.append({"id": thread.id, "tid": thread.tid, "name": name})
        return told

    def read(self, now_ns: int) -> list[list[int]]:
        """Of each thread that did something its id, its ns on a core and waiting for one, how often it got one, and
        for how long before ``now_ns`` nothing of that had changed."""
        rows = []
        for tid, thread in list(self._threads.items()):
            if thread.skipped < min(thread.quiet, MOST_SKIPPED):
                thread.skipped += 1
                continue
            try:
                counts = thread.file.read() if thread.file is not None else read_once(thread.path)
            except OSError:
                self._forget(tid)
                continue
            thread.skipped = 0
            if counts == thread.counts:
                thread.quiet += 1
            else:
                on_core, waiting, got = counts.split()
                rows.append([thread.id, int(on_core), int(waiting), int(got), now_ns - thread.looked_ns])
                thread.counts, thread.quiet = counts, 0
            thread.looked_ns = now_ns
        return rows

    def children(self) -> Sequence[int]:
        """The processes that these threads have made."""
        found: list[int] = []
        for thread in self._threads.values():
            with contextlib.suppress(OSError):
                kept = thread.children
                said = kept.read() if kept is not None else read_once(f"{self._folder}/{thread.tid}/children")
                if said:
                    found += map(int, said.split())
        return found

    def close(self) -> None:
        """Close what was kept open."""
        for tid in list(self._threads):
            self._forget(tid)

    def _open(self, tid: int, now_ns: int, since_ns: int, *, may_keep: bool) -> _Thread | None:
        path = f"{self._folder}/{tid}/schedstat"
        file = children = None
        try:
            if may_keep:
                file = KeptFile(path)
                children = KeptFile(f"{self._folder}/{tid}/children")
        except OSError:
            # The thread has ended, or this kernel lists no children.
            if file is None:
                return None
        return _Thread(self._next_id(), tid, path, file, children, now_ns, since_ns)

    def _name(self, tid: int) -> str:
        with contextlib.suppress(OSError):
            return read_once(f"{self._folder}/{tid}/comm").decode("utf-8", "replace").strip()
        return ""

    def _forget(self, tid: int) -> None:
        thread = self._threads.pop(tid)
        for file in (thread.file, thread.children):
            if file is not None:
                file.close()
