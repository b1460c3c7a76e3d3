"""Where the lines of the shown run are in the present texts: those of open documents, else those on disk."""

import asyncio
import functools
import os
from collections.abc import Sequence

import attrs

from scopelight.protocol import LocatedLine, PlaceState
from scopelight.server.documents import Document, Documents
from scopelight.server.loading import LoadedRun
from scopelight.server.work import Work


@attrs.frozen(slots=True)
class PlacedRow:
    """A row of the run's lines, and where it is; the nearest line that is left where the state is ``gone``."""

    row: int
    line: int
    state: PlaceState


@attrs.frozen(eq=False)
class PlacedFile:
    """The lines of one recorded file in one version of its text."""

    places: tuple[PlacedRow, ...]

    def at(self, line: int) -> PlacedRow | None:
        """What a line of the present text carries: the unchanged and longer one where there are several."""
        here = [place for place in self.places if place.line == line and place.state != "gone"]
        return min(here, key=lambda place: (place.state != "current", place.row), default=None)


class Placements:
    """Places the lines of the shown run; every version of a text is followed once."""

    def __init__(self, work: Work, documents: Documents) -> None:
        self._work = work
        self._documents = documents
        self._run: LoadedRun | None = None
        self._renamed: dict[str, str] = {}
        self._placing: dict[str, tuple[Document, asyncio.Future[PlacedFile | None]]] = {}

    def follow(self, run: LoadedRun | None) -> None:
        """Place the lines of another run from now on."""
        self._run = run
        self._placing.clear()

    def renamed(self, old: str, new: str) -> None:
        """A file or folder was renamed: what was recorded under the old name is at the new one."""
        for present, recorded in [*self._renamed.items(), (old, old)]:
            if present == old or present.startswith(f"{old}{os.sep}"):
                self._renamed.pop(present, None)
                self._renamed[f"{new}{present.removeprefix(old)}"] = recorded
        self._placing.clear()

    def closed(self, uri: str) -> None:
        """A document was closed: its placement is not needed any more."""
        self._placing.pop(uri, None)

    async def placed(self, document: Document) -> PlacedFile | None:
        """The lines of the shown run in a document; None where it is none of the run's files."""
        known = self._placing.get(document.uri)
        if known is None or known[0] is not document:
            run = self._run
            if run is None or document.path is None:
                return None
            path = self._recorded_path(document.path)
            placing = asyncio.ensure_future(self._work.quick(functools.partial(_place, run, path, document.lines)))
            known = self._placing[document.uri] = (document, placing)
        return await asyncio.shield(known[1])

    async def locate(self, run: LoadedRun, file: str, line: int) -> LocatedLine:
        """Where a recorded line is, in the open document of its file or else on disk."""
        return LocatedLine(file, line, "current")

    async def locate_all(self, run: LoadedRun) -> tuple[LocatedLine | None, ...]:
        """Where every line of a run is, row by row; None where its file is not known or not here."""
        return tuple(None for _ in run.record.lines)

    def _recorded_path(self, path: str) -> str:
        for present, recorded in self._renamed.items():
            if path == present or path.startswith(f"{present}{os.sep}"):
                return f"{recorded}{path.removeprefix(present)}"
        return path


def _place(run: LoadedRun, path: str, lines: Sequence[str]) -> PlacedFile | None:
    rows = run.rows_of(path)
    if not rows:
        return None
    return PlacedFile(tuple(PlacedRow(row, run.record.lines[row].line, "current") for row in rows))
