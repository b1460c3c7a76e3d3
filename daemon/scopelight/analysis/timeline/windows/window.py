"""What to draw of some tracks between two times: slices merged to the pixels that there are, no time dropped."""

import base64
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import attrs
import numpy as np
import numpy.typing as npt

from scopelight.analysis.timeline.records import WindowRecord, WindowRows, WindowTrack
from scopelight.analysis.timeline.timeline import Timeline
from scopelight.analysis.timeline.track import Track
from scopelight.analysis.timeline.windows.counters import counter_window
from scopelight.analysis.timeline.windows.kernels import (
    BOXES,
    BUSY_PS,
    MERGED,
    ROWS,
    STATE_COLUMNS,
    Boxes,
    Cut,
    draw_lane,
)
from scopelight.analysis.timeline.windows.lane_index import NOT_MERGED
from scopelight.formats.columns import Int32, Int64
from scopelight.model.nesting import MOST_DEPTHS

MOST_BOXES: Final = 20_000
MOST_PACKED_BYTES: Final = 300_000
"""Of the boxes' columns as they are sent, in base64."""
MOST_ROWS: Final = 2_000
"""Of one window: more than any screen has, and so few that one box of each can always be sent."""

FURTHEST_PS: Final = 1 << 62

MOST_CELLS: Final = 32_000
"""Of one window, about: it bounds the work."""
LEAST_MERGED: Final = 2_000
MOST_SLICES: Final = 200_000
"""Slices of a window that are looked at one by one, over all its tracks; lanes with more are merged once and kept."""

Array = npt.NDArray[Any]


class Matches:
    """Which slices a matcher means, track by track, made ready to be counted in boxes. Safe for several threads.

    ``events_of`` gives the matched slices of a track as ascending numbers (rows of `Track.lane`).
    """

    def __init__(self, events_of: Callable[[Track], Int32]) -> None:
        self._events_of = events_of
        self._before: dict[str, Int32] = {}

    def before(self, track: Track) -> Int32:
        """How many matched slices lie before each position in the track's order of depths, int32[n + 1]."""
        if track.id not in self._before:
            order = track.index().rows.order
            mask = np.zeros(len(track.lane()), np.bool_)
            mask[self._events_of(track)] = True
            before: Int32 = np.zeros(len(mask) + 1, np.int32)
            np.cumsum(mask[order] if len(order) else mask, out=before[1:])
            self._before[track.id] = before
        return self._before[track.id]


_COLUMNS: Mapping[str, tuple[str, int]] = {
    "start_ps": ("<f8", BOXES),
    "duration_ps": ("<f8", BOXES),
    "busy_ps": ("<f8", MERGED),
    "first_box": ("<u4", ROWS),
    "name": ("<u4", BOXES),
    "matched": ("<u4", BOXES),
    "box": ("<u4", MERGED),
    "slices": ("<u4", MERGED),
    "track": ("<u2", ROWS),
    "depth": ("<u2", ROWS),
    "colour": ("u1", BOXES),
}
"""Of each column of `Boxes` the type, and what it has a value for: boxes, merged boxes or rows."""


def packed(boxes: Boxes, *, has_matches: bool) -> WindowRows:
    """Columns as a record to be sent; ``matched`` is left out without a matcher."""
    columns = (
        getattr(boxes, name).astype(kind, copy=False).tobytes()
        for name, (kind, _) in _COLUMNS.items()
        if name != "matched" or has_matches
    )
    text = base64.b64encode(b"".join(columns)).decode("ascii")
    return WindowRows(len(boxes.track), len(boxes.start_ps), len(boxes.box), has_matches, text)


def unpacked(rows: WindowRows) -> Boxes:
    """The columns of a record that was sent; ``matched`` is empty where there was no matcher."""
    data, at = base64.b64decode(rows.packed), 0
    counts = {BOXES: rows.boxes, MERGED: rows.merged, ROWS: rows.rows}
    columns: dict[str, Array] = {}
    for name, (kind, of) in _COLUMNS.items():
        count = counts[of] + (name == "first_box") if name != "matched" or rows.has_matches else 0
        columns[name] = np.frombuffer(data, kind, count, at)
        at += columns[name].nbytes
    return Boxes(**columns)


@attrs.frozen(eq=False, repr=False)
class _Drawn:
    """A track of the window that can be drawn."""

    place: int
    track: Track
    inside: Int64
    """Slices in the window of each row that is drawn."""


@attrs.define(eq=False, repr=False)
class _Canvas:
    """Room for the boxes of one window."""

    has_matches: bool
    time_of_name: Int64
    columns: Boxes = attrs.field(
        factory=lambda: Boxes(*(np.empty(MOST_BOXES, kind) for kind, _ in _COLUMNS.values())), init=False
    )
    state: Int64 = attrs.field(factory=lambda: np.zeros(STATE_COLUMNS, np.int64), init=False)

    def draw(self, drawn: _Drawn, cut: Cut, least_merged: int, matched_before: Int32) -> None:
        """Draw a track behind the others; boxes for which there is no more room are only counted."""
        index = drawn.track.index()
        draw_lane(
            index.rows,
            drawn.track.colours(),
            matched_before,
            index.merged(int(cut.exponent)) if drawn.inside.sum() > least_merged else NOT_MERGED,
            drawn.place,
            len(drawn.inside),
            MOST_DEPTHS - 1,
            cut,
            self.time_of_name,
            self.state,
            self.columns,
        )

    @property
    def fullness_ratio(self) -> float:
        """How much was drawn, of what can be sent; nothing was left out where it is at most 1."""
        boxes, merged, rows = self.state[[BOXES, MERGED, ROWS]].tolist()
        size_bytes = boxes * (29 if self.has_matches else 25) + merged * 16 + rows * 8 + 4
        return float(max(boxes / MOST_BOXES, -(-size_bytes // 3) * 4 / MOST_PACKED_BYTES))

    def packed(self) -> WindowRows:
        """What was drawn, as a record to be sent."""
        boxes, _, rows = counts = self.state[[BOXES, MERGED, ROWS]].tolist()
        self.columns.first_box[rows] = boxes
        return packed(
            Boxes(
                **{
                    name: getattr(self.columns, name)[: counts[of] + (name == "first_box")]
                    for name, (_, of) in _COLUMNS.items()
                }
            ),
            has_matches=self.has_matches,
        )


def window(
    timeline: Timeline,
    track_ids: Sequence[str],
    depths: Sequence[int],
    start_ps: int,
    end_ps: int,
    width_px: int,
    matches: Matches | None = None,
    *,
    only_ready: bool = False,
) -> WindowRecord:
    """What to draw of the tracks between two times on so many pixels, of each at most as many rows as ``depths`` says.

    Slices that are shorter than a pixel are merged (see `window_kernels`); where there would be more boxes than can be
    sent, they are merged to more than a pixel. With ``only_ready`` nothing is read: a track that is not ready has no
    rows yet.

    At most `MOST_ROWS` rows are drawn in all.

    Raises `LookupError` with a sentence for a track that there is not, `ValueError` for a window without an extent.
    """
    if not -FURTHEST_PS <= start_ps < end_ps <= FURTHEST_PS or width_px < 1 or len(depths) != len(track_ids):
        raise ValueError("A window needs an end after its start, a width, and the number of rows of each track.")
    tracks: list[WindowTrack] = []
    drawn: list[_Drawn] = []
    counters = []
    rows_left = MOST_ROWS
    for place, (track_id, most_rows) in enumerate(zip(track_ids, depths, strict=True)):
        counter = timeline.counter(track_id)
        if counter is not None:
            counters.append(counter_window(counter, start_ps, end_ps, width_px))
            tracks.append(WindowTrack(track_id, 1, 0.0, ready=True))
            continue
        track = timeline.track(track_id)
        ready = track.is_ready or not only_ready
        tracks.append(WindowTrack(track_id, track.lane().depths if ready else 0, 0.0, ready))
        if ready:
            rows = max(0, min(most_rows, track.lane().depths, rows_left))
            rows_left -= rows
            drawn.append(_Drawn(place, track, track.index().count_inside(rows, start_ps, end_ps)))
    px_ps = (end_ps - start_ps) / width_px
    exponent = _exponent(drawn, end_ps - start_ps, width_px)
    canvas, exponent, busy_ps = _draw(drawn, exponent, start_ps, end_ps, matches)
    for each, busy in zip(drawn, busy_ps, strict=True):
        tracks[each.place] = attrs.evolve(tracks[each.place], busy_ps=busy)
    return WindowRecord(
        start_ps=start_ps,
        end_ps=end_ps,
        width_px=width_px,
        merged_px=max(1.0, 2.0**exponent / px_ps),
        tracks=tuple(tracks),
        boxes=canvas.packed(),
        counters=tuple(counters),
    )


def _draw(
    drawn: Sequence[_Drawn],
    exponent: int,
    start_ps: int,
    end_ps: int,
    matches: Matches | None,
) -> tuple[_Canvas, int, list[float]]:
    """The boxes at the finest resolution from 2^``exponent`` ps on that can be sent; that one; each track's time."""
    nothing = np.empty(0, np.int32)
    least_merged = max(LEAST_MERGED, MOST_SLICES // max(1, len(drawn)))
    names = max((each.track.index().names for each in drawn), default=0)
    time_of_name: Int64 = np.zeros(names, np.int64)
    while True:
        canvas = _Canvas(matches is not None, time_of_name)
        cells = [_cells(each.inside, end_ps - start_ps, exponent) for each in drawn]
        busy_ps: list[float] = []
        for each in drawn:
            before = nothing if matches is None else matches.before(each.track)
            canvas.draw(each, Cut(exponent, start_ps, end_ps), least_merged, before)
            busy_ps.append(float(canvas.state[BUSY_PS]))
            canvas.state[BUSY_PS] = 0
            if canvas.fullness_ratio > 1:
                break
        else:
            return canvas, exponent, busy_ps
        # What is left is taken to be like what was drawn; twice the cells hold at most about half the boxes.
        expected_ratio = canvas.fullness_ratio * sum(cells) / max(1, sum(cells[: len(busy_ps)]))
        exponent += max(1, math.floor(math.log2(expected_ratio)))


def _cells(inside: Int64, length_ps: int, exponent: int) -> int:
    """About how many cells with slices some rows have."""
    return int(np.minimum(inside, (length_ps >> exponent) + 2).sum())


def _exponent(drawn: Sequence[_Drawn], length_ps: int, width_px: int) -> int:
    """The resolution to begin with: cells of at most a pixel, or of more where they would be too many."""
    exponent = max(0, (length_ps // width_px).bit_length() - 1)
    inside = np.concatenate([each.inside for each in drawn]) if drawn else np.zeros(0, np.int64)
    while _cells(inside, length_ps, exponent) > max(MOST_CELLS, 3 * len(inside)):
        exponent += 1
    return exponent
