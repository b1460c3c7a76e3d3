"""Records of a window with its columns decoded."""

from typing import ClassVar

import attrs

from scopelight.analysis.tabular import Tabular
from scopelight.analysis.timeline.records import SliceColour, TimelineRecord, TrackKind


@attrs.frozen(slots=True)
class ListedBox:
    """A slice, or ``count`` of them: ``name`` is that with the most time, ``busy_ps`` their time inside the window.

    ``start_ps`` counts from the profile's first event.
    """

    start_ps: int
    duration_ps: int
    busy_ps: int
    count: int
    name: str
    colour: SliceColour


@attrs.frozen(slots=True)
class ListedRow:
    """The boxes of one row of a track by start; they do not overlap."""

    depth: int
    boxes: tuple[ListedBox, ...]


@attrs.frozen(slots=True)
class ListedTrack:
    """A track of slices: the number of those in the window, and their exact time inside it, summed over its depths."""

    id: str
    section: str
    name: str
    kind: TrackKind
    events: int
    depths: int
    busy_ps: int
    rows: tuple[ListedRow, ...]


@attrs.frozen(slots=True)
class ListedPoint:
    """What a counter was from a time on until the next point's; None where it was no number."""

    start_ps: int
    least: float | None
    greatest: float | None


@attrs.frozen(slots=True)
class ListedCounter:
    """A counter; ``least`` and ``greatest`` are those of the whole profile."""

    id: str
    unit: str
    least: float
    greatest: float
    points: tuple[ListedPoint, ...]


@attrs.frozen(slots=True)
class ListedWindow:
    """A `WindowRecord` with its columns decoded."""

    start_ps: int
    end_ps: int
    width_px: int
    merged_px: float
    tracks: tuple[ListedTrack, ...]
    counters: tuple[ListedCounter, ...]


@attrs.frozen(slots=True)
class TimelineListing(Tabular):
    """What a timeline consists of, and a window of all its tracks; None where there is nothing to draw."""

    ROWS: ClassVar = "tracks"

    timeline: TimelineRecord
    window: ListedWindow | None

    @property
    def tracks(self) -> tuple[ListedTrack, ...]:
        """The tracks of the window."""
        return self.window.tracks if self.window is not None else ()
