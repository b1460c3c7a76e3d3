"""Annotations of what changed: on the lines that did, and dimmed where it cannot be told of a line that matters."""

import math
from collections.abc import Collection, Sequence

from scopelight.analysis.compare.line_changes import LineChanges
from scopelight.analysis.compare.records import ComparedRow
from scopelight.analysis.records import LineRecord
from scopelight.protocol.lines import Annotation
from scopelight.protocol.settings import Settings
from scopelight.report.annotations import LineAmount, choose_lines
from scopelight.report.compare.in_text import change_in_column, change_in_text, told_change
from scopelight.report.host.waiting import inclusive_whole_ps, whole_ps
from scopelight.report.language import text
from scopelight.report.prediction.marks import predicted_times
from scopelight.server.runs.loading import LoadedRun
from scopelight.source.drift.document import DocumentDrift, PlacedRow

HEATS = 5
LEAST_SHOWN_RATIO = 0.0005
"""Of the step, that a changed line has before or after: less rounds to nothing."""


def change_of_line(line: LineRecord, changes: LineChanges | None, *, is_predicted: bool) -> str | None:
    """``+12 % since 3f2a``, marked where it is predicted, or ``±``; None of what did not change or is not compared."""
    row = changes.of(line) if changes is not None else None
    if changes is None or row is None:
        return None
    with predicted_times(is_predicted):
        return change_in_text(row, changes)


def change_annotations(
    run: LoadedRun, drift: DocumentDrift, settings: Settings, changes: LineChanges | None
) -> tuple[Annotation, ...]:
    """Those of one document, from the first line to the last."""
    placed = [each for each in drift.rows if each.place.state != "gone" and drift.at(each.place.line) == each.row]
    hot = _worth_it(run, placed, settings)
    if changes is None:
        return _compared_with_nothing(run, placed, hot)
    rows = {each.row: row for each in placed if (row := changes.of(run.record.lines[each.row])) is not None}
    greatest_ps = max((abs(row.change_ps or 0) for row in rows.values() if told_change(row)), default=0)
    found = []
    for each in placed:
        row = rows.get(each.row)
        if row is None or not _is_shown(row, changes, is_hot=each.row in hot):
            continue
        with predicted_times(run.record.predicted_for is not None):
            said, compact = change_in_text(row, changes), change_in_column(row)
        if said is None:
            continue
        is_told = told_change(row) is not None
        stale = each.place.state == "stale"
        found.append(
            Annotation(
                line=each.place.line,
                recorded_line=run.record.lines[each.row].line,
                text=text("{fact} (edited since)", fact=said) if stale else said,
                compact=compact,
                heat=_heat(row, greatest_ps) if is_told else 0,
                state="stale" if stale else "current",
                share_ratio=abs(row.change_ps or 0) / changes.whole_ps if changes.whole_ps else 0,
                inclusive=False,
                quiet=not is_told,
            )
        )
    return tuple(sorted(found, key=lambda annotation: annotation.line))


def _worth_it(run: LoadedRun, placed: Sequence[PlacedRow], settings: Settings) -> Collection[int]:
    """The rows that are annotated whatever is said of them."""
    whole: float = run.record.wall.wall_ps if run.record.wall is not None else 0
    lines = [run.record.lines[each.row] for each in placed]
    amounts = [LineAmount(line, whole_ps(line), inclusive_whole_ps(line)) for line in lines]
    chosen = choose_lines(
        amounts, whole, threshold_ratio=settings.threshold_ratio, most_lines=settings.most_lines, inclusive_ratio=1
    )
    of_line = {id(line): each.row for line, each in zip(lines, placed, strict=True)}
    return {of_line[id(each.line)] for each in chosen if not each.inclusive}


def _is_shown(row: ComparedRow, changes: LineChanges, *, is_hot: bool) -> bool:
    if told_change(row) is None:
        return is_hot
    most_ps = max(row.before_ps or 0, row.after_ps or 0)
    return is_hot or most_ps >= changes.whole_ps * LEAST_SHOWN_RATIO


def _heat(row: ComparedRow, greatest_ps: int) -> int:
    change_ps = abs(row.change_ps or 0)
    return min(HEATS, max(1, math.ceil(change_ps / greatest_ps * HEATS))) if greatest_ps else 1


def _compared_with_nothing(run: LoadedRun, placed: Sequence[PlacedRow], hot: Collection[int]) -> tuple[Annotation, ...]:
    """Why no line says anything, on the hottest of them."""
    lines = run.record.lines
    hottest = max(
        (each for each in placed if each.row in hot), key=lambda each: whole_ps(lines[each.row]), default=None
    )
    if hottest is None:
        return ()
    return (
        Annotation(
            line=hottest.place.line,
            recorded_line=lines[hottest.row].line,
            text=text("compared with no other run"),
            compact=None,
            heat=0,
            state="stale" if hottest.place.state == "stale" else "current",
            share_ratio=0,
            inclusive=False,
            quiet=True,
        ),
    )
