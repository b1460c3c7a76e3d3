"""Traces that the script starts itself: jax allows one at a time, and the script's wins.

Every public way to start a trace (``start_trace``, ``trace``, ``ProfileSession``) first takes the lock of
jax's profiler state, however the script imported it. A lock that tells before it is taken and after it is
given back is therefore all that is needed; no function is wrapped.
"""

import os
import sys
from collections.abc import Callable
from typing import Any


class _TellingLock:
    def __init__(self, lock: Any, before: Callable[[], None], after: Callable[[], None]) -> None:  # noqa: ANN401
        self._lock = lock
        self._before = before
        self._after = after

    def __enter__(self) -> Any:  # noqa: ANN401
        self._before()
        return self._lock.__enter__()

    def __exit__(self, *reason: Any) -> Any:  # noqa: ANN401
        result = self._lock.__exit__(*reason)
        self._after()
        return result

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._lock, name)


def _state() -> Any:  # noqa: ANN401
    return getattr(sys.modules.get("jax._src.profiler"), "_profile_state", None)


def running() -> bool:
    """Whether the script has a trace of its own now."""
    state = _state()
    return (getattr(state, "profile_session", None) or getattr(state, "session", None)) is not None


class OwnTrace:
    """Tells when the script's trace begins and ends, and where it lies: None for one that stays in memory."""

    def __init__(self) -> None:
        self._is_told = False
        self._folder: str | None = None

    def look(self, send: Callable[..., None]) -> bool:
        """Tell what became of it since the last look; whether there is one now."""
        runs = running()
        if runs and not self._is_told:
            folder = _folder()
            self._folder = None if folder is None else os.path.abspath(folder)  # noqa: PTH100
            send("script-trace-started", folder=self._folder)
        elif self._is_told and not runs:
            send("script-trace-ended", folder=self._folder)
        self._is_told = runs
        return runs


def _folder() -> str | None:
    state = _state()
    session = getattr(state, "session", None)
    chosen = getattr(session, "log_dir", None) if session is not None else getattr(state, "log_dir", None)
    return None if chosen is None else str(chosen)


def watch(before: Callable[[], None], after: Callable[[], None]) -> None:
    """Call ``before`` ahead of any start or stop of a trace by the script, ``after`` when it is done."""
    state = _state()
    lock = getattr(state, "lock", None)
    if state is not None and lock is not None:
        state.lock = _TellingLock(lock, before, after)
