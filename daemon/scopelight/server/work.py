"""Work off the event loop: the pools of threads, and the cache of what they computed."""

import asyncio
import itertools
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

import attrs

from scopelight.formats.heap import give_back_freed_memory

T = TypeVar("T")

Pool = Literal["long", "quick", "lanes", "questions"]

THREADS: Mapping[Pool, int] = {
    # Reading and analysing, which takes seconds: each profile takes memory while it is read.
    "long": 2,
    # Where lines are, listings, pictures of what is read: milliseconds, that must not wait for the above.
    "quick": 2,
    # Lanes of timelines: a picture waits for them.
    "lanes": 2,
    # Of timelines: mostly at once, but seconds where lanes of millions must be read first.
    "questions": 2,
}

Kind = Literal["profile", "run", "subject", "record", "array shapes", "lookups", "flows", "search"]

KEPT: Mapping[Kind, int] = {
    # Each holds the columns of its events, and its files mapped.
    "profile": 2,
    "run": 8,
    # Each holds tables of ops and programs of a profile.
    "subject": 3,
    "record": 24,
    "array shapes": 2,
    # Of timelines, of which two are open.
    "lookups": 2,
    "flows": 2,
    # Each holds the numbers of the events that it found, 4 bytes each; it is soon made again.
    "search": 4,
}
"""How many results of each kind are kept: the latest that were asked for."""

HOLD_FILES: Collection[Kind] = ("profile", "subject", "array shapes", "lookups", "flows", "search")
"""The kinds whose results hold the files of their path mapped."""

IDLE_SECONDS = 5.0
"""After so long without work that ended, the memory that it freed goes back to the system."""

_clock = itertools.count(1)
_begun: ContextVar[int | None] = ContextVar("_begun", default=None)


def begin() -> None:
    """Count what this task asks for as begun now: what is forgotten from here on stays so, whatever it still does."""
    _begun.set(next(_clock))


class Work:
    """The threads."""

    def __init__(self) -> None:
        self._pools = {pool: ThreadPoolExecutor(threads, thread_name_prefix=pool) for pool, threads in THREADS.items()}

    def start(self, pool: Pool, function: Callable[[], T]) -> Future[T]:
        """Have ``function`` called in a thread of a pool."""
        return self._pools[pool].submit(function)

    async def run(self, pool: Pool, function: Callable[[], T]) -> T:
        """What ``function`` returns."""
        return await asyncio.wrap_future(self.start(pool, function))

    async def quick(self, function: Callable[[], T]) -> T:
        """What ``function``, which takes milliseconds, returns."""
        return await self.run("quick", function)


@attrs.frozen
class Key:
    """What a result is of: a path, and what else it depends on."""

    kind: Kind
    path: Path
    depends_on: Hashable = ()


@attrs.define(eq=False, repr=False)
class _Running:
    future: Future[Any]
    begun: int
    """When the latest of the tasks that asked for it began."""
    waiters: int = 0


class Cache:
    """Results by key. Requests for one key share one computation, and the latest results of each kind are kept.

    To cancel a request is to stop waiting: what no one waits for is not begun, and what was begun is kept for
    the next request. Errors are raised to all who wait, and not kept. Used on the event loop only.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        self._results: dict[Kind, OrderedDict[Key, Any]] = {kind: OrderedDict() for kind in KEPT}
        self._running: dict[Key, _Running] = {}
        self._forgotten: dict[Path, int] = {}
        """When paths were forgotten."""
        self._counts: Counter[tuple[Kind, str]] = Counter()
        self._when_idle: asyncio.TimerHandle | None = None

    async def get(self, key: Key, function: Callable[[], T], pool: Pool = "long") -> T:
        """What ``function`` returns for ``key``."""
        running = self._running.get(key)
        if running is not None and running.future.done():
            # It ended just now, and the loop has not come to it.
            self._finish(key, running)
            running = None
        results = self._results[key.kind]
        if key in results:
            self._counts[key.kind, "reused"] += 1
            results.move_to_end(key)
            return cast(T, results[key])
        if running is None:
            self._counts[key.kind, "computed"] += 1
            running = self._running[key] = self._start(key, function, pool)
        else:
            self._counts[key.kind, "shared"] += 1
        running.waiters += 1
        running.begun = max(running.begun, _now())
        try:
            return cast(T, await asyncio.shield(asyncio.wrap_future(running.future)))
        finally:
            running.waiters -= 1
            if not running.waiters and running.future.cancel() and self._running.get(key) is running:
                del self._running[key]

    def forget(self, path: Path, *kinds: Kind) -> None:
        """Drop the results of a path, of some kinds or all, and with them the files that they map.

        What tasks that began before compute of it is not kept either: only they get it.
        """
        self._forgotten[path] = next(_clock)
        self._give_back_when_idle()
        for kind in kinds or KEPT:
            for results in (self._results[kind], self._running):
                for key in [each for each in results if each.kind == kind and each.path == path]:
                    del results[key]

    def may_keep(self, path: Path) -> bool:
        """Whether the path was not forgotten since this task began."""
        return _now() > self._forgotten.get(path, 0)

    def statistics(self, kind: Kind) -> str:
        """How often something was computed, one waited for by several, and a kept result used."""
        counts = ", ".join(f"{what} {self._counts[kind, what]}" for what in ("computed", "shared", "reused"))
        return f"{counts}, kept {len(self._results[kind])}"

    def _start(self, key: Key, function: Callable[[], T], pool: Pool) -> _Running:
        loop = asyncio.get_running_loop()
        running = _Running(self._work.start(pool, function), _now())
        running.future.add_done_callback(lambda _: loop.call_soon_threadsafe(self._finish, key, running))
        return running

    def _finish(self, key: Key, running: _Running) -> None:
        self._give_back_when_idle()
        if self._running.get(key) is not running:
            # It was forgotten meanwhile, or came here before.
            return
        del self._running[key]
        if running.future.cancelled() or running.future.exception() is not None:
            return
        if running.begun <= self._forgotten.get(key.path, 0):
            return
        results = self._results[key.kind]
        results[key] = running.future.result()
        while len(results) > KEPT[key.kind]:
            results.popitem(last=False)

    def _give_back_when_idle(self) -> None:
        if self._when_idle is not None:
            self._when_idle.cancel()
        loop = asyncio.get_running_loop()
        self._when_idle = loop.call_later(IDLE_SECONDS, self._work.start, "quick", give_back_freed_memory)


def _now() -> int:
    """When this task began; now where it does not say."""
    begun = _begun.get()
    return next(_clock) if begun is None else begun
