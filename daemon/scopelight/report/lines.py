"""The hot lines in the terminal."""

from collections.abc import Callable, Sequence
from pathlib import Path

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
from scopelight.report.text_table import GAP, NARROWEST_CUT, Column, aligned, say, widest

_UNCUT, _WIDEST_CUT = 5, 28
"""Of the columns the first are never cut."""


def render_lines(
    record: LinesRecord,
    console: Console,
    *,
    base: Path,
    limit: int = 20,
    line_text: Callable[[str, int], str | None] | None = None,
) -> None:
    """Print the step time and the ``limit`` hottest lines of ``record``.

    Paths are written relative to ``base`` where the file is under it, never cut or wrapped, so that
    ``path.py:LINE`` can be clicked. ``line_text`` gives the source of a line; without it none is shown. Where
    ``console`` is no terminal the output is plain and as wide as it needs to be.
    """
    heads = (headline(record), wall_clock(record)) if record.op_time_ps else ()
    say(console, (*heads, *closing(record.findings, "empty")))
    shown = [line for line in record.lines if line.self_ps > 0][:limit]
    if shown:
        console.print()
        for row in _table(record, shown, base, line_text, console.width if console.is_terminal else None):
            console.print(row, soft_wrap=True)
        console.print()
        say(console, _footer(record, shown))
    # The head has said why there are no steps.
    say(console, closing((each for each in record.findings if each.code not in WITHOUT_STEPS), "warning"))


def _table(
    record: LinesRecord,
    shown: Sequence[LineRecord],
    base: Path,
    line_text: Callable[[str, int], str | None] | None,
    width: int | None,
) -> list[Text]:
    """Rows of the table under a header; ``width`` cuts the columns after the phases, None cuts nothing."""
    per_step = record.steps_source is not None and bool(record.steps)

    def time(line: LineRecord) -> str:
        time_ps = line.per_step_ps if per_step and line.per_step_ps is not None else line.self_ps
        return duration(time_ps) if time_ps else "–"

    def share_of_time(line: LineRecord) -> str:
        return f"{'≈' if is_estimated(line) else ''}{share(line.self_ps / record.op_time_ps)}"

    columns: list[Column[LineRecord]] = [
        Column("line", lambda line: place(line, base)),
        Column("", lambda line: bar(line.self_ps / record.op_time_ps)),
        Column("share", share_of_time, right=True),
        Column("per step" if per_step else "self", time, right=True),
        Column("phases, %", phases_text),
        Column("function", lambda line: line.function),
        Column("longest op", _longest_op),
    ]
    if line_text is not None:
        columns.append(Column("source", lambda line: (line.file and line_text(line.file, line.line)) or ""))
    kept: list[tuple[Column[LineRecord], Sequence[str]]] = []
    widths: list[int] = []
    for position, column in enumerate(columns):
        cells = [printable(column.cell(line)) for line in shown]
        room = widest(column, cells)
        if position >= _UNCUT and width is not None:
            # Functions and ops leave room for the source, which comes last.
            most = room if column is columns[-1] else _WIDEST_CUT
            room = min(room, most, width - sum(widths) - len(GAP) * len(widths))
            if room < NARROWEST_CUT:
                break
        kept.append((column, cells))
        widths.append(room)
    return aligned(kept, widths)


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
