"""Where the steps begin that a script annotates: a trace that is cut there loses one step and no more.

The method by which an annotation is made, from which on it counts, is replaced by one that tells of it before the
original, and goes on when the cut is made: short steps would else run while neither trace does. All annotations of
steps are of one class of jax's, however the script imported it.
"""

import functools
import sys
import time
from collections.abc import Callable
from typing import Any

LONGEST_WAIT_SECONDS = 2.0
"""A cut waits for the next step no longer."""


class StepBorders:
    """Hears when steps are to begin, in the script's threads, and calls ``tell`` at the next one where that is wanted.

    The step begins when ``tell`` returns.
    """

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._is_wanted = False
        self._last: float | None = None
        self._period: float | None = None

    def enters(self) -> None:
        """A step is about to begin."""
        now = time.monotonic()
        if self._last is not None:
            self._period = now - self._last
        self._last = now
        if self._is_wanted:
            self._is_wanted = False
            self._tell()
            self._last = time.monotonic()

    def want(self) -> float:
        """Ask for the next beginning; in how many seconds it is due at the latest, 0 where none is to be expected."""
        if self._last is None:
            return 0.0
        # Steps vary; one that has not come after two of them is no longer waited for.
        due = LONGEST_WAIT_SECONDS
        if self._period is not None:
            due = self._last + min(2 * self._period, LONGEST_WAIT_SECONDS) - time.monotonic()
        self._is_wanted = due > 0
        return max(0.0, due)

    def want_no_more(self) -> None:
        """What was asked for has happened, or is not needed."""
        self._is_wanted = False


def watch(enters: Callable[[str, object], int | None], leaves: Callable[[int | None], None]) -> None:
    """Call ``enters`` with the name and number that the script gives whenever it is about to begin an annotated step,
    and ``leaves`` with what that returned when the step has ended."""
    annotation = getattr(sys.modules.get("jax._src.profiler"), "StepTraceAnnotation", None)
    original, original_exit = getattr(annotation, "__init__", None), getattr(annotation, "__exit__", None)
    if annotation is None or original is None or original_exit is None:
        return

    @functools.wraps(original)
    def begin(self: Any, *arguments: Any, **named: Any) -> None:  # noqa: ANN401
        self._scopelight_step = enters(str(arguments[0] if arguments else named.get("name")), named.get("step_num"))
        original(self, *arguments, **named)

    def end(self: Any, *reason: Any) -> Any:  # noqa: ANN401
        result = original_exit(self, *reason)
        leaves(self._scopelight_step)
        return result

    annotation.__init__ = begin
    annotation.__exit__ = end
