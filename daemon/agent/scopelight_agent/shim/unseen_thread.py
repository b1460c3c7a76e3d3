"""A thread of ours that the script does not find among its own, for which it may wait before it ends."""

from __future__ import annotations

import _thread
import threading
from collections.abc import Callable


class UnseenThread:
    """Runs a function in a thread that ends with the process, if not before."""

    def __init__(self, run: Callable[[], None]) -> None:
        self._function = run
        self._ident: int | None = None
        self._has_ended = threading.Event()
        _thread.start_new_thread(self._run, ())

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return not self._has_ended.is_set()

    def join(self, longest_seconds: float) -> None:
        """Wait until it has ended."""
        self._has_ended.wait(longest_seconds)

    @property
    def is_current(self) -> bool:
        """Whether it is the one that asks."""
        return _thread.get_ident() == self._ident

    @staticmethod
    def hide() -> None:
        """Be seen no more, after something asked which thread it runs in: it is listed from then on."""
        getattr(threading, "_active", {}).pop(_thread.get_ident(), None)

    def _run(self) -> None:
        self._ident = _thread.get_ident()
        try:
            self._function()
        finally:
            self.hide()
            self._has_ended.set()
