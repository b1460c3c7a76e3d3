"""The flame graph in the terminal: a tree of lines, each below the line that called it."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from rich.console import Console

from scopelight.analysis.flame.records import FlameRecord, FlameRow
from scopelight.report.flame.exported import KINDS, QUANTITIES
from scopelight.report.foreign_text import printable
from scopelight.report.language import text
from scopelight.report.numbers import bar, byte_size, duration, flops, share
from scopelight.report.op_sentences import extent_text
from scopelight.report.prediction.marks import timed
from scopelight.report.tables.text_table import Column, print_view

_WIDEST_NAME: Final = 96
_INDENT: Final = "  "


def render_flame(record: FlameRecord, console: Console, *, base: Path, limit: int) -> None:
    """Print the ``limit`` rows with the most, each below its caller; files in ``base`` relative to it."""
    depths = _depths(record)
    divisor = _divisor(record)
    total = max(1, record.total)

    def share_of(ratio: float) -> str:
        return timed(share(ratio)) if record.unit == "ps" else share(ratio)

    columns: list[Column[FlameRow]] = [
        Column("inclusive", lambda row: _amount(record, row.inclusive_value / divisor), right=True),
        Column("", lambda row: bar(row.inclusive_value / total)),
        Column("share", lambda row: share_of(row.inclusive_value / total), right=True),
        Column("self", lambda row: _amount(record, row.self_value / divisor) if row.self_value else "–", right=True),
        Column("function", lambda row: f"{_INDENT * depths[row.key]}{_name(row)}", most=_WIDEST_NAME),
        Column("line", lambda row: _place(row, base)),
    ]
    order = sorted(range(len(record.rows)), key=lambda place: (-record.rows[place].inclusive_value, place))
    # A caller has no less than what it calls and comes before it: it is always there too.
    shown = [record.rows[place] for place in sorted(order[:limit]) if record.rows[place].inclusive_value]
    print_view(console, [_heading(record)] if record.total else [], columns, shown, (), record.findings)


def _heading(record: FlameRecord) -> str:
    per_step = ""
    if _divisor(record) > 1:
        per_step = f", {_amount(record, record.total / _divisor(record))} per step and device"
    over = "" if record.measure == "memory" else f" over {extent_text(record.extent)}"
    of = "" if record.measure == "flops" else f" of {QUANTITIES[record.measure]}"
    return f"{_amount(record, record.total)}{of} by Python stack{over}{per_step}"


def _depths(record: FlameRecord) -> Mapping[str, int]:
    depths: dict[str, int] = {}
    for row in record.rows:
        depths[row.key] = 0 if row.parent is None else depths[row.parent] + 1
    return depths


def _divisor(record: FlameRecord) -> int:
    """What an amount is divided by to be one per step and device; 1 where it is of the whole profile, or of memory."""
    if record.extent.kind != "steps" or record.unit == "bytes":
        return 1
    return max(1, record.extent.steps * record.extent.devices)


def _amount(record: FlameRecord, amount: float) -> str:
    return {"ps": duration, "flops": flops, "bytes": byte_size}[record.unit](amount)


def _name(row: FlameRow) -> str:
    return text(KINDS[row.kind]) if row.kind in KINDS else printable(row.function) or "–"


def _place(row: FlameRow, base: Path) -> str:
    if row.path is None and row.file is None:
        return ""
    path = (row.file or row.path or "").removeprefix(f"{str(base).rstrip(os.sep)}{os.sep}")
    return printable(path if row.line is None else f"{path}:{row.line}")
