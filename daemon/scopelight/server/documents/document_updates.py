"""What clients are told of every open document by themselves: again when the run, the text or a setting changes."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from scopelight.server.documents.documents import Document
from scopelight.server.events import Event
from scopelight.server.runs.loading import LoadedRun
from scopelight.server.session import Session
from scopelight.source.drift.document import DocumentDrift

DEBOUNCE_SECONDS = 0.1
"""The client moves what stands on lines with the text by itself; ours follows when typing pauses."""

T = TypeVar("T")


class DocumentUpdates(Generic[T]):
    """Sends what a document carries when something that it depends on has changed.

    ``make`` makes it of the shown run and its lines in the document, and ``send`` sends it. A document that never
    carried anything is not told of nothing; one that was closed carries nothing. ``also`` are further changes that it
    depends on.
    """

    def __init__(
        self,
        session: Session,
        make: Callable[[Document, LoadedRun, DocumentDrift], Sequence[T]],
        send: Callable[[Document, Sequence[T]], None],
        *also: Event[[]],
    ) -> None:
        self._session = session
        self._make = make
        self._send = send
        self._told: set[str] = set()
        """Documents that carry something."""
        self._pending: dict[str, asyncio.Task[None]] = {}
        session.document_opened.subscribe(lambda document: self._update(document, after_seconds=0))
        session.document_changed.subscribe(lambda document: self._update(document, after_seconds=DEBOUNCE_SECONDS))
        session.document_closed.subscribe(self._closed)
        for changed in (session.shown_changed, session.settings_changed, session.costs_changed, *also):
            changed.subscribe(self._update_all)

    def _update_all(self) -> None:
        for document in self._session.documents:
            self._update(document, after_seconds=0)

    def _update(self, document: Document, *, after_seconds: float) -> None:
        self._cancel(document)
        self._pending[document.uri] = self._session.spawn(self._run(document.uri, after_seconds))

    def _closed(self, document: Document) -> None:
        self._cancel(document)
        self._tell(document, ())

    def _cancel(self, document: Document) -> None:
        pending = self._pending.pop(document.uri, None)
        if pending is not None:
            pending.cancel()

    async def _run(self, uri: str, after_seconds: float) -> None:
        await asyncio.sleep(after_seconds)
        session = self._session
        document = session.documents.get(uri)
        if document is None:
            return
        run = session.shown
        drift = await session.placements.placed(run, document) if run is not None else None
        if session.shown is run and session.documents.get(uri) is document:
            # Else whoever changed it updates again.
            self._tell(document, self._make(document, run, drift) if run is not None and drift is not None else ())

    def _tell(self, document: Document, carried: Sequence[T]) -> None:
        if carried or document.uri in self._told:
            self._send(document, carried)
        (self._told.add if carried else self._told.discard)(document.uri)
