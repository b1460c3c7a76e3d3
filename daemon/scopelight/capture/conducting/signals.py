"""Signals that reach Scopelight while the script runs, and what becomes of them."""

import os
import signal
import threading
import time
from types import FrameType, TracebackType
from typing import Any

from scopelight.capture.conducting.job import Job

INTERRUPT_SECONDS = 1.0
"""An interrupt from the terminal reaches the script by itself; one of our process alone is passed on after so long."""
TELLING_SECONDS = 0.5
"""A script may trace already and not have said so yet."""
SAVING_SECONDS = 10.0
"""An end asked of us is passed on when the trace is saved, or after so long."""


def _is_in_the_foreground() -> bool:
    """Whether Ctrl-C in our terminal goes to our process group, and so to the script without our help."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)


class Signals:
    """While entered, Ctrl-C is left to the script, and SIGTERM and SIGHUP are passed on once the trace is saved."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._before: dict[int, Any] = {}
        self._interrupted: float | None = None
        self._ending: int | None = None
        self._ending_since = 0.0
        self._saved = False
        self.was_asked_to_end = False
        """Whether SIGTERM or SIGHUP has reached us."""

    def __enter__(self) -> "Signals":
        # Handlers can be set in the main thread alone; elsewhere signals are the caller's business.
        if threading.current_thread() is threading.main_thread():
            handlers = {signal.SIGINT: self._interrupt, signal.SIGTERM: self._end, signal.SIGHUP: self._end}
            for number, handler in handlers.items():
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, handler)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        if not _is_in_the_foreground():
            self._interrupted = time.monotonic()
            self._job.messages.put({"event": "interrupted"})

    def _end(self, number: int, _frame: FrameType | None) -> None:
        self._ending, self._ending_since, self._saved = number, time.monotonic(), False
        self.was_asked_to_end = True
        self._job.stop()
        self._job.messages.put({"event": "asked-to-end"})

    def trace_is_saved(self) -> None:
        """The agent has answered a stop, or a trace ended by itself."""
        self._saved = self._ending is not None

    def wake_after(self) -> float | None:
        """Seconds until `pass_on` may have something to do; None while no signal is in hand."""
        if self._ending is not None:
            return 0.2
        return None if self._interrupted is None else 0.2

    def pass_on(self, *, has_trace: bool, is_exiting: bool) -> None:
        """Send the script what is due to it."""
        now = time.monotonic()
        if self._interrupted is not None and (is_exiting or now - self._interrupted >= INTERRUPT_SECONDS):
            self._interrupted = None
            if not is_exiting:
                self._job.signal(signal.SIGINT)
        patience = SAVING_SECONDS if has_trace else TELLING_SECONDS
        if self._ending is not None and (self._saved or now - self._ending_since >= patience):
            self._job.signal(self._ending)
            self._ending = None
