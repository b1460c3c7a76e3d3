"""The timeline in the terminal: a line for each track, with how busy its first row was from left to right.

The time of a track is that of all its slices, of nested ones again; its first row is busy at most all the time.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Console
from rich.text import Text

from scopelight.analysis.timeline.windows.listed import ListedCounter, ListedRow, ListedTrack, TimelineListing
from scopelight.report.findings.worded import closing
from scopelight.report.foreign_text import printable, shortened
from scopelight.report.numbers import count, duration, share
from scopelight.report.text_table import Column, text_table

_LEVELS = " ▁▂▃▄▅▆▇█"
_LONGEST_NAME = 36
NARROWEST_STRIP = 10
_COLUMNS = (
    Column("track"),
    Column("events", right=True),
    Column("rows", right=True),
    Column("time", right=True),
    Column("first row", right=True),
    Column("first row over time"),
)


def strip_width(console_width: int) -> int:
    """Cells that are left for the picture of a track in a terminal of so many."""
    return max(NARROWEST_STRIP, console_width - _LONGEST_NAME - 40)


def render_timeline(listing: TimelineListing, console: Console) -> None:
    """Print the tracks by section, each with what it shows of the window."""
    record, window = listing.timeline, listing.window
    if window is None:
        for sentence in closing(record.findings, "empty"):
            console.print(Text(sentence), soft_wrap=True)
    else:
        length_ps = window.end_ps - window.start_ps
        console.print(
            Text(
                f"{duration(length_ps)} from {duration(window.start_ps)} on, of {duration(record.duration_ps)} with "
                f"{_events(record.events)}. A cell is {duration(length_ps / window.width_px)}."
            ),
            soft_wrap=True,
        )
        names = {section.id: section.name for section in record.sections}
        for section, tracks in groupby(window.tracks, key=lambda track: track.section):
            console.print()
            console.print(Text(printable(names.get(section, section)), style="bold"))
            rows = [_cells(track, window.start_ps, length_ps, window.width_px) for track in tracks]
            for text in text_table(_COLUMNS, rows, None):
                console.print(text, soft_wrap=True)
        if window.counters:
            console.print()
            for sentence in _counters(window.counters):
                console.print(Text(sentence), soft_wrap=True)
    for sentence in closing(record.findings, "warning"):
        console.print(Text(sentence), soft_wrap=True)


def _events(number: int) -> str:
    return "1 event" if number == 1 else f"{count(number)} events"


def _cells(track: ListedTrack, start_ps: int, length_ps: int, width: int) -> tuple[str, ...]:
    top = next((row for row in track.rows if row.depth == 0), None)
    return (
        shortened(printable(track.name), _LONGEST_NAME),
        count(track.events),
        count(track.depths),
        duration(track.busy_ps),
        share(sum(box.busy_ps for box in top.boxes) / length_ps) if top else share(0),
        "".join(_levels(top, start_ps, length_ps, width)) if top else "",
    )


def _levels(row: ListedRow, start_ps: int, length_ps: int, width: int) -> Iterator[str]:
    """How busy a row is in each cell, as a block of that height; what is busy at all has one."""
    busy = [0.0] * width
    cell_ps = length_ps / width
    for box in row.boxes:
        first_ps = max(0, box.start_ps - start_ps)
        last_ps = min(length_ps, box.start_ps + box.duration_ps - start_ps)
        density = box.busy_ps / max(1, last_ps - first_ps)
        first, last = int(first_ps / cell_ps), int(last_ps / cell_ps)
        for cell in range(min(first, width - 1), min(last, width - 1) + 1):
            inside_ps = min(last_ps, (cell + 1) * cell_ps) - max(first_ps, cell * cell_ps)
            busy[cell] += max(0.0, inside_ps) * density
    for each in busy:
        ratio = min(1.0, each / cell_ps)
        yield _LEVELS[math.ceil(ratio * (len(_LEVELS) - 1) - 1e-6)]


def _counters(counters: Sequence[ListedCounter]) -> Iterator[str]:
    for counter in counters:
        unit = f" {counter.unit}" if counter.unit else ""
        values = [value for point in counter.points for value in (point.least, point.greatest) if value is not None]
        said = f"{min(values):.3g} to {max(values):.3g}{unit}" if values else "no value here"
        yield f"{printable(counter.id.rpartition('/')[2])}: {said}"
