"""When Python's collector ran, in which thread and where: the script stood still meanwhile."""

from __future__ import annotations

import gc
import sys
import threading
import time
from array import array
from contextlib import suppress

from .codes import Codes, Stack, stack_of


class GarbageSpans:
    """Hears of every collection, from `start` to `stop`.

    ``rows`` are start and end in ns since the epoch, the thread, and the number of its stack among ``stacks``.
    """

    def __init__(self, codes: Codes) -> None:
        self._codes = codes
        self.rows = array("q")
        self.stacks: dict[Stack, int] = {}
        self._began_ns = 0
        self._stack = -1

    def start(self) -> None:
        """Begin to listen."""
        gc.callbacks.append(self._collects)

    def stop(self) -> None:
        """Listen no more."""
        with suppress(ValueError):
            gc.callbacks.remove(self._collects)

    def take(self) -> tuple[array[int], dict[Stack, int]]:
        """The collections since the last time, and their stacks."""
        (rows, stacks), (self.rows, self.stacks) = (self.rows, self.stacks), (array("q"), {})
        return rows, stacks

    def _collects(self, phase: str, _: dict[str, int]) -> None:
        now_ns = time.time_ns()
        if phase == "start":
            # One collection at a time, so nobody else counts stacks meanwhile.
            stacks = self.stacks
            self._stack = stacks.setdefault(stack_of(sys._getframe().f_back, self._codes), len(stacks))
            self._began_ns = now_ns
        elif self._began_ns:
            self.rows.extend((self._began_ns, now_ns, threading.get_ident(), self._stack))
            self._began_ns = 0
