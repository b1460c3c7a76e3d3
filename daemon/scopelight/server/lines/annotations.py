"""Annotations: sent to a client that shows them, for every open document that holds lines of the shown run."""

import functools
from collections.abc import Sequence

from pygls.lsp.server import LanguageServer

from scopelight.analysis.compare.line_changes import LineChanges
from scopelight.analysis.lines.costs import LineCosts
from scopelight.analysis.memory.line_memory import LineMemory
from scopelight.protocol.lines import Annotation, Annotations
from scopelight.protocol.settings import Settings
from scopelight.report.annotations import ChosenLine, LineAmount, annotation_text, choose_lines
from scopelight.report.compact_annotation import compact_annotation
from scopelight.report.cost_text import unknown_padding
from scopelight.report.host.waiting import inclusive_whole_ps, whole_ps
from scopelight.report.memory.sentences import unknown_memory
from scopelight.report.sentences import whole_of
from scopelight.server.documents.document_updates import DocumentUpdates
from scopelight.server.documents.documents import Document
from scopelight.server.lines.changes.annotations import change_annotations, change_of_line
from scopelight.server.runs.loading import LoadedRun
from scopelight.server.session import Session
from scopelight.source.drift.document import DocumentDrift

HOTTEST = 5
"""The heat of a file's hottest line, which says what no line of it can say."""


def register(server: LanguageServer, session: Session) -> None:  # noqa: ARG001 (every feature is registered so)
    """Keep the client's annotations as the run, the text and the settings make them."""

    def make(document: Document, run: LoadedRun, drift: DocumentDrift) -> Sequence[Annotation]:  # noqa: ARG001
        if not session.options.annotations:
            return ()
        return present_annotations(session, run, drift)

    def send(document: Document, annotations: Sequence[Annotation]) -> None:
        if session.documents.get(document.uri) is not None:
            run = session.shown if annotations and document.notebook is not None else None
            file = None if run is None else session.placements.file(run, document)
            session.tell(
                "scopelight/annotations", Annotations(document.uri, document.version, tuple(annotations), file)
            )

    DocumentUpdates(session, make, send, session.memory_changed, session.comparisons.lines.changed)


def present_annotations(session: Session, run: LoadedRun, drift: DocumentDrift) -> tuple[Annotation, ...]:
    """The annotations of one document with what is known of its run; none of a change that is being looked for."""
    comparisons, settings = session.comparisons, session.settings
    changes = comparisons.lines.of(run)
    if settings.mode == "change" and changes is None and comparisons.shown is not None:
        return ()
    return annotations_of(run, drift, settings, session.costs.of(run), session.memory.of(run), changes)


def annotations_of(
    run: LoadedRun,
    drift: DocumentDrift,
    settings: Settings,
    costs: LineCosts | None = None,
    memory: LineMemory | None = None,
    changes: LineChanges | None = None,
) -> tuple[Annotation, ...]:
    """The annotations of one document, from the first line to the last.

    ``costs``, ``memory`` and ``changes`` are the run's, once they are known.

    A present line carries one: several lines of the run can be there where the file was recorded under several paths.
    """
    if not settings.annotations:
        return ()
    if settings.mode == "change":
        return change_annotations(run, drift, settings, changes)
    record = run.record
    rows = {id(record.lines[each.row]): each.row for each in drift.rows}
    chosen = chosen_lines(run, [each.row for each in drift.rows], settings, costs, memory)
    places = {each.row: each.place for each in drift.rows}
    annotations = []
    compact = functools.partial(compact_annotation, is_predicted=record.predicted_for is not None)
    for each in chosen:
        row = rows[id(each.line)]
        place = places[row]
        if place.state == "gone" or drift.at(place.line) != row:
            continue
        text = annotation_text(
            each.line,
            settings.mode,
            inclusive=each.inclusive,
            calls=each.calls,
            stale=place.state == "stale",
            costs=costs,
            memory=memory,
            row=row,
            whole=whole_of(record.extent),
            predicted_for=record.predicted_for,
            change=change_of_line(each.line, changes, is_predicted=record.predicted_for is not None),
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
                compact=compact(
                    each.line, settings.mode, inclusive=each.inclusive, costs=costs, memory=memory, row=row
                ),
                heat=each.heat,
                state=place.state,
                share_ratio=each.share_ratio,
                inclusive=each.inclusive,
            )
        )
    return tuple(sorted(annotations, key=lambda annotation: annotation.line))


def chosen_lines(
    run: LoadedRun, rows: Sequence[int], settings: Settings, costs: LineCosts | None, memory: LineMemory | None
) -> Sequence[ChosenLine]:
    """Which lines of one file (their ``rows``) are annotated: by time, memory or, where nothing ran, padding."""
    whole: float = run.record.wall.wall_ps if run.record.wall is not None else 0
    lines = [run.record.lines[row] for row in rows]
    amounts = [LineAmount(line, whole_ps(line), inclusive_whole_ps(line)) for line in lines]
    # There are no call sites of padding or memory.
    if settings.mode == "padding" and run.never_ran and costs is not None:
        lost = [padding.lost_ratio if (padding := costs.padding(row)) is not None else 0 for row in rows]
        whole, amounts = 1, [LineAmount(line, ratio, ratio) for line, ratio in zip(lines, lost, strict=True)]
    elif settings.mode == "memory" and memory is not None and memory.record.lines:
        held = [found.bytes if (found := memory.of(line)) is not None else 0 for line in lines]
        whole, amounts = memory.peak_bytes, [LineAmount(*each) for each in zip(lines, held, held, strict=True)]
    return choose_lines(
        amounts,
        whole,
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
