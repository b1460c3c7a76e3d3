"""When Python's collector ran, and in which thread: the script stood still meanwhile."""

from __future__ import annotations

import gc
import threading
import time
from array import array
from contextlib import suppress

COLUMNS = 4
"""Start and end in ns since the epoch, the thread, the generation."""


class GarbageSpans:
    """Hears of every collection, from `start` to `stop`."""

    def __init__(self) -> None:
        self.rows = array("q")
        self._began_ns = 0

    def start(self) -> None:
        """Begin to listen."""
        gc.callbacks.append(self._collects)

    def stop(self) -> None:
        """Listen no more."""
        with suppress(ValueError):
            gc.callbacks.remove(self._collects)

    def take(self) -> array[int]:
        """The collections since the last time."""
        rows, self.rows = self.rows, array("q")
        return rows

    def _collects(self, phase: str, information: dict[str, int]) -> None:
        now_ns = time.time_ns()
        if phase == "start":
            self._began_ns = now_ns
        elif self._began_ns:
            self.rows.extend((self._began_ns, now_ns, threading.get_ident(), information.get("generation", 0)))
            self._began_ns = 0
