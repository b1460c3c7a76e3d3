"""Have the agent in a job take a glance at it, and make a reading of what it sees."""

import contextlib
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import attrs

from scopelight.capture.conducting.job import Job
from scopelight.capture.conducting.observer import Observer
from scopelight.capture.monitoring.programs import Programs
from scopelight.findings import Finding, note, warning
from scopelight.formats.lenient import from_json
from scopelight.model.run.names import RECORDING_SUFFIX

if TYPE_CHECKING:
    from scopelight.analysis.monitoring.records import JobReading

GLANCE_SECONDS: Final = 0.2
ANSWER_SECONDS: Final = 30.0
"""A job that holds Python's lock for longer is no more waited for."""
_FOLDER: Final = ".glances"


class Glancing:
    """Readings of one job, one after the other: ``tell`` is called with each, in the observer's thread or in that of
    `look`. Traces lie in ``folder`` until they were looked at."""

    def __init__(self, folder: Path, address: str, observer: Observer, tell: Callable[["JobReading"], None]) -> None:
        self._folder = folder / _FOLDER
        self._address = address
        self._observer = observer
        self._tell = tell
        self._asked_at: float | None = None
        self._asked_ns = 0
        self._steps_of: str | None = None
        self._processes = 1
        self._programs = Programs()

    @property
    def is_at_it(self) -> bool:
        """Whether a reading is being made."""
        return self._asked_at is not None

    def ask(self, job: Job, steps_of: str | None) -> None:
        """Begin a reading; ``steps_of`` is the program or annotation whose runs are known to be the steps."""
        self._asked_at, self._asked_ns = time.monotonic(), time.time_ns()
        self._processes = job.processes
        self._folder.mkdir(exist_ok=True)
        file = self._folder / f"{self._asked_ns}.xspace"
        job.glance(file, GLANCE_SECONDS, steps_of or self._steps_of, of_programs=self._programs.are_wanted)

    def look(self) -> None:
        """Give a reading up that does not come."""
        if self._asked_at is not None and time.monotonic() > self._asked_at + ANSWER_SECONDS:
            self._nothing(warning("monitor-no-answer", waited_s=ANSWER_SECONDS))

    def hear(self, message: dict[str, Any]) -> None:
        """The agent has taken a glance, or says why it has not."""
        if self._asked_at is None:
            # Its reading was given up.
            if "file" in message:
                _remove(Path(message["file"]))
            return
        match message.get("why"):
            case None:
                self._observer.do(lambda: self._read(message))
            case "captured":
                self._nothing(note("monitor-while-captured"), message.get("steps"))
            case "script-traces":
                self._nothing(note("monitor-while-script-traces"), message.get("steps"))
            case _:
                self._nothing(warning("monitor-not-traced", problem=str(message.get("problem", ""))))

    def refuse(self, why: Finding) -> None:
        """Tell a reading of nothing but why."""
        self._asked_ns = time.time_ns()
        self._nothing(why)

    def close(self) -> None:
        """Leave nothing behind."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _read(self, message: dict[str, Any]) -> None:
        from scopelight.analysis.monitoring.glanced import CountedSteps, glanced_reading  # noqa: PLC0415
        from scopelight.analysis.steps.steps import find_steps  # noqa: PLC0415
        from scopelight.capture.monitoring.tpu_runtime import with_runtime  # noqa: PLC0415
        from scopelight.model.opening.profile import open_profile  # noqa: PLC0415

        file = Path(message["file"])
        try:
            self._programs.go_with(file, int(message["compiles"]))
            profile = open_profile(file)
            steps = find_steps(profile)
            if steps.source in ("annotation", "repetition"):
                # Without programs a repetition has no name in older versions of jax.
                self._steps_of = steps.name or self._steps_of
            reading = glanced_reading(
                profile,
                self._address,
                self._asked_ns,
                from_json(message.get("steps"), CountedSteps),
                traced_seconds=float(message["seconds"]),
                pause_seconds=float(message["start_seconds"]) + float(message["stop_seconds"]),
            )
            if reading.device_type == "tpu":
                reading = with_runtime(reading)
        except Exception as error:  # As with every trace that is looked at: the job is still followed.
            self._nothing(warning("trace-not-looked-at", problem=f"{type(error).__name__}: {error}"))
            return
        finally:
            _remove(file)
        self._done(reading)

    def _nothing(self, why: Finding, steps: object = None) -> None:
        """A reading without a trace: what was counted is known all the same."""
        from scopelight.analysis.monitoring.glanced import CountedSteps, with_counted  # noqa: PLC0415
        from scopelight.analysis.monitoring.records import JobReading  # noqa: PLC0415

        reading = JobReading(self._address, self._asked_ns, findings=(why,))
        counted = from_json(steps, CountedSteps)
        self._done(reading if counted is None else with_counted(reading, counted))

    def _done(self, reading: "JobReading") -> None:
        if self._processes > 1:
            of_one = note("monitor-of-one-process", processes=self._processes)
            reading = attrs.evolve(reading, findings=(*reading.findings, of_one))
        self._tell(reading)
        self._asked_at = None


def _remove(file: Path) -> None:
    for each in (file, file.with_name(file.name + RECORDING_SUFFIX)):
        with contextlib.suppress(OSError):
            each.unlink(missing_ok=True)
