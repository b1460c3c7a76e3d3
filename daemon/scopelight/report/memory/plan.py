"""The memory of compiled programs in the terminal."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from rich.console import Console

from scopelight.analysis.memory.plan.records import (
    CapacityBasis,
    MemoryBuffer,
    MemoryLine,
    MemoryLinesRecord,
    MemoryViewerRecord,
)
from scopelight.report.foreign_text import printable
from scopelight.report.numbers import bar, byte_size, count, share
from scopelight.report.op_name import op_name
from scopelight.report.places import place
from scopelight.report.sizes_of_whole import size_of_whole
from scopelight.report.tables.text_table import WIDEST_NAME, Column, hlo_name, print_view

_WHOSE: Mapping[CapacityBasis, str] = {
    "allocator": "the allocator's limit",
    "compiler": "the compiler's limit",
    "device": "the device's memory",
}


def render_memory_viewer(record: MemoryViewerRecord, console: Console, *, base: Path, limit: int) -> None:
    """Print the sums of one program's memory, and the ``limit`` largest buffers at its peak."""
    peak_bytes = max(1, record.peak_bytes or 0)
    columns: list[Column[MemoryBuffer]] = [
        Column("buffer", lambda row: _name(row)[0], most=WIDEST_NAME),
        hlo_name(lambda row: _name(row)[1]),
        Column("", lambda row: bar(row.bytes / peak_bytes)),
        Column("size", lambda row: byte_size(row.bytes), right=True),
        Column("of the peak", lambda row: share(row.bytes / peak_bytes), right=True),
        Column("padding", _padding, right=True),
        Column("what", lambda row: f"{row.category}, for the backward pass" if row.is_residual else row.category),
        Column("shape", lambda row: printable(row.shape), most=60),
        Column("from", lambda row: str(row.start), right=True),
        Column("to", lambda row: str(row.end), right=True),
        Column("line", lambda row: place(row, base)),
    ]
    largest = sorted(record.buffers, key=lambda buffer: -buffer.bytes)[:limit]
    footer = []
    if largest:
        rows = f"{count(len(largest))} of {count(len(record.buffers))}"
        footer.append(f"{rows} rows at the peak, by size; from and to are program positions.")
    others = [each for each in record.modules if each.program_id != record.program_id]
    if others:
        names = ", ".join(printable(each.label) for each in others[:8])
        footer.append(f"Other programs (--module): {names}{', …' if len(others) > 8 else ''}.")
    print_view(console, _heads(record), columns, largest, footer, record.findings)


def render_memory_lines(record: MemoryLinesRecord, console: Console, *, base: Path, limit: int) -> None:
    """Print the ``limit`` lines with the most in memory at the peak, and what is of no line."""
    peak_bytes = max(1, record.peak_bytes or 0)
    columns: list[Column[MemoryLine]] = [
        Column("line", lambda row: place(row, base)),
        Column("", lambda row: bar(row.bytes / peak_bytes)),
        Column("at the peak", lambda row: byte_size(row.bytes), right=True),
        Column("of it", lambda row: share(row.bytes / peak_bytes), right=True),
        Column(
            "for the backward pass", lambda row: byte_size(row.residual_bytes) if row.residual_bytes else "", right=True
        ),
        Column("padding", _padding, right=True),
        Column("buffers", lambda row: count(row.count), right=True),
        Column("function", lambda row: printable(row.function), most=WIDEST_NAME),
    ]
    shown = record.lines[:limit]
    heads, footer = [], []
    if record.peak_bytes is not None and record.unattributed_bytes is not None:
        estimated = "≈" if record.basis == "estimated" else ""
        whole, rest = byte_size(record.peak_bytes), byte_size(record.unattributed_bytes)
        of = printable(record.module) if record.module is not None else "The largest snapshot"
        heads.append(f"{of}: {estimated}{whole} at the peak, {rest} of no line.")
    if shown:
        rows = f"{count(len(shown))} of {count(len(record.lines))}"
        footer.append(f"{rows} lines, by the memory that they define.")
    print_view(console, heads, columns, shown, footer, record.findings)


def _heads(record: MemoryViewerRecord) -> Iterator[str]:
    totals = record.totals
    if record.peak_bytes is None or totals is None:
        return
    estimated = "≈" if record.basis == "estimated" else ""
    padding = record.peak_bytes - (record.peak_unpadded_bytes or record.peak_bytes)
    at = f" at position {record.peak_position}" if record.peak_position is not None else ""
    peak = byte_size(record.peak_bytes)
    if totals.capacity_bytes and totals.capacity_basis is not None:
        peak = f"{size_of_whole(record.peak_bytes, totals.capacity_bytes)} ({_WHOSE[totals.capacity_basis]})"
    padded = f", {byte_size(padding)} of it padding" if padding else ""
    name = printable(record.module or "")
    yield f"{name}: peak {estimated}{peak} in {record.memory_space_name}{at}{padded}."
    lost = (
        f", {estimated}{share(totals.fragmentation_ratio)} of them fragmented"
        if totals.fragmentation_ratio is not None
        else ""
    )
    yield (
        f"Arguments {byte_size(totals.argument_bytes)}, outputs {byte_size(totals.output_bytes)}"
        f" ({byte_size(totals.alias_bytes)} in arguments), temporaries {byte_size(totals.temporary_bytes)}{lost},"
        f" constants {byte_size(totals.constant_bytes)}."
    )
    spaces = [
        each for module in record.modules if module.program_id == record.program_id for each in module.memory_spaces
    ]
    if len(spaces) > 1:
        listed = (f"{each.number} {each.name} {byte_size(each.peak_bytes or 0)}" for each in spaces)
        yield f"Peaks by memory space (--memory-space): {', '.join(listed)}."


def _name(buffer: MemoryBuffer) -> tuple[str, str]:
    return op_name(buffer, buffer.name) if buffer.count == 1 else (f"{count(buffer.count)} small ones", "")


def _padding(row: MemoryBuffer | MemoryLine) -> str:
    padding = row.bytes - row.unpadded_bytes
    return byte_size(padding) if padding else ""
