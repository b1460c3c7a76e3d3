"""All processes of a launch are there before anything is decided: one that comes later would lack the window.

A launcher starts them one after the other, and an import of jax takes seconds on a machine that is busy with others.
What the first process says is held back from its backend on until as many have one, or have left, as the launcher
started on this machine.
"""

import threading
from collections.abc import Callable
from typing import Any

LONGEST_SECONDS = 30.0
"""Not all that a launcher starts need to use jax."""


class Gathering:
    """Hands on what the first process says with ``put``, in order; until it is told how many to ``expect`` that is one
    process."""

    def __init__(self, put: Callable[[dict[str, Any]], None]) -> None:
        self._put = put
        self._lock = threading.RLock()
        self._expected = 1
        self._here: set[int] = set()
        self._held: list[dict[str, Any]] | None = []
        self._timer: threading.Timer | None = None

    def expect(self, processes: int) -> None:
        """So many start on this machine."""
        with self._lock:
            self._expected = processes

    def hear(self, event: dict[str, Any]) -> None:
        """The first process says something."""
        with self._lock:
            if self._held is None or (not self._held and event.get("event") != "backend"):
                self._put(event)
                return
            self._held.append(event)
            self._look()
            if self._held is not None and self._timer is None:
                self._timer = threading.Timer(LONGEST_SECONDS, self.wait_no_more)
                self._timer.daemon = True
                self._timer.start()

    def is_here(self, process: int) -> None:
        """A process has a backend, or has left."""
        with self._lock:
            self._here.add(process)
            self._look()

    def wait_no_more(self) -> None:
        """Hand on what was held back."""
        with self._lock:
            held, self._held = self._held, None
            for each in held or ():
                self._put(each)
            if self._timer is not None:
                self._timer.cancel()

    def _look(self) -> None:
        if self._held and len(self._here) >= self._expected:
            self.wait_no_more()
