"""A report of a run as Markdown, to paste into an issue or a message: where its steps went, and what to do next."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from scopelight.analysis.advice.records import Advice
from scopelight.analysis.overview.records import OverviewLine, OverviewOp, OverviewRecord
from scopelight.findings import Finding
from scopelight.report.findings.savings import saving_text
from scopelight.report.findings.worded import closing, worded
from scopelight.report.foreign_text import markdown_code, markdown_prose, markdown_text
from scopelight.report.language import text
from scopelight.report.numbers import duration, flop_rate, share
from scopelight.report.overview.overview import heads, ran_on, share_of_line, what_of, whole_of_lines
from scopelight.report.places import place
from scopelight.report.prediction.around import sentences_of_prediction, without_prediction
from scopelight.report.prediction.marks import marked, timed
from scopelight.report.sentences import IN_PART
from scopelight.report.tables.markdown_table import markdown_table

_MOST_ROWS: Final = 8
_RIGHT: Final = frozenset((1, 2))


@marked
def report_in_markdown(title: str, record: OverviewRecord, base: Path) -> str:
    """The whole report. Places are relative to ``base`` where they are under it."""
    return "\n\n".join(_parts(title, record, base)) + "\n"


def _parts(title: str, record: OverviewRecord, base: Path) -> Iterator[str]:
    yield f"# {markdown_text(title)}"
    yield from (markdown_prose(each) for each in sentences_of_prediction(record.findings))
    yield from (markdown_prose(each) for each in closing(without_prediction(record.findings), "empty", "advice"))
    said = list(heads(record))
    if said:
        yield "\n".join(f"- {markdown_text(each)}" for each in said)
    if record.advice:
        yield f"## {text('What to do next')}"
        yield "\n".join(f"{number}. {_advice(each, base)}" for number, each in enumerate(record.advice, 1))
    if record.effects:
        yield f"## {text('Since the run before')}"
        yield "\n".join(f"- {markdown_text(worded(each, 'terminal').text)}" for each in record.effects)
    lines = [*record.lines[:_MOST_ROWS], *record.waiting_lines[:_MOST_ROWS]]
    if lines:
        yield f"## {text('Lines')}"
        yield _lines(lines, base, whole_of_lines(record))
    if record.ops:
        yield f"## {text('Ops')}"
        yield _ops(record.ops[:_MOST_ROWS])
    environment = list(ran_on(record))
    if environment:
        yield f"## {text('Ran on')}"
        yield "\n".join(f"- {markdown_text(each)}" for each in environment)
    yield from (f"*{markdown_prose(each)}*" for each in closing(_unsaid(record), "warning"))


def _unsaid(record: OverviewRecord) -> Iterator[Finding]:
    """The head has said why there is no step."""
    return (each for each in without_prediction(record.findings) if each.code != IN_PART)


def _advice(advice: Advice, base: Path) -> str:
    said = worded(advice, "terminal")
    where = place(advice, base)
    sentences = " ".join(filter(None, (said.text, saving_text(advice), said.remedy)))
    return f"{markdown_code(where)} {markdown_prose(sentences)}" if where else markdown_prose(sentences)


def _lines(rows: list[OverviewLine], base: Path, whole: str) -> str:
    header = (text("line"), whole, text("per step"), text("what"), text("function"))
    return markdown_table(
        header,
        [
            (
                markdown_code(place(row, base)),
                share_of_line(row),
                "" if row.per_step_ps is None else duration(row.per_step_ps),
                what_of(row),
                markdown_code(row.function) if row.function else "",
            )
            for row in rows
        ],
        _RIGHT,
    )


def _ops(rows: tuple[OverviewOp, ...]) -> str:
    header = (text("op"), text("of op time"), text("per step"), text("FLOP rate"), text("compiled name"))
    return markdown_table(
        header,
        [
            (
                markdown_text(row.primitive or row.category),
                timed(share(row.share_ratio)),
                "" if row.per_step_ps is None else duration(row.per_step_ps),
                timed(flop_rate(row.flops_per_s)) if row.flops_per_s else "",
                markdown_code(row.name),
            )
            for row in rows
        ],
        _RIGHT,
        optional=(3,),
    )
