"""``scopelight capture --pid`` and ``--run``: windows of jobs by our agent in them."""

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from scopelight.capture.attaching.attach_source import AttachSource, AttachSpec
from scopelight.capture.failures import CaptureFailure
from scopelight.capture.joining.further_window import capture_further
from scopelight.capture.source import Captured
from scopelight.cli.announcing import say
from scopelight.model.run.information import WindowOptions


def attach(pid: int, seconds: float, out: Path | None) -> Captured:
    """Put the agent into the process, and capture so many seconds of it."""
    source = AttachSource(pid, say)
    spec = AttachSpec(WindowOptions(seconds=seconds), out)
    return _interruptible(lambda: source.capture(spec), source.cancel)


def further_window(run: Path) -> Captured:
    """Another window of the job that fills a run."""
    cancelled = threading.Event()

    def capture() -> Captured:
        captured = capture_further(run, cancelled)
        return Captured(captured, was_cancelled=captured is None)

    return _interruptible(capture, cancelled.set)


def _interruptible(capture: Callable[[], Captured], cancel: Callable[[], None]) -> Captured:
    """Capture in another thread, so that an interrupt ends it in order; a failure is said, and ends the command."""
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(capture)
        try:
            try:
                return future.result()
            except KeyboardInterrupt:
                cancel()
                return future.result()
        except CaptureFailure as failure:
            say(failure.sentence)
            sys.exit(failure.exit_code)
