"""Predicted runs, and measured ones beside them, as Markdown: what an editor opens, and is pasted into a message."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from scopelight.analysis.targets.records import ComparedLine, ComparedRun, TargetsRecord
from scopelight.report.findings.worded import closing
from scopelight.report.foreign_text import markdown_code, markdown_prose, markdown_text
from scopelight.report.language import text
from scopelight.report.numbers import byte_size
from scopelight.report.places import place
from scopelight.report.prediction.marks import marked
from scopelight.report.tables.markdown_table import markdown_table
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
    """A column of each run, as in the table of lines: a row of each would be wider than half a window."""
    facts = (
        (text("memory"), [_memory(each) for each in runs]),
        (text("peak"), ["" if each.peak_bytes is None else byte_size(each.peak_bytes) for each in runs]),
        (text("padding at the peak"), [cells.padding_at_peak(each) for each in runs]),
        (text("per step"), [cells.step_time(each) for each in runs]),
        (text("padding of the time"), [cells.padding_of_time(each) for each in runs]),
        (text("bytes without estimate"), [cells.unestimated(each) for each in runs]),
        (text("program"), [markdown_code(each.program) if each.program else "" for each in runs]),
    )
    header = ["", *(markdown_text(cells.heading(each)) for each in runs)]
    rows = [(name, *map(_unbroken, each)) for name, each in facts if any(each)]
    return markdown_table(header, rows, right=range(1, len(header)))


def _memory(run: ComparedRun) -> str:
    """``fits: 2.2 of 15.75 GiB``."""
    verdict, needed = cells.verdict(run), cells.needed(run)
    return text("{verdict}: {memory}", verdict=verdict, memory=needed) if needed else verdict


def _unbroken(cell: str) -> str:
    """A figure with its unit: in a narrow table they would stand in lines of their own."""
    return cell.replace(" ", "\N{NO-BREAK SPACE}")


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
                f"{_unbroken(time)} ({_unbroken(of_step)})" if of_step else _unbroken(time),
                _unbroken(cells.line_peak(figures)),
                cells.line_padding(figures),
            ]
        rows.append(row)
    columns = range(1, len(header))
    return markdown_table(header, rows, right=columns, optional=columns)
