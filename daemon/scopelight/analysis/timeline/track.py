"""One track of a timeline: its slices, their index and their colours, each made when it is first asked for."""

from collections.abc import Callable

import attrs

from scopelight.analysis.timeline.records import ThreadWork, TrackKind
from scopelight.analysis.timeline.search.kernels import occurrences_of
from scopelight.analysis.timeline.windows.lane_index import LaneIndex
from scopelight.findings import Finding
from scopelight.formats.columns import Int64, UInt8
from scopelight.model.slices import Lane, LaneSlices, Once, Section


@attrs.define(eq=False, repr=False)
class Track:
    """One track of slices, stored or derived. Safe to use from several threads; what it makes is kept.

    ``lane`` has its slices (of a derived track with names that were added to ``Slices.names``) and raises `FormatError`
    where events of the profile are broken; ``colour`` gives the colour of each, as places in `SLICE_COLOURS`.
    """

    id: str
    section: Section
    """One of ``Slices.sections``, or a new one (a device of XLA:CPU has no plane)."""
    name: str
    kind: TrackKind
    events: int
    meaning: Finding | None
    """What one of its slices is and how it was worked out; None where each is a recorded event."""
    lane: Once[LaneSlices] = attrs.field(repr=False)
    _colour: Callable[[LaneSlices], UInt8] = attrs.field(repr=False)
    work: ThreadWork | None = None
    stored: Lane | None = None
    """The lane of the profile; None where the track is derived."""
    index: Once[LaneIndex] = attrs.field(init=False, repr=False)
    """The index over its slices."""
    colours: Once[UInt8] = attrs.field(init=False, repr=False)
    """What each of its slices is coloured by, uint8[n]: places in `SLICE_COLOURS`."""

    occurrences: Once[Int64] = attrs.field(init=False, repr=False)
    """By id of a name how many of its slices have it; as long as the greatest id that one has."""

    def __attrs_post_init__(self) -> None:
        self.index = Once(lambda: LaneIndex(self.lane()))
        self.occurrences = Once(lambda: occurrences_of(self.lane().name))
        self.colours = Once(lambda: self._colour(self.lane()))

    @property
    def is_read(self) -> bool:
        """Whether its slices are made already."""
        return self.lane.is_made

    @property
    def is_ready(self) -> bool:
        """Whether it can be drawn without making anything first."""
        return self.index.is_made and self.colours.is_made

    def make_ready(self) -> None:
        """Make all that it is drawn from. Raises as `lane` does."""
        self.index()
        self.colours()

    def recoloured(self, colour: Callable[[LaneSlices], UInt8]) -> "Track":
        """The same track in other colours; what was made of it stays made."""
        other = attrs.evolve(self, colour=colour)
        other.index, other.occurrences = self.index, self.occurrences
        if self.is_ready:
            other.colours()
        return other
