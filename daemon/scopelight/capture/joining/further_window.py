"""Another window of a job that is being captured and still runs: whoever captures it is asked."""

import threading
import time
from pathlib import Path
from typing import Final

from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.formats.errors import FormatError
from scopelight.model.run.capture_process import has_gone
from scopelight.model.run.information import RunInformation
from scopelight.model.run.names import CAPTURE_NOW_FILE
from scopelight.model.run.run_file import find_run_information

_LOOK_SECONDS: Final = 0.1


def capture_further(path: Path, cancelled: threading.Event) -> RunDirectory | None:
    """Have a window taken of the job whose run lies at ``path``, at once; the run, once it is published.

    None where that was ``cancelled`` before. Raises `CaptureFailure` where nobody captures the job any more.
    """
    before = len(_with_windows(path).windows)
    asked = path / CAPTURE_NOW_FILE
    try:
        asked.touch()
    except OSError as error:
        raise CaptureFailure(f"{asked} cannot be written ({error.strerror or error}).", Exit.UNWRITABLE) from error
    while not cancelled.wait(_LOOK_SECONDS):
        run = _information(path)
        if len(run.windows) > before:
            return RunDirectory(path, run)
        if _has_ended(run):
            # It may have published its last in between.
            run = _information(path)
            if len(run.windows) > before:
                return RunDirectory(path, run)
            raise CaptureFailure("The job ended before the window was captured.", Exit.NOT_CAPTURED)
    asked.unlink(missing_ok=True)
    return None


def job_of(path: Path) -> RunInformation:
    """What is known of a job that is being captured. Raises `CaptureFailure` where it is not, or is no more."""
    run = _information(path)
    if _has_ended(run):
        raise CaptureFailure(
            f"The job of {path.name} is captured no more: it has ended, or its capture has.", Exit.NOT_CAPTURED
        )
    return run


def _with_windows(path: Path) -> RunInformation:
    run = job_of(path)
    options = run.options
    if options is None:
        return run
    # A whole script that has reached its limit is over before its job is.
    has_limit = options.most_bytes is not None or options.most_seconds is not None
    if options.whole and not (has_limit and run.windows):
        raise CaptureFailure("The job is captured from its beginning to its end: there is nothing else.", Exit.REFUSED)
    if not options.has_room:
        raise CaptureFailure(
            "The job's steps are followed to its end, for the windows that were asked for when it was started: no other"
            " can be taken.",
            Exit.REFUSED,
        )
    if options.is_of_steps and options.watch is None and not run.windows:
        raise CaptureFailure(
            "The window that was asked for when the job was started has not come yet: another can be taken after it.",
            Exit.REFUSED,
        )
    return run


def _information(path: Path) -> RunInformation:
    try:
        run = find_run_information(path)
    except FormatError:
        # It is being written, by a system that does not replace files in one step.
        time.sleep(_LOOK_SECONDS)
        try:
            run = find_run_information(path)
        except FormatError as error:
            raise CaptureFailure(f"{path} cannot be read as a run.", Exit.NO_ADDRESS) from error
    if run is None:
        raise CaptureFailure(f"{path} is no run: name the directory that holds its run.json.", Exit.NO_ADDRESS)
    return run


def _has_ended(run: RunInformation) -> bool:
    return run.has_ended or run.state == "failed" or run.progress is None or has_gone(run)
