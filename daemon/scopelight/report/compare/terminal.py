"""A comparison in the terminal: its sides, figures of whole runs, and what changed most."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from scopelight.analysis.compare.records import ComparedQuantity, ComparedRow, ComparedSide, ComparisonRecord
from scopelight.report.compare import verdicts
from scopelight.report.findings.worded import closing
from scopelight.report.foreign_text import printable
from scopelight.report.language import text
from scopelight.report.numbers import byte_size, count, duration, share
from scopelight.report.places import place
from scopelight.report.prediction.marks import marked
from scopelight.report.tables.text_table import WIDEST_NAME, Column, print_rows, say


@marked
def render_comparison(record: ComparisonRecord, console: Console, *, base: Path, limit: int) -> None:
    """Print what differs beside the code, the quantities, and the first ``limit`` rows with what they sum to."""
    say(console, _sides(record))
    say(console, closing(record.findings, "empty", "warning"))
    if record.quantities:
        console.print()
        print_rows(console, _QUANTITY_COLUMNS, record.quantities)
    rows = record.rows[:limit]
    if rows:
        console.print()
        print_rows(console, _row_columns(record, base), rows)
        console.print()
        say(console, _footer(record, rows))
    say(console, closing(record.findings, "note"))


def _sides(record: ComparisonRecord) -> Iterator[str]:
    for name, side in ((text("before"), record.before), (text("after"), record.after)):
        yield f"{name}: {_side(side)}"


def _side(side: ComparedSide) -> str:
    parts = (
        _revision(side),
        printable(side.name) if side.revision else "",
        printable(side.script or ""),
        text("{count} runs", count=count(len(side.runs))) if len(side.runs) > 1 else "",
        f"{count(side.devices)} × {printable(side.device)}" if side.device else "",
        f"jax {printable(side.jax)}" if side.jax else "",
    )
    return " · ".join(filter(None, parts))


def _revision(side: ComparedSide) -> str:
    """The commit, and whether files differed from it."""
    name = verdicts.side_name(side)
    is_changed = side.revision is not None and side.revision.endswith("*")
    return text("{commit} with changes", commit=name.removesuffix("*")) if is_changed else name


_QUANTITY_COLUMNS: Sequence[Column[ComparedQuantity]] = (
    Column("", verdicts.quantity_name),
    Column("before", lambda row: verdicts.quantity_value(row, row.before), right=True),
    Column("change", verdicts.quantity_change, right=True),
    Column("after", lambda row: verdicts.quantity_value(row, row.after), right=True),
    Column("", verdicts.quantity_verdict),
)


def _row_columns(record: ComparisonRecord, base: Path) -> Sequence[Column[ComparedRow]]:
    is_by_line = record.by in ("line", "memory")
    name: Column[ComparedRow] = Column(
        "" if is_by_line else record.by, verdicts.label_of_row if not is_by_line else _function, most=WIDEST_NAME
    )
    where: Column[ComparedRow] = Column("line", lambda row: place(row, base), is_place=True)
    return (
        *((where, name) if is_by_line else (name, where)),
        Column("before", lambda row: verdicts.value_of_row(row, "before"), right=True),
        Column("change", verdicts.change_of_row, right=True),
        Column("after", lambda row: verdicts.value_of_row(row, "after"), right=True),
        Column("%", lambda row: verdicts.signed(row.change_ratio), right=True),
        Column("CPU time", _of_cpu_time, right=True),
        Column("FLOPs", _flops, right=True),
        Column("", verdicts.row_verdict),
    )


def _of_cpu_time(row: ComparedRow) -> str:
    return verdicts.signed(row.judged_change_ratio) if row.judged_by == "cpu-time" else ""


def _function(row: ComparedRow) -> str:
    return printable(row.function) if row.kind == "line" else verdicts.label_of_row(row)


def _flops(row: ComparedRow) -> str:
    """By how much the FLOPs of a row changed; empty where they did not."""
    if not row.before_flops or not row.after_flops:
        return ""
    ratio = row.after_flops / row.before_flops - 1
    if abs(ratio) <= _LEAST_FLOPS_RATIO:
        return ""
    return f"{_ESTIMATED if row.flops_are_estimated else ''}{verdicts.signed(ratio)}"


_ESTIMATED = "≈"
_LEAST_FLOPS_RATIO = 1e-3
"""A line's part of an op that several share is estimated: less is no change of what it computes."""


def _summed(record: ComparisonRecord) -> str:
    """What the rows sum to."""
    if record.by == "memory":
        return text("in memory at the peak")
    if record.by in ("line", "step"):
        return text("wall clock of a step on average") if record.has_steps else text("wall clock of the window")
    return text("op time of a step on average") if record.has_steps else text("op time of the window")


def _footer(record: ComparisonRecord, rows: Sequence[ComparedRow]) -> Iterator[str]:
    totals = record.totals
    values = (
        [duration(each or 0) for each in (totals.before_ps, abs(totals.change_ps or 0), totals.after_ps)]
        if totals.before_ps is not None
        else [byte_size(each or 0) for each in (totals.before_bytes, abs(totals.change_bytes or 0), totals.after_bytes)]
    )
    sign = "\N{MINUS SIGN}" if (totals.change_ps or totals.change_bytes or 0) < 0 else "+"
    yield text(
        "{shown} of {rows} {by}: {before} {sign} {change} = {after}, {what}; {paired} of it has a counterpart.",
        shown=count(len(rows)),
        rows=count(len(record.rows)),
        by=text(verdicts.GROUPINGS[record.by]),
        before=values[0],
        sign=sign,
        change=values[1],
        after=values[2],
        what=_summed(record),
        paired=share(totals.paired_ratio or 0),
    )
    if any(row.judged_by == "cpu-time" for row in rows):
        yield text("Verdicts on lines with CPU time are on that: on how long threads were on cores, not on the clock.")
    if any(row.controlled for row in rows):
        yield text("What happened to all that is unchanged was taken out of each row first.")
