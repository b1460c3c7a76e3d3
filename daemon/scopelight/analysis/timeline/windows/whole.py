"""All of a timeline at one resolution, however many boxes that takes: for pages that cannot ask for windows of it."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import attrs
import numpy as np
import numpy.typing as npt

from scopelight.analysis.timeline.records import CounterRecord, WindowRecord, WindowRows, WindowTrack
from scopelight.analysis.timeline.timeline import Timeline
from scopelight.analysis.timeline.windows.counters import counter_window
from scopelight.analysis.timeline.windows.kernels import Boxes
from scopelight.analysis.timeline.windows.window import packed, unpacked, window
from scopelight.model.nesting import MOST_DEPTHS

MOST_COUNTER_PX: Final = 4_000
_MOST_MERGED_PX: Final = 2.0
"""A window whose slices were merged to more is drawn in two halves."""

Array = npt.NDArray[Any]


@attrs.frozen(eq=False, repr=False)
class _Part:
    """The boxes of one row between two times; they count from the profile's first event."""

    start_ps: Array
    duration_ps: Array
    busy_ps: Array
    """NaN where a box is one slice."""
    slices: Array
    name: Array
    colour: Array

    def __len__(self) -> int:
        return len(self.start_ps)


_Rows = Mapping[int, _Part]
"""By depth."""


def whole_timeline(timeline: Timeline, px_ps: int, most_boxes: int) -> WindowRecord | None:
    """What there is to draw of every track, slices merged to about ``px_ps``. None where it is more than so many boxes.

    A box that is merged may be cut in two where a window ends in it, with the exact time of each part.
    """
    end_ps = max(1, timeline.slices.duration_ps)
    tracks: list[WindowTrack] = []
    rows: list[tuple[int, int, Sequence[_Part]]] = []
    left_boxes = most_boxes
    for place, track in enumerate(timeline.tracks):
        pieces = list(_pieces(timeline, track.id, (0, end_ps), px_ps, left_boxes))
        left_boxes -= sum(_boxes(piece) for piece in pieces)
        if left_boxes < 0:
            return None
        depths = track.lane().depths
        rows += [(place, depth, parts) for depth in range(depths) if (parts := _of_depth(pieces, depth))]
        tracks.append(WindowTrack(track.id, depths, float(track.lane().duration_ps.sum()), ready=True))
    width_px = max(1, end_ps // max(1, px_ps))
    counters: list[CounterRecord] = []
    for counter in timeline.slices.counters:
        counters.append(counter_window(counter, 0, end_ps, min(MOST_COUNTER_PX, width_px)))
        tracks.append(WindowTrack(counter.id, 1, 0.0, ready=True))
    return WindowRecord(0, end_ps, width_px, 1.0, tuple(tracks), _joined(rows), tuple(counters))


def _pieces(timeline: Timeline, track_id: str, span: tuple[int, int], px_ps: int, most_boxes: int) -> Iterator[_Rows]:
    """The rows of a track in a span of time, in pieces that fit in a window each; no more once there are too many."""
    start_ps, end_ps = span
    width_px = max(1, math.ceil((end_ps - start_ps) / max(1, px_ps)))
    record = window(timeline, [track_id], [MOST_DEPTHS], start_ps, end_ps, width_px)
    if record.merged_px <= _MOST_MERGED_PX or width_px == 1:
        yield _rows(record)
        return
    middle_ps = (start_ps + end_ps) // 2
    for half in ((start_ps, middle_ps), (middle_ps, end_ps)):
        for piece in _pieces(timeline, track_id, half, px_ps, most_boxes):
            most_boxes -= _boxes(piece)
            yield piece
        if most_boxes < 0:
            return


def _rows(record: WindowRecord) -> _Rows:
    boxes = unpacked(record.boxes)
    busy_ps = np.full(record.boxes.boxes, np.nan)
    busy_ps[boxes.box] = boxes.busy_ps
    slices = np.ones(record.boxes.boxes, np.uint32)
    slices[boxes.box] = boxes.slices
    # One slice that began before is of the piece before this one.
    is_new = ~(np.isnan(busy_ps) & (boxes.start_ps < 0)) | (record.start_ps == 0)
    columns = (boxes.start_ps + record.start_ps, boxes.duration_ps, busy_ps, slices, boxes.name, boxes.colour)
    rows = {}
    for row, depth in enumerate(boxes.depth.tolist()):
        part = slice(int(boxes.first_box[row]), int(boxes.first_box[row + 1]))
        rows[depth] = _Part(*(column[part][is_new[part]] for column in columns))
    return rows


def _boxes(rows: _Rows) -> int:
    return sum(map(len, rows.values()))


def _of_depth(pieces: Sequence[_Rows], depth: int) -> Sequence[_Part]:
    return [piece[depth] for piece in pieces if depth in piece and len(piece[depth])]


def _joined(rows: Sequence[tuple[int, int, Sequence[_Part]]]) -> WindowRows:
    """Rows of tracks, each in its parts, as a window has them."""
    parts = [part for _, _, of_row in rows for part in of_row]

    def column(name: str) -> Array:
        return np.concatenate([getattr(part, name) for part in parts]) if parts else np.zeros(0)

    busy_ps, slices = column("busy_ps"), column("slices")
    merged = np.flatnonzero(~np.isnan(busy_ps))
    lengths = [sum(map(len, of_row)) for _, _, of_row in rows]
    boxes = Boxes(
        start_ps=column("start_ps"),
        duration_ps=column("duration_ps"),
        busy_ps=busy_ps[merged],
        first_box=np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.uint32),
        name=column("name").astype(np.uint32),
        matched=np.empty(0, np.uint32),
        box=merged.astype(np.uint32),
        slices=slices[merged].astype(np.uint32),
        track=np.array([track for track, _, _ in rows], np.uint16),
        depth=np.array([depth for _, depth, _ in rows], np.uint16),
        colour=column("colour").astype(np.uint8),
    )
    return packed(boxes, has_matches=False)
