"""What sessions of a ring cost the script, and whether it may afford the next."""

import time

from .slow import RunningMedian


class Duty:
    """Keeps the cost of sessions below ``most_cost_ratio`` of the time that passes, by pausing between them.

    The cost is what the script waits at the borders of sessions, and by how much its traced steps take longer than the
    others, by their medians.
    """

    def __init__(self, most_cost_ratio: float) -> None:
        self._most = most_cost_ratio
        self._began = time.perf_counter()
        self._waited = 0.0
        self._traced, self._plain = RunningMedian(), RunningMedian()
        self.traced_steps = self.steps = 0
        self._sessions = 0

    def step(self, seconds: float, *, is_traced: bool) -> None:
        """A step took so long."""
        self.steps += 1
        self.traced_steps += is_traced
        (self._traced if is_traced else self._plain).add(seconds)

    def waited(self, seconds: float) -> None:
        """The script waited so long for sessions to begin and end."""
        self._waited += seconds
        self._sessions += 1

    @property
    def cost_seconds(self) -> float:
        """What it has cost up to now."""
        traced, plain = self._traced.seconds, self._plain.seconds
        longer = 0.0 if traced is None or plain is None else max(0.0, traced - plain)
        return self._waited + longer * self.traced_steps

    def affords(self, steps: int) -> bool:
        """Whether another session of so many steps keeps below what it may cost, after the few that tell what."""
        if not self._sessions:
            return True
        expected = self._waited / self._sessions + self.cost_seconds / max(1, self.traced_steps) * steps
        passed = time.perf_counter() - self._began
        return self.cost_seconds + expected <= self._most * passed

    def told(self) -> dict[str, float]:
        """How many steps there were, how many of them were traced, and what that cost."""
        return {
            "steps": self.steps,
            "traced_steps": self.traced_steps,
            "cost_seconds": self.cost_seconds,
            "passed_seconds": time.perf_counter() - self._began,
        }
