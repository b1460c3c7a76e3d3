"""Lines of source inside the card of a line."""

from collections.abc import Sequence

from scopelight.analysis.records import LineRecord, PlaceRecord
from scopelight.report.foreign_text import markdown_text
from scopelight.report.language import text

_MOST_PLACES = 6


def places_text(places: Sequence[PlaceRecord], line: LineRecord) -> str:
    """``line 41``, ``lines 41, 43``, ``decoder.py:7``: numbers alone are of the card's own file."""
    shown = sorted(places, key=lambda place: (place.path != line.path, place.path or "", place.line))[:_MOST_PLACES]
    here = [str(place.line) for place in shown if place.path == line.path]
    named = [text("line {lines}" if len(here) == 1 else "lines {lines}", lines=", ".join(here))] if here else []
    for place in shown:
        if place.path != line.path:
            named.append(markdown_text(f"{place.path or text('(unknown file)')}:{place.line}"))
    if len(places) > len(shown):
        named.append(text("{number} more", number=len(places) - len(shown)))
    return ", ".join(named)
