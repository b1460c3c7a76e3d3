"""Another window of a job that is being captured and still runs."""

import asyncio
import threading
from functools import partial

from scopelight.capture.failures import CaptureFailure
from scopelight.protocol import Nothing
from scopelight.protocol.runs import CaptureAgain
from scopelight.report.language import text
from scopelight.server.documents.paths import checked_path
from scopelight.server.session import Session
from scopelight.server.wire.faults import RequestFailed
from scopelight.server.wire.progress import progress


async def capture_again(session: Session, params: CaptureAgain) -> Nothing:
    """Have another window taken; answers when it is published. Raises `RequestFailed` where the job runs no more."""
    # What captures is imported when someone does.
    from scopelight.capture.joining.further_window import capture_further  # noqa: PLC0415

    path, cancelled = checked_path(params.path), threading.Event()
    async with progress(session, params.workDoneToken, text("Capturing")) as report:
        report(text("capturing now"))
        capturing = asyncio.get_running_loop().run_in_executor(None, partial(capture_further, path, cancelled))
        try:
            await asyncio.shield(capturing)
        except asyncio.CancelledError:
            cancelled.set()
            await capturing
            raise
        except CaptureFailure as failure:
            raise RequestFailed(failure.sentence) from failure
    return Nothing()
