"""The conductor's part in watching its job: a file in the run asks for a reading, which is added to another."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from scopelight.capture.conducting.job import Job
from scopelight.capture.conducting.observer import Observer
from scopelight.capture.monitoring.glancing import Glancing
from scopelight.findings import note
from scopelight.model.run.names import MONITOR_NOW_FILE, READINGS_FILE

if TYPE_CHECKING:
    from scopelight.analysis.monitoring.records import JobReading

LOOKED_EVERY_SECONDS: Final = 0.2
"""So often it is looked whether someone asks."""
MOST_BYTES: Final = 8 << 20
"""Of readings: a job that is watched for weeks begins them anew."""


class WatchedRun:
    """Whoever asks for a reading of the job whose run is at ``path`` gets it in the file of readings."""

    def __init__(self, path: Path, observer: Observer) -> None:
        self._asked = path / MONITOR_NOW_FILE
        self._readings = path / READINGS_FILE
        self.glancing = Glancing(path, str(path), observer, self._write)

    def look(self, job: Job, steps_of: str | None, *, has_backend: bool) -> None:
        """Begin a reading where one is asked for; asking while one is made asks for that."""
        self.glancing.look()
        if self.glancing.is_at_it:
            return
        try:
            self._asked.unlink()
        except OSError:
            return
        if has_backend:
            self.glancing.ask(job, steps_of)
        else:
            self.glancing.refuse(note("monitor-no-device-yet"))

    def close(self) -> None:
        """The job has ended."""
        self._asked.unlink(missing_ok=True)
        self.glancing.close()

    def _write(self, reading: "JobReading") -> None:
        from scopelight.analysis.monitoring.kept import to_line  # noqa: PLC0415

        try:
            is_full = self._readings.exists() and self._readings.stat().st_size > MOST_BYTES
            with self._readings.open("w" if is_full else "a", encoding="utf-8") as file:
                file.write(to_line(reading))
        except OSError:
            # Who asked is told after a while that nothing comes; the capture goes on.
            return
