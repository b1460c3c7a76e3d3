"""One device of the timeline: what its derived tracks are made from, and how one of them is put together."""

from collections.abc import Callable

import attrs
import numpy as np

from scopelight.analysis.timeline.colours import Colours
from scopelight.analysis.timeline.records import TrackKind
from scopelight.analysis.timeline.track import Track
from scopelight.findings import Finding
from scopelight.formats.columns import Int32
from scopelight.model.executions import Executions
from scopelight.model.profile import Profile
from scopelight.model.slices import LaneSlices, Once, Section, SliceNames


@attrs.frozen(eq=False, slots=True)
class DeviceOfTimeline:
    """A device that ran something.

    ``LaneSlices.event`` of a derived track holds the row of the execution that a slice is, -1 where it is none.
    """

    profile: Profile
    device: int
    """Row in ``executions.devices``."""
    section: Section
    names: SliceNames
    op_colours: Colours

    @property
    def executions(self) -> Executions:
        """Of all devices."""
        return self.profile.executions

    @property
    def span(self) -> slice:
        """The rows of the executions of this device, which are sorted by start."""
        return self.executions.rows_of(self.device)

    @property
    def rows(self) -> Int32:
        """The same rows, each."""
        span = self.span
        return np.arange(span.start, span.stop, dtype=np.int32)

    def track(
        self,
        name: str,
        kind: TrackKind,
        events: int,
        meaning: Finding | None,
        make: Callable[[], LaneSlices],
        colours: Callable[[LaneSlices], Colours],
        remark: str = "",
    ) -> Track:
        """A derived track of this device. What is remarked stands behind the name and is no part of the id."""
        shown = f"{name} · {remark}" if remark else name
        return Track(f"{self.section.id}/{name}", self.section, shown, kind, events, meaning, Once(make), colours)

    def track_of_ops(
        self, name: str, kind: TrackKind, events: int, meaning: Finding | None, make: Callable[[], LaneSlices]
    ) -> Track:
        """A derived track whose slices are executions and coloured as their ops are."""

        def colours(slices: LaneSlices) -> Colours:
            return self.op_colours[self.executions.op[slices.event]]

        return self.track(name, kind, events, meaning, make, colours)
