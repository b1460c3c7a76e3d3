"""The whole script as far as a limit allows: pure decisions, as those of `WindowPlan` are.

How much a script will write is not known before it has run, so the trace goes on in parts, each of which tells how
large the next may become.
"""

import attrs

from scopelight.capture.actions import Action, Close, Stop
from scopelight.capture.limits import larger_than_asked
from scopelight.capture.observed import Candidate, Traced
from scopelight.capture.window import WindowPlan
from scopelight.findings import warning
from scopelight.model.run.information import WindowOptions

LEAST_PART_SECONDS = 2.0
"""Each part costs the script a pause."""
SHARE_OF_REST = 0.5
"""A part is to write at most so much of what may still be written."""
SHARE_OF_PASSED = 0.5
"""Nor is it longer than so much of the time that has passed: the steps write more than what comes before them."""
NEARLY_FULL_RATIO = 0.9
"""Another part would be larger than what is left."""


class WholePlan(WindowPlan):
    """A plan that captures from the first use of jax on, until the script ends or a limit is reached."""

    def __init__(self, options: WindowOptions, *, is_asked_for: bool = False) -> None:
        # Whoever asks for a window asks for one of steps.
        super().__init__(attrs.evolve(options, whole=not is_asked_for), is_asked_for=is_asked_for)
        self._is_last = False

    def tick(self, now: float) -> Action | None:
        """Time has passed."""
        if not self.options.whole:
            return super().tick(now)
        due = self._stop_at()
        if due is None or now < due:
            return None
        self._is_last = due == self._ends_at() or self._is_nearly_full
        self._stopping, self._probe_began = True, now
        return Stop(goes_on=not self._is_last)

    def traced(self, traced: Traced) -> Action | None:
        """A part has ended."""
        if not self.options.whole:
            return super().traced(traced)
        self._stopping = False
        self.candidates.append(Candidate(traced, is_window=False))
        if self.closed or not self._is_last:
            return None
        self.closed = self.is_captured = True
        self._probing = False
        parts = [each.traced for each in self.candidates]
        left_out = warning("rest-left-out", window_s=traced.stopped - parts[0].started, trace_bytes=self._bytes)
        findings = (left_out, *larger_than_asked(self._bytes, self.options))
        # Windows that are asked for from now on are like any other.
        self.options = attrs.evolve(self.options, whole=False)
        return Close(traced, "seconds", findings, earlier=tuple(parts[:-1]))

    @property
    def _bytes(self) -> int:
        return sum(each.traced.bytes for each in self.candidates)

    @property
    def _is_nearly_full(self) -> bool:
        most = self.options.most_bytes
        return most is not None and self._bytes >= NEARLY_FULL_RATIO * most

    def _ends_at(self) -> float | None:
        """When the limit of time is reached."""
        most = self.options.most_seconds
        return None if most is None or self._backend_at is None else self._backend_at + most

    def _stop_at(self) -> float | None:
        if not self.options.whole:
            return super()._stop_at()
        if not self._probing or self._stopping or self._backend_at is None:
            return None
        ends = [self._ends_at(), self._part_ends_at(self._backend_at)]
        return min((each for each in ends if each is not None), default=None)

    def _part_ends_at(self, began: float) -> float | None:
        """When the part that runs is to end so that all of them do not become larger than was asked for."""
        most = self.options.most_bytes
        if most is None:
            return None
        if self._is_nearly_full:
            return self._probe_began
        longest = max(LEAST_PART_SECONDS, SHARE_OF_PASSED * (self._probe_began - began))
        last = self.candidates[-1].traced if self.candidates else None
        if last is None or not last.bytes:
            return self._probe_began + longest
        rest_seconds = (most - self._bytes) * last.seconds / last.bytes
        foreseen = max(SHARE_OF_REST * rest_seconds, min(LEAST_PART_SECONDS, rest_seconds))
        return self._probe_began + min(longest, foreseen)
