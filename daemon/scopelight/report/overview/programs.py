"""Compiled programs, and shapes that change, in the terminal."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from rich.console import Console

from scopelight.analysis.programs.reasons import ChangedArgument
from scopelight.analysis.programs.records import (
    BucketPlan,
    CompilationRow,
    ProgramArgument,
    ProgramRow,
    ProgramsRecord,
    ShapeFamily,
    ShapeIteration,
    ShapesRecord,
)
from scopelight.report.findings.advice import CAUSES
from scopelight.report.findings.worded import closing
from scopelight.report.foreign_text import printable
from scopelight.report.language import text
from scopelight.report.numbers import byte_size, count, duration, exact_duration, share
from scopelight.report.places import place
from scopelight.report.tables.text_table import Column, print_rows, print_view, say

_MOST_SHOWN: Final = 3


def render_programs(record: ProgramsRecord, console: Console, *, base: Path, limit: int = 20) -> None:
    """Print the programs, then what compiling took by function, line and cause."""
    number = len(record.rows)
    head = text("1 program" if number == 1 else "{number} programs", number=number) if number else ""
    if record.compile_ps is not None:
        compiles = sum(each.count for each in record.compilations)
        took = text(
            "1 compilation took {time}" if compiles == 1 else "{compiles} compilations took {time} together",
            compiles=compiles,
            time=exact_duration(record.compile_ps),
        )
        head = f"{head}; {took}" if head else took
    print_view(console, filter(None, (head,)), _program_columns(base), record.rows[:limit], (), ())
    if record.compilations:
        print_rows(console, _compilation_columns(base), record.compilations[:limit])
    say(console, closing(record.findings))


def render_shapes(record: ShapesRecord, console: Console, *, base: Path, limit: int = 20) -> None:
    """Print each family: its iterations with their shapes, and what padding to a few sizes would cost and save."""
    for family in record.families:
        where = place(family, base)
        head = text("{function}: {number} variants", function=family.function, number=len(family.variants))
        print_view(
            console,
            (f"{head}  {where}".rstrip(),),
            _iteration_columns(family),
            family.iterations[:limit],
            [text("{number} more iterations", number=len(family.iterations) - limit)]
            if len(family.iterations) > limit
            else (),
            (),
        )
        if family.plans:
            print_rows(console, _PLAN_COLUMNS, family.plans)
    say(console, closing(record.findings))


def shapes_text(arguments: Iterable[ProgramArgument]) -> str:
    """``x: f32[32,64], y: s32[32]``, of many the first few."""
    parts = [f"{printable(each.name)}: {printable(each.shape)}" for each in arguments]
    rest = len(parts) - _MOST_SHOWN
    said = ", ".join(parts[:_MOST_SHOWN])
    return text("{names} and {rest} more", names=said, rest=rest) if rest > 0 else said


def changes_text(changed: Iterable[ChangedArgument]) -> str:
    """``x: f32[32,64] → f32[33,64]``, of many the first few."""
    none = text("(none)")
    parts = [
        (f"{printable(each.name)}: " if each.name else "")
        + f"{printable(each.before or '') or none} → {printable(each.after or '') or none}"
        for each in changed
    ]
    rest = len(parts) - _MOST_SHOWN
    said = ", ".join(parts[:_MOST_SHOWN])
    return text("{names} and {rest} more", names=said, rest=rest) if rest > 0 else said


def _program_columns(base: Path) -> list[Column[ProgramRow]]:
    return [
        Column("program", lambda row: printable(row.function), most=40),
        Column("variant", lambda row: f"{row.variant}/{row.variants}" if row.variants > 1 else "", right=True),
        Column("runs", lambda row: count(row.runs), right=True),
        Column("time", lambda row: duration(row.time_ps) if row.runs else "", right=True),
        Column("mean", lambda row: "" if row.mean_ps is None else duration(row.mean_ps), right=True),
        Column("compile", lambda row: "" if row.compile_ps is None else exact_duration(row.compile_ps), right=True),
        Column("peak", lambda row: "" if row.peak_bytes is None else byte_size(row.peak_bytes), right=True),
        Column("called at", lambda row: place(row, base), is_place=True),
        Column("changed", lambda row: changes_text(row.changed), most=60),
    ]


def _compilation_columns(base: Path) -> list[Column[CompilationRow]]:
    return [
        Column("compiled", lambda row: printable(row.function) or text("(unknown)"), most=40),
        Column("times", lambda row: count(row.count), right=True),
        Column("in steps", lambda row: count(row.in_steps) if row.in_steps else "", right=True),
        Column("time", lambda row: exact_duration(row.time_ps), right=True),
        Column("why", lambda row: text(CAUSES[row.cause]), most=40),
        Column("changed", lambda row: changes_text(row.changed), most=60),
        Column("called at", lambda row: place(row, base), is_place=True),
    ]


def _iteration_columns(family: ShapeFamily) -> list[Column[ShapeIteration]]:
    return [
        Column("run", lambda row: str(row.number), right=True),
        Column("step", lambda row: "" if row.step is None else str(row.step), right=True),
        Column("shapes", lambda row: shapes_text(family.variants[row.variant].shapes), most=60),
        Column("time", lambda row: duration(row.duration_ps), right=True),
        Column("op time", lambda row: duration(row.op_time_ps), right=True),
    ]


_PLAN_COLUMNS: Final[list[Column[BucketPlan]]] = [
    Column("padded to", lambda row: ", ".join(map(str, row.sizes))),
    Column("more work", lambda row: f"≈{share(row.padding_ratio)}", right=True),
    Column("programs", lambda row: count(row.compiles), right=True),
    Column("compiles less", lambda row: "" if row.saved_ps is None else f"≈{exact_duration(row.saved_ps)}", right=True),
]
