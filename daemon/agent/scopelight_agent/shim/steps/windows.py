"""Windows of steps: begun and ended between two of them, in the script's thread, which waits there while they are.

The trace is started and stopped by the agent's thread, as every trace is. What the devices have to do is waited for
before, so that a window holds its steps and no part of another.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

from .armed import RING_STEPS, Armed
from .counter import StepCounter
from .duty import Duty
from .epochs import Epochs
from .slow import SlowSteps

LONGEST_SESSION_SECONDS = 30.0
"""A session of a ring that lasts longer is kept as it is: a step hangs, or the script does something else."""


class Traces(Protocol):
    """What the agent does of windows: each is called in its own thread but `do_between_steps`."""

    def do_between_steps(self, work: Callable[[], None], *, waits: bool) -> None:
        """Have work done in the agent's thread while the script waits; with ``waits`` once its devices have done what
        they have."""

    def may_trace(self) -> bool:
        """Whether the script does not trace itself."""

    def begin_trace(self, file: str, seconds: float | None, *, is_window: bool) -> bool:
        """Begin a trace, in the place of any that runs; whether it did."""

    def end_trace(self, *, is_kept: bool) -> None:
        """End the trace that runs."""


class StepWindows:
    """Follows the steps of ``counter`` once windows are asked for; ``tell`` is called with events."""

    def __init__(self, counter: StepCounter, traces: Traces, tell: Callable[..., None]) -> None:
        self.counter = counter
        self._traces = traces
        self._tell = tell
        self._armed: Armed | None = None
        self._files: list[str] = []
        self._first = 0
        """With which step the next window begins."""
        self._not_before = 0.0
        self._began: int | None = None
        """The first step of the window that runs."""
        self._count = 0
        """How many of its steps have ended."""
        self._slow_steps: list[int] = []
        self._slow: SlowSteps | None = None
        self._duty: Duty | None = None
        self._slow_ratio_at_end: float | None = None
        """Which steps are slow that the script has had when it ends, where nobody has looked for them before."""
        self._is_ring_on = False
        self._epochs = Epochs()
        self._last_ended: float | None = None
        self._compiles = 0
        self._is_busy = False

    # In the agent's thread.

    @property
    def is_open(self) -> bool:
        """Whether the trace of a window runs."""
        return self._began is not None

    @property
    def is_worth_keeping(self) -> bool:
        """Whether the trace that runs is to be kept: any but a session without a slow step."""
        return not self.is_open or self._slow is None or bool(self._slow_steps)

    def dropped(self) -> None:
        """The session that ran is not kept."""
        self._began = None

    def arm(self, armed: Armed) -> None:
        """Have windows from now on."""
        self._armed, self._files = armed, list(armed.files)
        self._first = armed.first or 0
        self._last_ended = None
        self._not_before = time.perf_counter() + armed.after_seconds
        if armed.slow_ratio is not None:
            self._slow, self._duty = SlowSteps(armed.slow_ratio), Duty(armed.most_cost_ratio)
            self._compiles = self.counter.compiles
            self._last_ended = self._judge_before(self._slow)
            self._is_ring_on = not armed.after_slow
        self.counter.begins, self.counter.ended = self._begins, self._ended
        if 0 in (armed.first, armed.epoch) and self.counter.next_step == 0:
            self._begin_now()

    def judge_at_end(self, slow_ratio: float) -> None:
        """Steps that take more than so many times as long as the others are told of at the script's end, should none
        have been looked for until then."""
        self._slow_ratio_at_end = slow_ratio

    def judge(self) -> None:
        """The script ends; called in its thread."""
        if self._slow is None and self._slow_ratio_at_end is not None:
            self._judge_before(SlowSteps(self._slow_ratio_at_end))

    def _judge_before(self, slow: SlowSteps) -> float | None:
        """Tell of the slow steps up to now, and when the last of all ended."""
        before = self.counter.before.judged(self.counter.follows or "", slow)
        last_ended: float | None = before.pop("last_ended")
        if before["slow"]:
            self._tell("slow-steps-before", **before, name=self.counter.follows)
        return last_ended

    def disarm(self) -> None:
        """Have no more windows; one that runs goes on."""
        self._files = []
        if not self.is_open:
            self.counter.begins = self.counter.ended = None

    def told(self) -> dict[str, Any] | None:
        """What the window holds whose trace ends now; None where no window's does."""
        began, armed = self._began, self._armed
        self._began = None
        if began is None or armed is None:
            return None
        if armed.slow_ratio is not None:
            # The file of a session that is not kept is that of the next.
            self._files.pop(0)
        slow, self._slow_steps = self._slow_steps, []
        return {
            "first": began,
            "count": self._count,
            "asked": RING_STEPS if armed.slow_ratio is not None else armed.steps,
            "slow": slow,
            "name": self.counter.follows,
            "is_of_several": self.counter.is_of_several,
            "epoch": None if armed.epoch is None else self._epochs.epoch,
            "cost": self.cost(),
        }

    def cost(self) -> dict[str, float] | None:
        """What looking for slow steps has cost; None where nobody does."""
        return None if self._duty is None else self._duty.told()

    def _begin_now(self) -> None:
        armed = self._armed
        if armed is None or not self._files or not self._traces.may_trace():
            return
        is_ring = armed.slow_ratio is not None
        if not is_ring:
            # Before what is told of the trace that ends for it.
            self._tell("steps-began", step=self.counter.next_step, name=self.counter.follows)
        self._count, self._slow_steps = 0, []
        longest = armed.most_seconds or (LONGEST_SESSION_SECONDS if is_ring else None)
        if self._traces.begin_trace(self._files[0], longest, is_window=not is_ring):
            self._began = self.counter.next_step
            if armed.every is not None:
                self._first += armed.every
            if not is_ring:
                self._files.pop(0)

    def _end_now(self) -> None:
        if not self.is_open:
            return
        self._traces.end_trace(is_kept=self.is_worth_keeping)

    # In the script's threads.

    def epoch_began(self, number: int | None) -> None:
        """The script itself says so, by default of the epoch after the last."""
        self._epochs.mark(number)
        armed = self._armed
        if armed is None or armed.epoch is None or self._is_busy or self.is_open or not self._files:
            return
        # Where calls are counted the first of its steps is known to have begun only when it has ended.
        if self._epochs.epoch >= armed.epoch and self.counter.counts_calls:
            self._between_steps(self._begin_now)

    def _begins(self, step: int) -> None:
        armed = self._armed
        if self._is_busy or armed is None or armed.slow_ratio is not None:
            return
        if armed.epoch is not None:
            # After a call it is not known yet where the next comes from.
            epoch = self._epochs.of_next_step() if self.counter.counts_calls else self._epochs.step(step)
            is_due = epoch >= armed.epoch
        else:
            is_due = step >= self._first
        if is_due and self._files and not self.is_open and time.perf_counter() >= self._not_before:
            self._between_steps(self._begin_now)

    def _ended(self, step: int) -> None:
        armed = self._armed
        if self._is_busy or armed is None:
            return
        if armed.epoch is not None and self.counter.counts_calls:
            self._epochs.step(step)
        if self._slow is not None and self._duty is not None:
            self._ended_in_ring(step, self._slow, self._duty)
        elif self.is_open:
            self._count += 1
            if self._count >= armed.steps:
                self._between_steps(self._end_now)

    def _ended_in_ring(self, step: int, slow: SlowSteps, duty: Duty) -> None:
        now, before = time.perf_counter(), self._last_ended
        self._last_ended = now
        compiled, self._compiles = self._compiles != self.counter.compiles, self.counter.compiles
        if before is None or compiled:
            return
        is_slow = slow.is_slow(now - before)
        duty.step(now - before, is_traced=self.is_open)
        if self.is_open:
            self._count += 1
            if is_slow:
                self._slow_steps.append(step)
            if self._count < RING_STEPS:
                return
        self._is_ring_on = self._is_ring_on or is_slow
        begins = self._is_ring_on and slow.is_ready and bool(self._files) and duty.affords(RING_STEPS)
        if self.is_open or begins:
            # A session that is dropped is worth no wait for the devices.
            self._between_steps(lambda: self._next_session(begins=begins), waits=bool(self._slow_steps))
            self._last_ended = time.perf_counter()
            duty.waited(self._last_ended - now)

    def _next_session(self, *, begins: bool) -> None:
        found = bool(self._slow_steps)
        self._end_now()
        if found and self._armed is not None and self._armed.after_slow:
            # The next slow step was wanted, and is captured.
            self._is_ring_on = False
        elif begins and self._files:
            self._begin_now()

    def _between_steps(self, work: Callable[[], None], *, waits: bool = True) -> None:
        self._is_busy = True
        try:
            self._traces.do_between_steps(work, waits=waits)
        finally:
            self._is_busy = False
