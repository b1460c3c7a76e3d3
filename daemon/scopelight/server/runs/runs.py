"""The runs of the workspace folders: listed, pinned, and watched for changes."""

import asyncio
import functools
import os
from collections.abc import Hashable, Sequence
from pathlib import Path

import attrs

from scopelight.formats.errors import FormatError
from scopelight.model.run.capture_process import is_alive
from scopelight.model.run.listing import RunRecord, find_runs
from scopelight.model.run.names import RUN_FILE, RUNS_FOLDER
from scopelight.model.run.run_file import find_run_information, set_pinned
from scopelight.protocol import Nothing
from scopelight.protocol.runs import PinRun, Runs
from scopelight.report.language import sentence_of, text, translated
from scopelight.server.documents.paths import checked_path
from scopelight.server.runs.captures import killed, present_progress
from scopelight.server.session import Session
from scopelight.server.wire.faults import RequestFailed

POLL_SECONDS = 2.0
"""Runs are made by other processes; how often the folders are looked at."""


async def list_runs(session: Session, params: Nothing) -> Runs:  # noqa: ARG001 (every request has parameters)
    """The runs of all workspace folders, newest first."""
    roots = session.roots
    return Runs(await session.work.quick(lambda: _runs(roots)))


async def pin_run(session: Session, params: PinRun) -> Nothing:
    """Pin or unpin a run. Raises `RequestFailed` where its ``run.json`` cannot be written."""
    path = checked_path(params.path)
    await session.work.quick(lambda: _pin(path, params.pinned))
    session.tell("scopelight/runsChanged", Nothing())
    return Nothing()


async def watch_runs(session: Session) -> None:
    """Tell the client whenever the runs of the workspace folders have changed; never returns."""
    known: Hashable = None
    while True:
        roots = session.roots
        listing = await session.work.quick(functools.partial(_listing, roots))
        if known is not None and listing != known:
            session.tell("scopelight/runsChanged", Nothing())
        known = listing
        await asyncio.sleep(POLL_SECONDS)


def known_scripts(roots: Sequence[Path]) -> list[Path]:
    """The scripts that the runs of the folders are of."""
    return [Path(run.cwd or "", run.script) for run in _runs(roots) if run.script is not None and not run.is_module]


def _runs(roots: Sequence[Path]) -> tuple[RunRecord, ...]:
    found: dict[str, RunRecord] = {}
    for root in roots:
        try:
            found.update((run.path, _as_it_is(run)) for run in find_runs(root))
        except OSError:
            # A folder that went away, or a run that was deleted while it was looked at: the next listing is whole.
            continue
    return tuple(sorted(found.values(), key=lambda run: (run.created or "", run.path), reverse=True))


def _as_it_is(run: RunRecord) -> RunRecord:
    """The run in the language of the person, as failed where its capture was killed before it could say so."""
    if run.problem is not None:
        return attrs.evolve(run, problem=translated(run.problem))
    if run.state != "running" or run.pid is None or is_alive(run.pid):
        return run
    return attrs.evolve(run, state="failed", failure=killed())


def _listing(roots: Sequence[Path]) -> Hashable:
    """What changes whenever a run appears, goes, or is described anew."""
    entries: list[tuple[str, int]] = []
    for root in roots:
        try:
            with os.scandir(root / RUNS_FOLDER) as folders:
                entries.extend((folder.path, _modified_ns(Path(folder.path, RUN_FILE))) for folder in folders)
        except OSError:
            continue
    return tuple(sorted(entries))


def _modified_ns(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return -1


def _pin(path: Path, pinned: bool) -> None:
    try:
        run = find_run_information(path)
        if run is not None and run.state == "running" and present_progress(path).stage != "failed":
            raise RequestFailed(text("{run} is still being captured: pin it when it is done.", run=path.name))
        set_pinned(path, pinned)
    except FormatError as error:
        raise RequestFailed(sentence_of(error)) from error
    except OSError as error:
        raise RequestFailed(
            text("{file} cannot be written ({reason}).", file=path / RUN_FILE, reason=error.strerror or error)
        ) from error
