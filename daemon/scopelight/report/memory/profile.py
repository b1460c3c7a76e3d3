"""Memory while a script ran, in the terminal."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from scopelight.analysis.memory.profile.records import (
    MemoryBreakdownRow,
    MemoryProfileRecord,
    MemoryRecord,
    MemorySnapshot,
    MemorySnapshotRow,
    OutOfMemoryCulprit,
    OutOfMemoryRecord,
)
from scopelight.report.findings.worded import closing, joined, of_severity
from scopelight.report.foreign_text import printable, shortened
from scopelight.report.numbers import byte_size, count, duration, level_bar, share
from scopelight.report.op_name import op_name
from scopelight.report.places import place
from scopelight.report.tables.text_table import WIDEST_NAME, Column, hlo_name, print_rows, say

_MOST_STRIP = 40
_LEVELS = " ▁▂▃▄▅▆▇█"


def render_memory_profile(record: MemoryProfileRecord, console: Console, *, base: Path, limit: int) -> None:
    """Print how memory ran out, every memory, what was in use at the greatest peak, and the largest snapshot."""
    if record.out_of_memory is not None:
        render_out_of_memory(record.out_of_memory, console, base=base, limit=limit)
    if record.memories:
        print_rows(console, _MEMORY_COLUMNS, record.memories)
        if record.trace_ps:
            say(console, [f"Times count from the first sample; the trace begins at {duration(record.trace_ps)}."])
    for memory in record.memories:
        if memory.breakdown:
            console.print()
            say(console, [f"{printable(memory.name)}, {byte_size(memory.peak_bytes)} at the peak:"])
            print_rows(console, _breakdown_columns(base), memory.breakdown[:limit])
            if len(memory.breakdown) > limit:
                say(console, [f"{count(limit)} of {count(len(memory.breakdown))} rows."])
    if record.snapshots:
        largest = max(record.snapshots, key=lambda snapshot: snapshot.bytes)
        console.print()
        say(console, [_snapshot_head(largest, len(record.snapshots))])
        if largest.rows:
            print_rows(console, _snapshot_columns(base), largest.rows[:limit])
    say(console, closing(record.findings))


def render_out_of_memory(record: OutOfMemoryRecord, console: Console, *, base: Path, limit: int) -> None:
    """Print how memory ran out, the lines that took it, and what to do."""
    say(console, [joined(of_severity(record.findings, "error"), "terminal")])
    if record.culprits:
        print_rows(console, _culprit_columns(base), record.culprits[:limit])
    say(console, [joined(of_severity(record.findings, "note", "advice"), "terminal")])


def _breakdown_columns(base: Path) -> Sequence[Column[MemoryBreakdownRow]]:
    return (
        Column("at the peak", lambda row: _part_name(row)[0], most=80),
        hlo_name(lambda row: _part_name(row)[1]),
        Column("size", lambda row: byte_size(row.bytes), right=True),
        Column("requested", lambda row: _size(row.requested_bytes), right=True),
        Column("count", lambda row: count(row.count), right=True),
        Column("region", lambda row: printable(row.region or "")),
        Column("type", lambda row: printable(row.data_type or "")),
        Column("shape", lambda row: printable(row.shape or ""), most=WIDEST_NAME),
        Column("basis", lambda row: row.basis),
        Column("line", lambda row: place(row, base)),
    )


def _snapshot_columns(base: Path) -> Sequence[Column[MemorySnapshotRow]]:
    return (
        Column("alive", lambda row: place(row, base) or "(no line of yours)", most=WIDEST_NAME, is_place=True),
        Column("size", _known_size, right=True),
        Column("count", lambda row: count(row.count), right=True),
        Column("kind", lambda row: printable(row.kind)),
        Column("device", lambda row: printable(row.device), most=WIDEST_NAME),
        Column("function", lambda row: printable(row.function), most=WIDEST_NAME),
    )


def _culprit_columns(base: Path) -> Sequence[Column[OutOfMemoryCulprit]]:
    return (
        Column("line", lambda row: place(row, base) or printable(row.path or "(no line known)")),
        Column("size", lambda row: _size(row.bytes), right=True),
        Column("what", lambda row: printable(shortened(joined(row.findings, "terminal"))), most=80),
        Column("according to", lambda row: row.basis),
    )


def _size(size_bytes: int | None) -> str:
    return byte_size(size_bytes) if size_bytes is not None else ""


def _window_peak(memory: MemoryRecord) -> str:
    if memory.window_peak_bytes is None or memory.window_peak_ps is None:
        return ""
    return f"{byte_size(memory.window_peak_bytes)} at {duration(memory.window_peak_ps)}"


def _strip(memory: MemoryRecord) -> str:
    """What was in use over time, in cells of equal time; the most in each."""
    samples = memory.samples
    first, last = samples[0].time_ps, samples[-1].time_ps
    cells = [-1] * min(_MOST_STRIP, len(samples))
    for sample in samples:
        cell = min(len(cells) - 1, (sample.time_ps - first) * len(cells) // max(1, last - first))
        cells[cell] = max(cells[cell], sample.heap_bytes + (sample.stack_bytes or 0))
    most = max(1, *cells, 1)
    text, before = "", 0
    for used in cells:
        # Between samples nothing changed, as far as is known.
        before = used if used >= 0 else before
        text += _LEVELS[-(-before * (len(_LEVELS) - 1) // most)]
    return text


_MEMORY_COLUMNS: Sequence[Column[MemoryRecord]] = (
    Column("memory", lambda row: printable(row.name), most=WIDEST_NAME),
    Column("known from", lambda row: row.source),
    Column("peak", lambda row: byte_size(row.peak_bytes), right=True),
    Column("at", lambda row: duration(row.peak_ps), right=True),
    Column("of", lambda row: _size(row.capacity_bytes), right=True),
    Column("", lambda row: level_bar(row.peak_bytes / row.capacity_bytes) if row.capacity_bytes else ""),
    Column("full", lambda row: share(row.peak_bytes / row.capacity_bytes) if row.capacity_bytes else "", right=True),
    Column("peak in the window", _window_peak, right=True),
    Column("lifetime peak", lambda row: _size(row.lifetime_peak_bytes), right=True),
    Column("samples", lambda row: count(row.sample_count), right=True),
    Column("over time", _strip),
)


def _part_name(row: MemoryBreakdownRow) -> tuple[str, str]:
    if row.findings:
        return joined(row.findings, "terminal"), ""
    return op_name(row, row.op or "(unnamed)")


def _snapshot_head(snapshot: MemorySnapshot, number: int) -> str:
    of = f", the largest of {count(number)} snapshots" if number > 1 else ""
    when = f" at {duration(snapshot.time_ps)}" if snapshot.time_ps is not None else ""
    cost = f"; it took {snapshot.cost_ms:.3g} ms" if snapshot.cost_ms is not None else ""
    return f"Snapshot {printable(snapshot.name)}{of}: {byte_size(snapshot.bytes)}{when}{cost}."


def _known_size(row: MemorySnapshotRow) -> str:
    if not row.unknown_count:
        return byte_size(row.bytes)
    return "unknown" if row.unknown_count == row.count else f"≥ {byte_size(row.bytes)}"
