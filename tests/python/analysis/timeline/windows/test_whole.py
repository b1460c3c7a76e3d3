"""All of a timeline at once: every event of it, and all of its time, however coarse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.truth.window_reference import made_lane, made_timeline
from scopelight.analysis.timeline.windows import window as windows
from scopelight.analysis.timeline.windows.whole import whole_timeline
from scopelight.analysis.timeline.windows.window import unpacked

spans = st.lists(st.tuples(st.integers(0, 4_000), st.one_of(st.just(0), st.integers(0, 40), st.integers(0, 2_000))))


@pytest.fixture(autouse=True)
def small_windows(monkeypatch):
    """Windows that hold few boxes, so that what is drawn comes in many pieces."""
    monkeypatch.setattr(windows, "MOST_BOXES", 30)


@given(lanes=st.lists(spans, min_size=1, max_size=3), px_ps=st.integers(1, 500))
def test_no_event_and_no_time_is_lost(lanes, px_ps):
    timeline = made_timeline(*(made_lane(each) for each in lanes))
    record = whole_timeline(timeline, px_ps, 10_000)
    boxes = unpacked(record.boxes)
    single = np.ones(record.boxes.boxes, np.bool_)
    single[boxes.box] = False
    lanes = [track.lane() for track in timeline.tracks]
    assert single.sum() + boxes.slices.sum() >= sum(map(len, lanes))
    time_ps = boxes.duration_ps[single].sum() + boxes.busy_ps.sum()
    assert time_ps == sum(int(lane.duration_ps.sum()) for lane in lanes) == sum(each.busy_ps for each in record.tracks)
    for row in range(record.boxes.rows):
        part = slice(int(boxes.first_box[row]), int(boxes.first_box[row + 1]))
        start_ps, end_ps = boxes.start_ps[part], boxes.start_ps[part] + boxes.duration_ps[part]
        assert (start_ps[1:] >= end_ps[:-1]).all()


@given(lane=spans)
def test_at_the_finest_every_event_is_by_itself(lane):
    timeline = made_timeline(made_lane([(start * 3, duration * 3 + 3) for start, duration in lane]))
    record = whole_timeline(timeline, 1, 10_000)
    assert record.boxes.merged == 0
    assert record.boxes.boxes == sum(len(track.lane()) for track in timeline.tracks)


def test_what_would_be_too_much_is_not_drawn():
    timeline = made_timeline(made_lane([(at * 10, 5) for at in range(100)]))
    assert whole_timeline(timeline, 1, 99) is None
    assert whole_timeline(timeline, 1, 100) is not None
