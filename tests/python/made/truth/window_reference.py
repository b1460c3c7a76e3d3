"""What a window must hold, said slowly: a dictionary of boxes made of one slice after the other."""

from collections import defaultdict

import attrs
import numpy as np

from scopelight.analysis.timeline.records import SLICE_COLOURS
from scopelight.analysis.timeline.timeline import Timeline
from scopelight.analysis.timeline.track import Track
from scopelight.model.slices import LaneSlices, Once, Section, SliceNames, Slices, lane_slices

SECTION = Section("device:/device:TPU:0", "TPU:0", "device", 0, "/device:TPU:0")


@attrs.frozen
class Box:
    start_ps: int
    duration_ps: int
    busy_ps: int
    count: int
    name: int
    matched: int


def made_lane(spans, names=None) -> LaneSlices:
    """A lane of (start, duration) pairs; names are their place modulo 3 where none are given."""
    start = np.array([span[0] for span in spans], np.int64)
    duration = np.array([span[1] for span in spans], np.int64)
    name = np.array(names if names is not None else [place % 3 for place in range(len(spans))], np.int32)
    return lane_slices(name, start, duration)


def made_timeline(*lanes: LaneSlices, names: int = 8) -> Timeline:
    """A timeline of made-up lanes: tracks ``lane 0``, ``lane 1``, and so on."""
    known = SliceNames()
    for name in range(names):
        known.add(f"name {name}")
    end_ps = max((int(lane.end_ps.max()) for lane in lanes if len(lane)), default=0)
    timeline = Timeline(Slices((SECTION,), (), (), known, end_ps))
    tracks = [
        Track(
            f"lane {place}",
            SECTION,
            f"lane {place}",
            "ops",
            len(lane),
            None,
            Once(lambda lane=lane: lane),
            lambda of: (of.name % len(SLICE_COLOURS)).astype(np.uint8),
        )
        for place, lane in enumerate(lanes)
    ]
    timeline.tracks = tracks
    timeline._by_id = {track.id: track for track in tracks}
    return timeline


def inside_ps(start: int, duration: int, start_ps: int, end_ps: int) -> int:
    return max(0, min(start + duration, end_ps) - max(start, start_ps))


def expected_row(lane: LaneSlices, depth: int, start_ps: int, end_ps: int, exponent: int, matched=frozenset()):
    """The boxes of one row, where slices of a row do not overlap."""
    groups: dict[tuple, list[int]] = {}
    key, previous = None, None
    for slice_ in np.flatnonzero(lane.depth == depth).tolist():
        start, duration = int(lane.start_ps[slice_]), int(lane.duration_ps[slice_])
        if start + duration > start_ps if duration else start >= start_ps:
            if start >= end_ps and not (duration == 0 and start == end_ps):
                continue
            cell = ("cell", start >> exponent) if duration < 1 << exponent else ("own", slice_)
            if cell != previous:
                key = (slice_, cell)
                groups[key] = []
            previous = cell
            groups[key].append(slice_)
    boxes = []
    before = None
    for (_, cell), members in groups.items():
        time: dict[int, int] = defaultdict(int)
        for slice_ in members:
            time[int(lane.name[slice_])] += inside_ps(
                int(lane.start_ps[slice_]), int(lane.duration_ps[slice_]), start_ps, end_ps
            )
        first, last = members[0], members[-1]
        start = int(lane.start_ps[first])
        box = Box(
            start - start_ps,
            int(lane.end_ps[last]) - start,
            sum(time.values()),
            len(members),
            min(time, key=lambda name: (-time[name], name)),
            sum(slice_ in matched for slice_ in members),
        )
        likeness = (cell[0], box.name, min(3, 4 * box.busy_ps >> exponent))
        if cell[0] == "cell" and likeness == before:
            previous = boxes[-1]
            if box.start_ps - previous.start_ps - previous.duration_ps < 1 << exponent:
                boxes[-1] = Box(
                    previous.start_ps,
                    box.start_ps + box.duration_ps - previous.start_ps,
                    previous.busy_ps + box.busy_ps,
                    previous.count + box.count,
                    box.name,
                    previous.matched + box.matched,
                )
                continue
        boxes.append(box)
        before = likeness
    return boxes
