"""Predicted runs, and measured ones beside them, in the terminal."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from rich.console import Console

from scopelight.analysis.targets.records import ComparedFigures, ComparedLine, ComparedRun, TargetsRecord
from scopelight.report.findings.worded import closing
from scopelight.report.foreign_text import printable
from scopelight.report.language import text
from scopelight.report.numbers import byte_size, count
from scopelight.report.places import place
from scopelight.report.prediction.marks import marked
from scopelight.report.tables.text_table import WIDEST_NAME, Column, print_rows, say
from scopelight.report.targets import cells


@marked
def render_targets(record: TargetsRecord, console: Console, *, base: Path, limit: int) -> None:
    """Print each run in sum, then the first ``limit`` lines with what they have in each."""
    if record.runs:
        print_rows(console, _run_columns(), record.runs)
    lines = record.lines[:limit]
    if lines:
        console.print()
        print_rows(console, list(_line_columns(record.runs, base)), lines)
        say(
            console,
            [
                text(
                    "{shown} of {lines} lines: time of a step, memory at the peak, and how much larger padding makes"
                    " their work.",
                    shown=count(len(lines)),
                    lines=count(len(record.lines)),
                )
            ],
        )
    say(console, closing(record.findings))


def _run_columns() -> Sequence[Column[ComparedRun]]:
    return (
        Column("target", lambda row: printable(row.name), most=WIDEST_NAME),
        Column("", cells.verdict),
        Column("needs", cells.needed, right=True),
        Column("peak", lambda row: "" if row.peak_bytes is None else byte_size(row.peak_bytes), right=True),
        Column("of it padding", cells.padding_at_peak, right=True),
        Column("per step", cells.step_time, right=True),
        Column("of it padding", cells.padding_of_time, right=True),
        Column("without estimate", cells.unestimated, right=True),
        Column("program", lambda row: printable(row.program or ""), most=WIDEST_NAME),
    )


def _line_columns(runs: Sequence[ComparedRun], base: Path) -> Iterator[Column[ComparedLine]]:
    yield Column("line", lambda row: place(row, base), most=WIDEST_NAME, is_place=True)
    for number, run in enumerate(runs):
        yield _column(printable(cells.heading(run)), number, partial(cells.line_time, run))
        yield _column("", number, partial(cells.line_share, run))
        yield _column("peak", number, cells.line_peak)
        yield _column("pad", number, cells.line_padding)
    yield Column("function", lambda row: printable(row.function), most=WIDEST_NAME)


def _column(header: str, number: int, cell: Callable[[ComparedFigures | None], str]) -> Column[ComparedLine]:
    return Column(header, lambda row: cell(row.figures[number]), right=True)
