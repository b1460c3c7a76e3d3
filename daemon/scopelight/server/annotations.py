"""Annotations: sent to a client that shows them, for every open document that holds lines of the shown run."""

import asyncio

from pygls.lsp.server import LanguageServer

from scopelight.protocol import Annotation, Annotations, Settings
from scopelight.report.annotations import annotation_text, choose_lines
from scopelight.server.documents import Document
from scopelight.server.loading import LoadedRun
from scopelight.server.placement import PlacedFile
from scopelight.server.session import Session

DEBOUNCE_SECONDS = 0.1
"""The client moves its annotations with the text by itself; ours follow when typing pauses."""


def register(server: LanguageServer, session: Session) -> None:  # noqa: ARG001 (every feature is registered so)
    """Keep the client's annotations as the run, the text and the settings make them."""
    sender = _Sender(session)
    session.document_opened.append(lambda document: sender.send(document, after_seconds=0))
    session.document_changed.append(lambda document: sender.send(document, after_seconds=DEBOUNCE_SECONDS))
    session.document_closed.append(sender.closed)
    session.shown_changed.append(sender.send_all)
    session.settings_changed.append(sender.send_all)


def annotations_of(run: LoadedRun, placed: PlacedFile, settings: Settings) -> tuple[Annotation, ...]:
    """The annotations of one document, from the first line to the last."""
    if not settings.annotations:
        return ()
    record = run.record
    places = {place.row: place for place in placed.places}
    rows = {id(record.lines[row]): row for row in places}
    chosen = choose_lines(
        [record.lines[row] for row in places],
        record.op_time_ps,
        threshold_ratio=settings.threshold_ratio,
        most_lines=settings.most_lines,
        inclusive_ratio=settings.inclusive_ratio,
    )
    annotations = []
    for each in chosen:
        place = places[rows[id(each.line)]]
        if place.state == "gone":
            continue
        annotations.append(
            Annotation(
                line=place.line,
                recorded_line=each.line.line,
                text=annotation_text(
                    each.line, record, settings.mode, inclusive=each.inclusive, stale=place.state == "stale"
                ),
                heat=each.heat,
                state=place.state,
                share_ratio=each.share_ratio,
                inclusive=each.inclusive,
            )
        )
    return tuple(sorted(annotations, key=lambda annotation: annotation.line))


class _Sender:
    """Sends what changed, once typing pauses; a document that never had annotations is not told of none."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._annotated: set[str] = set()
        self._pending: dict[str, asyncio.Task[None]] = {}

    def send_all(self) -> None:
        for document in self._session.documents:
            self.send(document, after_seconds=0)

    def send(self, document: Document, *, after_seconds: float) -> None:
        if not self._session.options.annotations:
            return
        pending = self._pending.pop(document.uri, None)
        if pending is not None:
            pending.cancel()
        self._pending[document.uri] = self._session.spawn(self._send(document.uri, after_seconds))

    def closed(self, document: Document) -> None:
        self._annotated.discard(document.uri)
        pending = self._pending.pop(document.uri, None)
        if pending is not None:
            pending.cancel()

    async def _send(self, uri: str, after_seconds: float) -> None:
        await asyncio.sleep(after_seconds)
        session = self._session
        document = session.documents.get(uri)
        if document is None:
            return
        run = session.shown
        placed = await session.placements.placed(document)
        if session.shown is not run or session.documents.get(uri) is not document:
            # Whoever changed it sends again.
            return
        annotations = annotations_of(run, placed, session.settings) if run is not None and placed is not None else ()
        if annotations or uri in self._annotated:
            session.transport.send("scopelight/annotations", Annotations(uri, document.version, annotations))
        (self._annotated.add if annotations else self._annotated.discard)(uri)
