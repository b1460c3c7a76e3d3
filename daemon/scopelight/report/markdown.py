"""Copy as Markdown: the facts of one line, or the table of all hot lines, to paste into an issue or a message."""

from collections.abc import Sequence

from scopelight.analysis.lines.costs import LineCosts
from scopelight.analysis.memory.line_memory import LineMemory
from scopelight.analysis.records import LineRecord, LinesRecord
from scopelight.report.annotations import is_estimated, phases_text
from scopelight.report.card.facts import line_card
from scopelight.report.cost_text import padding_factor, peak_text, rate_text
from scopelight.report.findings.worded import closing
from scopelight.report.foreign_text import markdown_block, markdown_code, markdown_text
from scopelight.report.host.waiting import whole_ps
from scopelight.report.language import text
from scopelight.report.numbers import duration, share
from scopelight.report.prediction.marks import marked, timed
from scopelight.report.sentences import headline, wall_clock, whole_of
from scopelight.report.tables.markdown_table import markdown_table

_FIGURES = frozenset((3, 4, 5))
"""Columns that are there only where a line has something in them."""
_SOURCE = 8
_RIGHT = frozenset((1, 2, 3, 4, 5))


@marked
def line_facts(
    line: LineRecord,
    record: LinesRecord,
    source: str | None = None,
    costs: LineCosts | None = None,
    memory: LineMemory | None = None,
    row: int = 0,
) -> str:
    """Everything that is known of one line: where it is, its ``source`` text, and all its facts.

    ``costs`` holds those of the line as its ``row``, ``memory`` what it has in memory at the peak.
    """
    parts = [_heading(line)]
    if source is not None:
        parts.append(markdown_block(source.strip()))
    parts.append(line_card(line, record, costs, memory, row))
    return "\n\n".join(parts)


@marked
def lines_table(record: LinesRecord, sources: Sequence[str | None] = (), costs: LineCosts | None = None) -> str:
    """The step time and a row for every line that has time of its own; ``sources`` go with ``record.lines``.

    With ``costs`` it has rates, shares of the peak and padding, where a line has some. Without a line it says why there
    is none.
    """
    heads = (headline(record), wall_clock(record)) if record.op_time_ps or record.steps else ()
    parts = [markdown_text(each) for each in heads if each]
    rows = _rows(record, sources, costs)
    if rows:
        header = (
            *(text("line"), whole_of(record.extent), text("per step") if record.extent.steps else text("time")),
            *(text("FLOP rate"), text("of peak"), text("padding"), text("phases, %"), text("function"), text("source")),
        )
        parts.append(markdown_table(header, rows, _RIGHT, _FIGURES if sources else (*_FIGURES, _SOURCE)))
    parts.extend(closing(record.findings, "empty"))
    return "\n\n".join(parts) + "\n"


def _rows(record: LinesRecord, sources: Sequence[str | None], costs: LineCosts | None) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for row, line in enumerate(record.lines):
        if not line.self_ps and not line.waiting_ps:
            continue
        rows.append(
            (
                markdown_code(_place(line)),
                timed(share(line.share_ratio), is_estimated=is_estimated(line)),
                duration(whole_ps(line) if line.per_step_ps is None else line.per_step_ps),
                *(_figures(costs, row) if costs is not None else ("", "", "")),
                phases_text(line),
                markdown_code(line.function),
                markdown_code((sources[row] or "").strip()) if sources else "",
            )
        )
    return rows


def _figures(costs: LineCosts, row: int) -> tuple[str, str, str]:
    """Rate, share of the peak, and how many times the work is done for padding, as far as they are known."""
    cost = costs.of(row)
    padding = markdown_text(padding_factor(costs.padding(row), costs.target) or "")
    return rate_text(cost) or "", peak_text(cost) or "", padding


def _heading(line: LineRecord) -> str:
    heading = markdown_code(_place(line))
    if not line.function:
        return heading
    return text("{line} in {function}", line=heading, function=markdown_code(line.function))


def _place(line: LineRecord) -> str:
    return f"{line.path or text('(unknown file)')}:{line.line}"
