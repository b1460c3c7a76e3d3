"""Another window of a job that is being captured and still runs."""

import asyncio
import contextlib
import threading
import time
from functools import partial
from pathlib import Path
from typing import Final

from scopelight.capture.failures import CaptureFailure
from scopelight.formats.errors import FormatError
from scopelight.model.run.run_file import find_run_information
from scopelight.protocol import Nothing
from scopelight.protocol.runs import CaptureAgain
from scopelight.report.language import text
from scopelight.server.documents.paths import checked_path
from scopelight.server.runs.capture_progress import progress_message
from scopelight.server.session import Session
from scopelight.server.wire.faults import RequestFailed
from scopelight.server.wire.progress import progress

_TOLD_SECONDS: Final = 0.2


async def capture_again(session: Session, params: CaptureAgain) -> Nothing:
    """Have another window taken; answers when it is published. Raises `RequestFailed` where the job runs no more."""
    # What captures is imported when someone does.
    from scopelight.capture.joining.further_window import capture_further  # noqa: PLC0415

    path, cancelled = checked_path(params.path), threading.Event()
    async with progress(session, params.workDoneToken, text("Capturing")) as report:
        asked_ns, told = time.time_ns(), None
        capturing = asyncio.get_running_loop().run_in_executor(None, partial(capture_further, path, cancelled))
        try:
            while not capturing.done():
                message = await session.work.quick(partial(_progress, path, asked_ns))
                if message != told:
                    report(message)
                    told = message
                await asyncio.wait((capturing,), timeout=_TOLD_SECONDS)
            await capturing
        except asyncio.CancelledError:
            cancelled.set()
            # Nobody hears any more of how it went.
            with contextlib.suppress(CaptureFailure):
                await capturing
            raise
        except CaptureFailure as failure:
            raise RequestFailed(failure.sentence) from failure
    return Nothing()


def _progress(path: Path, asked_ns: int) -> str:
    """How far the window is that was asked for; the one before is told of until it begins."""
    try:
        run = find_run_information(path)
    except FormatError:
        run = None
    state = None if run is None else run.progress
    if state is None or state.stage != "capturing" or (state.started_ns or 0) < asked_ns:
        return text("capturing now")
    return progress_message(state, time.time_ns())
