"""Where the lines of the shown run are in the present texts: those of open documents, else those on disk."""

import asyncio
import functools
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import attrs

from scopelight.protocol.lines import LocatedLine
from scopelight.server.documents.documents import Document, Documents
from scopelight.server.documents.notebooks import Notebooks
from scopelight.server.lines.placed_cells import PlacedCells
from scopelight.server.runs.loading import LoadedRun
from scopelight.server.work import Work
from scopelight.source.drift.document import DocumentDrift, RunDrift
from scopelight.source.reading import read_lines

Lines = Sequence[str]


@attrs.frozen(eq=False, repr=False)
class _Open:
    """What is open, for workers to look at: texts by path, of cells by URI, and the URIs of recorded files that are
    cells."""

    texts: Mapping[str, Lines]
    cells: Mapping[str, str]


@attrs.frozen(eq=False, repr=False)
class Survey:
    """All lines of a run, row by row: where they are now, and their text."""

    places: tuple[LocatedLine | None, ...]
    """None where the file is not known or not here."""
    sources: tuple[str | None, ...]
    """As it was recorded; where no copy of the file was kept, as it is now. None where neither is known."""


class Placements:
    """Places the lines of runs; every version of a document is followed once."""

    def __init__(self, work: Work, documents: Documents, notebooks: Notebooks) -> None:
        self._work = work
        self._documents = documents
        self._cells = PlacedCells(documents, notebooks)
        self._renamed: dict[str, str] = {}
        """Present path to the recorded one, of files and folders that the client renamed."""
        self._placing: dict[str, tuple[Document, LoadedRun, str, asyncio.Future[DocumentDrift | None]]] = {}

    def renamed(self, old: str, new: str) -> None:
        """A file or folder was renamed: what was recorded under the old name is at the new one."""
        # Workers may be reading the former mapping.
        self._renamed = {
            new + present.removeprefix(old) if _is_in(present, old) else present: recorded
            for present, recorded in {**self._renamed, old: self._renamed.get(old, old)}.items()
        }
        self._placing.clear()

    def closed(self, uri: str) -> None:
        """A document was closed: its placement is not needed any more."""
        self._placing.pop(uri, None)

    def file(self, run: LoadedRun, document: Document) -> str | None:
        """The recorded file that a document may be of: a copy is of its own run alone."""
        if document.copy is not None:
            is_known = document.copy.run == str(run.path) and run.drift.knows(document.copy.file)
            return document.copy.file if is_known else None
        if document.notebook is not None:
            return self._cells.files(run).get(document.uri)
        return None if document.path is None else self._recorded(document.path)

    async def placed(self, run: LoadedRun, document: Document) -> DocumentDrift | None:
        """The lines of a run in a document; None where it is none of the run's files."""
        file = self.file(run, document)
        if file is None:
            return None
        known = self._placing.get(document.uri)
        if known is None or known[0] is not document or known[1] is not run or known[2] != file:
            place = functools.partial(run.drift.follow, file, document.lines)
            known = (document, run, file, asyncio.ensure_future(self._work.quick(place)))
            self._placing[document.uri] = known
        return await asyncio.shield(known[3])

    def cell(self, run: LoadedRun, file: str) -> Document | None:
        """The open cell that a recorded one is."""
        uri = self._open(run).cells.get(file)
        return None if uri is None else self._documents.get(uri)

    async def locate(self, run: LoadedRun, file: str, line: int, located: str | None = None) -> LocatedLine:
        """Where a recorded line is, in the open document of its file or else on disk; ``located`` is where the user
        says that its file is."""
        opened = self._open(run)

        def locate() -> LocatedLine:
            path = located or self._present(run.drift, opened, file)
            # What the run calls it depends on when the user said so.
            known = file if located is None or run.drift.knows(file) else located
            return _locate(run.drift, opened.texts, path, known, line)

        return await self._work.quick(locate)

    async def row(self, run: LoadedRun, file: str, line: int) -> int | None:
        """The row of a recorded line, whose file goes by the name it had or has now; None where it took no time."""
        known = run.row(file, line)
        if known is not None:
            return known
        recorded = self._recorded(file)
        files = await self._work.quick(lambda: run.drift.files_of(recorded))
        return next((row for each in files if (row := run.row(each, line)) is not None), None)

    async def survey(self, run: LoadedRun) -> Survey:
        """Where every line of a run is, and its text."""
        opened = self._open(run)
        return await self._work.quick(lambda: self._survey(run, opened, _files(run)))

    async def texts(self, run: LoadedRun, files: Iterable[str]) -> Mapping[str, tuple[str, Lines]]:
        """Where recorded files are now, and their present lines; those that are not here are left out."""
        opened = self._open(run)

        def read() -> Mapping[str, tuple[str, Lines]]:
            present = ((file, self._present(run.drift, opened, file)) for file in dict.fromkeys(files))
            found = ((file, path, _text(run.drift, opened.texts, path)) for file, path in present)
            return {file: (path, lines) for file, path, lines in found if lines is not None}

        return await self._work.quick(read)

    async def has_moved(self, run: LoadedRun, since: Survey, documents: Iterable[Document] | None) -> bool:
        """Whether a line is elsewhere now than ``since`` has it.

        Only the lines of ``documents`` are looked at; None looks at all, also at those of files on disk.
        """
        opened = self._open(run)
        changed = None if documents is None else tuple(documents)

        def compare() -> bool:
            files = _files(run) if changed is None else self._files_of(run.drift, opened, changed)
            places = self._survey(run, opened, files).places
            return any(
                line.file in files and places[row] != since.places[row] for row, line in enumerate(run.record.lines)
            )

        return await self._work.quick(compare)

    def _survey(self, run: LoadedRun, opened: _Open, files: Iterable[str]) -> Survey:
        places: list[LocatedLine | None] = [None] * len(run.record.lines)
        sources: list[str | None] = [None] * len(run.record.lines)
        for file in files:
            path = self._present(run.drift, opened, file)
            lines = _text(run.drift, opened.texts, path)
            drift = run.drift.follow(file, lines) if lines is not None else None
            for each in drift.rows if drift is not None else ():
                places[each.row] = LocatedLine(path, each.place.line, each.place.state)
                if lines is not None and each.place.state != "gone":
                    sources[each.row] = lines[each.place.line - 1].strip()
        for row in range(len(sources)):
            sources[row] = run.recorded_text(row) or sources[row]
        return Survey(tuple(places), tuple(sources))

    def _files_of(self, drift: RunDrift, opened: _Open, documents: Iterable[Document]) -> Collection[str]:
        """The recorded files that documents hold; where one is a cell, all that are cells, since any may be it."""
        documents = tuple(documents)
        files = {
            file
            for document in documents
            if document.path is not None
            for file in drift.files_of(self._recorded(document.path), document.lines)
        }
        return files.union(opened.cells if any(each.notebook is not None for each in documents) else ())

    def _open(self, run: LoadedRun) -> _Open:
        cells = {file: uri for uri, file in self._cells.files(run).items()}
        paths = ((each.path if each.notebook is None else each.uri, each.lines) for each in self._documents)
        return _Open({path: lines for path, lines in paths if path is not None}, cells)

    def _recorded(self, path: str) -> str:
        """The path that a present one had when it was recorded, as far as the client said."""
        for present, recorded in self._renamed.items():
            if _is_in(path, present):
                return recorded + path.removeprefix(present)
        return path

    def _present(self, drift: RunDrift, opened: _Open, file: str) -> str:
        """Where a recorded file is now; the URI of a cell that is open."""
        if file in opened.cells:
            return opened.cells[file]
        for present, recorded in self._renamed.items():
            if _is_in(file, recorded):
                return present + file.removeprefix(recorded)
        return drift.path_of(file)


def _files(run: LoadedRun) -> Collection[str]:
    """The recorded files of a run."""
    return dict.fromkeys(line.file for line in run.record.lines if line.file is not None)


def _locate(drift: RunDrift, texts: Mapping[str, Lines], path: str, file: str, line: int) -> LocatedLine:
    lines = _text(drift, texts, path)
    if lines is None:
        return LocatedLine(path, line, "gone")
    place = drift.locate(file, line, lines)
    return LocatedLine(path, place.line, place.state)


def _text(drift: RunDrift, texts: Mapping[str, Lines], path: str) -> Lines | None:
    """The present lines of a file, unsaved edits included."""
    if path in texts:
        return texts[path]
    files = drift.files_of(path)
    for each, lines in texts.items():
        # The document may go by another name of the same file.
        if files and files == drift.files_of(each):
            return lines
    # A relative one would be looked for wherever the daemon happens to run.
    return read_lines(Path(path)) if Path(path).is_absolute() else None


def _is_in(path: str, folder: str) -> bool:
    """Whether a path is that of a file or folder, or of something inside it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
