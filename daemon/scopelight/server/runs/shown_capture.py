"""The shown run while its capture goes on: made anew when the machine is being measured, and when it was."""

import asyncio
import functools
import logging
from pathlib import Path

from scopelight.formats.errors import FormatError
from scopelight.model.run.capture_process import has_gone
from scopelight.model.run.information import RunInformation
from scopelight.model.run.lookup import run_folder
from scopelight.model.run.measuring import measuring_of
from scopelight.model.run.run_file import find_run_information
from scopelight.protocol.runs import ShownRun
from scopelight.server.runs.loading import LoadedRun
from scopelight.server.runs.shown_run import described
from scopelight.server.session import Session

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.5
"""What a capture writes is made by another process; how often it is looked at."""


def follow_capture_of_shown_run(session: Session) -> None:
    """From now on show runs as their captures leave them."""
    following: list[asyncio.Task[None]] = []

    def changed() -> None:
        while following:
            following.pop().cancel()
        run = session.shown
        if run is not None and run.capture is not None and _is_at_work(run.capture):
            following.append(session.spawn(_follow(session, run, run.capture)))

    session.shown_changed.subscribe(changed)


async def _follow(session: Session, run: LoadedRun, known: RunInformation) -> None:
    """Show ``run`` anew once its capture knows more of the machine than when it was read."""
    while True:
        is_at_work = _is_at_work(known)
        found = await session.work.quick(functools.partial(_present, run_folder(run.path) or run.path))
        if found is not None and is_news(known, found, is_at_work=is_at_work) and await _show_anew(session, run):
            # What is shown now is followed by itself.
            return
        if not is_at_work:
            return
        await asyncio.sleep(POLL_SECONDS)


def _is_at_work(capture: RunInformation) -> bool:
    """Whether the process of a capture may still write that the CPU was measured."""
    is_named = capture.progress is not None and capture.progress.pid is not None
    return capture.backend == "cpu" and capture.calibrates and is_named and not has_gone(capture)


def is_news(known: RunInformation, found: RunInformation, *, is_at_work: bool) -> bool:
    """Whether rates are held against a peak now, or another reason why not is to be told, where ``known`` was read of a
    capture that was at work.

    Between the script's end and the measurement a capture looks as one that does not measure.
    """
    measuring = measuring_of(found, has_gone=not is_at_work)
    if is_at_work and measuring == "not-measured":
        return False
    return measuring != measuring_of(known, has_gone=False) or found.calibration != known.calibration


def _present(path: Path) -> RunInformation | None:
    try:
        return find_run_information(path)
    except FormatError:
        # It went away, or is no run any more: what is shown stays as it was read.
        return None


async def _show_anew(session: Session, run: LoadedRun) -> bool:
    """Read the run and show it, unless another was shown meanwhile; False where it could not be read."""
    try:
        found = await session.loading.load(run.path, run.roots, run.scope, lambda _: None)
        opened = await described(session, found)
    except FormatError as error:
        logger.warning("The run stays as it was read before: %s", error)
        return False
    if session.shown is run:
        # This ends the task that it is called in.
        session.show(found)
        session.tell("scopelight/shownRun", ShownRun(opened))
    return True
