"""How long devices wait for a line and why, as paragraphs of its card."""

from collections.abc import Iterator

from scopelight.analysis.records import LineRecord, LinesRecord, PlaceRecord
from scopelight.report.annotations import LEAST_WAITING_RATIO
from scopelight.report.card.places import places_text
from scopelight.report.foreign_text import markdown_code, shortened
from scopelight.report.host.waiting import (
    exposures_text,
    is_mostly_waiting,
    meanwhile_text,
    shares_text,
    waits_text,
)
from scopelight.report.language import text


def waiting_paragraphs(line: LineRecord, record: LinesRecord) -> Iterator[str]:
    """How long devices wait for a line and why, since which wait for a result, and what other threads did meanwhile."""
    if line.waiting_share_ratio < LEAST_WAITING_RATIO and not is_mostly_waiting(line):
        return
    shares = shares_text(line)
    # Where nothing ran, what comes first has said how long.
    facts = [f"{waits_text(line)}: {shares}" if line.wall_ps else text("device waits: {shares}", shares=shares)]
    if line.basis == "estimated":
        facts.append(text("estimated from samples"))
    yield " · ".join(facts)

    def place(path: str | None, number: int) -> str:
        return places_text([PlaceRecord(path, number)], line)

    yield from exposures_text(line, record, place)
    others = meanwhile_text(line, place, lambda name: markdown_code(shortened(name)))
    if others:
        yield others
