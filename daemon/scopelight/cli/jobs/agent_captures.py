"""``scopelight capture --pid`` and ``--run``: windows of jobs by our agent in them."""

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from scopelight.capture.attaching.attach_source import AttachSource, AttachSpec
from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.joining.further_window import capture_further
from scopelight.capture.publishing.run_directory import RunDirectory, file_name
from scopelight.capture.source import Captured
from scopelight.cli.announcing import say
from scopelight.cli.interrupts import INTERRUPTED, cancelled_by_interrupt
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
        if captured is None:
            return Captured(None, was_cancelled=True)
        return Captured(captured, exit_code=Exit.PARTIAL if _lacks_processes(captured) else None)

    return _interruptible(capture, cancelled.set)


def _lacks_processes(run: RunDirectory) -> bool:
    """Whether processes of the job are not in its newest window; what is said of them may be of one before."""
    window = run.information.window
    if window is None or window.session is None:
        return False
    missing = (each.values.get("process") for each in run.information.findings if each.code == "process-not-captured")
    session = run.path / window.session
    return any(not (session / f"{file_name(str(each))}.xplane.pb").exists() for each in missing)


def _interruptible(capture: Callable[[], Captured], cancel: Callable[[], None]) -> Captured:
    """Capture in another thread, so that an interrupt ends it in order; a failure is said, and ends the command."""
    was_cancelled = False

    def cancel_it() -> None:
        nonlocal was_cancelled
        was_cancelled = True
        cancel()

    with cancelled_by_interrupt(cancel_it), ThreadPoolExecutor(1) as pool:
        try:
            return pool.submit(capture).result()
        except CaptureFailure as failure:
            say(failure.sentence)
            sys.exit(INTERRUPTED if was_cancelled else failure.exit_code)
