"""A query in a process of its own: it shares the tables, ends when it is told to, and has no more memory than it may.

DuckDB alone does not see to that: a single function may take gigabytes (``repeat``) or minutes (``lpad``) before it
looks whether it was interrupted. The process is forked, so that nothing is copied, and does nothing but ask.
"""

import contextlib
import gc
import math
import os
import pickle
import select
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any, Final

from scopelight.sql.engine import Engine, Found, Sources
from scopelight.sql.errors import QueryError, answer_too_large, cancelled, too_large, too_long
from scopelight.sql.limits import Limits

IS_POSSIBLE: Final = sys.platform == "linux"
"""Elsewhere a process with threads cannot be forked, or its memory not be limited."""
FORKING: Final = threading.Lock()
"""Held while this process forks, and by whoever uses DuckDB in it: a lock of DuckDB's that is held then never opens in
the process that is made."""
_POLL_S: Final = 0.02
_GRACE_S: Final = 0.5
"""How long a query that was interrupted may take to say so, before its process is ended."""
_PARENT_POLL_S: Final = 0.5
_BESIDES_BYTES: Final = 256 << 20
"""What the process may take beside the memory of the query: threads, and the answer."""
_MOST_ANSWER_BYTES: Final = 512 << 20
_PAGES: Final = 5
"""The place in ``/proc/self/statm`` of what a process may write to."""


def find_shut_in(sources: Sources, statement: str, limits: Limits, is_cancelled: Callable[[], bool]) -> Found:
    """Run a statement that reads, in a process of its own. Raises `QueryError`."""
    reading, writing = os.pipe()
    process = 0
    parent = os.getpid()
    # An interrupt between the making of the process and the block that ends it would leave it alone for good.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with FORKING, warnings.catch_warnings():
            # Python warns of threads: the process uses nothing that another thread may hold.
            warnings.simplefilter("ignore")
            process = os.fork()
            if process == 0:
                _ask(sources, statement, limits, writing, parent)
        os.close(writing)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        answer = _read(reading, limits, is_cancelled)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(reading)
        if process:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
    # It is what this module wrote in the other process.
    found: Found | QueryError = pickle.loads(answer)
    if isinstance(found, QueryError):
        raise found
    return found


def _read(reading: int, limits: Limits, is_cancelled: Callable[[], bool]) -> bytes:
    deadline = time.monotonic() + limits.seconds + _GRACE_S
    parts: list[bytes] = []
    size = 0
    while True:
        if is_cancelled():
            raise cancelled()
        if time.monotonic() > deadline:
            raise too_long(limits.seconds)
        if not select.select([reading], [], [], _POLL_S)[0]:
            continue
        part = os.read(reading, 1 << 20)
        if not part:
            break
        parts.append(part)
        size += len(part)
        if size > _MOST_ANSWER_BYTES:
            raise answer_too_large(_MOST_ANSWER_BYTES)
    if not parts:
        # It was ended by the system, or by what DuckDB does where there is no memory for it to say so.
        raise too_large(limits.memory_bytes)
    return b"".join(parts)


def _ask(sources: Sources, statement: str, limits: Limits, writing: int, parent: int) -> None:
    """What the new process does, and all that it does. Interrupts, which it does not hear, are its parent's."""
    try:
        gc.disable()
        _limit(limits)
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
        answer: Any
        try:
            answer = Engine(sources, limits).find(statement)
        except QueryError as error:
            answer = error
        except MemoryError:
            answer = too_large(limits.memory_bytes)
        left = memoryview(pickle.dumps(answer))
        while left:
            left = left[os.write(writing, left) :]
    finally:
        os._exit(0)


def _end_with(parent: int) -> None:
    """End this process when its parent is gone, whatever ended that."""
    while os.getppid() == parent:
        time.sleep(_PARENT_POLL_S)
    os._exit(1)


def _limit(limits: Limits) -> None:
    import resource  # noqa: PLC0415 (Windows has none)

    with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 (nothing may be imported here)
        writable = int(file.read().split()[_PAGES]) * resource.getpagesize()
    most = writable + limits.memory_bytes + _BESIDES_BYTES
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Should nobody be left to end it.
    seconds = math.ceil(limits.seconds * limits.threads) + 5
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
