"""How long the script's steps take while someone watches it, by its own count: nothing is traced for it."""

import time
from typing import Any

from .counter import StepCounter


class PassingSteps:
    """The steps of ``counter`` that ended since it was asked last, from the end of one to that of the next."""

    def __init__(self, counter: StepCounter) -> None:
        self._counter = counter
        self._name: str | None = None
        self._last: float | None = None
        self._count, self._sum, self._least, self._most = 0, 0.0, float("inf"), 0.0

    def follow(self, name: str | None) -> None:
        """Count from now on; steps are those of the program or the annotation of this name, where one is known."""
        # Where windows are of steps the conductor has said it before.
        is_ours = self._name is not None or not self._counter.is_told
        if name is not None and name != self._name and is_ours:
            self._name = name
            self._counter.count(name)
        self._counter.passed = self._passed

    def passed(self) -> dict[str, Any] | None:
        """How many have ended, and how long they took; None where none has."""
        # A step that ends meanwhile is lost, or counts in the next time.
        count, total, least, most = self._count, self._sum, self._least, self._most
        self._count, self._sum, self._least, self._most = 0, 0.0, float("inf"), 0.0
        if not count:
            return None
        return {"count": count, "seconds": total, "least_seconds": least, "most_seconds": most}

    def _passed(self) -> None:
        """A step has ended, called in the script's threads."""
        now, last = time.perf_counter(), self._last
        self._last = now
        if last is None:
            return
        took = now - last
        self._count += 1
        self._sum += took
        self._least = min(self._least, took)
        self._most = max(self._most, took)
