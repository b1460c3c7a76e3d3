"""Following a capture that another process makes, until its profile can be opened."""

import asyncio
import contextlib
import functools
import time
from pathlib import Path

import attrs

from scopelight.formats.errors import FormatError
from scopelight.model.run.capture_process import is_alive
from scopelight.model.run.information import CaptureProgress
from scopelight.model.run.names import CAPTURE_NOW_FILE, RUN_FILE
from scopelight.model.run.run_file import read_progress
from scopelight.protocol import Nothing
from scopelight.protocol.runs import CaptureNow, FollowCapture, FollowedCapture
from scopelight.report.language import sentence_of, text
from scopelight.report.run.listed import killed
from scopelight.server.documents.paths import checked_path
from scopelight.server.runs.capture_progress import progress_message
from scopelight.server.session import Session
from scopelight.server.wire.faults import RequestFailed
from scopelight.server.wire.progress import progress

POLL_SECONDS = 0.2


async def follow_capture(session: Session, params: FollowCapture) -> FollowedCapture:
    """Report the progress of the capture that fills a run directory; answers when it is captured or has failed."""
    path = checked_path(params.path)
    session.followed.setdefault(path, False)
    try:
        return await _follow(session, params, path)
    finally:
        session.followed.pop(path, None)


async def _follow(session: Session, params: FollowCapture, path: Path) -> FollowedCapture:
    async with progress(session, params.workDoneToken, text("Profiling")) as report:
        told = None
        while True:
            if session.followed.get(path) and await session.work.quick(lambda: _tell_early(path)):
                session.followed[path] = False
            is_early = session.followed.get(path, False)
            state = await session.work.quick(functools.partial(_with_window, path, is_early=is_early))
            if state.stage in ("captured", "failed"):
                return FollowedCapture(str(path), state.stage, state.failure, state.out_of_memory, state.error)
            message = progress_message(state, time.time_ns())
            if state.waits and params.capture_now_command is not None:
                message = f"{message} [{text('Capture Now')}](command:{params.capture_now_command})"
            if message != told:
                report(message)
                told = message
            await asyncio.sleep(POLL_SECONDS)


async def capture_now(session: Session, params: CaptureNow) -> Nothing:
    """Have a capture open its window at once. Raises `RequestFailed` where none is at work, or cannot be told."""
    path = checked_path(params.path)
    if path in session.followed and not await session.work.quick((path / RUN_FILE).is_file):
        session.followed[path] = True
    else:
        await session.work.quick(lambda: _ask_for_window(path))
    return Nothing()


def _tell_early(path: Path) -> bool:
    """Ask for the window that was wanted before; False where there is still no capture to be told."""
    if not (path / RUN_FILE).is_file():
        return False
    # It may have ended meanwhile, as the next look will tell.
    with contextlib.suppress(RequestFailed):
        _ask_for_window(path)
    return True


def _with_window(path: Path, *, is_early: bool) -> CaptureProgress:
    """The progress, which tells before there is anything to capture that the window was asked for."""
    state = present_progress(path)
    is_asked = state.stage == "starting" and (is_early or (path / CAPTURE_NOW_FILE).is_file())
    return attrs.evolve(state, is_by_hand=True) if is_asked else state


def _ask_for_window(path: Path) -> None:
    stage = present_progress(path).stage
    if not (path / RUN_FILE).is_file() or stage in ("captured", "failed"):
        raise RequestFailed(text("{run} is not being captured any more.", run=path.name))
    file = path / CAPTURE_NOW_FILE
    try:
        file.touch()
    except OSError as error:
        raise RequestFailed(
            text("{file} cannot be written ({reason}).", file=file, reason=error.strerror or error)
        ) from error


def present_progress(path: Path) -> CaptureProgress:
    """The progress on disk; failed where the process that should go on with it is gone."""
    try:
        state = read_progress(path)
        if state.stage in ("captured", "failed") or state.pid is None or is_alive(state.pid):
            return state
        # It may have ended properly between the two looks.
        state = read_progress(path)
    except FormatError as error:
        return CaptureProgress("failed", failure=sentence_of(error))
    if state.stage in ("captured", "failed"):
        return state
    return attrs.evolve(state, stage="failed", failure=killed())
