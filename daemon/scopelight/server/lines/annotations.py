"""Annotations: sent to a client that shows them, for every open document that holds lines of the shown run."""

from collections.abc import Sequence

from pygls.lsp.server import LanguageServer

from scopelight.analysis.lines.costs import LineCosts
from scopelight.analysis.memory.line_memory import LineMemory
from scopelight.protocol.lines import Annotation, Annotations
from scopelight.protocol.settings import Settings
from scopelight.report.annotations import (
    ChosenLine,
    annotation_text,
    choose_lines,
    choose_lines_by_memory,
    choose_lines_by_padding,
)
from scopelight.report.cost_text import unknown_padding
from scopelight.report.memory_text import unknown_memory
from scopelight.server.documents.document_updates import DocumentUpdates
from scopelight.server.documents.documents import Document
from scopelight.server.runs.loading import LoadedRun
from scopelight.server.session import Session
from scopelight.source.drift.document import DocumentDrift

HOTTEST = 5
"""The heat of a file's hottest line, which says what no line of it can say."""


def register(server: LanguageServer, session: Session) -> None:  # noqa: ARG001 (every feature is registered so)
    """Keep the client's annotations as the run, the text and the settings make them."""
    sender = _Sender(session)
    DocumentUpdates(session, sender.tell, sender.forget, session.memory_changed)


def annotations_of(
    run: LoadedRun,
    drift: DocumentDrift,
    settings: Settings,
    costs: LineCosts | None = None,
    memory: LineMemory | None = None,
) -> tuple[Annotation, ...]:
    """The annotations of one document, from the first line to the last.

    ``costs`` and ``memory`` are the run's, once they are known.

    A present line carries one: several lines of the run can be there where the file was recorded under several paths.
    """
    if not settings.annotations:
        return ()
    record = run.record
    rows = {id(record.lines[each.row]): each.row for each in drift.rows}
    chosen = _chosen(run, [each.row for each in drift.rows], settings, costs, memory)
    places = {each.row: each.place for each in drift.rows}
    annotations = []
    for each in chosen:
        row = rows[id(each.line)]
        place = places[row]
        if place.state == "gone" or drift.at(place.line) != row:
            continue
        text = annotation_text(
            each.line,
            record,
            settings.mode,
            inclusive=each.inclusive,
            stale=place.state == "stale",
            costs=costs,
            memory=memory,
            row=row,
        )
        if text is None and each.heat == HOTTEST:
            text = _unknown(settings, costs, memory)
        if text is None:
            continue
        annotations.append(
            Annotation(
                line=place.line,
                recorded_line=each.line.line,
                text=text,
                heat=each.heat,
                state=place.state,
                share_ratio=each.share_ratio,
                inclusive=each.inclusive,
            )
        )
    return tuple(sorted(annotations, key=lambda annotation: annotation.line))


def _chosen(
    run: LoadedRun, rows: Sequence[int], settings: Settings, costs: LineCosts | None, memory: LineMemory | None
) -> Sequence[ChosenLine]:
    record = run.record
    lines = [record.lines[row] for row in rows]
    if settings.mode == "padding" and run.never_ran and costs is not None:
        return choose_lines_by_padding(
            lines, costs, rows, threshold_ratio=settings.threshold_ratio, most_lines=settings.most_lines
        )
    if settings.mode == "memory" and memory is not None and memory.record.lines:
        return choose_lines_by_memory(
            lines, memory, threshold_ratio=settings.threshold_ratio, most_lines=settings.most_lines
        )
    return choose_lines(
        lines,
        record.op_time_ps,
        threshold_ratio=settings.threshold_ratio,
        most_lines=settings.most_lines,
        inclusive_ratio=settings.inclusive_ratio,
    )


def _unknown(settings: Settings, costs: LineCosts | None, memory: LineMemory | None) -> str | None:
    """Why no line says anything in this mode."""
    if settings.mode == "padding" and costs is not None:
        return unknown_padding(costs)
    if settings.mode == "memory" and memory is not None:
        return unknown_memory(memory)
    return None


class _Sender:
    """Sends what changed; a document that never had annotations is not told of none."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._annotated: set[str] = set()

    def tell(self, document: Document, run: LoadedRun | None, drift: DocumentDrift | None) -> None:
        session = self._session
        if not session.options.annotations:
            return
        annotations: tuple[Annotation, ...] = ()
        if run is not None and drift is not None:
            costs, memory = session.costs.of(run), session.memory.of(run)
            annotations = annotations_of(run, drift, session.settings, costs, memory)
        if annotations or document.uri in self._annotated:
            session.tell("scopelight/annotations", Annotations(document.uri, document.version, annotations))
        (self._annotated.add if annotations else self._annotated.discard)(document.uri)

    def forget(self, document: Document) -> None:
        self._annotated.discard(document.uri)
