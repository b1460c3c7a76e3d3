"""How full the queues are between the script and the threads or processes that prepare its data.

A queue is found by who stands in it: a thread that waits has a frame of a known function, whose ``self`` is the queue.
From then on its size is read with every sample. Nothing is wrapped, and no reference keeps a queue alive.
"""

from __future__ import annotations

import time
import weakref
from array import array
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

COLUMNS = 4
"""When (ns since the epoch), the queue, how many it holds, the most it can hold (0: any number; -1: not known)."""
MOST_QUEUES = 64
MOST_ENDS = 64
LOOKED_FRAMES = 8
"""Frames of a thread that are looked at, the innermost first: a wait has a few of the library's own inside."""


def _plain(queue: Any) -> tuple[int, int]:  # noqa: ANN401 (objects of libraries)
    return queue.qsize(), queue.maxsize


def _of_processes(queue: Any) -> tuple[int, int]:  # noqa: ANN401
    return queue.qsize(), queue._maxsize


def _torch_loader(loader: Any) -> tuple[int, int]:  # noqa: ANN401
    waiting = loader._data_queue if loader._pin_memory else loader._worker_result_queue
    # Batches that came out of order are kept in a table until their turn.
    kept = sum(len(each) == 2 for each in list(loader._task_info.values()))
    return waiting.qsize() + kept, loader._prefetch_factor * loader._num_workers


def _grain_prefetch(iterator: Any) -> tuple[int, int]:  # noqa: ANN401
    capacity = int(getattr(iterator, "_target_prefetch_buffer_size", None) or iterator._prefetch_buffer_size)
    ready = sum(each.done() for each in list(iterator._buffer))
    return ready, capacity


def _grain_thread(iterator: Any) -> tuple[int, int]:  # noqa: ANN401
    buffer = iterator._buffer
    return buffer.qsize(), buffer.maxsize


_Reader = Callable[[Any], tuple[int, int]]

_WAITS: tuple[tuple[str, tuple[str, ...], str, _Reader], ...] = (
    ("torch/utils/data/dataloader.py", ("_try_get_data", "_get_data", "_next_data"), "torch", _torch_loader),
    ("grain/_src/python/dataset/transformations/prefetch.py", ("__next__",), "grain", _grain_prefetch),
    ("grain/_src/python/dataset/transformations/prefetch.py", ("__next__",), "grain-thread", _grain_thread),
    ("multiprocessing/queues.py", ("get", "put"), "processes", _of_processes),
    ("/queue.py", ("get", "put"), "queue", _plain),
)
"""How the file of a waiting function ends, its names, what kind of queue its ``self`` is, and how that is read."""


class Queues:
    """The queues in which threads were seen to wait. ``rows`` is their sizes since the last `take`."""

    def __init__(self) -> None:
        self.rows = array("q")
        self.found: list[dict[str, Any]] = []
        """By number: kind, class, its id, the thread in which it was found first, and how often each thread was seen in
        which function of it."""
        self._readers: dict[int, list[tuple[str, _Reader]]] = {}
        self._files: dict[int, CodeType] = {}
        self._queues: list[tuple[weakref.ref[Any], _Reader]] = []
        self._known: dict[int, int] = {}
        self._ends: list[dict[tuple[int, str], int]] = []

    def look(self, frames: dict[int, FrameType]) -> None:
        """Find those that threads wait in, and read the size of all that are known."""
        for ident, frame in frames.items():
            each: FrameType | None = frame
            for _ in range(LOOKED_FRAMES):
                if each is None:
                    break
                for kind, read in self._of_code(each.f_code):
                    self._meet(each.f_locals.get("self"), kind, read, (ident, each.f_code.co_name))
                each = each.f_back
        now_ns = time.time_ns()
        for number, (reference, read) in enumerate(self._queues):
            queue = reference()
            if queue is None:
                continue
            try:
                held, capacity = read(queue)
            except Exception:
                # Not every system counts, and a queue may be closed meanwhile.
                continue
            self.rows.extend((now_ns, number, int(held), int(capacity or 0)))

    def take(self) -> array[int]:
        """The sizes since the last time."""
        rows, self.rows = self.rows, array("q")
        return rows

    def alive(self, kind: str) -> list[Any]:
        """Those of a kind that are still there."""
        known = list(self._queues)
        found = [known[number][0]() for number, each in enumerate(self.found) if each["kind"] == kind]
        return [queue for queue in found if queue is not None]

    def described(self) -> list[dict[str, Any]]:
        """What is known of each by number."""
        return [
            {**each, "ends": [[ident, name, times] for (ident, name), times in list(self._ends[number].items())]}
            for number, each in enumerate(list(self.found))
        ]

    def _of_code(self, code: CodeType) -> list[tuple[str, _Reader]]:
        key = id(code)
        if key not in self._readers:
            # Kept, so that no other takes its id.
            self._files[key] = code
            file = code.co_filename.replace("\\", "/")
            self._readers[key] = [
                (kind, read) for end, names, kind, read in _WAITS if code.co_name in names and file.endswith(end)
            ]
        return self._readers[key]

    def _meet(self, queue: Any, kind: str, read: _Reader, end: tuple[int, str]) -> None:  # noqa: ANN401
        if queue is None:
            return
        number = self._known.get(id(queue))
        if number is not None and self._queues[number][0]() is queue:
            ends = self._ends[number]
            if end in ends or len(ends) < MOST_ENDS:
                ends[end] = ends.get(end, 0) + 1
            return
        if len(self._queues) >= MOST_QUEUES:
            return
        try:
            read(queue)
            reference = weakref.ref(queue)
        except Exception:
            # Of another kind than its class's name says, or one that cannot be counted.
            return
        self._known[id(queue)] = len(self._queues)
        self._queues.append((reference, read))
        self._ends.append({end: 1})
        self.found.append({"kind": kind, "class": type(queue).__qualname__, "thread": end[0], "id": id(queue)})
