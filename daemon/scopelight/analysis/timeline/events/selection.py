"""A selection: the slices of some tracks that touch a span of time, added up by name."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from scopelight.analysis.timeline.events.characteristic import explanation
from scopelight.analysis.timeline.events.executions import executions_of
from scopelight.analysis.timeline.events.places import cut_name
from scopelight.analysis.timeline.events.self_times import self_times
from scopelight.analysis.timeline.events.time_order import touching, with_last_instant
from scopelight.analysis.timeline.lookups import Lookups, is_callback
from scopelight.analysis.timeline.records import SelectedName, SelectionRecord, TrackKind
from scopelight.analysis.timeline.timeline import Timeline
from scopelight.analysis.timeline.track import Track
from scopelight.findings import empty
from scopelight.formats.columns import Bool, Int32, Int64

MOST_NAMES: Final = 1_000
"""Rows of a selection, the longest; all names are counted."""


OP_KINDS: Final[tuple[TrackKind, ...]] = ("ops", "async", "thread")
"""Tracks on which the name of an op stands for it, or for its launch; streams have names of kernels."""


class _Sums:
    """Sums by the text of the name."""

    def __init__(self, timeline: Timeline, text: Int32, texts: int) -> None:
        self.timeline = timeline
        self.text = text
        self.count, self.total_ps, self.self_ps, self.greatest_ps = np.zeros((4, texts), np.int64)
        self.least_ps = np.full(texts, np.iinfo(np.int64).max, np.int64)
        self.shown: Int32 = np.zeros(texts, np.int32)
        self.is_of_device: Bool = np.zeros(texts, np.bool_)
        """Whether one of the slices is of a device's track, or an op that ran on a thread of the host."""
        self.is_of_ops: Bool = np.ones(texts, np.bool_)
        """Whether all of the slices are on tracks where names of ops stand for them."""

    def add(self, track: Track, start_ps: int, end_ps: int) -> None:
        """Add the parts inside the span of what a track has there."""
        lane = track.lane()
        numbers = touching(track, start_ps, end_ps).numbers
        begin: Int64 = np.maximum(lane.start_ps[numbers], start_ps)
        duration: Int64 = np.minimum(lane.start_ps[numbers] + lane.duration_ps[numbers], end_ps) - begin
        own = self_times(self.timeline, track, numbers, (start_ps, end_ps))
        name = lane.name[numbers]
        executions = executions_of(self.timeline, track)
        if track.section.kind == "device":
            self.is_of_device[self.text[name]] = True
        elif executions is not None:
            self.is_of_device[self.text[name[executions[numbers] >= 0]]] = True
        text = self.text[name]
        if track.kind not in OP_KINDS:
            self.is_of_ops[text] = False
        for add, sums, values in (
            (np.add, self.count, 1),
            (np.add, self.total_ps, duration),
            (np.add, self.self_ps, own),
            (np.minimum, self.least_ps, duration),
            (np.maximum, self.greatest_ps, duration),
        ):
            add.at(sums, text, values)


def selection_record(lookups: Lookups, track_ids: Sequence[str], start_ps: int, end_ps: int) -> SelectionRecord:
    """The slices of the tracks that touch a span, by name; counters have none.

    Raises `LookupError` with a sentence for a track that there is not.
    """
    timeline = lookups.timeline
    tracks = [timeline.track(each) for each in dict.fromkeys(track_ids) if timeline.counter(each) is None]
    for track in tracks:
        # Tracks that are derived add their names when they are made.
        track.lane()
    index = lookups.names.present()
    sums = _Sums(timeline, index.full, len(index.texts))
    for track in tracks:
        sums.add(track, start_ps, with_last_instant(timeline, end_ps))
    sums.shown[index.full] = index.shown
    named = np.flatnonzero(sums.count)
    order = named[np.lexsort((named, -sums.count[named], -sums.total_ps[named]))]
    count, total_ps = int(sums.count.sum()), int(sums.total_ps.sum())
    return SelectionRecord(
        start_ps=start_ps,
        end_ps=end_ps,
        count=count,
        total_ps=total_ps,
        names=len(named),
        rows=tuple(_row(lookups, index.texts, sums, text, total_ps) for text in order[:MOST_NAMES].tolist()),
        findings=() if count else (empty("nothing-in-selection"),),
    )


def _row(lookups: Lookups, texts: Sequence[str], sums: _Sums, text: int, whole_ps: int) -> SelectedName:
    count, total_ps = int(sums.count[text]), int(sums.total_ps[text])
    shown_name = texts[int(sums.shown[text])]
    op, derived = lookups.ops_called(shown_name), lookups.timeline.derived
    meaning = explanation(
        texts[text],
        category=op.category if op is not None else "",
        is_callback=is_callback(op),
        is_of_device=bool(sums.is_of_device[text]),
    )
    return SelectedName(
        name=cut_name(texts[text]),
        shown_name=shown_name,
        count=count,
        total_ps=total_ps,
        self_ps=int(sums.self_ps[text]),
        mean_ps=total_ps / count,
        least_ps=int(sums.least_ps[text]),
        greatest_ps=int(sums.greatest_ps[text]),
        share_ratio=total_ps / whole_ps if whole_ps else 0.0,
        findings=(meaning,) if meaning is not None else (),
        op=derived.in_jax.called(shown_name) if derived is not None and sums.is_of_ops[text] else None,
    )
