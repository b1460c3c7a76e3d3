"""Self times of slices: what is left of each once what is nested in it is taken away."""

from typing import Final

import numpy as np

from scopelight.analysis.timeline.timeline import Timeline
from scopelight.analysis.timeline.track import Track
from scopelight.formats.columns import Int32, Int64
from scopelight.formats.kernels import kernel

ALL_TIME: Final = (-(1 << 62), 1 << 62)


def self_times(
    timeline: Timeline, track: Track, numbers: Int64 | None = None, within_ps: tuple[int, int] = ALL_TIME
) -> Int64:
    """The self times of some slices of a track, int64[n]; of all of them without ``numbers``.

    A slice's children are those that lie inside it from start to end and inside no other that does. Its self time is
    its duration less the time in which at least one child goes on; slices that merely overlap take nothing from each
    other. Asynchronous ops run beside each other and have no children; of the ops of a device only those of one thread
    or stream do.

    ``numbers`` are ascending and hold every slice that a slice among them lies in. Of slices and children only the
    parts inside ``within_ps``, a start and an end, count.
    """
    lane = track.lane()
    start_ps, duration_ps = lane.start_ps, lane.duration_ps
    beside = _beside(timeline, track)
    if numbers is not None:
        start_ps, duration_ps = start_ps[numbers], duration_ps[numbers]
        beside = beside[numbers] if beside is not None else None
    own: Int64 = np.empty(len(start_ps), np.int64)
    opened, covered = np.empty((2, len(start_ps)), np.int64)
    if track.kind == "async":
        own[:] = np.clip(start_ps + duration_ps, *within_ps) - np.clip(start_ps, *within_ps)
    elif beside is None:
        _nested(start_ps, duration_ps, np.zeros(len(start_ps), np.int32), own, opened, covered, *within_ps)
    else:
        order = np.argsort(beside, kind="stable")
        sorted_own = np.empty_like(own)
        _nested(start_ps[order], duration_ps[order], beside[order], sorted_own, opened, covered, *within_ps)
        own[order] = sorted_own
    return own


def _beside(timeline: Timeline, track: Track) -> Int32 | None:
    """For each slice of a derived track of ops the thread or stream that it ran on."""
    if track.stored is not None or track.kind != "ops" or timeline.profile is None:
        return None
    lanes: Int32 = timeline.profile.executions.lane[track.lane().event].astype(np.int32)
    return lanes


@kernel
def _nested(
    start: Int64, duration: Int64, lane: Int32, own: Int64, opened: Int64, covered: Int64, first: int, beyond: int
) -> None:
    """Write self times of slices that are sorted by lane, start and end, the longest first.

    ``opened`` and ``covered`` are memory to work in, as long as the columns.
    """
    # Those that go on and may still have children: each ends before the one below it does. One that ends later than
    # those above it has all children that they could have had.
    height = 0
    for row in range(len(start)):
        begin, end = start[row], start[row] + duration[row]
        if row and lane[row] != lane[row - 1]:
            height = 0
        while height:
            above = opened[height - 1]
            above_end = start[above] + duration[above]
            if above_end > begin and above_end >= end:
                break
            height -= 1
        inside_begin, inside_end = min(max(begin, first), beyond), min(max(end, first), beyond)
        own[row] = inside_end - inside_begin
        if height:
            own[opened[height - 1]] -= max(0, inside_end - max(inside_begin, covered[height - 1]))
            covered[height - 1] = max(covered[height - 1], inside_end)
        if end > begin:
            opened[height] = row
            covered[height] = inside_begin
            height += 1
