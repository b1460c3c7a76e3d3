"""The tasks of asyncio: in which of them a thread launches its steps, what fills their queues, and where both stand.

While a coroutine waits, the thread is in its event loop and has no frame of it: where it gave way is told by the
coroutine itself. Asyncio is not imported for that, and none of the script's code is called.
"""

from __future__ import annotations

import itertools
import sys
import time
import weakref
from collections.abc import Collection
from contextlib import suppress
from types import CodeType, FrameType
from typing import Any

from .awaiting import frames_awaiting, is_running
from .codes import Codes, Stack, line_at, name_of
from .launching_code import launches, locals_of
from .queues import ASYNCIO, Queues

_TASKS = "asyncio.tasks"
_LOOPS = "asyncio.base_events"
_KNOWN = ("_all_tasks", "_scheduled_tasks")
"""Where Python keeps all tasks: up to 3.11, and from 3.12 on."""
_QUEUES = "asyncio/queues.py"
_ENDS = ("get", "put")
_TAKING = ("get", "get_nowait")
_FILLING = ("put", "put_nowait")
_POOLED = ("to_thread", "run_in_executor")
"""What has work done by a pool of threads."""
MOST_TASKS = 128
MOST_LOOKED = 4
"""How often code is asked whether it launches, or what it names of queues: its names have no values at first."""
MOST_SORTS = 32
LOOK_NS = 15_000_000
"""Between looks at all tasks."""
RARER = 100
"""At least so many times as long as a look takes of a core."""


class Tasks:
    """What is known of tasks, in the sampler's thread."""

    def __init__(self, codes: Codes, queues: Queues) -> None:
        self._codes = codes
        self._queues = queues
        self._homes: dict[int, weakref.ref[Any]] = {}
        """By thread the task that launches the steps there."""
        self._launching: dict[int, int] = {}
        """By the id of code how often it was asked whether it launches; -1 where it does."""
        self._kept: list[CodeType] = []
        """So that no other takes their ids."""
        self._next_look_ns = 0
        self._next_search_ns: dict[int, int] = {}
        self._sorts: dict[int, _Sort] = {}
        self._taken: dict[int, set[int]] = {}
        """By thread the ids of queues that its steps are known to take from."""
        self._awaited: list[Any] = []
        """Coroutines of tasks that those wait for in which steps are launched, during a look."""
        self._looked: dict[tuple[int, int], int] = {}

    def stack_across(self, ident: int, frame: FrameType, stack: Stack) -> Stack:
        """The stack of a thread, which may be in an event loop: then as if the coroutine that launches its steps had
        called, where it gave way, what the loop does meanwhile."""
        try:
            return self._across(ident, frame, stack, stack.index(_loop_id()))
        except Exception:
            # What is not as expected is left as it is.
            return stack

    def is_in_loop(self, stack: Stack) -> bool:
        """Whether a thread with such a stack runs an event loop."""
        try:
            return _loop_id() in stack
        except Exception:
            return False

    def look(self) -> None:
        """See which tasks wait in queues, and which fill them."""
        now_ns = time.monotonic_ns()
        if now_ns < self._next_look_ns:
            return
        if not self._homes and not _references():
            self._next_look_ns = now_ns + LOOK_NS
            return
        began_ns = time.thread_time_ns()
        number: dict[int, int] = {}
        self._awaited = []
        with suppress(Exception):
            # Those that launch, however many others there are.
            homes = [each for each in map(self._home_of, list(self._homes)) if each is not None]
            for task in {id(each): each for each in (*homes, *_known())}.values():
                self._look_at(task, number)
            for coroutine in self._awaited:
                self._note_awaited(coroutine)
        self._awaited = []
        for key, times in number.items():
            self._sorts[key].most = max(self._sorts[key].most, times)
        self._next_look_ns = _next(began_ns)

    def described(self) -> list[dict[str, Any]]:
        """By the outermost function of the user's that they run, tasks that fill queues or take from them, but those
        in which steps are launched: as operations, with ids of the queues."""
        return [
            {
                "id": key,
                "kind": "tasks",
                "class": each.code.co_name,
                "inputs": sorted(each.takes),
                "fills": sorted(each.fills),
                "called": each.code.co_name,
                "function": [each.code.co_filename, name_of(each.code), each.code.co_firstlineno],
                "stood": max(each.stood, key=each.stood.__getitem__),
                "threads": each.most or None,
                "is_pooled": each.is_pooled,
                "is_awaited": each.is_awaited,
            }
            for key, each in list(self._sorts.items())
            if (each.fills or each.takes or each.is_awaited) and 2 * each.as_home < each.looks
        ]

    # The stack of a thread.

    def _across(self, ident: int, frame: FrameType, stack: Stack, place: int) -> Stack:
        home = self._home_of(ident)
        if home is not None and is_running(home._coro):
            return stack
        running = _running(ident)
        if (
            running is not None
            and running is not home
            and (home is None or not self._fills(running))
            and self._launches_on(frame, place // 2)
        ):
            home = running
            self._homes[ident] = weakref.ref(running)
        if home is None:
            home = self._search(ident)
        if home is None or running is home:
            return stack
        awaiting = self._keys_of(frames_awaiting(home._coro))
        if not awaiting:
            return stack
        inner = stack[:place]
        by_id = self._codes.by_id
        if running is None and not any(self._codes.is_users(by_id[key]) for key in inner[::2]):
            # The loop itself, which waits.
            inner = ()
        return (*inner, *awaiting, *stack[place:])

    def _keys_of(self, frames: list[FrameType]) -> Stack:
        found: list[int] = []
        for each in frames:
            code = each.f_code
            self._codes.by_id.setdefault(id(code), code)
            found += (id(code), each.f_lasti)
        return tuple(found)

    def _home_of(self, ident: int) -> Any:  # noqa: ANN401 (tasks)
        reference = self._homes.get(ident)
        task = None if reference is None else reference()
        return task if task is not None and _thread_of(task) == ident and not _has_ended(task) else None

    def _search(self, ident: int) -> Any:  # noqa: ANN401
        now_ns = time.monotonic_ns()
        if now_ns < self._next_search_ns.get(ident, 0):
            return None
        began_ns, found = time.thread_time_ns(), None
        for task in _known():
            if _thread_of(task) == ident and any(map(self._launches, frames_awaiting(task._coro))):
                self._homes[ident], found = weakref.ref(task), task
                if not self._fills(task):
                    break
        self._next_search_ns[ident] = _next(began_ns)
        return found

    def _fills(self, task: Any) -> bool:  # noqa: ANN401
        """Whether a task fills a queue: what it launches prepares data for the steps."""
        codes = [getattr(task._coro, "cr_code", None), *(each.f_code for each in frames_awaiting(task._coro))]
        return any(id(each) in self._sorts and bool(self._sorts[id(each)].fills) for each in codes)

    def _launches_on(self, frame: FrameType | None, depth: int) -> bool:
        """Whether code on a stack launches, above the loop."""
        for _ in range(depth):
            if frame is None:
                break
            if self._launches(frame):
                return True
            frame = frame.f_back
        return False

    def _launches(self, frame: FrameType) -> bool:
        code = frame.f_code
        if not self._codes.is_users(code):
            return False
        asked = self._launching.get(id(code), 0)
        if asked < 0 or asked >= MOST_LOOKED:
            return asked < 0
        if not asked:
            self._kept.append(code)
        self._launching[id(code)] = -1 if launches(frame) else asked + 1
        return self._launching[id(code)] < 0

    # Queues.

    def _look_at(self, task: Any, number: dict[int, int]) -> None:  # noqa: ANN401
        ident, coroutine = _thread_of(task), task._coro
        if ident is None:
            return
        home = self._home_of(ident)
        frames = [] if is_running(coroutine) else frames_awaiting(coroutine)
        users = [each for each in frames if self._codes.is_users(each.f_code)]
        waits = next((each for each in frames if _is_end(each.f_code)), None)
        if waits is not None:
            is_taken = waits.f_code.co_name == "get" and task is home
            self._queues.meet_awaited(waits.f_locals.get("self"), ident if is_taken else None)
        if not users:
            return
        sort = self._sort_of(users[-1].f_code)
        if sort is None:
            return
        key, inner = id(users[-1].f_code), users[0]
        number[key] = number.get(key, 0) + 1
        if task is home:
            self._awaited += _waited_for(task)
        sort.looks, sort.as_home = sort.looks + 1, sort.as_home + (task is home)
        stood = inner.f_code.co_filename, name_of(inner.f_code), line_at(inner.f_code, inner.f_lasti)
        sort.stood[stood] = sort.stood.get(stood, 0) + 1
        sort.is_pooled = sort.is_pooled or any(
            name in _POOLED for each in frames for name in (each.f_code.co_name, *each.f_code.co_names)
        )
        for each in users:
            self._look_for_queues(each, sort)
        if task is home:
            self._take(sort, ident)

    def _note_awaited(self, coroutine: Any) -> None:  # noqa: ANN401
        users = [each.f_code for each in frames_awaiting(coroutine) if self._codes.is_users(each.f_code)]
        if users and id(users[-1]) in self._sorts:
            self._sorts[id(users[-1])].is_awaited = True

    def _sort_of(self, code: CodeType) -> _Sort | None:
        if id(code) not in self._sorts:
            if len(self._sorts) >= MOST_SORTS:
                return None
            self._sorts[id(code)] = _Sort(code)
        return self._sorts[id(code)]

    def _take(self, sort: _Sort, ident: int) -> None:
        """Count the steps' own queues once, even where they never have to wait there."""
        for queue in self._queues.alive(ASYNCIO) if sort.takes - self._taken.get(ident, set()) else ():
            if id(queue) in sort.takes:
                self._queues.meet_awaited(queue, ident)
        self._taken[ident] = set(sort.takes)

    def _look_for_queues(self, frame: FrameType, sort: _Sort) -> None:
        """Which of the known queues code names that puts into some, or gets from some."""
        names = frame.f_code.co_names
        fills, takes = (any(each in names for each in of) for of in (_FILLING, _TAKING))
        if not fills and not takes:
            return
        wanted = [
            each
            for each in self._queues.alive(ASYNCIO)
            if self._looked.get((id(frame.f_code), id(each)), 0) < MOST_LOOKED
        ]
        if not wanted:
            return
        self._kept.append(frame.f_code)
        named = _named(frame)
        for queue in wanted:
            key = id(frame.f_code), id(queue)
            called = next((name for name, value in named if value is queue), None)
            self._looked[key] = self._looked.get(key, 0) + 1 if called is None else MOST_LOOKED
            if called is None:
                continue
            if fills:
                sort.fills.add(id(queue))
            if takes:
                sort.takes.add(id(queue))
            self._queues.name(queue, called)


class _Sort:
    """Tasks that run one function of the user's."""

    def __init__(self, code: CodeType) -> None:
        self.code = code
        self.fills: set[int] = set()
        self.takes: set[int] = set()
        self.stood: dict[tuple[str, str, int], int] = {}
        """How often one of them was found on which line, by file and function, while it waited."""
        self.most = 0
        """At once."""
        self.is_pooled = self.is_awaited = False
        self.looks = self.as_home = 0
        """How often one was looked at, and how often that was one in which steps are launched."""


def _next(began_ns: int) -> int:
    """When to look again at what this thread began to look at then, by its own time: many tasks cost little more of it
    than few, and a thread that has to wait for a core looks no more seldom."""
    return time.monotonic_ns() + max(LOOK_NS, RARER * (time.thread_time_ns() - began_ns))


def _loop_id() -> int | None:
    """Of the code that a thread runs as long as it is in its event loop."""
    loops = sys.modules.get(_LOOPS)
    return None if loops is None else id(vars(loops.BaseEventLoop)["_run_once"].__code__)


def _references() -> Collection[Any]:
    """To the tasks of all threads."""
    module = sys.modules.get(_TASKS)
    for name in _KNOWN:
        known = getattr(module, name, None)
        if known is not None:
            return getattr(known, "data", ())
    return ()


def _known() -> list[Any]:
    """The tasks of all threads, or some of too many."""
    # At one go, in which no other thread comes between.
    references = list(itertools.islice(_references(), MOST_TASKS))
    return [task for task in (each() for each in references) if task is not None and _is_plain(task)]


def _is_plain(task: Any) -> bool:  # noqa: ANN401
    """Whether asking for its attributes calls nothing of the script's."""
    kind: Any = type(task)
    return kind.__getattribute__ is object.__getattribute__


def _running(ident: int) -> Any:  # noqa: ANN401
    """The task that runs in a thread, if any does."""
    current = getattr(sys.modules.get(_TASKS), "_current_tasks", None) or {}
    return next((each for each in list(current.values()) if _is_plain(each) and _thread_of(each) == ident), None)


def _thread_of(task: Any) -> int | None:  # noqa: ANN401
    own: object = getattr(task._loop, "__dict__", None)
    ident = own.get("_thread_id") if type(own) is dict else None
    return ident if isinstance(ident, int) else None


def _waited_for(task: Any) -> list[Any]:  # noqa: ANN401
    """The coroutines of the tasks that a task waits for: of one, or of those that it gathers."""
    waiter, module = task._fut_waiter, sys.modules[_TASKS]
    kinds = tuple(getattr(module, name) for name in ("Task", "_PyTask"))
    waiters = waiter._children if type(waiter) is getattr(module, "_GatheringFuture", None) else ()
    return [each._coro for each in (waiter, *waiters) if isinstance(each, kinds) and _is_plain(each)]


def _has_ended(task: Any) -> bool:  # noqa: ANN401
    return getattr(task._coro, "cr_frame", None) is None


def _is_end(code: CodeType) -> bool:
    return code.co_name in _ENDS and code.co_filename.replace("\\", "/").endswith(_QUEUES)


def _named(frame: FrameType) -> list[tuple[str, Any]]:
    """What code reaches by a name, or by an attribute of what it reaches by one."""
    attributes = frame.f_code.co_names
    found = list(locals_of(frame).items())
    found += [(each, frame.f_globals[each]) for each in attributes if each in frame.f_globals]
    for _, value in list(found):
        own: object = getattr(value, "__dict__", None)
        if type(own) is dict:
            found += [(name, own[name]) for name in attributes if name in own]
    return found
