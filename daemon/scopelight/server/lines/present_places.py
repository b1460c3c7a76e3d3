"""Where a recorded line is to be looked at: in the present text of its file, else in the run's own copy."""

import functools
from pathlib import Path

from scopelight.protocol.lines import FoundLine, LocateLine, RecordedSource, RecordedText
from scopelight.report.language import text
from scopelight.report.run.absent_files import absent_file, fileless_line
from scopelight.server.documents.paths import checked_name
from scopelight.server.lines.placed_cells import cell_on_disk
from scopelight.server.runs.loading import LoadedRun
from scopelight.server.session import Session
from scopelight.server.wire.faults import RequestFailed
from scopelight.source.fileless import fileless
from scopelight.source.reading import read_lines
from scopelight.source.source_folders import located_file


async def locate_line(session: Session, params: LocateLine) -> FoundLine:
    """The present place of a line of the shown run; as asked for where no run is shown."""
    file, line = checked_name(params.file), params.line
    if line < 1:
        raise RequestFailed(text("There is no line {line}: lines are counted from 1.", line=line))
    folders = session.settings.source_folders or {}
    located = await session.work.quick(functools.partial(located_file, file, folders))
    run = session.shown
    if run is None:
        path = located or file
        if await session.work.quick(functools.partial(_is_here, path)):
            return FoundLine(path, line, "current", "file")
    else:
        if file in run.cells:
            return await _locate_in_cell(session, run, file, line)
        place = await session.placements.locate(run, file, line, located)
        has_copy = await session.work.quick(functools.partial(run.sources.lines, file)) is not None
        if has_copy:
            # An editor keeps the document of a file that was deleted or moved under it.
            is_there = await session.work.quick(functools.partial(_has_text, place.file))
        else:
            is_there = place.state != "gone" or await session.work.quick(functools.partial(_is_here, place.file))
        if is_there:
            return FoundLine(place.file, place.line, place.state, "file")
        if has_copy:
            return FoundLine(file, line, "current", "copy", run=str(run.path))
    kind = fileless(file)
    if kind is not None:
        return FoundLine(file, line, "gone", "fileless", reason=fileless_line(file, kind))
    return FoundLine(file, line, "gone", "absent", reason=absent_file(file, of_run=run is not None))


async def _locate_in_cell(session: Session, run: LoadedRun, file: str, line: int) -> FoundLine:
    """The present place of a line of a cell: in its notebook, open or as it was saved, else in the run's copy."""
    document = session.placements.cell(run, file)
    if document is not None and document.notebook is not None:
        notebook = session.notebooks.at(document.notebook)
        if notebook is not None:
            place = await session.placements.locate(run, file, line)
            number = notebook.cells.index(document.uri) + 1
            return FoundLine(notebook.uri, place.line, place.state, "cell", cell=number)
    saved = await session.work.quick(functools.partial(cell_on_disk, run, file))
    if saved is not None and session.notebooks.at(saved.notebook) is None:
        on_disk = await session.work.quick(functools.partial(run.drift.locate, file, line, saved.lines))
        return FoundLine(Path(saved.notebook).as_uri(), on_disk.line, on_disk.state, "cell", cell=saved.number)
    if await session.work.quick(functools.partial(run.sources.lines, file)) is not None:
        return FoundLine(file, line, "current", "copy", run=str(run.path))
    return FoundLine(file, line, "gone", "fileless", reason=fileless_line(file, "notebook"))


async def recorded_source(session: Session, params: RecordedSource) -> RecordedText:
    """The own copy of a file that the shown run keeps, or one that it is compared with; no text where there is none."""
    run = session.shown
    sides = session.comparisons.shown
    if sides is not None and params.run in (*sides.before, *sides.after):
        run = await session.loading.load(Path(params.run), session.roots, session.settings.scope, lambda _: None)
    if run is None or str(run.path) != params.run:
        return RecordedText(None)
    lines = await session.work.quick(functools.partial(run.sources.lines, checked_name(params.file)))
    return RecordedText(None if lines is None else "\n".join(lines))


def _has_text(file: str) -> bool:
    """Whether there is a file, and more than blank lines in it."""
    lines = read_lines(Path(file)) if _is_here(file) else None
    return lines is not None and any(map(str.strip, lines))


def _is_here(file: str) -> bool:
    # A relative one would be looked for wherever the daemon happens to run.
    return Path(file).is_absolute() and Path(file).is_file()
