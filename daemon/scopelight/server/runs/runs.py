"""The runs of the workspace folders: listed, pinned, and watched for changes."""

import asyncio
import functools
import itertools
import os
from collections.abc import Hashable, Sequence
from pathlib import Path

from scopelight.formats.errors import FormatError
from scopelight.model.run.experiment import EXPERIMENT_FILE, ListedExperiment, find_experiments
from scopelight.model.run.listing import RunRecord, find_runs
from scopelight.model.run.log_directories import LogDirectoryRecord, find_log_directories
from scopelight.model.run.names import RUN_FILE, RUNS_FOLDER
from scopelight.model.run.run_file import find_run_information, set_pinned
from scopelight.protocol import Nothing
from scopelight.protocol.runs import ListLogDirectories, LogDirectories, PinRun, Runs
from scopelight.report.language import sentence_of, text
from scopelight.report.run.listed import as_it_is
from scopelight.server.documents.paths import checked_path
from scopelight.server.runs.captures import present_progress
from scopelight.server.session import Session
from scopelight.server.wire.faults import RequestFailed

POLL_SECONDS = 2.0
"""Runs are made by other processes; how often the folders are looked at."""
TURNS_OF_DIRECTORIES = 15
"""How seldom it is looked for log directories of other tools, which lie anywhere."""


async def list_runs(session: Session, params: Nothing) -> Runs:  # noqa: ARG001 (every request has parameters)
    """The runs of all workspace folders, newest first."""
    roots = session.roots
    listed = await session.work.quick(lambda: (_runs(roots), _log_directories(roots), _experiments(roots)))
    return Runs(*listed)


async def list_log_directories(session: Session, params: ListLogDirectories) -> LogDirectories:
    """The log directories on a server. Raises `FormatError` with a sentence where it cannot be asked."""

    def listed() -> LogDirectories:
        # Few lists are of a server.
        from scopelight.model.remote.listed import list_directories  # noqa: PLC0415

        return LogDirectories(tuple(list_directories(params.address)))

    return await session.work.run("long", listed)


async def pin_run(session: Session, params: PinRun) -> Nothing:
    """Pin or unpin a run. Raises `RequestFailed` where its ``run.json`` cannot be written."""
    path = checked_path(params.path)
    await session.work.quick(lambda: _pin(path, params.pinned))
    session.tell("scopelight/runsChanged", Nothing())
    return Nothing()


async def watch_runs(session: Session) -> None:
    """Tell the client whenever the runs of the workspace folders have changed; never returns."""
    known: Hashable = None
    directories: Hashable = ()
    for turn in itertools.count():
        roots = session.roots
        listing: Hashable = await session.work.quick(functools.partial(_listing, roots))
        if turn % TURNS_OF_DIRECTORIES == 0:
            directories = await session.work.quick(functools.partial(_log_directories, roots))
        listing = (listing, directories)
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
            found.update((run.path, as_it_is(run)) for run in find_runs(root))
        except OSError:
            # A folder that went away, or a run that was deleted while it was looked at: the next listing is whole.
            continue
    return tuple(sorted(found.values(), key=lambda run: (run.created or "", run.path), reverse=True))


def _log_directories(roots: Sequence[Path]) -> tuple[LogDirectoryRecord, ...]:
    found: dict[str, LogDirectoryRecord] = {}
    for root in roots:
        found.update((each.path, each) for each in find_log_directories(root))
    return tuple(found.values())


def _experiments(roots: Sequence[Path]) -> tuple[ListedExperiment, ...]:
    found = {each.path: each for root in roots for each in find_experiments(root)}
    return tuple(sorted(found.values(), key=lambda each: (each.created or "", each.path), reverse=True))


def _listing(roots: Sequence[Path]) -> Hashable:
    """What changes whenever a run appears, goes, or is described anew."""
    entries: list[tuple[str, int]] = []
    for root in roots:
        try:
            with os.scandir(root / RUNS_FOLDER) as folders:
                entries.extend((folder.path, _described_ns(Path(folder.path))) for folder in folders)
        except OSError:
            continue
    return tuple(sorted(entries))


def _described_ns(folder: Path) -> int:
    return max(_modified_ns(folder / RUN_FILE), _modified_ns(folder / EXPERIMENT_FILE))


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
