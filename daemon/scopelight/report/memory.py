"""The memory of compiled programs in the terminal."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from scopelight.analysis.memory.plan.records import (
    MemoryBuffer,
    MemoryLine,
    MemoryLinesRecord,
    MemoryViewerRecord,
)
from scopelight.findings import Finding
from scopelight.report.findings.worded import closing
from scopelight.report.foreign_text import printable
from scopelight.report.numbers import bar, byte_size, count, share
from scopelight.report.op_name import op_name
from scopelight.report.places import place
from scopelight.report.text_table import HLO_NAME, Column, text_table

_WIDEST_NAME = 60
_BUFFER_COLUMNS = (
    Column("buffer", most=_WIDEST_NAME),
    HLO_NAME,
    Column(""),
    Column("size", right=True),
    Column("of the peak", right=True),
    Column("padding", right=True),
    Column("what"),
    Column("shape", most=60),
    Column("from", right=True),
    Column("to", right=True),
    Column("line"),
)
_LINE_COLUMNS = (
    Column("line"),
    Column(""),
    Column("at the peak", right=True),
    Column("of it", right=True),
    Column("for the backward pass", right=True),
    Column("padding", right=True),
    Column("buffers", right=True),
    Column("function", most=_WIDEST_NAME),
)


def render_memory_viewer(record: MemoryViewerRecord, console: Console, *, base: Path, limit: int) -> None:
    """Print the sums of one program's memory, and the ``limit`` largest buffers at its peak."""
    for sentence in _heads(record):
        console.print(Text(sentence), soft_wrap=True)
    largest = sorted(record.buffers, key=lambda buffer: -buffer.bytes)[:limit]
    if largest:
        peak = max(1, record.peak_bytes or 0)
        _table(console, _BUFFER_COLUMNS, [_buffer_cells(buffer, peak, base) for buffer in largest])
        rows = f"{count(len(largest))} of {count(len(record.buffers))}"
        console.print(Text(f"{rows} rows at the peak, by size; from and to are program positions."), soft_wrap=True)
    others = [each for each in record.modules if each.program_id != record.program_id]
    if others:
        names = ", ".join(printable(each.label) for each in others[:8])
        console.print(Text(f"Other programs (--module): {names}{', …' if len(others) > 8 else ''}."), soft_wrap=True)
    _ends(console, record.findings)


def render_memory_lines(record: MemoryLinesRecord, console: Console, *, base: Path, limit: int) -> None:
    """Print the ``limit`` lines with the most in memory at the peak, and what is of no line."""
    if record.peak_bytes is not None and record.unattributed_bytes is not None:
        estimated = "≈" if record.basis == "estimated" else ""
        whole, rest = byte_size(record.peak_bytes), byte_size(record.unattributed_bytes)
        of = printable(record.module) if record.module is not None else "The largest snapshot"
        head = f"{of}: {estimated}{whole} at the peak, {rest} of no line."
        console.print(Text(head), soft_wrap=True)
        if record.lines:
            peak = max(1, record.peak_bytes)
            _table(console, _LINE_COLUMNS, [_line_cells(line, peak, base) for line in record.lines[:limit]])
            rows = f"{count(min(limit, len(record.lines)))} of {count(len(record.lines))}"
            console.print(Text(f"{rows} lines, by the memory that they define."), soft_wrap=True)
    _ends(console, record.findings)


def _heads(record: MemoryViewerRecord) -> Iterator[str]:
    totals = record.totals
    if record.peak_bytes is None or totals is None:
        return
    estimated = "≈" if record.basis == "estimated" else ""
    padding = record.peak_bytes - (record.peak_unpadded_bytes or record.peak_bytes)
    at = f" at position {record.peak_position}" if record.peak_position is not None else ""
    whose = "the allocator's limit" if totals.capacity_basis == "allocator" else "the device's memory"
    capacity = f" of {byte_size(totals.capacity_bytes)} ({whose})" if totals.capacity_bytes else ""
    padded = f", {byte_size(padding)} of it padding" if padding else ""
    name = printable(record.module or "")
    yield f"{name}: peak {estimated}{byte_size(record.peak_bytes)}{capacity} in {record.memory_space_name}{at}{padded}."
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


def _buffer_cells(buffer: MemoryBuffer, peak_bytes: int, base: Path) -> list[str]:
    names = op_name(buffer, buffer.name) if buffer.count == 1 else (f"{count(buffer.count)} small ones", "")
    padding = buffer.bytes - buffer.unpadded_bytes
    what = f"{buffer.category}, for the backward pass" if buffer.is_residual else buffer.category
    return [
        *names,
        bar(buffer.bytes / peak_bytes),
        byte_size(buffer.bytes),
        share(buffer.bytes / peak_bytes),
        byte_size(padding) if padding else "",
        what,
        printable(buffer.shape),
        str(buffer.start),
        str(buffer.end),
        place(buffer, base),
    ]


def _line_cells(line: MemoryLine, peak_bytes: int, base: Path) -> list[str]:
    padding = line.bytes - line.unpadded_bytes
    return [
        place(line, base),
        bar(line.bytes / peak_bytes),
        byte_size(line.bytes),
        share(line.bytes / peak_bytes),
        byte_size(line.residual_bytes) if line.residual_bytes else "",
        byte_size(padding) if padding else "",
        count(line.count),
        printable(line.function),
    ]


def _table(console: Console, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    console.print()
    for text in text_table(columns, rows, console.width if console.is_terminal else None):
        console.print(text, soft_wrap=True)
    console.print()


def _ends(console: Console, findings: Iterable[Finding]) -> None:
    for sentence in closing(findings):
        console.print(Text(sentence), soft_wrap=True)
