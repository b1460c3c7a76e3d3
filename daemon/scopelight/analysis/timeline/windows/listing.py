"""A window decoded: its columns as records with names, for programs and for the terminal."""

import base64
from collections.abc import Sequence

import numpy as np

from scopelight.analysis.timeline.records import (
    SLICE_COLOURS,
    CounterRecord,
    WindowRecord,
)
from scopelight.analysis.timeline.timeline import Timeline
from scopelight.analysis.timeline.windows.listed import (
    ListedBox,
    ListedCounter,
    ListedPoint,
    ListedRow,
    ListedTrack,
    ListedWindow,
)
from scopelight.analysis.timeline.windows.window import MOST_ROWS, unpacked, window
from scopelight.formats.columns import distinct_values


def listed_whole(timeline: Timeline, start_ps: int, end_ps: int, width_px: int) -> ListedWindow:
    """A window of all tracks and all their rows, with names: put together from several where one has not enough rows.

    ``merged_px`` is that of the coarsest. Raises what `window` and `Track.lane` raise.
    """
    parts = [
        listed(timeline, window(timeline, track_ids, [MOST_ROWS] * len(track_ids), start_ps, end_ps, width_px))
        for track_ids in _groups(timeline)
    ]
    return ListedWindow(
        start_ps,
        end_ps,
        width_px,
        max(part.merged_px for part in parts),
        tuple(track for part in parts for track in part.tracks),
        tuple(counter for part in parts for counter in part.counters),
    )


def _groups(timeline: Timeline) -> Sequence[Sequence[str]]:
    """All tracks and counters, as many at a time as one window has rows for; at least one group."""
    tracks = [(track.id, track.lane().depths) for track in timeline.tracks]
    groups: list[list[str]] = [[]]
    rows_left = MOST_ROWS
    for track_id, depths in (*tracks, *((counter.id, 1) for counter in timeline.slices.counters)):
        rows = max(1, depths)
        if rows > rows_left and groups[-1]:
            groups.append([])
            rows_left = MOST_ROWS
        groups[-1].append(track_id)
        rows_left -= rows
    return groups


def listed(timeline: Timeline, record: WindowRecord) -> ListedWindow:
    """The window of a timeline with names."""
    boxes = unpacked(record.boxes)
    count = np.ones(record.boxes.boxes, np.int64)
    count[boxes.box] = boxes.slices
    end_ps = np.minimum(boxes.start_ps + boxes.duration_ps, record.end_ps - record.start_ps)
    busy_ps = np.maximum(0, end_ps - np.maximum(0, boxes.start_ps))
    busy_ps[boxes.box] = boxes.busy_ps
    names = {each: timeline.slices.names.shown(each) for each in distinct_values(boxes.name).tolist()}
    columns = list(
        zip(
            (boxes.start_ps.astype(np.int64) + record.start_ps).tolist(),
            boxes.duration_ps.astype(np.int64).tolist(),
            busy_ps.astype(np.int64).tolist(),
            count.tolist(),
            (names[each] for each in boxes.name.tolist()),
            (SLICE_COLOURS[each] for each in boxes.colour.tolist()),
            strict=True,
        )
    )
    rows: dict[int, list[ListedRow]] = {}
    for row in range(record.boxes.rows):
        first, last = boxes.first_box[row : row + 2].tolist()
        listed_row = ListedRow(int(boxes.depth[row]), tuple(ListedBox(*each) for each in columns[first:last]))
        rows.setdefault(int(boxes.track[row]), []).append(listed_row)
    tracks = []
    for place, drawn in enumerate(record.tracks):
        track = timeline.find(drawn.id)
        if track is not None:
            of_track = tuple(rows.get(place, ()))
            tracks.append(
                ListedTrack(
                    id=track.id,
                    section=track.section.id,
                    name=track.name,
                    kind=track.kind,
                    events=sum(box.count for row in of_track for box in row.boxes),
                    depths=drawn.depths,
                    busy_ps=int(drawn.busy_ps),
                    rows=of_track,
                )
            )
    return ListedWindow(
        record.start_ps,
        record.end_ps,
        record.width_px,
        record.merged_px,
        tuple(tracks),
        tuple(_counter(each, record.start_ps) for each in record.counters),
    )


def _counter(counter: CounterRecord, start_ps: int) -> ListedCounter:
    columns = np.frombuffer(base64.b64decode(counter.packed), "<f8").reshape(3, counter.points)
    extremes = ([None if np.isnan(each) else each for each in column] for column in columns[1:].tolist())
    points = zip((columns[0].astype(np.int64) + start_ps).tolist(), *extremes, strict=True)
    return ListedCounter(
        counter.track,
        counter.unit,
        counter.least,
        counter.greatest,
        tuple(ListedPoint(*each) for each in points),
    )
