"""Events of a span of time, and those of several tracks in one order: by start, then by track, then as on the track."""

from collections.abc import Sequence

import attrs
import numpy as np

from scopelight.analysis.timeline.timeline import Timeline
from scopelight.analysis.timeline.track import Track
from scopelight.formats.columns import Int32, Int64


@attrs.frozen(eq=False, repr=False)
class Touching:
    """Numbers of slices: those that began before the span and reach into it, and from ``first`` on those inside."""

    track: Track
    reaching: Int32
    first: int
    beyond: int

    def __len__(self) -> int:
        return len(self.reaching) + self.beyond - self.first

    @property
    def numbers(self) -> Int64:
        """All of them, ascending: parents before children."""
        return np.concatenate((self.reaching, np.arange(self.first, self.beyond, dtype=np.int64)))


def with_last_instant(timeline: Timeline, end_ps: int) -> int:
    """Where a span ends. One that reaches the end of the profile takes in what happens at that very instant."""
    last_ps = timeline.slices.duration_ps
    return last_ps + 1 if end_ps >= last_ps else end_ps


def touching(track: Track, start_ps: int, end_ps: int) -> Touching:
    """The slices that go on at some time from ``start_ps`` to before ``end_ps``; an instant where it is in that."""
    lane = track.lane()
    first, beyond = np.searchsorted(lane.start_ps, [start_ps, max(start_ps, end_ps)]).tolist()
    reaching = np.flatnonzero(lane.start_ps[:first] + lane.duration_ps[:first] > start_ps)
    return Touching(track, reaching.astype(np.int32), first, beyond)


@attrs.frozen(eq=False, repr=False)
class TrackEvents:
    """Some events of one track: those of ``numbers`` (ascending), or all from ``first`` to before ``beyond``."""

    track: Track
    start_ps: Int64
    """Of all slices of the track."""
    numbers: Int32 | None
    first: int = 0
    beyond: int = 0

    def __len__(self) -> int:
        return len(self.numbers) if self.numbers is not None else self.beyond - self.first

    def before(self, at_ps: int) -> int:
        """How many of them start before a time."""
        position = int(np.searchsorted(self.start_ps, at_ps))
        if self.numbers is not None:
            # A position of another type would have all numbers converted first.
            return int(np.searchsorted(self.numbers, np.int32(position)))
        return min(max(position, self.first), self.beyond) - self.first

    def some(self, first: int, count: int) -> Int64:
        """The numbers on the track of up to ``count`` of them, from the place ``first`` among them on."""
        if self.numbers is not None:
            return self.numbers[first : first + count].astype(np.int64)
        begin = self.first + first
        return np.arange(begin, min(begin + count, self.beyond), dtype=np.int64)


def count_before(members: Sequence[TrackEvents], at_ps: int) -> int:
    """How many events of all tracks start before a time."""
    return sum(each.before(at_ps) for each in members)


def some_events(members: Sequence[TrackEvents], first: int, count: int) -> Sequence[tuple[TrackEvents, int]]:
    """Up to ``count`` events from the ordinal ``first`` on: the track and the number on it of each."""
    members = [each for each in members if len(each)]
    if not members or first < 0 or count <= 0 or first >= sum(map(len, members)):
        return ()
    at_ps = _start_of(members, first)
    skipped = [each.before(at_ps) for each in members]
    taken = [each.some(skip, count + first - sum(skipped)) for each, skip in zip(members, skipped, strict=True)]
    number = np.concatenate(taken)
    member = np.repeat(np.arange(len(members)), [len(each) for each in taken])
    start = np.concatenate([each.start_ps[rows] for each, rows in zip(members, taken, strict=True)])
    order = np.lexsort((number, member, start))[first - sum(skipped) :][:count]
    return [(members[which], row) for which, row in zip(member[order].tolist(), number[order].tolist(), strict=True)]


def _start_of(members: Sequence[TrackEvents], ordinal: int) -> int:
    """When the event of an ordinal starts: the latest time before which no more than ``ordinal`` events start."""
    low = min(int(each.start_ps[each.some(0, 1)[0]]) for each in members)
    high = max(int(each.start_ps[each.some(len(each) - 1, 1)[0]]) for each in members)
    while low < high:
        middle = low + (high - low + 1) // 2
        if count_before(members, middle) <= ordinal:
            low = middle
        else:
            high = middle - 1
    return low
