"""Capturing jobs that nobody prepared, by the agent that is put into them."""

import asyncio
import contextlib
from functools import partial

from scopelight.capture.failures import CaptureFailure
from scopelight.model.run.information import WindowOptions
from scopelight.protocol.jobs import AttachToJob, CapturedJobs
from scopelight.report.language import text
from scopelight.server.documents.paths import checked_path
from scopelight.server.session import Session
from scopelight.server.wire.faults import RequestFailed
from scopelight.server.wire.progress import progress


async def attach_to_job(session: Session, params: AttachToJob) -> CapturedJobs:
    """Capture a process, with progress. Raises `RequestFailed` where the agent does not come in."""
    # What captures is imported when someone does.
    from scopelight.capture.attaching.attach_source import AttachSource, AttachSpec  # noqa: PLC0415

    folder = checked_path(params.folder)
    loop = asyncio.get_running_loop()
    async with progress(session, params.workDoneToken, text("Capturing")) as report:

        def tell(message: str) -> None:
            loop.call_soon_threadsafe(report, message)

        begun = text("capturing {seconds} s", seconds=f"{params.seconds:g}")
        source = AttachSource(params.pid, tell, lambda: tell(begun))
        spec = AttachSpec(WindowOptions(seconds=params.seconds), folder=folder)
        report(text("putting the agent into the job"))
        # Its own thread: a long capture keeps nothing else from being read.
        capturing = loop.run_in_executor(None, partial(source.capture, spec))
        try:
            captured = await asyncio.shield(capturing)
        except asyncio.CancelledError:
            source.cancel()
            # Nobody hears any more of how it went.
            with contextlib.suppress(CaptureFailure):
                await capturing
            raise
        except CaptureFailure as failure:
            raise RequestFailed(failure.sentence) from failure
    run = captured.run
    assert run is not None
    if run.information.state != "captured":
        return CapturedJobs(None, (run.information.failure or text("Nothing was captured."),))
    return CapturedJobs(str(run.path), ())
