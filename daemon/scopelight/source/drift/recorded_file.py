"""Recorded files: one file that a run names, followed from what is known of how it was."""

import threading
from collections.abc import Iterable, Sequence

from scopelight.source.drift.drift import Drift, follow
from scopelight.source.functions import Functions

FEW_LINES = 2
"""So many lines change at once when a person types; a text that changes more may have come from elsewhere."""


class CopiedFile:
    """A file of which the run keeps a copy; ``lines`` are those of the copy."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines

    def follow(self, present: Sequence[str]) -> Drift:
        """Where its recorded lines are in ``present``."""
        return follow(self.lines, present)


class SeenFile:
    """A file of which there is no copy: it is taken to be as it is seen first, as far as its functions agree.

    ``functions`` are recorded lines with the name of the function that ran there. A line that is not in its
    function is never current. Such a file may be another version; when one is seen in which all lines are in their
    functions, this one is followed from then on.
    """

    def __init__(self, functions: Iterable[tuple[int, str]]) -> None:
        self._functions = tuple(functions)
        self._first: Sequence[str] | None = None
        self._last: Sequence[str] = ()
        self._doubted: frozenset[int] | None = None
        """Lines outside of their function; None while no text could be parsed."""
        self._lock = threading.Lock()

    def follow(self, present: Sequence[str]) -> Drift:
        """Where its recorded lines are in ``present``."""
        with self._lock:
            if self._first is None or (self._doubted and self._is_another(present)):
                self._first = present
                self._doubted = self._outside(present, None)
            drift = follow(self._first, present)
            if self._doubted is None:
                self._doubted = self._outside(present, drift)
            self._last = present
            return drift.doubting(self._doubted or ())

    def _is_another(self, present: Sequence[str]) -> bool:
        """Whether the text is another version of the file, in which all lines are in their functions."""
        return _changed_lines(self._last, present) > FEW_LINES and self._outside(present, None) == frozenset()

    def _outside(self, present: Sequence[str], drift: Drift | None) -> frozenset[int] | None:
        """The recorded lines that are not in their function, as they stand or where ``drift`` has them."""
        functions = Functions.of(present)
        if functions is None:
            return None
        places = {line: drift.place(line).line if drift else line for line, _ in self._functions}
        return frozenset(line for line, name in self._functions if not functions.enclose(places[line], name))


def _changed_lines(before: Sequence[str], after: Sequence[str]) -> int:
    """Lines, of the text that has more of them, between the common beginning and the common end of two texts."""
    shorter = min(len(before), len(after))
    head = 0
    while head < shorter and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < shorter - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return max(len(before), len(after)) - head - tail
