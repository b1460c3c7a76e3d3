"""Hardware counters in the terminal."""

from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from scopelight.analysis.counters.records import CounterMetric, CounterRow, CountersRecord
from scopelight.report.findings.worded import closing
from scopelight.report.foreign_text import printable
from scopelight.report.language import text
from scopelight.report.numbers import count, duration, share
from scopelight.report.places import place
from scopelight.report.tables.text_table import Column, hlo_name, print_rows, say

MOST_COUNTERS = 4
"""Columns that a terminal has room for."""


def render_counters(record: CountersRecord, console: Console, *, base: Path, limit: int = 20) -> None:
    """Print each counter with its mean, then the ops with theirs."""
    if not record.counters:
        say(console, closing(record.findings))
        return
    say(console, closing(record.findings, "empty"))
    print_rows(console, _METRICS, record.counters)
    console.print()
    print_rows(console, _columns(record, base), record.rows[:limit])
    if any(each.is_short for each in record.rows[:limit]):
        say(console, (text("≈ is of runs that are shorter than a sample: values are also of what ran beside them."),))
    if len(record.counters) > MOST_COUNTERS:
        left = len(record.counters) - MOST_COUNTERS
        say(console, (text("{number} more counters are in --json.", number=left),))
    say(console, closing(each for each in record.findings if each.severity != "empty"))


def number_text(value: float | None) -> str:
    """Three digits, with a prefix where it is large; ``–`` where nothing is known."""
    if value is None:
        return "–"
    for limit, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= limit:
            return f"{value / (1e3 if prefix == 'k' else limit):.3g} {prefix}"
    return f"{value:.3g}"


def _titled(each: CounterMetric) -> str:
    name = printable(each.name)
    return f"{name} ({printable(each.unit)})" if each.unit else name


_METRICS = (
    Column[CounterMetric]("counter", _titled),
    Column[CounterMetric]("while ops run", lambda each: number_text(each.mean_busy), right=True),
    Column[CounterMetric]("mean", lambda each: number_text(each.mean), right=True),
    Column[CounterMetric]("least", lambda each: number_text(each.least), right=True),
    Column[CounterMetric]("greatest", lambda each: number_text(each.greatest), right=True),
    Column[CounterMetric]("every", lambda each: duration(each.period_ps), right=True),
    Column[CounterMetric]("samples", lambda each: count(each.samples), right=True),
)


def _columns(record: CountersRecord, base: Path) -> list[Column[CounterRow]]:
    def value(at: int) -> Callable[[CounterRow], str]:
        return lambda each: ("≈" if each.is_short else "") + number_text(each.values[at])

    return [
        Column("op", lambda each: each.primitive),
        hlo_name(lambda each: each.name),
        Column("of op time", lambda each: share(each.share_ratio), right=True),
        *(Column(_titled(each), value(at), right=True) for at, each in enumerate(record.counters[:MOST_COUNTERS])),
        Column("line", lambda each: place(each, base), is_place=True),
    ]
