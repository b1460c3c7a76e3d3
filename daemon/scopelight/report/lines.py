"""The hot lines in the terminal."""

import os
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from scopelight.analysis.records import LineRecord, LinesRecord, StepTimeRecord

_BAR_CELLS = 5
_GAP = "  "
_RIGHT_ALIGNED = (2, 3)
_FIRST_CUT, _NARROWEST_CUT, _WIDEST_CUT = 5, 8, 28
_PHASES = (
    ("fwd", "forward_ps"),
    ("bwd", "backward_ps"),
    ("recompute", "recompute_ps"),
    ("opt", "optimizer_ps"),
    ("other", "other_ps"),
)
_UNITS = ((10**12, "s"), (10**9, "ms"), (10**6, "µs"), (10**3, "ns"))


def render_lines(
    record: LinesRecord,
    console: Console,
    *,
    base: Path,
    limit: int = 20,
    heading: Sequence[str] = (),
    line_text: Callable[[str, int], str | None] | None = None,
) -> None:
    """Print the step time, ``heading`` (one line each), and the ``limit`` hottest lines of ``record``.

    Paths are written relative to ``base`` where the file is under it, never cut or wrapped, so that
    ``path.py:LINE`` can be clicked. ``line_text`` gives the source of a line; without it none is shown. Where
    ``console`` is no terminal the output is plain and as wide as it needs to be.
    """
    for line in (*_headline(record), *heading):
        console.print(Text(line), soft_wrap=True)
    if record.reason is not None:
        console.print(Text(record.reason), soft_wrap=True)
    if record.remedy is not None:
        console.print(Text(record.remedy), soft_wrap=True)
    shown = [line for line in record.lines if line.self_ps > 0][:limit]
    if shown:
        console.print()
        for row in _table(record, shown, base, line_text, console.width if console.is_terminal else None):
            console.print(row, soft_wrap=True)
        console.print()
        for line in _footer(record, shown):
            console.print(Text(line), soft_wrap=True)
    for warning in record.warnings:
        console.print(Text(f"warning: {warning}"), soft_wrap=True)


def duration(time_ps: float) -> str:
    """A time in three significant digits with its SI unit: ``32.4 ms``."""
    for factor, unit in _UNITS:
        value = time_ps / factor
        # 999.6 of a unit would be written as 1000: it is the next unit's 1.00.
        if value >= 0.9995:
            return f"{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f} {unit}"
    return f"{time_ps:.0f} ps"


def bar(share_ratio: float) -> str:
    """A share as filled cells out of five; a share worth a line at all fills none only below a tenth."""
    filled = min(_BAR_CELLS, max(0, round(share_ratio * _BAR_CELLS)))
    return "▰" * filled + "▱" * (_BAR_CELLS - filled)


def _headline(record: LinesRecord) -> list[str]:
    if not record.op_time_ps:
        return []
    if not record.steps:
        found_none = [f"No steps found: {record.steps_reason}"] if record.steps_reason else []
        return [*found_none, _wall_clock(record.step_time, "of the window")]
    durations = [step.duration_ps for step in record.steps]
    name = f" ({record.steps_name})" if record.steps_name else ""
    count = len(durations)
    steps = f"{count} steps" if count > 1 else "1 step"
    spread = f" ± {duration(_spread_ps(durations))}" if count > 1 else ""
    source = {"annotation": "annotation", "steps-line": "steps line", "repetition": "repeating program"}
    found = source.get(record.steps_source or "", record.steps_source)
    return [
        f"{steps} of {duration(statistics.median(durations))}{spread}, by {found}{name}",
        _wall_clock(record.step_time, "of a step"),
    ]


def _wall_clock(split: StepTimeRecord, of: str) -> str:
    """What the wall clock went to, on average over steps and devices: ``device busy 29.1 ms (97 %), ...``."""
    parts = (
        ("device busy", split.busy_ps),
        ("compiling", split.compiling_ps),
        ("waiting for the host", split.waiting_ps),
    )
    shares = [f"{name} {duration(part)} ({part / max(1, split.mean_ps) * 100:.3g} %)" for name, part in parts if part]
    return f"Wall clock {of}, {duration(split.mean_ps)} on average: {', '.join(shares)}"


def _spread_ps(durations: Sequence[int]) -> float:
    """Half of the range that holds the middle half of the steps."""
    lower, _, upper = statistics.quantiles(durations, n=4, method="inclusive")
    return (upper - lower) / 2


def _table(
    record: LinesRecord,
    shown: Sequence[LineRecord],
    base: Path,
    line_text: Callable[[str, int], str | None] | None,
    width: int | None,
) -> list[Text]:
    """Rows of the table under a header; ``width`` cuts the columns after the phases, None cuts nothing."""
    per_step = record.steps_source is not None and bool(record.steps)
    header = ["line", "", "share", "per step" if per_step else "self", "phases, %", "function", "longest op"]
    rows = [header if line_text is None else [*header, "source"]]
    for line in shown:
        share = line.self_ps / record.op_time_ps
        estimated = sum(op.self_ps for op in line.ops if op.shared) * 100 > line.self_ps
        time_ps = line.per_step_ps if per_step and line.per_step_ps is not None else line.self_ps
        cells = [
            _place(line, base),
            bar(share),
            f"{'≈' if estimated else ''}{share * 100:.1f} %",
            duration(time_ps) if time_ps else "–",
            _phases(line),
            line.function,
            f"{line.ops[0].name} ({line.ops[0].category})" if line.ops else "",
        ]
        if line_text is not None:
            cells.append((line.file and line_text(line.file, line.line)) or "")
        rows.append(list(map(_printable, cells)))
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    texts = [_row(row, widths, width) for row in rows]
    texts[0].stylize("bold")
    for text, row in zip(texts[1:], rows[1:], strict=True):
        text.stylize("cyan", 0, len(row[0]))
    return texts


def _row(cells: Sequence[str], widths: Sequence[int], width: int | None) -> Text:
    parts: list[str] = []
    used = 0
    for position, (cell, wanted) in enumerate(zip(cells, widths, strict=True)):
        column = wanted
        shown = cell
        if position >= _FIRST_CUT:
            # Functions and ops leave room for the source, which comes last.
            column = wanted if position == len(cells) - 1 else min(wanted, _WIDEST_CUT)
            if width is None:
                column = wanted
            else:
                column = min(column, width - used)
                if column < _NARROWEST_CUT:
                    break
                if cell_len(cell) > column:
                    shown = set_cell_size(cell, column - 1) + "…"
        padding = " " * (column - cell_len(shown))
        parts.append(padding + shown if position in _RIGHT_ALIGNED else shown + padding)
        used += column + len(_GAP)
    return Text(_GAP.join(parts).rstrip())


def _place(line: LineRecord, base: Path) -> str:
    path = line.path or "(unknown file)"
    if line.file:
        prefix = f"{str(base).rstrip(os.sep)}{os.sep}"
        path = line.file.removeprefix(prefix)
    return _printable(f"{path}:{line.line}")


def _printable(text: str) -> str:
    # A path comes from the file: it must not move the cursor.
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


def _phases(line: LineRecord) -> str:
    parts = [(name, getattr(line, field) / line.self_ps * 100) for name, field in _PHASES]
    return " ".join(f"{name} {percent:.0f}" for name, percent in parts if percent >= 0.5)


def _op_time_per_step_ps(record: LinesRecord) -> float:
    """Op time per device and step; without steps, of the window."""
    inside_ps = record.op_time_ps - (record.outside_steps_ps or 0)
    return inside_ps / max(1, len(record.steps)) / max(1, len(record.devices))


def _footer(record: LinesRecord, shown: Sequence[LineRecord]) -> list[str]:
    whole = record.op_time_ps
    covered = sum(line.self_ps for line in shown)
    devices = len(record.devices)
    hold = f"{len(shown)} lines hold" if len(shown) > 1 else "1 line holds"
    lines = [
        f"{hold} {covered / whole * 100:.1f} % of {duration(whole)} of op time"
        f" on {devices} device{'s' if devices > 1 else ''}."
    ]
    if record.step_time.busy_ps and _op_time_per_step_ps(record) > record.step_time.busy_ps:
        lines.append("Op time adds up the threads that worked at once, so it can exceed the wall clock.")
    if record.unattributed_ps:
        unattributed = record.unattributed_ps / whole * 100
        lines.append(f"{duration(record.unattributed_ps)} ({unattributed:.2g} %) cannot be put on a line.")
    if record.outside_steps_ps:
        lines.append(f"{duration(record.outside_steps_ps)} ran outside complete steps.")
    if any(op.shared for line in shown for op in line.ops) and record.cost_model:
        lines.append("≈ is estimated: the time of a fusion of several lines is divided among them by their cost.")
    return lines
