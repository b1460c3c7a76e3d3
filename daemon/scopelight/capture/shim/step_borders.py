"""Where the steps begin that a script annotates: a trace that is cut there loses one step and no more.

The method by which an annotation is entered is replaced by one that tells of it behind the original: all annotations
of steps are of one class of jax's, however the script imported it.
"""

import functools
import sys
import time
from collections.abc import Callable
from typing import Any

LONGEST_WAIT_SECONDS = 2.0
"""A cut waits for the next step no longer."""


class StepBorders:
    """Hears when steps begin, in the script's threads, and calls ``tell`` at the next one where that is wanted."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._is_wanted = False
        self._last: float | None = None
        self._period: float | None = None

    def entered(self) -> None:
        """A step has begun."""
        now = time.monotonic()
        if self._last is not None:
            self._period = now - self._last
        self._last = now
        if self._is_wanted:
            self._is_wanted = False
            self._tell()

    def want(self) -> float:
        """Ask for the next beginning; in how many seconds it is due at the latest, 0 where none is to be expected."""
        if self._last is None or self._period is None:
            return 0.0
        # Steps vary; one that has not come after two of them is no longer waited for.
        patience = min(2 * self._period, LONGEST_WAIT_SECONDS)
        due = self._last + patience - time.monotonic()
        self._is_wanted = due > 0
        return max(0.0, due)

    def want_no_more(self) -> None:
        """What was asked for has happened, or is not needed."""
        self._is_wanted = False


def watch(entered: Callable[[], None]) -> None:
    """Call ``entered`` whenever the script enters an annotation of a step."""
    annotation = getattr(sys.modules.get("jax._src.profiler"), "StepTraceAnnotation", None)
    original = getattr(annotation, "__enter__", None)
    if annotation is None or original is None:
        return

    @functools.wraps(original)
    def enter(self: Any) -> Any:  # noqa: ANN401
        result = original(self)
        entered()
        return result

    annotation.__enter__ = enter
