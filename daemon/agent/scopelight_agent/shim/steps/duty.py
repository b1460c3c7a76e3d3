"""What sessions of a ring cost the script, and whether it may afford the next."""

import time
from collections import deque
from collections.abc import Collection

from .slow import LEAST_KNOWN, REMEMBERED

FREE_SECONDS = 0.25
"""So much may be spent however little time has passed: what is sought in a short run is to be found too."""
COMPARED_AFTER = {4**each for each in range(1, 20)}
"""After so many sessions there is a pause in any case."""


class Duty:
    """Keeps the cost of sessions below ``most_cost_ratio`` of the time that passes, or `FREE_SECONDS`, by pausing
    between them.

    The cost is what the script waits at the borders of sessions, and by how much its traced steps take longer than
    those before the session, by their medians.
    """

    def __init__(self, most_cost_ratio: float) -> None:
        self._most = most_cost_ratio
        self._began = time.perf_counter()
        self._waited = 0.0
        self._plain: deque[float] = deque(maxlen=REMEMBERED)
        """The steps since the last session."""
        self._session: list[float] = []
        self._longer = 0.0
        self._compared = 0
        """By how much so many traced steps took longer."""
        self.traced_steps = self.steps = 0
        self._sessions = 0

    def step(self, seconds: float, *, is_traced: bool) -> None:
        """A step took so long."""
        self.steps += 1
        self.traced_steps += is_traced
        (self._session if is_traced else self._plain).append(seconds)

    def waited(self, seconds: float) -> None:
        """The script waited so long for sessions to begin and end."""
        self._waited += seconds
        self._sessions += 1
        if self._session and len(self._plain) >= LEAST_KNOWN:
            self._longer += (_median(self._session) - _median(self._plain)) * len(self._session)
            self._compared += len(self._session)
        if self._session:
            self._session.clear()
            self._plain.clear()

    @property
    def cost_seconds(self) -> float:
        """What it has cost up to now."""
        longer = max(0.0, self._longer / self._compared) if self._compared else 0.0
        return self._waited + longer * self.traced_steps

    def affords(self, steps: int) -> bool:
        """Whether another session of so many steps keeps below what it may cost, after the few that tell what."""
        if not self._sessions:
            return True
        if self._has_to_compare and len(self._plain) < LEAST_KNOWN:
            return False
        expected = self._waited / self._sessions + self.cost_seconds / max(1, self.traced_steps) * steps
        passed = time.perf_counter() - self._began
        return self.cost_seconds + expected <= max(FREE_SECONDS, self._most * passed)

    @property
    def _has_to_compare(self) -> bool:
        """Whether there has to be a pause: sessions that follow one another leave no step to compare theirs with."""
        return self._most < 1 and self._sessions in COMPARED_AFTER

    def told(self) -> dict[str, float]:
        """How many steps there were, how many of them were traced, and what that cost."""
        return {
            "steps": self.steps,
            "traced_steps": self.traced_steps,
            "cost_seconds": self.cost_seconds,
            "passed_seconds": time.perf_counter() - self._began,
        }


def _median(seconds: Collection[float]) -> float:
    # The module that has one imports much, in the user's process.
    return sorted(seconds)[len(seconds) // 2]
