"""Which steps are slow: those that take several times as long as the others, by their running median."""

from bisect import bisect_left, insort
from collections import deque

REMEMBERED = 63
LEAST_KNOWN = 16
"""None is slow before so many steps are known."""


class RunningMedian:
    """The median of the last durations."""

    def __init__(self) -> None:
        self._recent: deque[float] = deque()
        self._sorted: list[float] = []

    def __len__(self) -> int:
        return len(self._sorted)

    def add(self, seconds: float) -> None:
        """One more; the oldest is forgotten."""
        if len(self._recent) == REMEMBERED:
            del self._sorted[bisect_left(self._sorted, self._recent.popleft())]
        self._recent.append(seconds)
        insort(self._sorted, seconds)

    @property
    def seconds(self) -> float | None:
        """The median; None before enough are known."""
        return self._sorted[len(self._sorted) // 2] if len(self._sorted) >= LEAST_KNOWN else None


class SlowSteps:
    """Tells steps that take more than ``ratio`` times the median of those before."""

    def __init__(self, ratio: float) -> None:
        self._ratio = ratio
        self._median = RunningMedian()

    def is_slow(self, seconds: float) -> bool:
        """Whether a step that took so long is slow; it counts for those after it."""
        median = self._median.seconds
        self._median.add(seconds)
        return median is not None and seconds > self._ratio * median

    @property
    def is_ready(self) -> bool:
        """Whether enough steps are known to judge by."""
        return self._median.seconds is not None
