"""The run that is shown: opened, closed, and told to the client."""

import logging
from collections.abc import Sequence
from pathlib import Path

from pygls.exceptions import JsonRpcException, JsonRpcRequestCancelled

from scopelight.analysis.records import LineRecord
from scopelight.formats.errors import FormatError
from scopelight.model.remote.addresses import is_address, name_of
from scopelight.model.run.lookup import run_folder
from scopelight.model.run.predicted_by import prediction_of
from scopelight.protocol import Nothing
from scopelight.protocol.lines import LocatedLine
from scopelight.protocol.runs import HottestLine, OpenedRun, OpenRun, ShownRun
from scopelight.report import sentences
from scopelight.report.language import text
from scopelight.report.prediction.around import sentences_of_prediction
from scopelight.report.run.script_name import script_name
from scopelight.report.run.summary import NamedLine, hottest_rows, summary
from scopelight.server.documents.paths import checked_path
from scopelight.server.runs.downloading import downloaded
from scopelight.server.runs.loading import LoadedRun
from scopelight.server.runs.runs import known_scripts
from scopelight.server.session import Session
from scopelight.server.wire.faults import RequestFailed
from scopelight.server.wire.progress import progress
from scopelight.server.work import HOLD_FILES

logger = logging.getLogger(__name__)

MOST_SOUGHT = 20
"""Lines whose files are looked for: all of a run that was recorded elsewhere may be missing."""


async def open_run(session: Session, params: OpenRun) -> OpenedRun:
    """Make a path the run that is shown.

    Raises `FormatError` where it cannot be read. Where another run was opened, or the run closed, while this one was
    read, that stays as it is and this request counts as cancelled.
    """
    return await open_path(session, params, create_progress=False)


async def open_path(session: Session, params: OpenRun, *, create_progress: bool) -> OpenedRun:
    """`open_run`; where the client gave no token, ``create_progress`` asks it for a place to show the progress."""
    address = params.path if is_address(params.path) else None
    path = checked_path(params.path) if address is None else Path(params.path)
    turn = session.next_turn(path)
    title = text("Opening {file}", file=path.name if address is None else name_of(address))
    async with progress(session, params.workDoneToken, title, create=create_progress) as report:
        wished = path
        if address is not None:
            path = await downloaded(session, address, report)
        run = await session.loading.load(path, session.roots, session.settings.scope, report)
    if not session.is_turn(turn, wished):
        raise JsonRpcRequestCancelled("Another run was opened meanwhile.")
    is_new = session.shown is not run
    if is_new:
        session.show(run)
    opened = await described(session, run)
    if is_new:
        session.tell("scopelight/shownRun", ShownRun(opened))
    return opened


async def close_run(session: Session, params: Nothing) -> Nothing:  # noqa: ARG001 (every request has parameters)
    """Show no run."""
    session.next_turn(None)
    if session.shown is not None:
        session.cache.forget(session.shown.path, *HOLD_FILES)
        session.timelines.forget(session.shown.path)
        session.show(None)
        session.tell("scopelight/shownRun", ShownRun(None))
    return Nothing()


def shown_run(session: Session) -> LoadedRun:
    """The run that is shown. Raises `RequestFailed` where none is."""
    if session.shown is None:
        raise RequestFailed(text("No run is shown: open one first."))
    return session.shown


async def reanalyse(session: Session) -> None:
    """Show the same run as the present folders and scope make it; which lines are the user's depends on the folders."""
    run = session.shown
    if run is None:
        return
    try:
        await open_run(session, OpenRun(str(run.path)))
    except (FormatError, JsonRpcException) as error:
        logger.warning("The run stays as it was made before: %s", error)


def follow_settings(session: Session) -> None:
    """Show the same run in another scope, or with its files elsewhere, when that is set."""

    def changed() -> None:
        run, settings = session.shown, session.settings
        if run is None:
            return
        if (run.scope, run.source_folders) != (settings.scope, settings.source_folders or {}):
            session.spawn(reanalyse(session))

    session.settings_changed.subscribe(changed)


async def described(session: Session, run: LoadedRun) -> OpenedRun:
    """What people read of a run."""
    record = run.record
    named, place = await _led_to(session, run)
    roots = session.roots
    fetched = session.fetched.get(run.path)
    title, predicted_by = await session.work.quick(lambda: (_title(run, roots), _predicted_by(run)))
    return OpenedRun(
        path=str(run.path),
        address=None if fetched is None else fetched.address,
        session=_session(run),
        title=title,
        headline=sentences.headline(record),
        # What ran is not known then, which is not to say that nothing did.
        short=text("no trace") if run.memory_alone else sentences.short(record, fits=run.without_room is None),
        summary=summary(record, title, script=run.script, named=named, without_room=run.without_room),
        busy_ratio=sentences.busy_ratio(record),
        hottest=_hottest(named.line, place) if named is not None else None,
        lines=sum(line.self_ps > 0 or line.waiting_ps > 0 for line in record.lines),
        files=tuple(dict.fromkeys(line.file for line in record.lines if line.file)),
        has=run.has,
        never_ran=run.never_ran,
        memory_alone=run.memory_alone,
        out_of_memory=run.out_of_memory,
        findings=record.findings if fetched is None else (*fetched.findings, *record.findings),
        predicted_for=record.predicted_for,
        prediction=sentences_of_prediction(record.findings),
        predicted_by=predicted_by,
    )


def _session(run: LoadedRun) -> str | None:
    folder = run_folder(run.path)
    window = None if run.capture is None else run.capture.window
    if folder is None or window is None or window.session is None:
        return None
    return str(folder / window.session)


def _predicted_by(run: LoadedRun) -> str | None:
    if run.capture is None or run.capture.path is None or run.record.predicted_for is not None:
        return None
    found = prediction_of(run.capture.path.parent, run.capture)
    return None if found is None else str(found)


def _title(run: LoadedRun, roots: Sequence[Path]) -> str:
    """What the run is called beside those of the workspace."""
    if run.script is None or run.capture is None or run.capture.is_module:
        return run.title
    return script_name(Path(run.script), known_scripts(roots), roots)


async def _led_to(session: Session, run: LoadedRun) -> tuple[NamedLine | None, LocatedLine | None]:
    """The hottest line that there is something to be seen of, and where it is now; the hottest where there is none."""
    hottest = hottest_rows(run.record)
    for row in hottest[:MOST_SOUGHT]:
        line = run.record.lines[row]
        if line.file is None:
            continue
        place = await session.placements.locate(run, line.file, line.line)
        code = run.recorded_text(row)
        if code is not None or place.state != "gone":
            return NamedLine(line, code), place
    return (NamedLine(run.record.lines[hottest[0]]) if hottest else None), None


def _hottest(line: LineRecord, place: LocatedLine | None) -> HottestLine:
    return HottestLine(
        file=place.file if place else line.file,
        path=line.path,
        line=place.line if place else line.line,
        recorded_file=line.file,
        recorded_line=line.line,
        share_ratio=line.share_ratio,
    )
