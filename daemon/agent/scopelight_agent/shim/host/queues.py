"""How full the queues are between the script and the threads or processes that prepare its data.

A queue is found by who stands in it: a thread that waits has a frame of a known function, whose ``self`` is the queue.
From then on its size is read with every sample. Nothing is wrapped, and no reference keeps a queue alive. Loaders that
have no queue, for they make the data where it is asked for, are found the same way.
"""

from __future__ import annotations

import itertools
import time
import weakref
from array import array
from collections.abc import Callable
from contextlib import suppress
from types import CodeType, FrameType
from typing import Any

from .codes import Codes, Stack

ASYNCIO = "asyncio"
"""The kind of queues that tasks wait in, whose frames are no thread's."""
COLUMNS = 4
"""When (ns since the epoch), the queue, how many it holds, the most it can hold (0: any number; -1: not known)."""
MOST_QUEUES = 64
MOST_ENDS = 64
LOOKED_FRAMES = 16
"""Frames of a thread that are looked at, the innermost first: a wait has a few of the library's own inside."""


def _plain(queue: Any) -> tuple[int, int]:  # noqa: ANN401 (objects of libraries)
    return queue.qsize(), queue.maxsize


def _of_processes(queue: Any) -> tuple[int, int]:  # noqa: ANN401
    return queue.qsize(), queue._maxsize


def _torch_loader(loader: Any) -> tuple[int, int]:  # noqa: ANN401
    """Batches that are taken without waiting: in order, those behind one that is missing wait for it, too."""
    waiting = loader._data_queue if loader._pin_memory else loader._worker_result_queue
    # Batches that came out of order are kept in a table until their turn.
    kept = {number for number, each in list(loader._task_info.items()) if len(each) == 2}
    turn = loader._rcvd_idx
    ready = next(place for place in itertools.count() if turn + place not in kept)
    # Those that have come since may be of any turn: only the loader looks at them.
    return ready + waiting.qsize(), loader._prefetch_factor * loader._num_workers


def _grain_prefetch(iterator: Any) -> tuple[int, int]:  # noqa: ANN401
    capacity = int(getattr(iterator, "_target_prefetch_buffer_size", None) or iterator._prefetch_buffer_size)
    ready = sum(each.done() for each in list(iterator._buffer))
    return ready, capacity


def _grain_thread(iterator: Any) -> tuple[int, int]:  # noqa: ANN401
    buffer = iterator._buffer
    return buffer.qsize(), buffer.maxsize


def _grain_processes(iterator: Any) -> tuple[int, int]:  # noqa: ANN401
    """Elements are taken from each process in turn: those count that can be taken in this order without waiting."""
    sizes: list[int] = []
    capacity = 0
    turn = iterator._next_index_in_cycle
    own = list(iterator._iterators_in_use)
    for each in (*own[turn:], *own[:turn]):
        if each is not None:
            # A thread for each process takes from it ahead as well.
            thread, process = each._buffer, each._maybe_nonnative_parent
            sizes.append(thread.qsize() + process._buffer.qsize())
            capacity += thread.maxsize + process._buffer_size
    return min(held * len(sizes) + place for place, held in enumerate(sizes)), capacity


def _named(queue: Any) -> tuple[int, int]:  # noqa: ANN401
    """Of any class, which has a size and may say what it is at most."""
    capacity = getattr(queue, "maxsize", getattr(queue, "_maxsize", None))
    return queue.qsize(), capacity if isinstance(capacity, int) else -1


_Reader = Callable[[Any], tuple[int, int]]

_WAITS: tuple[tuple[str, tuple[str, ...], str, _Reader | None], ...] = (
    ("torch/utils/data/dataloader.py", ("_try_get_data", "_get_data", "_next_data"), "torch", _torch_loader),
    ("grain/_src/python/dataset/transformations/interleave.py", ("__next__",), "grain-processes", _grain_processes),
    ("grain/_src/python/dataset/transformations/prefetch.py", ("_put_iterator_elements_in_buffer",), "", None),
    ("grain/_src/python/dataset/transformations/prefetch.py", ("__next__",), "grain", _grain_prefetch),
    ("grain/_src/python/dataset/transformations/prefetch.py", ("__next__",), "grain-thread", _grain_thread),
    ("concurrent/futures/process.py", ("run",), "", None),
    ("multiprocessing/queues.py", ("get", "put"), "processes", _of_processes),
    ("/queue.py", ("get", "put"), "queue", _plain),
)
"""How the file of a waiting function ends, its names, what kind of queue its ``self`` is, and how that is read: not at
all where it is a part of another one."""
_MAKES = (("torch/utils/data/dataloader.py", ("_next_data",), "torch", "_dataset_fetcher"),)
"""The same of functions whose ``self`` makes data where it is asked for, and what such a one has."""


class Queues:
    """The queues in which threads were seen to wait. ``rows`` is their sizes since the last `take`."""

    def __init__(self) -> None:
        self.rows = array("q")
        self.found: list[dict[str, Any]] = []
        """By number: kind, class, its id, the thread in which it was found first, and how often each thread was seen in
        which function of it."""
        self._readers: dict[int, list[tuple[str, _Reader | None]]] = {}
        self._makers: dict[int, tuple[str, str]] = {}
        self._files: dict[int, CodeType] = {}
        self._queues: list[tuple[weakref.ref[Any], _Reader]] = []
        self._known: dict[int, int] = {}
        self._ends: list[dict[tuple[int, str], int]] = []
        self._loaders: dict[int, tuple[str, weakref.ref[Any]]] = {}

    def meet_named(self, queue: Any, name: str, thread: int) -> None:  # noqa: ANN401
        """The script has named a queue, from which a thread takes."""
        kind = "processes" if type(queue).__module__.startswith("multiprocessing") else "queue"
        if self._meet(queue, kind, _named, (thread, "get")):
            self.name(queue, name)

    def meet_awaited(self, queue: Any, thread: int | None) -> None:  # noqa: ANN401
        """Count that the steps of a thread take from a queue of asyncio; None where it is only met by others."""
        self._meet(queue, ASYNCIO, _plain, None if thread is None else (thread, "get"))

    def name(self, queue: Any, called: str) -> None:  # noqa: ANN401
        """Keep by what name code reaches a queue that is known."""
        number = self._known.get(id(queue))
        if number is not None:
            self.found[number].setdefault("called", called)

    def look(self, frames: dict[int, FrameType]) -> None:
        """Find those that threads wait in, and read the size of all that are known."""
        for ident, frame in frames.items():
            each: FrameType | None = frame
            waits: list[FrameType] = []
            for _ in range(LOOKED_FRAMES):
                if each is None:
                    break
                key = id(each.f_code)
                if self._readers[key] if key in self._readers else self._of_code(each.f_code):
                    waits.append(each)
                if key in self._makers:
                    self._meet_loader(each.f_locals.get("self"), *self._makers[key])
                each = each.f_back
            for wait in reversed(waits):
                if self._meet_in(wait, ident):
                    # What is further in waits for a part of it.
                    break
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

    def are_met_in(self, stack: Stack, codes: Codes) -> bool:
        """Whether a thread with such a stack is in a function that waits in a queue, or makes what another one would
        take from one."""
        looked = stack[: 2 * LOOKED_FRAMES : 2]
        return any(self._of_code(codes.by_id[key]) or key in self._makers for key in looked)

    def take(self) -> array[int]:
        """The sizes since the last time."""
        rows, self.rows = self.rows, array("q")
        return rows

    def alive(self, kind: str) -> list[Any]:
        """Those of a kind that are still there, and loaders of it that have no queue."""
        known = list(self._queues)
        found = [known[number][0]() for number, each in enumerate(self.found) if each["kind"] == kind]
        found += [reference() for of_kind, reference in list(self._loaders.values()) if of_kind == kind]
        return [each for each in found if each is not None]

    def described(self) -> list[dict[str, Any]]:
        """What is known of each by number."""
        return [
            {**each, "ends": [[ident, name, times] for (ident, name), times in list(self._ends[number].items())]}
            for number, each in enumerate(list(self.found))
        ]

    def _of_code(self, code: CodeType) -> list[tuple[str, _Reader | None]]:
        key = id(code)
        if key not in self._readers:
            # Kept, so that no other takes its id.
            self._files[key] = code
            file = code.co_filename.replace("\\", "/")
            self._readers[key] = [
                (kind, read) for end, names, kind, read in _WAITS if code.co_name in names and file.endswith(end)
            ]
            for end, names, kind, has in _MAKES:
                if code.co_name in names and file.endswith(end):
                    self._makers[key] = kind, has
        return self._readers[key]

    def _meet_loader(self, loader: Any, kind: str, has: str) -> None:  # noqa: ANN401
        known = self._loaders.get(id(loader))
        if known is not None and known[1]() is loader:
            return
        with suppress(Exception):
            if has in vars(loader):
                alive = [each for each in self._loaders.items() if each[1][1]() is not None]
                self._loaders = dict((*alive[1 - MOST_QUEUES :], (id(loader), (kind, weakref.ref(loader)))))

    def _meet_in(self, frame: FrameType, ident: int) -> bool:
        """Whether a thread waits in a queue there."""
        readers = [(kind, read) for kind, read in self._of_code(frame.f_code) if read is not None]
        if not readers:
            # Its locals are not asked for: a frame that goes on would keep those that it had.
            return True
        queue, end = frame.f_locals.get("self"), (ident, frame.f_code.co_name)
        return any(self._meet(queue, kind, read, end) for kind, read in readers)

    def _meet(self, queue: Any, kind: str, read: _Reader, end: tuple[int, str] | None) -> bool:  # noqa: ANN401
        """Count a thread at an end of a queue, which may be new; False where it is none."""
        if queue is None:
            return False
        number = self._known.get(id(queue))
        if number is not None and self._queues[number][0]() is queue:
            ends = self._ends[number]
            if end is not None and (end in ends or len(ends) < MOST_ENDS):
                ends[end] = ends.get(end, 0) + 1
            return True
        if len(self._queues) >= MOST_QUEUES:
            return True
        try:
            read(queue)
            reference = weakref.ref(queue)
        except Exception:
            # Of another kind than its class's name says, or one that cannot be counted.
            return False
        self._known[id(queue)] = len(self._queues)
        self._queues.append((reference, read))
        self._ends.append({} if end is None else {end: 1})
        thread = 0 if end is None else end[0]
        self.found.append({"kind": kind, "class": type(queue).__qualname__, "thread": thread, "id": id(queue)})
        return True
