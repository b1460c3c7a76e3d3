"""Work off the event loop: two pools of threads, and computations that several requests share."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

import attrs

logger = logging.getLogger(__name__)

T = TypeVar("T")

LONG_THREADS = 2
"""Profiles read at once: each takes memory while it is read."""
QUICK_THREADS = 2


class Work:
    """The threads. Long work (reading, analysing) never keeps quick work (drift, listings) waiting."""

    def __init__(self) -> None:
        self._long = ThreadPoolExecutor(LONG_THREADS, thread_name_prefix="long")
        self._quick = ThreadPoolExecutor(QUICK_THREADS, thread_name_prefix="quick")

    def long(self, function: Callable[[], T]) -> Future[T]:
        """Start work that takes seconds."""
        return self._long.submit(function)

    async def quick(self, function: Callable[[], T]) -> T:
        """The result of work that takes milliseconds."""
        return await asyncio.get_running_loop().run_in_executor(self._quick, function)


@attrs.define(eq=False)
class _Running(Generic[T]):
    future: Future[T]
    waiters: int = 0


class Shared(Generic[T]):
    """Computations of one kind. Requests for one key share one, and the latest results are kept.

    To cancel a request is to stop waiting: what no one waits for is not begun, and what was begun is kept for the
    next who asks. Used on the event loop only.
    """

    def __init__(self, work: Work, *, kept: int) -> None:
        self._work = work
        self._kept = kept
        self._results: OrderedDict[Hashable, T] = OrderedDict()
        self._running: dict[Hashable, _Running[T]] = {}
        self.computed = 0
        self.joined = 0
        self.reused = 0

    async def get(self, key: Hashable, function: Callable[[], T]) -> T:
        """What ``function`` returns for ``key``; its errors are raised to all who wait, and not kept."""
        if key in self._results:
            self.reused += 1
            self._results.move_to_end(key)
            return self._results[key]
        running = self._running.get(key)
        if running is None:
            self.computed += 1
            running = self._running[key] = self._start(key, function)
        else:
            self.joined += 1
        running.waiters += 1
        try:
            return await asyncio.shield(asyncio.wrap_future(running.future))
        finally:
            running.waiters -= 1
            if not running.waiters and running.future.cancel() and self._running.get(key) is running:
                del self._running[key]

    def forget(self, unwanted: Callable[[Hashable], bool]) -> None:
        """Drop the results whose key is ``unwanted``."""
        for key in [each for each in self._results if unwanted(each)]:
            del self._results[key]

    def statistics(self) -> str:
        """How often something was computed, one waited for by several, and a kept result used."""
        return f"computed {self.computed}, shared {self.joined}, reused {self.reused}, kept {len(self._results)}"

    def _start(self, key: Hashable, function: Callable[[], T]) -> _Running[T]:
        loop = asyncio.get_running_loop()
        running = _Running(self._work.long(function))
        running.future.add_done_callback(lambda _: loop.call_soon_threadsafe(self._finish, key, running))
        return running

    def _finish(self, key: Hashable, running: _Running[T]) -> None:
        if self._running.get(key) is running:
            del self._running[key]
        if running.future.cancelled() or running.future.exception() is not None:
            return
        self._results[key] = running.future.result()
        while len(self._results) > self._kept:
            self._results.popitem(last=False)
