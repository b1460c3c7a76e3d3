"""The search of a timeline: which events a matcher means, how many, when, and one of them by its place among all."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import numpy as np

from scopelight.analysis.timeline.events.executions import slices_of_ops
from scopelight.analysis.timeline.events.meant import Meant
from scopelight.analysis.timeline.events.places import event_place
from scopelight.analysis.timeline.events.time_order import TrackEvents, count_before, some_events
from scopelight.analysis.timeline.records import EventPlace, FoundRecord, TimelineMatcher
from scopelight.analysis.timeline.search.arguments import ArgumentPattern, LaneArguments
from scopelight.analysis.timeline.search.kernels import count_parts, named_events
from scopelight.analysis.timeline.search.names import NameIndices
from scopelight.analysis.timeline.search.patterns import Pattern, PatternError
from scopelight.analysis.timeline.timeline import Timeline
from scopelight.analysis.timeline.track import Track
from scopelight.analysis.timeline.windows.window import Matches
from scopelight.findings import Finding, warning
from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.formats.errors import FormatError
from scopelight.phrase import Phrase

MARKS: Final = 1_000
"""Equal parts of the whole duration in which hits are counted."""
MOST_ARGUMENT_SECONDS: Final = 60.0
"""What the search of arguments may take in all; the rest stays unsearched."""
_PATTERN_SECONDS: Final = 30.0
"""What a regular expression may take of that."""
_NONE: Final = np.zeros(0, np.int32)


class _Found:
    """The hits of one track: their numbers ascending, and how many begin in each part of the duration."""

    def __init__(self, track: Track, numbers: Int32, duration_ps: int) -> None:
        self.track = track
        self.numbers = numbers
        self.marks: Int64 = np.zeros(MARKS, np.int64)
        count_parts(track.lane().start_ps, numbers, MARKS / max(1, duration_ps), self.marks)

    @property
    def events(self) -> TrackEvents:
        """The hits in the order of time."""
        return TrackEvents(self.track, self.track.lane().start_ps, self.numbers)


class Search:
    """One matcher over one timeline, as far as it was searched. Safe to use from several threads.

    ``ops`` are the rows in ``Executions.ops`` that a matcher of an op means, ``meant`` what one of a line does.
    """

    def __init__(
        self,
        timeline: Timeline,
        matcher: TimelineMatcher,
        names: NameIndices,
        ops: Sequence[int] | None = None,
        meant: Meant | None = None,
    ) -> None:
        self._timeline = timeline
        self._matcher = matcher
        self._names = names
        self._failure: str | None = None
        self._unread: list[Finding] = []
        self._found: dict[str, _Found] = {}
        self._searched: set[str] = set()
        """Ids of the tracks whose names were searched."""
        self._arguments: dict[str, LaneArguments] = {}
        """By track, where the search of its arguments was begun and is not done."""
        self._arguments_searched: set[str] = set()
        self._argument_seconds_left = MOST_ARGUMENT_SECONDS
        self._meant = Meant("executions", slices_of_ops(timeline, ops)) if ops is not None else meant
        self._wanted: Bool = np.zeros(0, np.bool_)
        """By id of a name, whether it matches."""
        self._pattern: Pattern | None = None
        self._argument_pattern: ArgumentPattern | None = None
        self._matches: Matches | None = None
        self._lock = threading.RLock()
        if self._meant is None:
            self._prepare()

    def _prepare(self) -> None:
        text, is_regex = self._matcher.text or "", self._matcher.regex
        try:
            self._pattern = Pattern(text, is_regex=is_regex)
            if self._matcher.arguments and text:
                wanted = Pattern(text, is_regex=is_regex, most_seconds=_PATTERN_SECONDS)
                self._argument_pattern = ArgumentPattern(wanted)
        except PatternError as error:
            self._failure = error.sentence

    def advance(self, track_ids: Sequence[str] | None, seconds: float) -> None:
        """Search on for about so long; a lane that must be read first is read whole."""
        until = time.monotonic() + seconds
        with self._searching():
            is_done = self._search_all_names(track_ids, until)
            if is_done and self._argument_pattern is not None and self._argument_seconds_left > 0:
                self._search_arguments(track_ids, self._argument_pattern, until)

    @contextmanager
    def _searching(self) -> Iterator[None]:
        """While tracks are searched: why that cannot be is kept."""
        with self._lock:
            try:
                yield
            except PatternError as error:
                self._failure = error.sentence

    def record(self, at_ps: int, track_ids: Sequence[str] | None) -> FoundRecord:
        """What was found so far on some tracks, or on all."""
        with self._lock:
            found = self._of(track_ids)
            members = [each.events for each in found]
            count = sum(map(len, members))
            ordinal = count_before(members, at_ps)
            return FoundRecord(
                count=count,
                tracks={each.track.id: len(each.numbers) for each in found},
                marks=tuple(np.sum([each.marks for each in found], axis=0).tolist()) if found else (0,) * MARKS,
                ordinal=ordinal if ordinal < count else 0,
                searched_ratio=1.0 if self._failure is not None else self._searched_ratio(track_ids),
                failure=self._failure,
                findings=tuple(self._findings()),
                kind=self._meant.kind if self._meant is not None else "events",
                lead=self._lead(members),
            )

    def _lead(self, members: Sequence[TrackEvents]) -> int:
        """The ordinal of the hit to look at first."""
        track_id, number = (self._meant.lead if self._meant is not None else None) or (None, 0)
        for place, member in enumerate(members):
            if member.track.id == track_id:
                start_ps = int(member.start_ps[number])
                # Of those that start together the tracks decide; gaps of one track never do.
                return count_before(members[:place], start_ps + 1) + count_before(members[place:], start_ps)
        return 0

    def event(self, ordinal: int, track_ids: Sequence[str] | None) -> EventPlace:
        """The hit of an ordinal. Raises `LookupError` with a sentence where there are not so many."""
        with self._lock:
            members = [each.events for each in self._of(track_ids)]
        found = some_events(members, ordinal, 1)
        if not found:
            count = sum(map(len, members))
            raise LookupError(
                Phrase(
                    "There are {count} events that match, and none of the number {number}.", count=count, number=ordinal
                )
            )
        member, number = found[0]
        return event_place(self._timeline, member.track, number)

    @property
    def matches(self) -> Matches:
        """What was found so far, for windows to count in their boxes."""
        matches = self._matches
        if matches is None:
            matches = self._matches = Matches(self._events_of)
        return matches

    def _events_of(self, track: Track) -> Int32:
        # A window does not wait for a search that goes on, unless it is of its own track.
        if track.id not in self._searched:
            with self._searching():
                if track.id not in self._searched and self._failure is None:
                    self._search_names(track)
        found = self._found.get(track.id)
        return found.numbers if found is not None else _NONE

    def _tracks(self, track_ids: Sequence[str] | None) -> Sequence[Track]:
        if self._failure is not None:
            return ()
        if track_ids is None:
            return self._timeline.tracks
        return [self._timeline.track(each) for each in track_ids if self._timeline.counter(each) is None]

    def _of(self, track_ids: Sequence[str] | None) -> Sequence[_Found]:
        """In the order of the timeline's tracks, which decides between hits that start together."""
        chosen = None if track_ids is None else set(track_ids)
        return [
            self._found[track.id]
            for track in self._timeline.tracks
            if track.id in self._found and (chosen is None or track.id in chosen)
        ]

    def _search_all_names(self, track_ids: Sequence[str] | None, until: float) -> bool:
        """Whether there was time for what follows."""
        # What is read already costs least and is shown first.
        for track in sorted(self._tracks(track_ids), key=lambda each: not each.is_read):
            if track.id not in self._searched:
                self._search_names(track)
                if time.monotonic() > until:
                    return False
        return True

    def _search_names(self, track: Track) -> None:
        try:
            self._keep(track, self._named(track) if self._meant is None else self._meant.numbers.get(track.id, _NONE))
        except FormatError as error:
            self._unread.append(warning("track-unreadable", track=track.name, problem=error.sentence))
        self._searched.add(track.id)

    def _named(self, track: Track) -> Int32:
        if not self._matcher.text or self._pattern is None:
            return _NONE
        occurrences = track.occurrences()
        if len(occurrences) > len(self._wanted):
            # Names are added as tracks are made.
            self._wanted = self._names.present().matching(self._pattern)
        numbers = np.empty(int(occurrences[self._wanted[: len(occurrences)]].sum()), np.int32)
        named_events(track.lane().name, self._wanted, numbers)
        return numbers

    def _keep(self, track: Track, numbers: Int32) -> None:
        if len(numbers):
            self._found[track.id] = _Found(track, numbers, self._timeline.slices.duration_ps)
        self._matches = None

    def _search_arguments(self, track_ids: Sequence[str] | None, pattern: ArgumentPattern, until: float) -> None:
        for track in self._tracks(track_ids):
            if track.stored is None or track.id in self._arguments_searched:
                continue
            began = time.monotonic()
            try:
                search = self._arguments.get(track.id) or LaneArguments(track.stored, pattern)
                self._arguments[track.id] = search
                is_done = search.advance(min(until, began + self._argument_seconds_left))
                before = self._found[track.id].numbers if track.id in self._found else _NONE
                self._keep(track, np.union1d(before, search.numbers()))
            except FormatError as error:
                self._unread.append(warning("arguments-unreadable", track=track.name, problem=error.sentence))
                is_done = True
            finally:
                self._argument_seconds_left -= time.monotonic() - began
            if is_done:
                self._arguments_searched.add(track.id)
                self._arguments.pop(track.id, None)
            if time.monotonic() > until or self._argument_seconds_left <= 0:
                return

    def _searched_ratio(self, track_ids: Sequence[str] | None) -> float:
        tracks = self._tracks(track_ids)
        whole = max(1, sum(track.events for track in tracks))
        if any(track.id not in self._searched for track in tracks):
            names = sum(track.events for track in tracks if track.id in self._searched)
            return min(names / whole, 0.999) / (1 if self._argument_pattern is None else 2)
        if self._argument_pattern is None or self._argument_seconds_left <= 0:
            return 1.0
        stored = [track for track in tracks if track.stored is not None]
        if all(track.id in self._arguments_searched for track in stored):
            return 1.0
        return min(0.5 + self._events_with_arguments_searched(stored) / (2 * whole), 0.999)

    def _events_with_arguments_searched(self, tracks: Sequence[Track]) -> int:
        begun = sum(
            round(track.events * self._arguments[track.id].searched_ratio)
            for track in tracks
            if track.id in self._arguments
        )
        return begun + sum(track.events for track in tracks if track.id in self._arguments_searched)

    def _findings(self) -> Iterator[Finding]:
        yield from self._unread
        stored = [track for track in self._timeline.tracks if track.stored is not None]
        if self._argument_pattern is not None and self._argument_seconds_left <= 0:
            whole, searched = sum(track.events for track in stored), self._events_with_arguments_searched(stored)
            if searched < whole:
                yield warning(
                    "arguments-not-all-searched", searched=searched, events=whole, most_s=MOST_ARGUMENT_SECONDS
                )
