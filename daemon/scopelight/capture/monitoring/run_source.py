"""Watch a job that is being captured: whoever captures it is asked for readings."""

import contextlib
import threading
import time
from collections.abc import Generator
from pathlib import Path
from typing import Final

import attrs

from scopelight.analysis.monitoring.kept import from_line
from scopelight.analysis.monitoring.records import JobReading
from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.joining.further_window import job_of
from scopelight.capture.monitoring.glancing import ANSWER_SECONDS
from scopelight.findings import warning
from scopelight.model.run.names import MONITOR_NOW_FILE, READINGS_FILE

_LOOK_SECONDS: Final = 0.05
_ENDED_SECONDS: Final = 1.0
"""So often it is looked whether the job is still there."""


@attrs.frozen
class WatchSpec:
    """A reading every ``every_seconds``, ``count`` of them, None without end."""

    every_seconds: float = 5.0
    count: int | None = None


class RunMonitor:
    """Readings of the job whose run is at ``path``; `cancel` ends them from another thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """End, now."""
        self._cancelled.set()

    def readings(self, spec: WatchSpec) -> Generator[JobReading]:
        """One after the other, until the job ends. Raises `CaptureFailure` where nobody captures it (any more) before
        the first one."""
        job_of(self._path)
        taken = 0
        while not self._cancelled.is_set() and (spec.count is None or taken < spec.count):
            began = time.monotonic()
            reading = self._next()
            if reading is None:
                break
            yield reading
            taken += 1
            if spec.count is None or taken < spec.count:
                self._cancelled.wait(max(0.0, spec.every_seconds - (time.monotonic() - began)))
        if not taken and not self._cancelled.is_set():
            raise CaptureFailure("The job ended before a reading was taken.", Exit.NOT_CAPTURED)

    def _next(self) -> JobReading | None:
        """The next one; None where the job has ended, or this was cancelled."""
        place, asked = self._path / READINGS_FILE, self._path / MONITOR_NOW_FILE
        before = _size(place)
        try:
            asked.touch()
        except OSError as error:
            raise CaptureFailure(f"{asked} cannot be written ({error.strerror or error}).", Exit.UNWRITABLE) from error
        began = looked = time.monotonic()
        while not self._cancelled.wait(_LOOK_SECONDS):
            reading = _after(place, before)
            if reading is not None:
                return reading
            now = time.monotonic()
            if now > looked + _ENDED_SECONDS:
                looked = now
                try:
                    job_of(self._path)
                except CaptureFailure:
                    return _after(place, before)
            if now > began + ANSWER_SECONDS + 5:
                asked.unlink(missing_ok=True)
                silent = warning("monitor-no-answer", waited_s=now - began)
                return JobReading(str(self._path), time.time_ns(), findings=(silent,))
        asked.unlink(missing_ok=True)
        return None


def kept_readings(path: Path, most: int) -> tuple[JobReading, ...]:
    """The last readings of a run, as many as ``most``."""
    try:
        lines = (path / READINGS_FILE).read_bytes().splitlines()[-most:]
    except OSError:
        return ()
    found = map(from_line, lines)
    return tuple(each for each in found if each is not None)


def _after(place: Path, before: int) -> JobReading | None:
    """The newest reading that was added after the file had so many bytes; None while none is whole."""
    size = _size(place)
    if size == before:
        return None
    with contextlib.suppress(OSError), place.open("rb") as file:
        # A smaller one was begun anew.
        file.seek(before if size > before else 0)
        added = file.read()
        return from_line(added.splitlines()[-1]) if added.endswith(b"\n") else None
    return None


def _size(place: Path) -> int:
    try:
        return place.stat().st_size
    except OSError:
        return 0
