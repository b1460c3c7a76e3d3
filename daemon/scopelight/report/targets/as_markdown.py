"""Predicted runs, and measured ones beside them, as Markdown: what an editor opens, and is pasted into a message."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from scopelight.analysis.targets.records import ComparedLine, ComparedRun, TargetsRecord
from scopelight.report.findings.worded import closing
from scopelight.report.foreign_text import markdown_code, markdown_prose, markdown_text
from scopelight.report.language import text
from scopelight.report.markdown_table import markdown_table
from scopelight.report.numbers import byte_size
from scopelight.report.places import place
from scopelight.report.prediction.marks import marked
from scopelight.report.targets import cells

MOST_LINES = 30


@marked
def targets_in_markdown(title: str, record: TargetsRecord, base: Path) -> str:
    """The whole report. Places are relative to ``base`` where they are under it."""
    return "\n\n".join(_parts(title, record, base)) + "\n"


def _parts(title: str, record: TargetsRecord, base: Path) -> Iterator[str]:
    yield f"# {markdown_text(title)}"
    yield from (markdown_prose(each) for each in closing(record.findings, "empty"))
    if record.runs:
        yield _runs(record.runs)
    if record.lines:
        yield f"## {text('Lines')}"
        yield _lines(record.runs, record.lines[:MOST_LINES], base)
    yield from (f"*{markdown_prose(each)}*" for each in closing(record.findings, "note", "warning"))


def _runs(runs: Sequence[ComparedRun]) -> str:
    header = [
        text("target"),
        "",
        text("needs"),
        text("peak"),
        text("of it padding"),
        text("per step"),
        text("of it padding"),
        text("without estimate"),
        text("program"),
    ]
    rows = [
        (
            markdown_text(each.name),
            cells.verdict(each),
            cells.needed(each),
            "" if each.peak_bytes is None else byte_size(each.peak_bytes),
            cells.padding_at_peak(each),
            cells.step_time(each),
            cells.padding_of_time(each),
            cells.unestimated(each),
            markdown_code(each.program) if each.program else "",
        )
        for each in runs
    ]
    return markdown_table(header, rows, right=range(2, 8), optional=range(2, 8))


def _lines(runs: Sequence[ComparedRun], lines: Sequence[ComparedLine], base: Path) -> str:
    header = [text("line")]
    for each in runs:
        header += [markdown_text(cells.heading(each)), text("peak"), text("pad")]
    rows = []
    for line in lines:
        row = [markdown_code(place(line, base) or line.function)]
        for run, figures in zip(runs, line.figures, strict=True):
            time, of_step = cells.line_time(run, figures), cells.line_share(run, figures)
            row += [
                f"{time} ({of_step})" if of_step else time,
                cells.line_peak(figures),
                cells.line_padding(figures),
            ]
        rows.append(row)
    columns = range(1, len(header))
    return markdown_table(header, rows, right=columns, optional=columns)
