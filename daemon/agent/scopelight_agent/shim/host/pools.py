"""The pools of threads and of processes that the script has work done in, as Python's own modules keep them.

Nothing is imported or called for it, but what Python's own classes have.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from types import FunctionType, MethodType
from typing import Any

_OF_THREADS = "concurrent.futures.thread"
_OF_PROCESSES = "concurrent.futures.process"
_POOL_FILE = "multiprocessing/pool.py"
_POOL_HANDLER = "_handle_workers"
"""The function in which a thread of each `multiprocessing.Pool` looks after its workers."""


def pools() -> Iterator[dict[str, Any]]:
    """Each pool: its id, kind, class and name, how many workers it may have, and those that it has: the idents of
    threads or the ids of processes. ``given`` is a function that waits to be called in it, where one is known."""
    with suppress(Exception):
        yield from _of_threads()
    with suppress(Exception):
        yield from _of_processes()
    with suppress(Exception):
        yield from _of_multiprocessing()


def _of_threads() -> Iterator[dict[str, Any]]:
    known = getattr(sys.modules.get(_OF_THREADS), "_threads_queues", {})
    by_queue: dict[int, list[threading.Thread]] = {}
    for thread, queue in list(known.items()):
        by_queue.setdefault(id(queue), []).append(thread)
    for queue_id, threads in by_queue.items():
        # A weak reference to the executor is the first that its threads were given.
        executor = next((vars(each)["_args"][0]() for each in threads if vars(each).get("_args")), None)
        own = vars(executor) if executor is not None else {}
        yield {
            "id": queue_id if executor is None else id(executor),
            "kind": "threads",
            "class": "ThreadPoolExecutor" if executor is None else type(executor).__name__,
            "name": own.get("_thread_name_prefix"),
            "workers": own.get("_max_workers") or len(threads),
            "members": [each.ident for each in threads if each.ident is not None],
        }


def _of_processes() -> Iterator[dict[str, Any]]:
    for manager in list(getattr(sys.modules.get(_OF_PROCESSES), "_threads_wakeups", ())):
        own = vars(manager)
        executor = own["executor_reference"]()
        if executor is None:
            continue
        waiting = list(vars(executor).get("_pending_work_items", {}).values())
        yield {
            "id": id(executor),
            "kind": "processes",
            "class": type(executor).__name__,
            "workers": vars(executor).get("_max_workers"),
            "processes": list(own.get("processes") or ()),
            "given": waiting[0].fn if waiting else None,
        }


def _of_multiprocessing() -> Iterator[dict[str, Any]]:
    for thread in list(getattr(threading, "_active", {}).values()):
        own = vars(thread)
        target = own.get("_target")
        function = target.__func__ if isinstance(target, MethodType) else None
        if not isinstance(function, FunctionType) or function.__name__ != _POOL_HANDLER:
            continue
        if not function.__code__.co_filename.replace("\\", "/").endswith(_POOL_FILE):
            continue
        # Of what it was given the workers are the only list.
        workers = next((list(each) for each in own.get("_args", ()) if isinstance(each, list)), [])
        if not workers:
            continue
        are_threads = isinstance(workers[0], threading.Thread)
        members = [each.ident if are_threads else each.pid for each in workers]
        yield {
            "id": id(thread),
            "kind": "threads" if are_threads else "processes",
            "class": "ThreadPool" if are_threads else "Pool",
            "workers": len(workers),
            "members" if are_threads else "processes": [each for each in members if each is not None],
        }
