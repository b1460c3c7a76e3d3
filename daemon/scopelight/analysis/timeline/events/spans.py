"""The slices of a track that touch a span of time."""

import attrs
import numpy as np

from scopelight.analysis.timeline.events.kernels import reaching
from scopelight.analysis.timeline.timeline import Timeline, Track
from scopelight.formats.columns import Int64

_FEW = 4_096


@attrs.frozen(eq=False)
class Touching:
    """Numbers of slices: those that began before the span and reach into it, and from ``first`` on those inside."""

    track: Track
    reaching: Int64
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
    numbers = np.empty(min(_FEW, first), np.int64)
    count = reaching(lane.start_ps, lane.duration_ps, first, start_ps, numbers)
    if count > len(numbers):
        numbers = np.empty(count, np.int64)
        reaching(lane.start_ps, lane.duration_ps, first, start_ps, numbers)
    return Touching(track, numbers[:count], first, beyond)
