"""The sampler: a thread of the capture that reads resources until the script ends."""

import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from scopelight.capture.resources.accelerators import Accelerators
from scopelight.capture.resources.pace import BUDGET_RATIO, PERIOD_SECONDS, Pace
from scopelight.capture.resources.reader import Reader
from scopelight.capture.resources.samples import Samples
from scopelight.findings import Finding, warning

FORMAT_VERSION = 1
_PATIENCE_SECONDS = 2.0
"""A reading that takes longer when the script ends is not waited for."""


class Sampler:
    """Reads the machine, the process ``pid`` with its descendants, and accelerators, until it is told to stop.

    ``period_seconds`` lie between two readings while a trace runs, more between traces and late in a long run.
    """

    def __init__(self, folder: Path, pid: int, period_seconds: float = PERIOD_SECONDS) -> None:
        self._folder = folder
        self._pid = pid
        self._pace = Pace(period_seconds, time.monotonic(), BUDGET_RATIO)
        # Cheaper to wait for than an event.
        self._asleep = threading.Lock()
        self._asleep.acquire()
        self._is_stopped = False
        self._samples: Samples | None = None
        self._problem: str | None = None
        self._accelerators: Accelerators | None = None
        self._thread = threading.Thread(target=self._work, name="resources", daemon=True)

    def start(self) -> None:
        """Begin to read, in threads of its own."""
        try:
            self._samples = Samples(self._folder)
        except OSError as error:
            self._problem = error.strerror or str(error)
            return
        self._thread.start()
        self._accelerators = Accelerators(self._samples)
        self._accelerators.start()

    def look_closely(self, *, is_close: bool) -> None:
        """Read often from now on, since a trace runs, or seldom."""
        if self._pace.is_close != is_close:
            self._pace.is_close = is_close
            self._wake()

    def stop(self) -> tuple[Finding, ...]:
        """Read no more. Returns what there is to be said of readings that could not be kept."""
        self._is_stopped = True
        self._wake()
        if self._accelerators is not None:
            self._accelerators.stop()
        if self._samples is not None:
            self._thread.join(_PATIENCE_SECONDS)
            self._samples.close()
            self._problem = self._samples.problem
        return () if self._problem is None else (warning("resources-not-kept", problem=self._problem),)

    def _work(self) -> None:
        samples = self._samples
        assert samples is not None
        # What reads them is imported while the script starts.
        from scopelight.capture.resources.parts import head, parts  # noqa: PLC0415

        try:
            samples.write({"format": FORMAT_VERSION, "system": sys.platform, "pid": self._pid, **head(self._pid)})
            reader = Reader(parts(self._pid), samples.write_problem)
        except Exception as error:  # A fault here must not end the capture.
            samples.write_problem("all", error)
            return
        cost_ns, counted_ns = 0, time.thread_time_ns()
        while True:
            # The budget may have put off this reading for long: the end is read in any case.
            is_last = self._is_stopped
            samples.write({**reader.read(), "cost_ns": cost_ns})
            # With what falling asleep and waking up took, which is a quarter of it.
            before_ns, counted_ns = counted_ns, time.thread_time_ns()
            cost_ns = counted_ns - before_ns
            if is_last:
                break
            self._asleep.acquire(timeout=self._pace.wait_seconds(time.monotonic(), cost_ns))
        reader.close()

    def _wake(self) -> None:
        with suppress(RuntimeError):
            self._asleep.release()
