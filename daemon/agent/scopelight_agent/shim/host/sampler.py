"""Where every thread stands, from samples: library frames and other threads, and lines where no events tell them.

A sample needs the interpreter's lock, so it comes late where a thread holds it: what was due and when it was taken are
kept, since the thread stood where it was found all that time.
"""

from __future__ import annotations

import _thread
import gc
import sys
import threading
import time
from array import array
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from ..unseen_thread import UnseenThread
from .codes import Codes, Stack, frames_of_others, stack_of
from .core_waits import CoreWaits
from .thread_clocks import ThreadClocks

BESIDE_MONITOR_NS = 10_000_000
"""Between samples where events tell the lines, and outside of the window."""
ALONE_NS = 2_000_000
"""Between samples of a window where nothing else tells them."""
SWITCH_SECONDS = 0.0005
"""How long a thread keeps the lock meanwhile that another waits for, in such a window."""
SELDOM_NS = 8_000_000
"""Where samples are no more frequent, since the machine is overloaded, threads switch as they did."""
MOST_PERIOD_NS = 80_000_000
OVERLOADED_RATIO = 0.03
"""The share of the time that threads may have waited for this one to get a core, above which it asks for less."""
CROWDED_RATIO = 0.005
"""The same, above which each sample is told how long it waited for a core."""
LATE_NS = 150_000
"""A sample that is later, without the wait for a core, had to wait for the interpreter."""
CHECKED_SAMPLES = 25
GOLDEN_RATIO = 0.6180339887498949
"""Multiples of it, less whole numbers, are spread evenly however many there are."""
MOST_ROWS = 1_000_000
MOST_STACKS = 20_000
COLUMNS = 4
_MICROSECOND = 1e-6
_MAKES_FRAMES = sys.version_info[:2] == (3, 11)
"""Whether frames of other threads are made when they are asked for, and garbage is collected in the midst of that: what
is called then lets the thread go on, and its frame is of memory that is somebody else's afterwards."""


class Sampler:
    """A thread that samples the others, from `start` to `stop`.

    ``rows`` are (due, taken, thread, stack) in ns since the epoch; ``stacks`` are by number the code ids and
    instruction offsets of frames, innermost first. ``seen`` is called in the sampler's thread after every round, with
    the frames of threads whose stacks ``tells_more`` says to tell more than lines; ``across`` may tell of such a thread
    and its frame another stack. Each is asked once about a stack that it lets be. ``clocks`` are read after each round.
    """

    def __init__(
        self,
        codes: Codes,
        own_threads: set[int],
        seen: Callable[[dict[int, FrameType]], None],
        tells_more: Callable[[Stack], bool],
        across: Callable[[int, FrameType, Stack], Stack],
        clocks: ThreadClocks | None = None,
    ) -> None:
        self._codes = codes
        self._own_threads = own_threads
        self._seen = seen
        self._tells_more = tells_more
        self._across = across
        self._clocks = clocks
        self.rows = array("q")
        self.stacks: dict[Stack, int] = {}
        self._plain: dict[Stack, int] = {}
        """Those of ``stacks`` that tell no more than lines."""
        self.threads: dict[int, tuple[str, int | None]] = {}
        """By ident the name and the system's id of each thread that was seen."""
        self._period_ns = self._least_period_ns = BESIDE_MONITOR_NS
        self._ends = threading.Event()
        self._thread: UnseenThread | None = None
        self._sleeping = _thread.allocate_lock()
        """Let go of to wake it."""
        self._sleeping.acquire()
        self._waits: CoreWaits | None = None
        self._switch_seconds: float | None = None
        """The script's own interval of switches while it has ours instead."""
        self.is_overloaded = False

    def start(self) -> None:
        """Begin to sample."""
        self._ends.clear()
        self._thread = UnseenThread(self._run)

    def stop(self) -> None:
        """Sample no more."""
        self.relax()
        self._ends.set()
        self._wake()
        if self._thread is not None:
            self._thread.join(2.0)
            self._thread = None
            # Its last look at the machine may have come between.
            self._switch_as_before()

    def forget(self) -> None:
        """Leave nothing in a forked child, to which the thread did not come along."""
        self.relax()
        self._thread = None
        if self._waits is not None:
            self._waits.close()

    def hurry(self) -> None:
        """Sample more often: nothing else tells the lines of the window that begins."""
        self._period_ns = self._least_period_ns = ALONE_NS
        self.is_overloaded = False
        self._switch_often()
        self._wake()

    def relax(self) -> None:
        """Sample seldom again; the script has the switch interval that it had, or has chosen since."""
        self._period_ns = self._least_period_ns = BESIDE_MONITOR_NS
        self._switch_as_before()

    def _wake(self) -> None:
        with suppress(RuntimeError):
            # It may be awake already.
            self._sleeping.release()

    def _switch_often(self) -> None:
        own_seconds = sys.getswitchinterval()
        if own_seconds > SWITCH_SECONDS + _MICROSECOND:
            self._switch_seconds = own_seconds
            sys.setswitchinterval(SWITCH_SECONDS)

    def _switch_as_before(self) -> None:
        own_seconds, self._switch_seconds = self._switch_seconds, None
        # Else the script has chosen another one meanwhile.
        if own_seconds is not None and abs(sys.getswitchinterval() - SWITCH_SECONDS) <= _MICROSECOND:
            # It is cut to microseconds.
            sys.setswitchinterval(own_seconds + _MICROSECOND / 2)

    def take(self) -> tuple[array[int], dict[Stack, int]]:
        """The samples since the last time, and their stacks."""
        (rows, stacks), (self.rows, self.stacks, self._plain) = (self.rows, self.stacks), (array("q"), {}, {})
        return rows, stacks

    def _run(self) -> None:
        self._own_threads.add(threading.get_ident())
        waits = self._waits = CoreWaits()
        due_ns, phase = time.time_ns(), 0.0
        waits.since_last()
        # Until it is known: whether threads wait for cores, so that it matters how long each sample did.
        is_crowded = True
        checked_ns, samples, late, waited_ns, held_up_ns = time.monotonic_ns(), 0, 0, 0, 0
        while not self._ends.is_set():
            # Never in time with the steps, which would find them at the same lines each time; and what was missed by
            # being late is not made up for.
            phase = (phase + GOLDEN_RATIO) % 1.0
            due_ns = max(due_ns + int(self._period_ns * (0.5 + phase)), time.time_ns())
            if self._sleeping.acquire(timeout=max(0, due_ns - time.time_ns()) / 1e9):
                due_ns = time.time_ns()
            if self._ends.is_set():
                break
            taken_ns = time.time_ns()
            rows, first = self.rows, len(self.rows)
            self._sample_safely(due_ns, taken_ns)
            if self._clocks is not None:
                self._clocks.read()
            # Only now, and where it matters: reading it lets other threads go on, and has to ask for the lock again.
            core_wait_ns = waits.since_last() if is_crowded else 0
            for row in range(first, len(rows), COLUMNS) if core_wait_ns else ():
                rows[row] = min(taken_ns, due_ns + core_wait_ns)
            samples, waited_ns = samples + 1, waited_ns + core_wait_ns
            if taken_ns - due_ns - core_wait_ns > LATE_NS:
                # A thread that was made to let go waits until this one has a core. Else it held nobody up.
                late, held_up_ns = late + 1, held_up_ns + core_wait_ns
            if samples == CHECKED_SAMPLES:
                if not is_crowded:
                    waited_ns = waits.since_last()
                    held_up_ns = waited_ns * late // samples
                elapsed_ns = max(1, time.monotonic_ns() - checked_ns)
                self._back_off(held_up_ns / elapsed_ns)
                is_crowded = waited_ns > CROWDED_RATIO * elapsed_ns
                checked_ns, samples, late, waited_ns, held_up_ns = time.monotonic_ns(), 0, 0, 0, 0
        waits.close()

    def _sample_safely(self, due_ns: int, taken_ns: int) -> None:
        holds_collector = _MAKES_FRAMES and gc.isenabled()
        if holds_collector:
            gc.disable()
        with suppress(Exception):
            self._sample(due_ns, taken_ns)
        if holds_collector:
            gc.enable()

    def _sample(self, due_ns: int, taken_ns: int) -> None:
        # The script may have to wait for all that is done here, and little of it is in the processor's caches.
        rows, stacks, plain = self.rows, self.stacks, self._plain
        own, known, codes = self._own_threads, self.threads, self._codes
        looked: dict[int, FrameType] = {}
        for ident, frame in frames_of_others().items():
            if ident in own or len(rows) >= MOST_ROWS * COLUMNS:
                continue
            if ident not in known:
                self._meet(ident)
            stack = stack_of(frame, codes)
            number = plain.get(stack)
            if number is None:
                told = stack
                if self._tells_more(stack):
                    looked[ident] = frame
                    told = self._across(ident, frame, stack)
                if told not in stacks and len(stacks) >= MOST_STACKS:
                    continue
                number = stacks.setdefault(told, len(stacks))
                if ident not in looked:
                    plain[stack] = number
            rows.extend((due_ns, taken_ns, ident, number))
        self._seen(looked)

    def _meet(self, ident: int) -> None:
        thread = getattr(threading, "_active", {}).get(ident)
        self.threads[ident] = (
            getattr(thread, "name", "") or "",
            getattr(thread, "native_id", None),
        )

    def _back_off(self, held_up_ratio: float) -> None:
        """Ask less often on a machine that has too few cores for it."""
        was_seldom = self._period_ns >= SELDOM_NS
        if held_up_ratio > OVERLOADED_RATIO:
            self.is_overloaded = True
            self._period_ns = min(MOST_PERIOD_NS, self._period_ns * 2)
        elif self._period_ns > self._least_period_ns:
            self._period_ns = max(self._least_period_ns, self._period_ns // 2)
        is_seldom = self._period_ns >= SELDOM_NS
        if is_seldom and not was_seldom:
            self._switch_as_before()
        elif was_seldom and not is_seldom:
            self._switch_often()
        if self._least_period_ns != ALONE_NS:
            # The window has ended meanwhile.
            self._switch_as_before()
