"""The step trace in the terminal."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rich.console import Console

from scopelight.analysis.step_trace.records import BorderSource, CollectiveRow, StepTraceRecord, StepTraceRow
from scopelight.report.findings.worded import closing
from scopelight.report.foreign_text import printable
from scopelight.report.language import template, text
from scopelight.report.numbers import byte_size, count, duration
from scopelight.report.op_sentences import NO_ESTIMATE
from scopelight.report.overview.overview import parts_text
from scopelight.report.places import place
from scopelight.report.sentences import steps_text
from scopelight.report.tables.text_table import Column, hlo_name, print_rows, say

_SOURCES: Final[dict[BorderSource, str]] = {
    "phases": template("found by the phases of ops"),
    "ops": template("the first or last op of the program, for none has a phase"),
    "option": template("as asked for"),
    "variable": template("as the script's environment says"),
}


def render_steps(record: StepTraceRecord, console: Console, *, base: Path, limit: int = 20) -> None:
    """Print the mean of the steps, each of them, and the collectives in them."""
    say(console, (*_heads(record), *closing(record.findings, "empty")))
    if record.rows:
        console.print()
        mean = [record.mean] if record.mean is not None else []
        print_rows(console, _COLUMNS, [*mean, *record.rows[:limit]])
        if len(record.rows) > limit:
            say(console, (text("{number} more steps", number=len(record.rows) - limit),))
    if record.collectives:
        console.print()
        print_rows(console, _collective_columns(base), record.collectives[:limit])
    say(console, closing(each for each in record.findings if each.severity != "empty"))


def _heads(record: StepTraceRecord) -> Iterator[str]:
    mean = record.mean
    if mean is None:
        return
    yield steps_text(record.step_time)
    apart = len(record.rows) - record.step_time.steps
    if apart:
        yield text(
            "Not in the mean: 1 step, which compiles, or of which it is not known what was before"
            if apart == 1
            else "Not in the mean: {number} steps, which compile, or of which it is not known what was before",
            number=apart,
        )
    if record.steps_source != "annotation" and record.predicted_for is None:
        yield text("A step here has the wait before it, in the overview the one after it")
    if mean.interval_ps:
        yield text("Interval: {parts}", parts=parts_text(mean.interval_parts))
    for said, name, line, source in (
        (template("Forward begins with {op}, {how}"), record.starts_at, record.starts_at_line, record.starts_by),
        (
            template("Backward ends with {op}, {how}") if record.has_backward else template("Ends with {op}, {how}"),
            record.ends_at,
            record.ends_at_line,
            record.ends_by,
        ),
    ):
        if name:
            where = f"{printable(name)} ({printable(line)})" if line else printable(name)
            yield text(said, op=where, how=text(_SOURCES[source]))


def _marks_of(row: StepTraceRow) -> str:
    marks = (
        (row.is_outlier, template("unlike most")),
        (not row.is_steady, template("compiles")),
        (not row.has_interval, template("what was before is not known")),
    )
    return ", ".join(text(mark) for is_so, mark in marks if is_so)


_COLUMNS: Final[list[Column[StepTraceRow]]] = [
    Column("step", lambda row: text("mean") if not row.number else str(row.number)),
    Column("time", lambda row: duration(row.duration_ps), right=True),
    Column("interval", lambda row: duration(row.interval_ps), right=True),
    Column("fwd + bwd", lambda row: duration(row.forward_backward_ps), right=True),
    Column("tail", lambda row: duration(row.tail_ps), right=True),
    Column("forward", lambda row: duration(row.forward_ps), right=True),
    Column("backward", lambda row: duration(row.backward_ps), right=True),
    Column("recompute", lambda row: duration(row.recompute_ps), right=True),
    Column("optimizer", lambda row: duration(row.optimizer_ps), right=True),
    Column("other", lambda row: duration(row.other_ps), right=True),
    Column("communication", lambda row: duration(row.communication_ps), right=True),
    Column("", _marks_of),
]


def _time_of_collective(row: CollectiveRow) -> str:
    return duration(row.mean_ps) if row.has_estimate else text(NO_ESTIMATE)


def _collective_columns(base: Path) -> list[Column[CollectiveRow]]:
    return [
        Column("collective", lambda row: printable(row.primitive or row.category), most=28),
        hlo_name(lambda row: row.name),
        Column("per step", lambda row: count(row.per_step), right=True),
        Column("bytes", lambda row: "" if row.bytes is None else byte_size(row.bytes), right=True),
        Column("time", _time_of_collective, right=True),
        Column("exposed", lambda row: duration(row.exposed_ps) if row.has_estimate else "", right=True),
        Column("line", lambda row: place(row, base), is_place=True),
    ]
