"""Slices: what the lanes of a profile hold, of devices and of the host, read lane by lane when asked for.

The second table of a profile beside its executions. Times are int64 picoseconds from the profile's first event, the
same zero and the same clocks of hosts that `open_profile` has.
"""

import threading
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Generic, Literal, TypeVar

import attrs
import numpy as np

from scopelight.findings import Finding
from scopelight.formats.columns import Float64, Int16, Int32, Int64
from scopelight.formats.xspace.events import EventMetadata, Events
from scopelight.formats.xspace.reader import LinePlace, XLine
from scopelight.formats.xspace.stats import StatValue
from scopelight.model.lane_kinds import LaneKind, WorkKind
from scopelight.model.nesting import depths

T = TypeVar("T")

SectionKind = Literal["device", "host"]


class Once(Generic[T]):
    """A value that is made when it is first asked for, and kept. Safe to call from several threads."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: list[T] = []
        self._lock = threading.RLock()

    def __call__(self) -> T:
        """The value. Raises what making it raises."""
        if not self._made:
            with self._lock:
                if not self._made:
                    self._made.append(self._make())
        return self._made[0]

    @property
    def is_made(self) -> bool:
        """Whether it was asked for already."""
        return bool(self._made)


@attrs.frozen(eq=False, repr=False)
class LaneSlices:
    """The slices of one lane, sorted by start, longest first: columns of equal length.

    ``name`` are ids for `SliceNames`. ``depth`` is the row of the lane that a slice is drawn in: what is nested lies
    below what it is nested in. ``event`` is the row in the line's `Events`; -1 where the slice was derived.
    """

    name: Int32
    start_ps: Int64
    duration_ps: Int64
    depth: Int16
    event: Int32
    depths: int

    def __len__(self) -> int:
        return len(self.name)

    @property
    def end_ps(self) -> Int64:
        """Where each slice ends."""
        return self.start_ps + self.duration_ps


def lane_slices(name: Int32, start_ps: Int64, duration_ps: Int64, event: Int32 | None = None) -> LaneSlices:
    """Slices in any order as those of a lane; without ``event`` they are derived. May keep the arrays given to it."""
    count = len(start_ps)
    later = start_ps[1:] > start_ps[:-1]
    nested = (start_ps[1:] == start_ps[:-1]) & (duration_ps[1:] <= duration_ps[:-1])
    if event is None:
        event = np.full(count, -1, np.int32)
    if not bool(np.all(later | nested)):
        order = np.lexsort((-duration_ps, start_ps))
        name, start_ps, duration_ps, event = name[order], start_ps[order], duration_ps[order], event[order]
    depth, most = depths(start_ps, duration_ps)
    return LaneSlices(name, start_ps, duration_ps, depth, event, most)


class SliceNames:
    """Names of slices by their ids: one for each row of the planes' event metadata, then those that were added.

    Two ids may have the same text. Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._planes: list[EventMetadata] = []
        self._bases: list[int] = []
        self._stored = 0
        self._added: list[str] = []
        self._added_ids: dict[str, int] = {}
        self._lock = threading.Lock()

    def add_plane(self, metadata: EventMetadata) -> int:
        """Give ids to the rows of a plane's event metadata: the first one. Only before any text is added."""
        base = self._stored
        self._planes.append(metadata)
        self._bases.append(base)
        self._stored += len(metadata)
        return base

    def add(self, text: str) -> int:
        """The id of a text that no plane has, the same whenever it is added."""
        with self._lock:
            if text not in self._added_ids:
                self._added_ids[text] = self._stored + len(self._added)
                self._added.append(text)
            return self._added_ids[text]

    @property
    def added(self) -> tuple[str, ...]:
        """The texts that no plane has, in the order of their ids: added anew in this order, they have the same ids."""
        with self._lock:
            return tuple(self._added)

    def __len__(self) -> int:
        return self._stored + len(self._added)

    def text(self, name: int) -> str:
        """The name as the profile has it."""
        if name >= self._stored:
            return self._added[name - self._stored]
        plane = bisect_right(self._bases, name) - 1
        return self._planes[plane].text(name - self._bases[plane])

    def every(self) -> Iterator[tuple[str, str]]:
        """All names by their ids, as the profile has them and as they are shown."""
        for plane in self._planes:
            for name, display_name in zip(plane.names, plane.display_names, strict=True):
                yield name, shown_name(display_name or name)
        yield from ((text, text) for text in self.added)

    def shown(self, name: int) -> str:
        """The name to show: the display name where there is one, and of an HLO instruction's text its name."""
        if name >= self._stored:
            return self._added[name - self._stored]
        plane = bisect_right(self._bases, name) - 1
        return shown_name(self._planes[plane].shown_name(name - self._bases[plane]))


def shown_name(text: str) -> str:
    """``fusion.3`` of ``%fusion.3 = bf16[8,128] fusion(...)``; other texts as they are."""
    if text.startswith("%"):
        return text.partition(" = ")[0].removeprefix("%")
    return text


@attrs.define(eq=False, repr=False)
class Lane:
    """One line of a plane. Its slices are decoded when they are first asked for, and kept."""

    id: str
    """Unique in the profile, and the same whenever it is opened."""
    section: int
    """Row in ``Slices.sections``."""
    name: str
    kind: LaneKind
    work: WorkKind | None
    """What a thread of a host mostly does; None of lanes of devices."""
    events: int
    first_ps: int
    last_ps: int
    _line: XLine = attrs.field(repr=False)
    _shift_ps: int = attrs.field(repr=False)
    """From the file's origin to the profile's first event."""
    _first_name: int = attrs.field(repr=False)
    slices: Once[LaneSlices] = attrs.field(init=False, repr=False)
    """The lane's slices. Raises `FormatError` where events are broken."""

    def __attrs_post_init__(self) -> None:
        self.slices = Once(self._decode)

    @property
    def line(self) -> XLine:
        """The line in the file, for bulk reads of its events. Starts count from the file's origin."""
        return self._line

    @property
    def metadata(self) -> EventMetadata:
        """What its plane says once of each kind of event: ``Events.metadata`` are its rows."""
        return self._line.events_metadata

    @property
    def place(self) -> LinePlace:
        """Where its line is: ``Executions.lane_places`` has the same."""
        return self._line.place

    def _decode(self) -> LaneSlices:
        name, start_ps, duration_ps = self._line.timed()
        self._line.forget_pages()
        name += np.int32(self._first_name)
        start_ps += self._shift_ps
        return lane_slices(name, start_ps, duration_ps, np.arange(len(name), dtype=np.int32))

    def arguments(self, event: int) -> Mapping[str, StatValue]:
        """All stats of slice number ``event`` (a row of `slices`)."""
        return self._line.event_stats(int(self.slices().event[event]))

    def events_as_recorded(self) -> Events:
        """The line's events in the file's order with their stats, decoded anew: ``LaneSlices.event`` are their rows.

        Their starts count from the file's origin.
        """
        return self._line.events()


@attrs.frozen(eq=False, repr=False)
class CounterValues:
    """What a counter was from each start on, sorted by start. NaN where the profile gives no number."""

    start_ps: Int64
    value: Float64


@attrs.define(eq=False, repr=False)
class Counter:
    """A counter that a device or a host recorded."""

    id: str
    section: int
    name: str
    unit: str
    events: int
    values: Once[CounterValues] = attrs.field(repr=False)
    """Its values over time. Raises `FormatError` where events are broken."""


@attrs.frozen
class Section:
    """The lanes of one device, or of one process of a host."""

    id: str
    name: str
    kind: SectionKind
    host: int
    plane: str
    """The plane's name."""


@attrs.frozen(eq=False, repr=False)
class Slices:
    """All lanes of a profile, in the order of ``sections``. Nothing ran where there are no lanes."""

    sections: Sequence[Section]
    lanes: Sequence[Lane]
    counters: Sequence[Counter]
    names: SliceNames
    duration_ps: int
    """From the profile's first event to the end of the last."""
    is_program: bool = False
    """Whether the path is a compiled program alone."""
    is_prediction: bool = False
    """Whether it is of a run that was predicted."""
    is_memory_alone: bool = False
    """Whether the path holds what was in memory and no trace."""
    untimed_events: int = 0
    """Events that only say how often something happened; no lane has them."""
    findings: Sequence[Finding] = ()
    files: Sequence[Path] = ()
    """Those that the lanes are read from."""
