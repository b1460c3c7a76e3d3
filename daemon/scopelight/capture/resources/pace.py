"""How often resources are read: closely while a trace runs, seldom in a long run, and never for more than a budget."""

PERIOD_SECONDS = 0.05
"""Between two readings while a trace runs."""
_BESIDE = 5
"""Between traces a period is so many times as long."""
_LONG_RUN = 20
"""And so many times once a run is long."""
_LONG_RUN_SECONDS = 600.0
BUDGET_RATIO = 0.0045
"""Of one core, that reading the machine and processes may take; half a percent is promised of all together."""
_BURST_NS = 4_000_000
"""Of a core's time, that may be taken ahead: the first readings look for everything."""


class Pace:
    """Says how long to wait after a reading that cost so much of a core's time."""

    def __init__(self, period_seconds: float, now: float, budget_ratio: float) -> None:
        self._period_seconds = period_seconds
        self._budget_ratio = budget_ratio
        self._began = self._before = now
        self._left_ns = float(_BURST_NS)
        self.is_close = False
        """Whether a trace runs."""

    def period_seconds(self, now: float) -> float:
        """What is wanted between two readings."""
        if self.is_close:
            return self._period_seconds
        return self._period_seconds * (_LONG_RUN if now - self._began >= _LONG_RUN_SECONDS else _BESIDE)

    def wait_seconds(self, now: float, cost_ns: int) -> float:
        """How long to wait from ``now`` on after a reading of that cost: the period, or until there is budget."""
        earned_ns = (now - self._before) * 1e9 * self._budget_ratio
        self._left_ns = min(float(_BURST_NS), self._left_ns + earned_ns) - cost_ns
        self._before = now
        owed_seconds = max(0.0, -self._left_ns) / 1e9 / self._budget_ratio
        return max(self.period_seconds(now) - cost_ns / 1e9, owed_seconds)
