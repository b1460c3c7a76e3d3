"""Whether programs fit, in the terminal."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from scopelight.analysis.memory.fit.records import ArgumentMemory, FitRecord, ProgramFit
from scopelight.analysis.memory.plan.records import MemoryBuffer, MemoryLine
from scopelight.report.findings.prediction.fit import VERDICTS
from scopelight.report.findings.savings import saving_text
from scopelight.report.findings.worded import closing, in_terminal
from scopelight.report.foreign_text import printable
from scopelight.report.language import text
from scopelight.report.numbers import bar, byte_size, count, share
from scopelight.report.op_name import op_name
from scopelight.report.places import place
from scopelight.report.sizes_of_whole import known_size
from scopelight.report.tables.text_table import WIDEST_NAME, Column, print_rows, say

_MOST_PROGRAMS = 5
_MOST_BUFFERS = 5


def render_fit(record: FitRecord, console: Console, *, base: Path, limit: int) -> None:
    """Print the verdict, the programs that need most, and of one the lines, arguments, buffers and what would help."""
    for each in record.findings:
        if each.code in VERDICTS:
            say(console, (in_terminal(each), ""))
    if len(record.programs) > 1:
        print_rows(console, _PROGRAM_COLUMNS, record.programs[:_MOST_PROGRAMS])
        if len(record.programs) > _MOST_PROGRAMS:
            say(console, [text("{rest} more programs.", rest=count(len(record.programs) - _MOST_PROGRAMS))])
        console.print()
    if record.peak_bytes is not None:
        say(console, _head(record))
        whole_bytes = max(1, record.peak_bytes)
        shown: list[MemoryLine | ArgumentMemory] = sorted(
            [*record.lines, *record.arguments], key=lambda each: -each.bytes
        )
        if shown:
            print_rows(console, _line_columns(base, whole_bytes), shown[:limit])
        if record.buffers:
            console.print()
            print_rows(console, _buffer_columns(base, whole_bytes), record.buffers[:_MOST_BUFFERS])
    for number, each in enumerate(record.savings, 1):
        if number == 1:
            console.print()
        where = place(each, base)
        words = " ".join(filter(None, (saving_text(each), in_terminal(each))))
        say(console, (f"{number}. {f'{where}  ' if where else ''}{words}",))
    if len(record.savings) > 1:
        say(console, [text("Each of these is by itself: together they may save less.")])
    say(console, closing([each for each in record.findings if each.code not in VERDICTS]))


def _head(record: FitRecord) -> Iterator[str]:
    estimated = "≈" if record.basis == "estimated" else ""
    yield text(
        "{program}: {peak} at the peak, {rest} of no line and no argument.",
        program=printable(record.module or ""),
        peak=f"{estimated}{byte_size(record.peak_bytes or 0)}",
        rest=byte_size(record.rest_bytes or 0),
    )


def _fits(row: ProgramFit) -> str:
    if row.fits is None:
        return text("not known") if row.outcome is None else text("not known ({outcome})", outcome=row.outcome)
    return text("fits") if row.fits else text("does not fit")


_PROGRAM_COLUMNS: Sequence[Column[ProgramFit]] = (
    Column("program", lambda row: printable(row.name), most=WIDEST_NAME),
    Column("id", lambda row: printable(row.program_id or ""), most=WIDEST_NAME),
    Column("", _fits),
    Column("needs", lambda row: known_size(row.needed_bytes, row.available_bytes), right=True),
    Column("in use", lambda row: "" if row.peak_bytes is None else byte_size(row.peak_bytes), right=True),
    Column("devices", lambda row: "" if row.partitions is None else count(row.partitions), right=True),
)


def _line_columns(base: Path, whole_bytes: int) -> Sequence[Column[MemoryLine | ArgumentMemory]]:
    return (
        Column("line", lambda row: place(row, base) if isinstance(row, MemoryLine) else _argument(row)),
        Column("", lambda row: bar(row.bytes / whole_bytes)),
        Column("at the peak", lambda row: byte_size(row.bytes), right=True),
        Column("of it", lambda row: share(row.bytes / whole_bytes), right=True),
        Column("for the backward pass", _residual, right=True),
        Column("padding", _padding, right=True),
        Column("arrays", lambda row: count(row.count if isinstance(row, MemoryLine) else row.arrays), right=True),
        Column("largest", _largest, most=WIDEST_NAME),
    )


def _argument(row: ArgumentMemory) -> str:
    name = printable(row.name)
    if row.donated_bytes == row.bytes:
        return text("argument {name}, donated", name=name)
    return text("argument {name}", name=name)


def _residual(row: MemoryLine | ArgumentMemory) -> str:
    return byte_size(row.residual_bytes) if isinstance(row, MemoryLine) and row.residual_bytes else ""


def _padding(row: MemoryLine | ArgumentMemory | MemoryBuffer) -> str:
    return byte_size(row.bytes - row.unpadded_bytes) if row.bytes != row.unpadded_bytes else ""


def _largest(row: MemoryLine | ArgumentMemory) -> str:
    if isinstance(row, ArgumentMemory):
        return printable(row.largest_shape)
    return printable(row.buffers[0].shape) if row.buffers else ""


def _buffer_columns(base: Path, whole_bytes: int) -> Sequence[Column[MemoryBuffer]]:
    return (
        Column("buffer", _name, most=WIDEST_NAME),
        Column("size", lambda row: byte_size(row.bytes), right=True),
        Column("of the peak", lambda row: share(row.bytes / whole_bytes), right=True),
        Column("padding", _padding, right=True),
        Column("what", lambda row: text("for the backward pass") if row.is_residual else row.category),
        Column("shape", lambda row: printable(row.shape), most=WIDEST_NAME),
        Column("line", lambda row: place(row, base)),
    )


def _name(row: MemoryBuffer) -> str:
    if row.count > 1:
        return text("{number} small ones", number=count(row.count))
    return op_name(row, row.op_name or row.name)[0]
