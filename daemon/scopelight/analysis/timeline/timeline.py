"""The timeline of a profile: its tracks, stored and derived, what each slice is coloured by, and its record.

A timeline begins with the stored lanes alone, so that something can be drawn within moments; steps, overview, colours
and derived tracks come when the profile is read (`complete`).
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import attrs
import numpy as np

from scopelight.analysis.timeline.records import (
    SLICE_COLOURS,
    SectionRecord,
    TimelineRecord,
    TimelineStepsRecord,
    TrackKind,
    TrackRecord,
)
from scopelight.analysis.timeline.track import Track
from scopelight.analysis.timeline.tracks.in_jax import OpsInJax
from scopelight.analysis.timeline.tracks.lane_executions import LaneExecutions
from scopelight.analysis.totals.predicted import nothing_predicted
from scopelight.findings import PROFILE_SCRIPT, Finding, empty, show_view, warning
from scopelight.formats.columns import UInt8
from scopelight.formats.errors import FormatError
from scopelight.model.memory.allocator_events import natural_order
from scopelight.model.opening.slices import open_slices
from scopelight.model.profile import Profile
from scopelight.model.slices import Counter, Lane, LaneSlices, Section, Slices
from scopelight.phrase import Phrase

if TYPE_CHECKING:
    from scopelight.analysis.timeline.tracks.lines import LinesOfThread

OTHER_COLOUR = SLICE_COLOURS.index("other")
HOST_COLOUR = SLICE_COLOURS.index("host")


@attrs.frozen(eq=False, repr=False)
class Derived:
    """What is known once the profile is read.

    ``executions`` tells which slices of stored lanes are executions. ``colours`` colours the slices of a stored lane.
    ``busy`` is by the id of the section.
    """

    tracks: Sequence[Track]
    """Those that the profile does not store: made from its executions when they are first drawn."""
    steps: TimelineStepsRecord | None
    busy: Mapping[str, tuple[float, ...]]
    executions: LaneExecutions = attrs.field(repr=False)
    in_jax: OpsInJax = attrs.field(repr=False)
    colours: Callable[[Lane, LaneSlices], UInt8] = attrs.field(repr=False)
    lines: Mapping[str, "LinesOfThread"] = attrs.field(factory=dict, repr=False)
    """By track the lines of Python on which a thread stood."""
    gaps: Mapping[str, int] = attrs.field(factory=dict)
    """By track of free time its device, as a row of ``Executions.devices``."""


class Timeline:
    """The tracks of a profile. ``derived`` is None until `complete` was called."""

    def __init__(self, slices: Slices) -> None:
        self.slices = slices
        self.profile: Profile | None = None
        self.derived: Derived | None = None
        self.failure: Finding | None = None
        self.tracks: Sequence[Track] = ()
        self._by_id: Mapping[str, Track] = {}
        self._set_tracks([_stored(slices, lane) for lane in slices.lanes])
        self._counters = {counter.id: counter for counter in slices.counters}

    def track(self, track_id: str) -> Track:
        """The track of an id. Raises `LookupError` with a sentence where there is none."""
        if track_id not in self._by_id:
            raise LookupError(Phrase("The timeline has no track {track!r}.", track=track_id))
        return self._by_id[track_id]

    def find(self, track_id: str) -> Track | None:
        """The track of an id; None where there is none."""
        return self._by_id.get(track_id)

    def counter(self, track_id: str) -> Counter | None:
        """The counter of an id; None where that is none."""
        return self._counters.get(track_id)

    def has(self, track_id: str) -> bool:
        """Whether a track, or a counter, has this id."""
        return track_id in self._by_id or track_id in self._counters

    def completed(self, profile: Profile, derived: Derived) -> "Timeline":
        """The timeline with what is known once its profile is read. What was made of its tracks stays made."""
        whole = Timeline(self.slices)
        whole.profile, whole.derived = profile, derived
        stored = [track.recoloured(_stored_colour(track.stored, derived)) for track in self.tracks if track.stored]
        whole._set_tracks([*stored, *derived.tracks])
        return whole

    def without_profile(self, failure: Finding) -> "Timeline":
        """The timeline where no more of its profile can be read, and why: its stored lanes are all."""
        whole = Timeline(self.slices)
        whole.failure = failure
        whole._set_tracks(self.tracks)
        return whole

    def _set_tracks(self, tracks: Sequence[Track]) -> None:
        self.tracks = _sorted(tracks, self.slices)
        self._by_id = {track.id: track for track in self.tracks}

    def record(self) -> TimelineRecord:
        """What the timeline consists of, and why it is empty where it is."""
        why_empty = self._emptiness()
        counters = self.slices.counters
        return TimelineRecord(
            duration_ps=self.slices.duration_ps,
            events=sum(lane.events for lane in self.slices.lanes) + sum(counter.events for counter in counters),
            sections=self._section_records(),
            steps=self.derived.steps if self.derived else None,
            busy=self.derived.busy if self.derived else {},
            complete=self.derived is not None or self.failure is not None or why_empty is not None,
            findings=(
                *((why_empty,) if why_empty else ()),
                *self.slices.findings,
                *((self.failure,) if self.failure else ()),
            ),
        )

    def _section_records(self) -> tuple[SectionRecord, ...]:
        members: dict[str, tuple[Section, list[TrackRecord]]] = {}
        for track in self.tracks:
            depths = track.lane().depths if track.is_read else None
            members.setdefault(track.section.id, (track.section, []))[1].append(
                TrackRecord(track.id, track.name, track.kind, track.events, depths, track.work)
            )
        for counter in self.slices.counters:
            section = self.slices.sections[counter.section]
            members.setdefault(section.id, (section, []))[1].append(
                TrackRecord(counter.id, counter.name, "counter", counter.events, 1, None)
            )
        return tuple(
            SectionRecord(section.id, section.name, section.kind, section.host, tuple(tracks))
            for section, tracks in members.values()
        )

    def _emptiness(self) -> Finding | None:
        if self.slices.lanes or self.slices.counters:
            return None
        if self.slices.is_prediction:
            return nothing_predicted()
        if self.slices.is_program:
            return empty("program-has-no-times", PROFILE_SCRIPT)
        if self.slices.is_memory_alone:
            return empty("memory-alone-no-times", show_view("memory-profile"))
        return empty("no-event-with-time", PROFILE_SCRIPT)


def incomplete(error: FormatError) -> Finding:
    """What a timeline is without where its profile cannot be read any further, and why."""
    return warning("timeline-incomplete", offset=error.offset, problem=error.cause)


def open_timeline(path: Path) -> Timeline:
    """The timeline of a path from its headers alone. Raises `FormatError` where nothing can be read."""
    return Timeline(open_slices(path))


def _stored(slices: Slices, lane: Lane) -> Track:
    section = slices.sections[lane.section]

    def colour(of: LaneSlices) -> UInt8:
        return np.full(len(of), HOST_COLOUR if section.kind == "host" else OTHER_COLOUR, np.uint8)

    return Track(lane.id, section, lane.name, lane.kind, lane.events, None, lane.slices, colour, lane.work, lane)


def _stored_colour(lane: Lane, derived: Derived) -> Callable[[LaneSlices], UInt8]:
    return lambda slices: derived.colours(lane, slices)


def _sorted(tracks: Sequence[Track], slices: Slices) -> Sequence[Track]:
    """Tracks by host, section and kind; sections of devices that no plane has come before all others of their host."""
    places = {section.id: place for place, section in enumerate(slices.sections)}

    def order(track: Track) -> tuple[object, ...]:
        place = places.get(track.section.id, -1)
        return (
            track.section.host,
            track.section.kind == "host",
            place,
            # The names of a host's devices differ in their numbers.
            natural_order(track.section.name) if place < 0 else (),
            get_args(TrackKind).index(track.kind),
        )

    return sorted(tracks, key=order)
