"""Padded arrays and products in the terminal."""

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.text import Text

from scopelight.analysis.padding.records import PaddingRecord, PaddingRow, PaddingTotals
from scopelight.report.findings.worded import closing
from scopelight.report.foreign_text import printable
from scopelight.report.numbers import byte_size, count, duration, level_bar, share
from scopelight.report.op_name import op_name
from scopelight.report.padding_sentences import padded_dimensions
from scopelight.report.places import place
from scopelight.report.text_table import HLO_NAME, Column, text_table

_WIDEST_NAME = 60
_COLUMNS = (
    Column("op", most=_WIDEST_NAME),
    HLO_NAME,
    Column(""),
    Column("unused", right=True),
    Column("padding", right=True),
    Column("self", right=True),
    Column("share", right=True),
    Column("where"),
    Column("array or product"),
    Column("padded"),
    Column("line"),
)


def render_padding(record: PaddingRecord, console: Console, *, base: Path, limit: int) -> None:
    """Print what is padded on the whole, and the ``limit`` rows of the greatest waste."""
    for sentence in _heads(record):
        console.print(Text(sentence), soft_wrap=True)
    shown = record.rows[:limit]
    if shown:
        console.print()
        rows = [_cells(row, base) for row in shown]
        for text in text_table(_COLUMNS, rows, console.width if console.is_terminal else None):
            console.print(text, soft_wrap=True)
        console.print()
        console.print(Text(_order(record, len(shown))), soft_wrap=True)
    for sentence in closing(record.findings):
        console.print(Text(sentence), soft_wrap=True)


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


def _cells(row: PaddingRow, base: Path) -> list[str]:
    unused_ratio = 1 - row.used_ratio
    return [
        *op_name(row, row.op if row.inner is None else f"{row.op} › {row.inner}"),
        level_bar(unused_ratio),
        share(unused_ratio),
        byte_size(row.extra_bytes) if row.extra_bytes is not None else "",
        duration(row.self_ps) if row.self_ps else "",
        share(row.share_ratio) if row.share_ratio else "",
        "matrix unit" if row.basis == "matrix-unit" else "memory" if row.inner is None else "inside",
        printable(row.shape),
        ", ".join(f"{count(each.size)} → {count(each.padded)} {each.role}" for each in padded_dimensions(row)),
        place(row, base),
    ]


def _order(record: PaddingRecord, shown: int) -> str:
    has_times = any(row.self_ps is not None for row in record.rows)
    by = "by the time of the op that is not used" if has_times else "by the work that is not used"
    return f"{count(shown)} of {_number(record.totals.rows, 'row')}, {by}."
