"""The flame graph as a file for speedscope, pprof, the Firefox Profiler or whatever reads collapsed stacks."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, get_args

from scopelight import __version__
from scopelight.analysis.flame.options import FlameMeasure
from scopelight.analysis.flame.records import FlameKind, FlameRecord, FlameRow
from scopelight.formats.pprof.writer import pprof
from scopelight.formats.stacks.collapsed import collapsed
from scopelight.formats.stacks.firefox import firefox
from scopelight.formats.stacks.speedscope import speedscope
from scopelight.formats.stacks.weighted import StackFrame, WeightedStacks
from scopelight.report.language import text

StackFormat = Literal["speedscope", "pprof", "collapsed", "firefox"]
STACK_FORMATS: Final[tuple[StackFormat, ...]] = get_args(StackFormat)

QUANTITIES: Final[Mapping[FlameMeasure, str]] = {
    "op-time": "op time",
    "wall-time": "device wall clock",
    "flops": "FLOPs",
    "memory": "memory at the peak",
}
KINDS: Final[Mapping[FlameKind, str]] = {"library": "(libraries)", "without-source": "(without source)"}
"""What rows are called that are no frame."""


def exported(record: FlameRecord, form: StackFormat, *, name: str, started_ns: int | None) -> Iterable[bytes]:
    """The pieces of the file: the stacks of ``record`` with what each weighs by itself, exactly.

    ``name`` is the profile's, ``started_ns`` when it began in ns since the epoch, None where that is unknown.
    """
    stacks = weighted_stacks(record, name)
    exporter = f"Scopelight {__version__}"
    if form == "pprof":
        return (pprof(stacks, started_ns),)
    if form == "speedscope":
        pieces = speedscope(stacks, exporter)
    elif form == "firefox":
        pieces = firefox(stacks, exporter, (started_ns or 0) / 1e6)
    else:
        pieces = collapsed(stacks)
    return (piece.encode("utf-8", "replace") for piece in pieces)


def weighted_stacks(record: FlameRecord, name: str) -> WeightedStacks:
    """The stacks of a record that weigh anything by themselves, in the order of its rows."""
    frames: dict[StackFrame, int] = {}
    stacks: dict[tuple[int, ...], int] = {}
    of_row: dict[str, tuple[int, ...]] = {}
    for row in record.rows:
        frame = frames.setdefault(_frame(row), len(frames))
        callers = of_row[row.parent] if row.parent is not None else ()
        stack = of_row[row.key] = (*callers, frame)
        if row.self_value:
            # Two rows are one stack where only what is not shown tells them apart.
            stacks[stack] = stacks.get(stack, 0) + row.self_value
    return WeightedStacks(name, QUANTITIES[record.measure], record.unit, tuple(frames), stacks)


def _frame(row: FlameRow) -> StackFrame:
    if row.kind in KINDS:
        return StackFrame(text(KINDS[row.kind]), "", 0)
    return StackFrame(row.function, row.file or row.path or "", row.line or 0)
