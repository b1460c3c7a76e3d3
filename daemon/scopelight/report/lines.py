"""The hot lines in the terminal."""

from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from scopelight.analysis.records import LineRecord, LinesRecord
from scopelight.report.annotations import is_estimated, phases_text
from scopelight.report.findings.worded import closing
from scopelight.report.foreign_text import printable
from scopelight.report.host.collectives import collectives_text, is_mostly_collective
from scopelight.report.host.waiting import classes_text, is_mostly_waiting, line_bar, whole_ps
from scopelight.report.language import text
from scopelight.report.numbers import duration, share
from scopelight.report.op_name import joined_name
from scopelight.report.op_sentences import devices_text
from scopelight.report.places import place
from scopelight.report.prediction.marks import marked, timed
from scopelight.report.sentences import (
    THREADS,
    WITHOUT_STEPS,
    exceeds_wall,
    headline,
    is_wall_known,
    wall_clock,
    whole_of,
)
from scopelight.report.tables.text_table import GAP, NARROWEST_CUT, Column, aligned, say, widest

_UNCUT, _WIDEST_CUT = 5, 28
"""Of the columns the first are never cut."""


@marked
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
    heads = (headline(record), wall_clock(record)) if record.op_time_ps or record.steps else ()
    say(console, (*filter(None, heads), *closing(record.findings, "empty")))
    shown = [line for line in record.lines if has_time(line)][:limit]
    if shown:
        console.print()
        for row in _table(record, shown, base, line_text, console.width if console.is_terminal else None):
            console.print(row, soft_wrap=True)
        console.print()
        say(console, _footer(record, shown))
    # The head has said why there are no steps.
    say(console, closing((each for each in record.findings if each.code not in WITHOUT_STEPS), "warning"))


_ESTIMATED = "≈ is estimated for more than half: divided among lines by cost, or taken from neighbours."
_PREDICTED = "≈ is predicted; a fusion is divided among its lines by cost."
_ESTIMATED_WAITING = (
    "≈ is estimated for more than half: divided among lines by cost, taken from neighbours, or found by samples."
)
_OF_WAITING = (
    "host-not-in-profile",
    "host-left-out",
    "host-lines-sampled",
    "steps-short-for-samples",
    "lines-not-told-apart",
    "steps-wait-for-transfers",
)
"""What is to be known of idle time."""


def is_sampled(line: LineRecord) -> bool:
    """Whether it is a line for which devices wait that only samples tell."""
    return is_mostly_waiting(line) and is_estimated(line)


def _table(
    record: LinesRecord,
    shown: Sequence[LineRecord],
    base: Path,
    line_text: Callable[[str, int], str | None] | None,
    width: int | None,
) -> list[Text]:
    """Rows of the table under a header; ``width`` cuts the columns after the phases, None cuts nothing."""
    is_per_step = record.extent.kind == "steps"

    def time(line: LineRecord) -> str:
        return duration(whole_ps(line) if line.per_step_ps is None else line.per_step_ps)

    def op_time(line: LineRecord) -> str:
        if not line.self_ps:
            return ""
        return duration(line.self_ps if line.op_time_per_step_ps is None else line.op_time_per_step_ps)

    def share_of_whole(line: LineRecord) -> str:
        return timed(share(line.share_ratio), is_estimated=is_estimated(line))

    columns: list[Column[LineRecord]] = [
        Column("line", lambda line: place(line, base)),
        Column("", line_bar),
        Column(whole_of(record.extent), share_of_whole, right=True),
        Column("per step" if is_per_step else "time", time, right=True),
        *([Column("op time", op_time, right=True)] if exceeds_wall(record) else []),
        Column("phases or waiting, %" if any(map(is_mostly_waiting, shown)) else "phases, %", _parts),
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
        if position >= _UNCUT + exceeds_wall(record) and width is not None:
            # Functions and ops leave room for the source, which comes last.
            most = room if column is columns[-1] else _WIDEST_CUT
            room = min(room, most, width - sum(widths) - len(GAP) * len(widths))
            if room < NARROWEST_CUT:
                break
        kept.append((column, cells))
        widths.append(room)
    return aligned(kept, widths)


def has_time(line: LineRecord) -> bool:
    """Whether a line has any of the wall clock: call sites have none of their own."""
    return line.self_ps > 0 or line.waiting_ps > 0


def _parts(line: LineRecord) -> str:
    """``fwd 20 bwd 80``; of a line for which devices wait ``waits: input 98 launching 2``."""
    if not is_mostly_waiting(line):
        met = collectives_text(line) if is_mostly_collective(line) else ""
        return ", ".join(filter(None, (phases_text(line), met)))
    return text("waits: {parts}", parts=classes_text(line.waiting_classes, line.waiting_ps))


def _longest_op(line: LineRecord) -> str:
    """``dot_general · backward, fusion.3 (convolution fusion)``; on its own line the op needs no place."""
    if not line.ops:
        return ""
    op = line.ops[0]
    return f"{', '.join(filter(None, joined_name(op.primitive, op.name, '', op.phase)))} ({op.category})"


def _footer(record: LinesRecord, shown: Sequence[LineRecord]) -> list[str]:
    """What the lines hold of the wall clock, and where the rest of it is: all parts sum to the whole."""
    assert record.wall is not None
    wall_ps = max(1, record.wall.wall_ps)
    lines = [line for line in record.lines if has_time(line)]
    covered_ps = sum(map(whole_ps, shown))
    rest_ps = sum(map(whole_ps, lines)) - covered_ps
    unattributed_ps = record.unattributed_wall_ps
    said = [f"{len(shown)} line{'s hold' if len(shown) > 1 else ' holds'} {timed(share(covered_ps / wall_ps))}"]
    said[0] += f" {whole_of(record.extent)}"
    if len(lines) > len(shown):
        said.append(f"{len(lines) - len(shown)} more {timed(share(rest_ps / wall_ps))}")
    if unattributed_ps:
        said.append(f"{timed(share(unattributed_ps / wall_ps))} cannot be put on a line")
    idle_ps = record.unattributed_waiting_ps
    if idle_ps:
        rest = "is idle" if is_wall_known(record) else "is idle, or of what is missing"
        on_none = "" if idle_ps == record.idle_ps else " on no line"
        said.append(f"{share(idle_ps / wall_ps)} {rest}{on_none}")
    said = [
        f"{', '.join(said)}.",
        f"{duration(record.op_time_ps)} of op time on {devices_text(record, record.extent.devices)}.",
    ]
    if exceeds_wall(record):
        said.append(text(THREADS))
    if record.predicted_for is not None:
        said.append(_PREDICTED)
    elif any(map(is_estimated, shown)):
        said.append(_ESTIMATED_WAITING if any(map(is_sampled, shown)) else _ESTIMATED)
        said.extend(closing(each for each in record.findings if each.code == "fusions-divided"))
    said.extend(closing(each for each in record.findings if each.code in _OF_WAITING))
    return said
