"""Clocks in the terminal."""

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from scopelight.analysis.hosts.records import ClockRow, ClocksRecord
from scopelight.report.foreign_text import printable
from scopelight.report.language import text
from scopelight.report.numbers import count, duration
from scopelight.report.tables.text_table import Column, print_view


def render_clocks(record: ClocksRecord, console: Console, *, base: Path, limit: int = 20) -> None:  # noqa: ARG001
    """Print by how much each clock differs from the first one."""
    print_view(console, _heads(record), _COLUMNS, record.clocks[:limit], (), record.findings)


def offset_text(offset_ps: int | None, error_ps: int | None) -> str:
    """An offset with its error: ``−7.12 ms ± 648 µs``; of the clock that others are held against only what it is."""
    if offset_ps is None or error_ps is None:
        return text("not known")
    if not error_ps:
        return text("reference")
    sign = "+" if offset_ps > 0 else ""
    return f"{sign}{duration(offset_ps)} ± {duration(error_ps)}"


def _heads(record: ClocksRecord) -> Iterator[str]:
    if len(record.clocks) > 1:
        yield text(
            "What is to be added to each clock, by the collectives in which hosts met; an offset that is smaller than"
            " its own error is not added"
        )


_COLUMNS: list[Column[ClockRow]] = [
    Column("host", lambda row: printable(row.host), most=40),
    Column("offset", lambda row: offset_text(row.offset_ps, row.offset_error_ps), right=True),
    Column("added", lambda row: duration(row.applied_offset_ps) if row.applied_offset_ps else "", right=True),
    Column("meetings", lambda row: count(row.meetings), right=True),
]
