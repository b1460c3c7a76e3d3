"""What is wrong with a line and how its figures are to be read, as paragraphs of its card."""

from collections.abc import Collection, Iterator, Sequence

from scopelight.analysis.lines.costs import LineCosts
from scopelight.analysis.padding.records import PaddingRow
from scopelight.analysis.records import LineOpRecord
from scopelight.report.findings.worded import sentences
from scopelight.report.foreign_text import markdown_code, markdown_text, shortened
from scopelight.report.language import text
from scopelight.report.padding_sentences import padding_sentence

LEAST_WASTE_RATIO = 0.1
LEAST_SHARE_RATIO = 0.01
"""Of the work of ops that have so much of the op time together, so much padding is worth a word."""
_MOST_FINDINGS = 2
_MOST_NOTES = 2


def padding_findings(
    worst: Sequence[PaddingRow], costs: LineCosts, edited_sizes: Collection[int] = ()
) -> Iterator[str]:
    """What is wrong and what to do, the most time lost first."""
    for each in worst[:_MOST_FINDINGS]:
        said = padding_sentence(each, costs.target, markdown_code, edited_sizes, costs.fitting_tile)
        yield text("**Padding**: {sentence}", sentence=said)


def notes_on(ops: Sequence[LineOpRecord], costs: LineCosts) -> Iterator[str]:
    """How figures of ``ops``, those that the card shows, are to be read, each once, with the first that it is of."""
    first: dict[str, LineOpRecord] = {}
    for op in ops:
        row = costs.op(op)
        for each in row.findings if row is not None else ():
            first.setdefault(sentences(each, "editor"), op)
    for note, op in list(first.items())[:_MOST_NOTES]:
        name = markdown_code(shortened(op.primitive or op.name))
        yield f"{name}: {markdown_text(note[:1].lower() + note[1:])}"
    above = costs.rates_above_peak
    if above is not None and not costs.keys_above_peak.isdisjoint(op.key for op in ops):
        yield markdown_text(sentences(above, "editor"))
