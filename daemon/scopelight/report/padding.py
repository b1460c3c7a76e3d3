"""Padded arrays and products in the terminal."""

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from scopelight.analysis.padding.records import PaddingRecord, PaddingRow, PaddingTotals
from scopelight.report.foreign_text import printable
from scopelight.report.numbers import byte_size, count, duration, level_bar, share
from scopelight.report.op_name import op_name
from scopelight.report.padding_sentences import padded_dimensions
from scopelight.report.places import place
from scopelight.report.prediction.marks import timed
from scopelight.report.tables.text_table import WIDEST_NAME, Column, hlo_name, print_view


def render_padding(record: PaddingRecord, console: Console, *, base: Path, limit: int) -> None:
    """Print what is padded on the whole, and the ``limit`` rows of the greatest waste."""
    columns: list[Column[PaddingRow]] = [
        Column("op", lambda row: _name(row)[0], most=WIDEST_NAME),
        hlo_name(lambda row: _name(row)[1]),
        Column("", lambda row: level_bar(1 - row.used_ratio)),
        Column("unused", lambda row: share(1 - row.used_ratio), right=True),
        Column("padding", lambda row: byte_size(row.extra_bytes) if row.extra_bytes is not None else "", right=True),
        Column("self", lambda row: duration(row.self_ps) if row.self_ps else "", right=True),
        Column("share", lambda row: timed(share(row.share_ratio)) if row.share_ratio else "", right=True),
        Column("where", _where),
        Column("array or product", lambda row: printable(row.shape)),
        Column("padded", _padded),
        Column("line", lambda row: place(row, base)),
    ]
    shown = record.rows[:limit]
    footer = [_order(record, len(shown))] if shown else []
    print_view(console, _heads(record), columns, shown, footer, record.findings)


def _heads(record: PaddingRecord) -> Iterator[str]:
    if record.rows:
        how = "predicted for" if record.rows[0].predicted else "products held against the matrix unit of"
        yield f"{_sums(record.totals)}{f', {how} {record.target}' if record.target else ''}."


def _sums(totals: PaddingTotals) -> str:
    parts = []
    if totals.arrays:
        extra = byte_size(totals.extra_bytes)
        parts.append(f"{_number(totals.arrays, 'array')} in memory with {extra} of padding, each counted by itself")
    if totals.fused_arrays:
        parts.append(f"{_number(totals.fused_arrays, 'padded array')} inside fusions")
    if totals.products:
        verb = "does" if totals.products == 1 else "do"
        parts.append(f"{_number(totals.products, 'product')} that {verb} not fill the matrix unit")
    return "; ".join(parts)


def _number(number: int, what: str) -> str:
    return f"{count(number)} {what}{'' if number == 1 else 's'}"


def _name(row: PaddingRow) -> tuple[str, str]:
    return op_name(row, row.op if row.inner is None else f"{row.op} › {row.inner}")


def _where(row: PaddingRow) -> str:
    return "matrix unit" if row.basis == "matrix-unit" else "memory" if row.inner is None else "inside"


def _padded(row: PaddingRow) -> str:
    return ", ".join(f"{count(each.size)} → {count(each.padded)} {each.role}" for each in padded_dimensions(row))


def _order(record: PaddingRecord, shown: int) -> str:
    has_times = any(row.self_ps is not None for row in record.rows)
    by = "by the time of the op that is not used" if has_times else "by the work that is not used"
    return f"{count(shown)} of {_number(record.totals.rows, 'row')}, {by}."
