"""The hot lines in the terminal."""

from collections.abc import Callable, Sequence
from pathlib import Path

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from scopelight.analysis.records import LineRecord, LinesRecord
from scopelight.report.annotations import is_estimated, phases_text
from scopelight.report.findings.worded import closing
from scopelight.report.foreign_text import printable
from scopelight.report.language import text
from scopelight.report.numbers import bar, duration, share
from scopelight.report.op_name import joined_name
from scopelight.report.places import place
from scopelight.report.sentences import THREADS, WITHOUT_STEPS, headline, wall_clock

_GAP = "  "
_RIGHT_ALIGNED = (2, 3)
_FIRST_CUT, _NARROWEST_CUT, _WIDEST_CUT = 5, 8, 28


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
    heads = (headline(record), wall_clock(record)) if record.op_time_ps else ()
    for line in (*heads, *heading):
        console.print(Text(line), soft_wrap=True)
    for line in closing(record.findings, "empty"):
        console.print(Text(line), soft_wrap=True)
    shown = [line for line in record.lines if line.self_ps > 0][:limit]
    if shown:
        console.print()
        for row in _table(record, shown, base, line_text, console.width if console.is_terminal else None):
            console.print(row, soft_wrap=True)
        console.print()
        for line in _footer(record, shown):
            console.print(Text(line), soft_wrap=True)
    # The head has said why there are no steps.
    for line in closing((each for each in record.findings if each.code not in WITHOUT_STEPS), "warning"):
        console.print(Text(line), soft_wrap=True)


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
        ratio = line.self_ps / record.op_time_ps
        time_ps = line.per_step_ps if per_step and line.per_step_ps is not None else line.self_ps
        cells = [
            place(line, base),
            bar(ratio),
            f"{'≈' if is_estimated(line) else ''}{share(ratio)}",
            duration(time_ps) if time_ps else "–",
            phases_text(line),
            line.function,
            _longest_op(line),
        ]
        if line_text is not None:
            cells.append((line.file and line_text(line.file, line.line)) or "")
        rows.append(list(map(printable, cells)))
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    texts = [_row(row, widths, width) for row in rows]
    texts[0].stylize("bold")
    for shown_row, row in zip(texts[1:], rows[1:], strict=True):
        shown_row.stylize("cyan", 0, len(row[0]))
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


def _longest_op(line: LineRecord) -> str:
    """``dot_general · backward, fusion.3 (convolution fusion)``; on its own line the op needs no place."""
    if not line.ops:
        return ""
    op = line.ops[0]
    return f"{', '.join(filter(None, joined_name(op.primitive, op.name, '', op.phase)))} ({op.category})"


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
        f"{hold} {share(covered / whole)} of {duration(whole)} of op time"
        f" on {devices} device{'s' if devices > 1 else ''}."
    ]
    if record.step_time.busy_ps and _op_time_per_step_ps(record) > record.step_time.busy_ps:
        lines.append(text(THREADS))
    if record.unattributed_ps:
        unattributed = record.unattributed_ps / whole * 100
        lines.append(f"{duration(record.unattributed_ps)} ({unattributed:.2g} %) cannot be put on a line.")
    if record.outside_steps_ps:
        lines.append(f"{duration(record.outside_steps_ps)} ran outside complete steps.")
    if any(map(is_estimated, shown)):
        lines.append("≈ is estimated for more than half: divided among lines by cost, or taken from neighbours.")
        lines.extend(closing(each for each in record.findings if each.code == "fusions-divided"))
    return lines
