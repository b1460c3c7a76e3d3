"""Links in the terminal."""

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from scopelight.analysis.hosts.records import LinkRow, LinksRecord
from scopelight.report.foreign_text import printable
from scopelight.report.language import text
from scopelight.report.numbers import byte_rate, byte_size, count, duration
from scopelight.report.places import place
from scopelight.report.tables.text_table import Column, print_view


def render_links(record: LinksRecord, console: Console, *, base: Path, limit: int = 20) -> None:
    """Print each edge and each group of devices, those first that are slow."""
    more = len(record.links) - limit
    footer = (text("{number} more links", number=more),) if more > 0 else ()
    print_view(console, _heads(record), _columns(base), record.links[:limit], footer, record.findings)


def _heads(record: LinksRecord) -> Iterator[str]:
    if record.links:
        yield text("What a link does at its best, and in the median; a latency counts from when both sides have come")


def _name(row: LinkRow) -> str:
    if row.kind == "group":
        first, *_, last = row.group
        return text("{number} devices, {first} to {last}", number=len(row.group), first=first, last=last)
    return f"{row.source} → {row.destination}"


def _columns(base: Path) -> list[Column[LinkRow]]:
    return [
        Column("", lambda row: "!" if row.is_named else ""),
        Column("link", lambda row: printable(_name(row)), most=64),
        Column("ops", lambda row: printable(", ".join(row.ops)), most=32),
        Column("runs", lambda row: count(row.executions), right=True),
        Column("bytes", lambda row: "" if row.bytes is None else byte_size(row.bytes), right=True),
        Column(
            "at best", lambda row: "" if row.best_bytes_per_s is None else byte_rate(row.best_bytes_per_s), right=True
        ),
        Column(
            "median",
            lambda row: "" if row.median_bytes_per_s is None else byte_rate(row.median_bytes_per_s),
            right=True,
        ),
        Column("latency", lambda row: duration(row.latency_ps), right=True),
        Column("send delay", lambda row: duration(row.send_delay_ps) if row.kind == "edge" else "", right=True),
        Column("slower", lambda row: "" if row.slower_ratio is None else f"{row.slower_ratio:.3g}×", right=True),
        Column(
            "costs per step", lambda row: duration(row.cost_per_step_ps) if row.cost_per_step_ps else "", right=True
        ),
        Column("line", lambda row: place(row, base), is_place=True),
    ]
