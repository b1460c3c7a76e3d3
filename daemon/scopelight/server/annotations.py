"""Annotations: sent to a client that shows them, for every open document that holds lines of the shown run."""

import asyncio

from pygls.lsp.server import LanguageServer

from scopelight.protocol import Annotation, Annotations, Settings
from scopelight.report.annotations import annotation_text, choose_lines
from scopelight.server.documents import Document
from scopelight.server.loading import LoadedRun
from scopelight.server.session import Session
from scopelight.source.document import DocumentDrift

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


def annotations_of(run: LoadedRun, drift: DocumentDrift, settings: Settings) -> tuple[Annotation, ...]:
    """The annotations of one document, from the first line to the last.

    A present line carries one: several lines of the run can be there where the file was recorded under several paths.
    """
    if not settings.annotations:
        return ()
    record = run.record
    rows = {id(record.lines[each.row]): each.row for each in drift.rows}
    chosen = choose_lines(
        [record.lines[each.row] for each in drift.rows],
        record.op_time_ps,
        threshold_ratio=settings.threshold_ratio,
        most_lines=settings.most_lines,
        inclusive_ratio=settings.inclusive_ratio,
    )
    places = {each.row: each.place for each in drift.rows}
    annotations = []
    for each in chosen:
        row = rows[id(each.line)]
        place = places[row]
        if place.state == "gone" or drift.at(place.line) != row:
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
        drift = await session.placements.placed(run, document) if run is not None else None
        if session.shown is not run or session.documents.get(uri) is not document:
            # Whoever changed it sends again.
            return
        annotations = annotations_of(run, drift, session.settings) if run is not None and drift is not None else ()
        if annotations or uri in self._annotated:
            session.tell("scopelight/annotations", Annotations(uri, document.version, annotations))
        (self._annotated.add if annotations else self._annotated.discard)(uri)
