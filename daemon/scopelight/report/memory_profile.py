"""Memory while a script ran, in the terminal."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

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
from scopelight.report.text_table import HLO_NAME, Column, text_table

_WIDEST_NAME = 60
_MOST_STRIP = 40
_LEVELS = " ▁▂▃▄▅▆▇█"
_MEMORY_COLUMNS = (
    Column("memory", most=_WIDEST_NAME),
    Column("known from"),
    Column("peak", right=True),
    Column("at", right=True),
    Column("of", right=True),
    Column(""),
    Column("full", right=True),
    Column("peak in the window", right=True),
    Column("lifetime peak", right=True),
    Column("samples", right=True),
    Column("over time"),
)
_BREAKDOWN_COLUMNS = (
    Column("at the peak", most=80),
    HLO_NAME,
    Column("size", right=True),
    Column("requested", right=True),
    Column("count", right=True),
    Column("region"),
    Column("type"),
    Column("shape", most=_WIDEST_NAME),
    Column("basis"),
    Column("line"),
)
_SNAPSHOT_COLUMNS = (
    Column("alive", most=_WIDEST_NAME),
    Column("size", right=True),
    Column("count", right=True),
    Column("kind"),
    Column("device", most=_WIDEST_NAME),
    Column("function", most=_WIDEST_NAME),
)
_CULPRIT_COLUMNS = (Column("line"), Column("size", right=True), Column("what", most=80), Column("according to"))


def render_memory_profile(record: MemoryProfileRecord, console: Console, *, base: Path, limit: int) -> None:
    """Print how memory ran out, every memory, what was in use at the greatest peak, and the largest snapshot."""
    if record.out_of_memory is not None:
        render_out_of_memory(record.out_of_memory, console, base=base, limit=limit)
    if record.memories:
        _table(console, _MEMORY_COLUMNS, [_memory_cells(each) for each in record.memories])
        if record.trace_ps:
            _say(console, f"Times count from the first sample; the trace begins at {duration(record.trace_ps)}.")
    for memory in record.memories:
        if memory.breakdown:
            console.print()
            _say(console, f"{memory.name}, {byte_size(memory.peak_bytes)} at the peak:")
            parts = [_breakdown_cells(row, base) for row in memory.breakdown[:limit]]
            _table(console, _BREAKDOWN_COLUMNS, parts)
            if len(memory.breakdown) > limit:
                _say(console, f"{count(limit)} of {count(len(memory.breakdown))} rows.")
    if record.snapshots:
        largest = max(record.snapshots, key=lambda snapshot: snapshot.bytes)
        console.print()
        _say(console, _snapshot_head(largest, len(record.snapshots)))
        rows = [_snapshot_cells(row, base) for row in largest.rows[:limit]]
        if rows:
            _table(console, _SNAPSHOT_COLUMNS, rows)
    for sentence in closing(record.findings):
        _say(console, sentence)


def render_out_of_memory(record: OutOfMemoryRecord, console: Console, *, base: Path, limit: int) -> None:
    """Print how memory ran out, the lines that took it, and what to do."""
    _say(console, joined(of_severity(record.findings, "error"), "terminal"))
    rows = [_culprit_cells(each, base) for each in record.culprits[:limit]]
    if rows:
        _table(console, _CULPRIT_COLUMNS, rows)
    _say(console, joined(of_severity(record.findings, "note", "advice"), "terminal"))


def _memory_cells(memory: MemoryRecord) -> list[str]:
    capacity = memory.capacity_bytes
    full = memory.peak_bytes / capacity if capacity else None
    return [
        printable(memory.name),
        memory.source,
        byte_size(memory.peak_bytes),
        duration(memory.peak_ps),
        byte_size(capacity) if capacity is not None else "",
        level_bar(full) if full is not None else "",
        share(full) if full is not None else "",
        _window_peak(memory),
        byte_size(memory.lifetime_peak_bytes) if memory.lifetime_peak_bytes is not None else "",
        count(memory.sample_count),
        _strip(memory),
    ]


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


def _breakdown_cells(row: MemoryBreakdownRow, base: Path) -> list[str]:
    return [
        *_part_name(row),
        byte_size(row.bytes),
        byte_size(row.requested_bytes) if row.requested_bytes is not None else "",
        count(row.count),
        printable(row.region or ""),
        printable(row.data_type or ""),
        printable(row.shape or ""),
        row.basis,
        place(row, base),
    ]


def _part_name(row: MemoryBreakdownRow) -> tuple[str, str]:
    if row.findings:
        return joined(row.findings, "terminal"), ""
    return op_name(row, row.op or "(unnamed)")


def _snapshot_head(snapshot: MemorySnapshot, number: int) -> str:
    of = f", the largest of {count(number)} snapshots" if number > 1 else ""
    when = f" at {duration(snapshot.time_ps)}" if snapshot.time_ps is not None else ""
    cost = f"; it took {snapshot.cost_ms:.3g} ms" if snapshot.cost_ms is not None else ""
    return f"Snapshot {printable(snapshot.name)}{of}: {byte_size(snapshot.bytes)}{when}{cost}."


def _snapshot_cells(row: MemorySnapshotRow, base: Path) -> list[str]:
    size = byte_size(row.bytes)
    if row.unknown_count:
        size = "unknown" if row.unknown_count == row.count else f"≥ {size}"
    return [
        place(row, base) or "(no line of yours)",
        size,
        count(row.count),
        printable(row.kind),
        printable(row.device),
        printable(row.function),
    ]


def _culprit_cells(culprit: OutOfMemoryCulprit, base: Path) -> list[str]:
    return [
        place(culprit, base) or printable(culprit.path or "(no line known)"),
        byte_size(culprit.bytes) if culprit.bytes is not None else "",
        printable(shortened(joined(culprit.findings, "terminal"))),
        culprit.basis,
    ]


def _say(console: Console, sentence: str) -> None:
    console.print(Text(printable(sentence)), soft_wrap=True)


def _table(console: Console, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    for text in text_table(columns, rows, console.width if console.is_terminal else None):
        console.print(text, soft_wrap=True)
