"""Watching a job that runs: readings are told as they come, until it ends or is left."""

import asyncio
import contextlib
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs

from scopelight.capture.failures import CaptureFailure
from scopelight.protocol import Nothing
from scopelight.protocol.monitoring import JobWatched, WatchedJob, WatchedReading, WatchJob
from scopelight.report.language import text
from scopelight.server.documents.paths import checked_path
from scopelight.server.session import Session
from scopelight.server.wire.faults import RequestFailed

if TYPE_CHECKING:
    from scopelight.analysis.monitoring.records import JobReading
    from scopelight.capture.monitoring.run_source import RunMonitor, WatchSpec

MOST_READINGS: Final = 2000
"""Of those that were taken before."""
LEAST_SECONDS: Final = 0.5


async def watch_job(session: Session, params: WatchJob) -> WatchedJob:
    """Begin to watch a job. Raises `RequestFailed` where it is not being captured, or is no more."""
    # What captures is imported when someone does.
    from scopelight.capture.joining.further_window import job_of  # noqa: PLC0415
    from scopelight.capture.monitoring.run_source import RunMonitor, WatchSpec, kept_readings  # noqa: PLC0415

    path = checked_path(params.path)
    try:
        await session.work.quick(partial(job_of, path))
    except CaptureFailure as failure:
        raise RequestFailed(failure.sentence) from failure
    before = await session.work.quick(partial(kept_readings, path, MOST_READINGS))
    _leave(session)
    monitor = RunMonitor(path)
    session.leave_job = monitor.cancel
    spec = WatchSpec(max(LEAST_SECONDS, params.seconds))
    _watch(session, path, monitor, spec)
    return WatchedJob(str(path), tuple(map(_worded, before)))


async def leave_job(session: Session, params: Nothing) -> Nothing:  # noqa: ARG001 (every request has parameters)
    """Watch no more."""
    _leave(session)
    return Nothing()


def _leave(session: Session) -> None:
    if session.leave_job is not None:
        session.leave_job()
        session.leave_job = None


def _watch(session: Session, path: Path, monitor: "RunMonitor", spec: "WatchSpec") -> None:
    """Tell readings as they come, and at last why there are no more; one that is left is told of no more."""
    loop = asyncio.get_running_loop()

    def tell(watched: JobWatched) -> None:
        if session.leave_job == monitor.cancel:
            session.tell("scopelight/jobWatched", watched)
            if watched.reading is None:
                session.leave_job = None

    def read() -> None:
        try:
            for reading in monitor.readings(spec):
                loop.call_soon_threadsafe(tell, JobWatched(str(path), _worded(reading)))
            why = text("The job has ended.")
        except CaptureFailure as failure:
            why = failure.sentence
        loop.call_soon_threadsafe(tell, JobWatched(str(path), None, why))

    def work() -> None:
        # Where the session is over meanwhile nobody hears.
        with contextlib.suppress(RuntimeError):
            read()

    # Not one of a pool, whose threads are waited for at the end.
    threading.Thread(target=work, name="watching", daemon=True).start()


def _worded(reading: "JobReading") -> WatchedReading:
    from scopelight.report.findings.worded import sentences  # noqa: PLC0415
    from scopelight.report.monitoring import reading_line  # noqa: PLC0415

    names = {each.name for each in attrs.fields(WatchedReading)}
    fields = {name: each for name, each in attrs.asdict(reading, recurse=False).items() if name in names}
    said = tuple(sentences(each, "editor") for each in reading.findings)
    return WatchedReading(line=reading_line(reading), said=said, **fields)
