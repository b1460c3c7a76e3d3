"""Telling the client that lines of the shown run are elsewhere than its panels have them."""

import asyncio

from pygls.lsp.server import LanguageServer

from scopelight.protocol import Nothing
from scopelight.server.documents.documents import Document
from scopelight.server.lines.placement import Survey
from scopelight.server.runs.loading import LoadedRun
from scopelight.server.session import Session

INTERVAL_SECONDS = 0.5
"""Between two looks: who types is told of many edits at once."""


def register(server: LanguageServer, session: Session) -> None:  # noqa: ARG001 (every feature is registered so)
    """Watch the texts for moves of the lines that a panel was told of."""
    watch = _Watch(session)
    session.document_opened.subscribe(watch.text_changed)
    session.document_changed.subscribe(watch.text_changed)
    # What was not saved is gone; the line is where the file on disk has it.
    session.document_closed.subscribe(lambda _: watch.anything_changed())
    session.files_renamed.subscribe(watch.anything_changed)
    session.places_told.subscribe(watch.told)


class _Watch:
    """Compares places with those that were told last, and says once that they differ: who cares asks for all."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told: tuple[LoadedRun, Survey] | None = None
        """None where nobody was told, or whoever was knows that it is old."""
        self._changed: set[str] = set()
        """Documents whose text changed since the last look."""
        self._is_all_changed = False
        self._looking: asyncio.Task[None] | None = None

    def told(self, run: LoadedRun, survey: Survey) -> None:
        """A panel was told where the lines are, or rather were when it asked."""
        self._told = (run, survey)
        for document in self._session.documents:
            self.text_changed(document)

    def text_changed(self, document: Document) -> None:
        """A document was opened or changed."""
        self._changed.add(document.uri)
        self._look_soon()

    def anything_changed(self) -> None:
        """A file is another one, or has another text, than before."""
        self._is_all_changed = True
        self._look_soon()

    def _look_soon(self) -> None:
        if self._told is not None and (self._looking is None or self._looking.done()):
            self._looking = self._session.spawn(self._look())

    async def _look(self) -> None:
        session = self._session
        while self._told is not None and (self._changed or self._is_all_changed):
            await asyncio.sleep(INTERVAL_SECONDS)
            told = self._told
            run, survey = told
            documents = [each for each in session.documents if each.uri in self._changed]
            is_all_changed = self._is_all_changed
            self._changed.clear()
            self._is_all_changed = False
            if run is not session.shown:
                # Whoever shows another run asks for its record.
                self._told = None
            elif await session.placements.has_moved(run, survey, None if is_all_changed else documents):
                if self._told is told:
                    self._told = None
                session.tell("scopelight/placesChanged", Nothing())
