"""Copy as Markdown: the facts of one line, or the table of all hot lines, to paste into an issue or a message."""

from collections.abc import Sequence

from scopelight.analysis.records import LineRecord, LinesRecord
from scopelight.report.annotations import is_estimated, phases_text
from scopelight.report.foreign_text import markdown_block, markdown_code, markdown_text
from scopelight.report.hover import hover_card
from scopelight.report.markdown_table import markdown_table
from scopelight.report.numbers import duration, share
from scopelight.report.sentences import headline, wall_clock


def line_facts(line: LineRecord, record: LinesRecord, source: str | None = None) -> str:
    """Everything that is known of one line: where it is, its ``source`` text, and its card without links."""
    parts = [_heading(line)]
    if source is not None:
        parts.append(markdown_block(source.strip()))
    parts.append(hover_card(line, record))
    return "\n\n".join(parts)


def lines_table(record: LinesRecord, sources: Sequence[str | None] = ()) -> str:
    """The step time and a row for every line that has time of its own; ``sources`` go with ``record.lines``.

    Without such a line it says why there is none.
    """
    parts = [markdown_text(headline(record)), markdown_text(wall_clock(record))] if record.op_time_ps else []
    rows = _rows(record, sources)
    if rows:
        header = ("line", "share", "per step" if record.steps else "self", "phases, %", "function")
        parts.append(markdown_table((*header, "source") if sources else header, rows, right=(1, 2)))
    parts.extend(text for text in (record.reason, record.remedy) if text)
    return "\n\n".join(parts) + "\n"


def _rows(record: LinesRecord, sources: Sequence[str | None]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for row, line in enumerate(record.lines):
        if not line.self_ps:
            continue
        estimated = "≈" if is_estimated(line) else ""
        cells = (
            markdown_code(_place(line)),
            f"{estimated}{share(line.self_ps / record.op_time_ps)}",
            _time(line, record),
            phases_text(line),
            markdown_code(line.function),
        )
        rows.append((*cells, markdown_code((sources[row] or "").strip())) if sources else cells)
    return rows


def _time(line: LineRecord, record: LinesRecord) -> str:
    if not record.steps:
        return duration(line.self_ps)
    # A line that ran outside of complete steps alone has no time in them.
    return duration(line.per_step_ps) if line.per_step_ps else "–"


def _heading(line: LineRecord) -> str:
    heading = markdown_code(_place(line))
    return f"{heading} in {markdown_code(line.function)}" if line.function else heading


def _place(line: LineRecord) -> str:
    return f"{line.path or '(unknown file)'}:{line.line}"
