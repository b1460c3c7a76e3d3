"""Capture a job that nobody prepared: the agent is put into it, takes one window, and leaves."""

import contextlib
import os
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Final

import attrs

from scopelight.analysis.monitoring.records import JobReading
from scopelight.capture.attaching.injection import Target, find_target, inject
from scopelight.capture.attaching.watching import watch
from scopelight.capture.conducting.conductor import Conductor
from scopelight.capture.conducting.job import Ended
from scopelight.capture.conducting.observer import Observer
from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.joining.description import described
from scopelight.capture.joining.joined_job import JoinedJob
from scopelight.capture.monitoring.run_source import RunMonitor, WatchSpec
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.capture.publishing.sources import Sources
from scopelight.capture.servers.local_process import state_of
from scopelight.capture.source import Captured
from scopelight.model.run.information import RunInformation, WindowOptions
from scopelight.model.run.names import CAPTURE_NOW_FILE
from scopelight_agent.job import meeting_folder

ANSWER_SECONDS: Final = 60.0
"""The agent comes in when Python goes on with its next statement: a call that takes long is waited for as long."""
_LOOK_SECONDS: Final = 0.1


@attrs.frozen
class AttachSpec:
    """``window`` is captured, into the directory ``out``; None: a new one in ``folder``, or in the job's own."""

    window: WindowOptions
    out: Path | None = None
    folder: Path | None = None


class AttachSource:
    """The process ``pid``.

    ``say`` is told what it waits for, in a sentence; ``entered`` is called once the agent is in.
    """

    def __init__(
        self, pid: int, say: Callable[[str], None] = lambda _: None, entered: Callable[[], None] = lambda: None
    ) -> None:
        self._pid = pid
        self._say = say
        self._entered = entered
        self._cancelled = threading.Event()
        self._job: JoinedJob | None = None
        self._watched: RunMonitor | None = None

    def probe(self) -> Target:
        """The process that the agent can be put into. Raises `CaptureFailure` that says why it cannot."""
        return find_target(self._pid)

    def cancel(self) -> None:
        """End what another thread waits for; the job goes on untouched."""
        self._cancelled.set()
        if self._job is not None:
            self._job.messages.put(Ended(None))
        if self._watched is not None:
            self._watched.cancel()

    def capture(self, spec: AttachSpec) -> Captured:
        """Take one window of the job. Raises `CaptureFailure` where the agent does not come in."""
        target = self.probe()
        with self._meeting() as (job, place):
            cwd = target.process.cwd or Path.cwd()
            stem = Path(target.process.name).stem
            run = RunDirectory.create(spec.out, spec.folder or cwd, stem, RunInformation(state="running"))
            try:
                self._wait(job, inject(target, place, run.path))
                self._refuse_captured(job)
            except CaptureFailure:
                if spec.out is None:
                    shutil.rmtree(run.path, ignore_errors=True)
                raise
            self._entered()
            return self._conduct(job, run, spec, cwd)

    def monitor(self, spec: WatchSpec) -> Generator[JobReading]:
        """How the job does, a reading after the other. Raises `CaptureFailure` where the agent does not come in."""
        target = self.probe()
        with tempfile.TemporaryDirectory(prefix="scopelight-") as folder, self._meeting() as (job, place):
            self._wait(job, inject(target, place, Path(folder), is_watched=True))
            already = job.description.get("captured_already")
            if not already:
                yield from watch(job, Path(folder), f"pid:{self._pid}", spec, self._cancelled)
                return
        # Whoever captures it takes them.
        watched = self._watched = RunMonitor(Path(already))
        yield from watched.readings(spec)

    @contextlib.contextmanager
    def _meeting(self) -> Iterator[tuple[JoinedJob, Path]]:
        """The job, once its agent comes to a place, and that place; it is left at the end."""
        place = Path(meeting_folder()) / f"attach-{os.getpid()}-{time.time_ns() % 10**9}.socket"
        with contextlib.ExitStack() as at_the_end:
            for each in (place, place.with_suffix(".py"), place.with_suffix(".problem")):
                at_the_end.callback(each.unlink, missing_ok=True)
            listener = at_the_end.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(str(place))
            listener.listen(1)
            job = self._job = JoinedJob(listener)
            at_the_end.callback(job.leave)
            yield job, place

    def _wait(self, job: JoinedJob, problem: Path) -> None:
        """Until the agent is in; raises `CaptureFailure` where it is not."""
        end = time.monotonic() + ANSWER_SECONDS
        told = time.monotonic() + 2.0
        while not job.wait_for_the_first(_LOOK_SECONDS):
            state, now = state_of(self._pid), time.monotonic()
            if state == "ended":
                raise CaptureFailure(f"Process {self._pid} ended before the agent was in it.", Exit.NOT_CAPTURED)
            if problem.exists():
                words = problem.read_text(encoding="utf-8", errors="replace")
                raise CaptureFailure(f"The agent could not begin in process {self._pid}: {words}.", Exit.NOT_CAPTURED)
            if self._cancelled.is_set() or now > end:
                why = "it is stopped: continue it" if state == "stopped" else "it is in the middle of a long call"
                raise CaptureFailure(
                    f"Process {self._pid} did not let the agent in within {now - end + ANSWER_SECONDS:.0f} s: {why}."
                    " The agent may come in later, and leaves at once.",
                    Exit.NOT_CAPTURED,
                )
            if now > told:
                told = end
                self._say("waiting for the job to go on with its next statement, which lets the agent in.")

    @staticmethod
    def _refuse_captured(job: JoinedJob) -> None:
        already = job.description.get("captured_already")
        if already:
            raise CaptureFailure(
                f"The job is being captured already: `scopelight capture --run {already}` takes another window of it.",
                Exit.REFUSED,
            )

    def _conduct(self, job: JoinedJob, run: RunDirectory, spec: AttachSpec, cwd: Path) -> Captured:
        told = attrs.asdict(described(job.description, spec.window), recurse=False)
        run.update(**{name: value for name, value in told.items() if name not in ("directory", "path")})
        sources = Sources(cwd, float(job.description["time"]))

        def end(_: RunDirectory) -> None:
            job.messages.put(Ended(None))

        # Whoever captures a run that waits asks for its window so.
        (run.path / CAPTURE_NOW_FILE).touch()
        conductor = Conductor(run, spec.window, sources, end, Observer(), is_asked_for=True)
        conductor.next_file()
        failure = conductor.conduct(job).failure
        exit_code = None if failure is None else Exit.NOT_CAPTURED
        return Captured(run, exit_code=exit_code, was_cancelled=self._cancelled.is_set())
