"""The timeline in the terminal: a line for each track, with how busy its first row was from left to right.

The time of a track is that of all its slices, of nested ones again; its first row is busy at most all the time.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Console
from rich.text import Text

from scopelight.analysis.timeline.windows.listed import (
    ListedBox,
    ListedCounter,
    ListedTrack,
    ListedWindow,
    TimelineListing,
)
from scopelight.report.findings.worded import closing
from scopelight.report.foreign_text import printable, shortened
from scopelight.report.numbers import count, duration, share
from scopelight.report.tables.text_table import Column, print_rows, say

_LEVELS = " ▁▂▃▄▅▆▇█"
_LONGEST_NAME = 36
NARROWEST_STRIP = 10


def strip_width(console_width: int) -> int:
    """Cells that are left for the picture of a track in a terminal of so many."""
    return max(NARROWEST_STRIP, console_width - _LONGEST_NAME - 40)


def render_timeline(listing: TimelineListing, console: Console) -> None:
    """Print the tracks by section, each with what it shows of the window."""
    record, window = listing.timeline, listing.window
    if window is None:
        say(console, closing(record.findings, "empty"))
    else:
        length_ps = window.end_ps - window.start_ps
        columns: list[Column[ListedTrack]] = [
            Column("track", lambda track: shortened(printable(track.name), _LONGEST_NAME)),
            Column("events", lambda track: count(track.events), right=True),
            Column("rows", lambda track: count(track.depths), right=True),
            Column("time", lambda track: duration(track.busy_ps), right=True),
            Column(
                "first row", lambda track: share(sum(box.busy_ps for box in _first_row(track)) / length_ps), right=True
            ),
            Column("first row over time", lambda track: "".join(_levels(_first_row(track), window))),
        ]
        whole = f"{duration(record.duration_ps)} with {_events(record.events)}"
        cell = duration(length_ps / window.width_px)
        say(console, [f"{duration(length_ps)} from {duration(window.start_ps)} on, of {whole}. A cell is {cell}."])
        names = {section.id: section.name for section in record.sections}
        for section, tracks in groupby(window.tracks, key=lambda track: track.section):
            console.print()
            console.print(Text(printable(names.get(section, section)), style="bold"))
            print_rows(console, columns, list(tracks))
        if window.counters:
            console.print()
            say(console, _counters(window.counters))
    say(console, closing(record.findings, "warning"))


def _events(number: int) -> str:
    return "1 event" if number == 1 else f"{count(number)} events"


def _first_row(track: ListedTrack) -> Sequence[ListedBox]:
    return next((row.boxes for row in track.rows if row.depth == 0), ())


def _levels(boxes: Sequence[ListedBox], window: ListedWindow) -> Iterator[str]:
    """How busy a row is in each cell, as a block of that height; what is busy at all has one."""
    if not boxes:
        return
    start_ps, length_ps, width = window.start_ps, window.end_ps - window.start_ps, window.width_px
    busy = [0.0] * width
    cell_ps = length_ps / width
    for box in boxes:
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
