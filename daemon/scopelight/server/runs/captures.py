"""Following a capture that another process makes, until its profile can be opened."""

import asyncio
import os
import time
from pathlib import Path

import attrs

from scopelight.formats.errors import FormatError
from scopelight.model.run.information import CaptureProgress
from scopelight.model.run.run_file import read_progress
from scopelight.protocol.runs import FollowCapture, FollowedCapture
from scopelight.report.language import sentence_of, text
from scopelight.server.documents.paths import checked_path
from scopelight.server.session import Session
from scopelight.server.wire.progress import progress


def is_alive(pid: int) -> bool:
    """Whether a process with this id exists; also True where the system cannot be asked without harm."""
    if os.name != "posix" or pid <= 0:
        # On Windows the signal that only asks elsewhere is an interrupt.
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


POLL_SECONDS = 0.2


async def follow_capture(session: Session, params: FollowCapture) -> FollowedCapture:
    """Report the progress of the capture that fills a run directory; answers when it is captured or has failed."""
    path = checked_path(params.path)
    async with progress(session, params.workDoneToken, text("Profiling")) as report:
        told = None
        while True:
            state = await session.work.quick(lambda: present_progress(path))
            if state.stage in ("captured", "failed"):
                return FollowedCapture(str(path), state.stage, state.failure, state.out_of_memory, state.error)
            message = progress_message(state, time.time_ns())
            if message != told:
                report(message)
                told = message
            await asyncio.sleep(POLL_SECONDS)


def progress_message(state: CaptureProgress, now_ns: int) -> str:
    """What a capture is doing, in a few words; ``now_ns`` (epoch) tells which step its window has reached."""
    match state.stage:
        case "compiling":
            if not state.programs:
                return text("compiling")
            return text(
                "compiling (1 program)" if state.programs == 1 else "compiling ({number} programs)",
                number=state.programs,
            )
        case "measuring":
            return text("finding the step")
        case "capturing":
            return _window(state, now_ns)
        case "calibrating":
            return text("measuring the machine")
    return text("starting")


def _window(state: CaptureProgress, now_ns: int) -> str:
    if state.started_ns is None:
        return text("capturing")
    since_seconds = (now_ns - state.started_ns) / 1e9
    if since_seconds < 0:
        return text("waiting for the window")
    if state.seconds is None:
        return text("capturing until the script ends")
    if since_seconds > state.seconds:
        return text("saving")
    if not state.steps or not state.period_seconds:
        return text("capturing, {since} of {seconds} s", since=f"{since_seconds:.0f}", seconds=f"{state.seconds:.3g}")
    step = min(state.steps, int(since_seconds / state.period_seconds) + 1)
    return text("step {step} of {steps}", step=step, steps=state.steps)


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
    return attrs.evolve(
        state,
        stage="failed",
        failure=text("The capture of {run} stopped before it was done: its terminal says why.", run=path.name),
    )
