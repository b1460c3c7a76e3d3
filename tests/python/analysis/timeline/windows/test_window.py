"""Windows: no time is dropped, nothing overlaps, and all is as a slow reference says."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.truth.window_reference import Box, expected_row, inside_ps, made_lane, made_timeline
from scopelight.analysis.timeline.timeline import open_timeline
from scopelight.analysis.timeline.windows import window as windows
from scopelight.analysis.timeline.windows.lane_index import LaneIndex
from scopelight.analysis.timeline.windows.window import Matches, unpacked, window

EVERY_DEPTH = 10_000


def rows_of(timeline, record, start_ps, end_ps):
    """Boxes by (track id, depth), as a client reads them."""
    boxes = unpacked(record.boxes)
    merged = {int(box): place for place, box in enumerate(boxes.box)}
    rows = {}
    for row in range(record.boxes.rows):
        key = record.tracks[int(boxes.track[row])].id, int(boxes.depth[row])
        assert key not in rows
        rows[key] = []
        for place in range(int(boxes.first_box[row]), int(boxes.first_box[row + 1])):
            start, duration = int(boxes.start_ps[place]), int(boxes.duration_ps[place])
            if place in merged:
                busy, count = int(boxes.busy_ps[merged[place]]), int(boxes.slices[merged[place]])
                assert count > 1
            else:
                busy, count = inside_ps(start, duration, 0, end_ps - start_ps), 1
            matched = int(boxes.matched[place]) if record.boxes.has_matches else 0
            rows[key].append(Box(start, duration, busy, count, int(boxes.name[place]), matched))
    return rows


spans = st.lists(st.tuples(st.integers(0, 4_000), st.one_of(st.just(0), st.integers(0, 40), st.integers(0, 2_000))))


@given(
    lanes=st.lists(spans, min_size=1, max_size=3),
    start_ps=st.integers(-500, 5_000),
    length_ps=st.integers(1, 6_000),
    width_px=st.integers(1, 400),
    data=st.data(),
)
@pytest.mark.parametrize("least_merged", [0, 1_000_000], ids=["by the index", "one by one"])
def test_a_window_is_as_the_slow_reference_says(least_merged, lanes, start_ps, length_ps, width_px, data):
    made = [made_lane(lane) for lane in lanes]
    timeline = made_timeline(*made)
    end_ps = start_ps + length_ps
    matched = {
        f"lane {place}": data.draw(st.sets(st.integers(0, max(0, len(lane) - 1)))) if len(lane) else set()
        for place, lane in enumerate(made)
    }
    matches = Matches(lambda track: np.array(sorted(matched[track.id]), np.int32))
    ids = [track.id for track in timeline.tracks]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(windows, "LEAST_MERGED", least_merged)
        patch.setattr(windows, "MOST_SLICES", least_merged)
        record = window(timeline, ids, [EVERY_DEPTH] * len(ids), start_ps, end_ps, width_px, matches)
    exponent = max(0, (length_ps // width_px).bit_length() - 1)
    assert record.merged_px == max(1.0, 2**exponent / (length_ps / width_px))
    rows = rows_of(timeline, record, start_ps, end_ps)
    for place, lane in enumerate(made):
        exact = 0
        for depth in range(lane.depths):
            expected = expected_row(lane, depth, start_ps, end_ps, exponent, matched[f"lane {place}"])
            assert rows.pop((f"lane {place}", depth), []) == expected
            exact += sum(
                inside_ps(int(lane.start_ps[slice_]), int(lane.duration_ps[slice_]), start_ps, end_ps)
                for slice_ in np.flatnonzero(lane.depth == depth)
            )
        assert record.tracks[place].busy_ps == exact
        assert record.tracks[place].depths == lane.depths
    assert not rows


@given(spans=spans, most_depths=st.integers(1, 3), length_ps=st.integers(1, 6_000), width_px=st.integers(1, 400))
def test_slices_beyond_the_last_depth_are_merged_and_no_time_is_lost(spans, most_depths, length_ps, width_px):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("scopelight.model.nesting.MOST_DEPTHS", most_depths)
        patch.setattr(windows, "MOST_DEPTHS", most_depths)
        lane = made_lane(spans)
        timeline = made_timeline(lane)
        record = window(timeline, ["lane 0"], [EVERY_DEPTH], 0, length_ps, width_px)
    assert lane.depths <= most_depths
    exact = sum(inside_ps(start, duration, 0, length_ps) for start, duration in spans)
    rows = rows_of(timeline, record, 0, length_ps)
    assert sum(box.busy_ps for row in rows.values() for box in row) == exact == record.tracks[0].busy_ps
    for row in rows.values():
        for one, next_one in itertools.pairwise(row):
            assert one.start_ps + one.duration_ps <= next_one.start_ps


def dense_lane(count=200_000, seed=1):
    random = np.random.default_rng(seed)
    gap = random.integers(0, 40, count)
    duration = random.integers(0, 100, count)
    duration[random.random(count) < 0.001] = 50_000
    start = np.cumsum(gap + np.concatenate(([0], duration[:-1])))
    return made_lane(list(zip(start.tolist(), duration.tolist(), strict=True)), random.integers(0, 8, count))


def test_a_lane_merged_once_gives_the_same_boxes_as_one_looked_through():
    lane = dense_lane()
    end_ps = int(lane.end_ps.max())
    random = np.random.default_rng(2)
    for _ in range(40):
        start_ps, stop_ps = np.sort(random.integers(0, end_ps, 2)).tolist()
        if start_ps == stop_ps:
            continue
        records = []
        for least_merged in (0, 10**9):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(windows, "LEAST_MERGED", least_merged)
                patch.setattr(windows, "MOST_SLICES", least_merged)
                records.append(window(made_timeline(lane), ["lane 0"], [9], start_ps, stop_ps, 300))
        assert records[0] == records[1]
        clipped = np.minimum(lane.end_ps, stop_ps) - np.maximum(lane.start_ps, start_ps)
        assert records[0].tracks[0].busy_ps == clipped[clipped > 0].sum()


def test_what_would_be_too_much_to_send_is_merged_coarser():
    lanes = [dense_lane(60_000, seed) for seed in range(12)]
    timeline = made_timeline(*lanes)
    ids = [track.id for track in timeline.tracks]
    end_ps = timeline.slices.duration_ps
    record = window(timeline, ids, [9] * len(ids), 0, end_ps, 4_000)
    assert record.merged_px > 1
    assert record.boxes.boxes <= windows.MOST_BOXES
    assert len(record.boxes.packed) <= windows.MOST_PACKED_BYTES
    for track, lane in zip(record.tracks, lanes, strict=True):
        assert track.busy_ps == lane.duration_ps.sum()


@pytest.mark.parametrize(
    "name", ["tpu-v6e-host-offload/tpu_inference_2", "v100-tensorflow/worker", "mi300x-conv/tw003"]
)
def test_no_time_of_a_recorded_profile_is_dropped(shared_data, name):
    timeline = open_timeline(shared_data / f"{name}.xplane.pb")
    ids = [track.id for track in timeline.tracks]
    random = np.random.default_rng(5)
    for zoom in range(24):
        length_ps = max(1, timeline.slices.duration_ps >> zoom)
        start_ps = int(random.integers(0, timeline.slices.duration_ps - length_ps + 1))
        end_ps = start_ps + length_ps
        record = window(timeline, ids, [EVERY_DEPTH] * len(ids), start_ps, end_ps, 1_400)
        drawn = {track.id: 0 for track in record.tracks}
        for (track_id, _), row in rows_of(timeline, record, start_ps, end_ps).items():
            drawn[track_id] += sum(box.busy_ps for box in row)
        for track, told in zip(timeline.tracks, record.tracks, strict=True):
            lane = track.lane()
            inside_ps = np.minimum(lane.end_ps, end_ps) - np.maximum(lane.start_ps, start_ps)
            assert drawn[track.id] == told.busy_ps == inside_ps[inside_ps > 0].sum()


def test_boxes_stay_where_they_are_while_one_pans():
    lane = dense_lane(20_000)
    timeline = made_timeline(lane)
    places = []
    for start_ps in (100_000, 101_003):
        record = window(timeline, ["lane 0"], [9], start_ps, start_ps + 400_000, 200)
        row = rows_of(timeline, record, start_ps, start_ps + 400_000)["lane 0", 0]
        places.append({(box.start_ps + start_ps, box.duration_ps, box.count, box.name) for box in row[1:-1]})
    shared = places[0] & places[1]
    assert len(shared) >= min(map(len, places)) - 2


def test_only_rows_that_are_asked_for_are_drawn():
    timeline = made_timeline(made_lane([(0, 100), (10, 50), (20, 10)]))
    record = window(timeline, ["lane 0"], [2], 0, 100, 100)
    assert record.tracks[0].depths == 3
    assert set(rows_of(timeline, record, 0, 100)) == {("lane 0", 0), ("lane 0", 1)}
    assert record.tracks[0].busy_ps == 150


def test_a_track_that_is_not_ready_has_no_rows_yet():
    timeline = made_timeline(made_lane([(0, 100)]), made_lane([(0, 100)]))
    timeline.tracks[1].make_ready()
    record = window(timeline, ["lane 0", "lane 1"], [1, 1], 0, 100, 100, only_ready=True)
    assert [track.ready for track in record.tracks] == [False, True]
    assert set(rows_of(timeline, record, 0, 100)) == {("lane 1", 0)}


def test_every_row_of_a_hostile_window_has_at_least_one_box():
    lanes = [made_lane([(0, 1_000 - depth) for depth in range(900)]) for _ in range(3)]
    timeline = made_timeline(*lanes)
    record = window(timeline, ["lane 0", "lane 1", "lane 2"], [EVERY_DEPTH] * 3, 0, 1_000, 1)
    assert record.boxes.rows == windows.MOST_ROWS
    assert len(record.boxes.packed) <= windows.MOST_PACKED_BYTES


def test_an_instant_at_the_end_of_the_profile_is_drawn():
    timeline = made_timeline(made_lane([(0, 10), (50, 0)]))
    record = window(timeline, ["lane 0"], [1], 0, 50, 100)
    assert [box.count for box in rows_of(timeline, record, 0, 50)["lane 0", 0]] == [1, 1]


@pytest.mark.parametrize(
    ("start_ps", "end_ps", "width_px"), [(5, 5, 10), (0, 10, 0), (0, 1 << 63, 10), (-1 << 80, 0, 1)]
)
def test_a_window_without_an_extent_is_refused(start_ps, end_ps, width_px):
    with pytest.raises(ValueError, match="A window needs"):
        window(made_timeline(made_lane([(0, 1)])), ["lane 0"], [1], start_ps, end_ps, width_px)


def test_an_unknown_track_is_named():
    with pytest.raises(LookupError, match="no track 'elsewhere'"):
        window(made_timeline(made_lane([(0, 1)])), ["elsewhere"], [1], 0, 1, 1)


def test_names_that_were_added_since_are_counted():
    """A derived track adds names while it is made: the room for sums must be for those of its slices."""
    timeline = made_timeline(made_lane([(0, 4), (5, 4), (20, 4)], names=[900, 900, 7]), names=1)
    record = window(timeline, ["lane 0"], [1], 0, 1 << 20, 1)
    assert [(box.name, box.count) for box in rows_of(timeline, record, 0, 1 << 20)["lane 0", 0]] == [(900, 3)]


def test_what_is_prepared_is_what_windows_ask_for():
    lane = dense_lane()
    timeline = made_timeline(lane)
    index: LaneIndex = timeline.tracks[0].index()
    for exponent in index.resolutions(timeline.slices.duration_ps, windows.LEAST_MERGED):
        index.merged(exponent)
    prepared = set(index._merged)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(windows, "MOST_SLICES", windows.LEAST_MERGED)
        for parts in range(6):
            window(timeline, ["lane 0"], [9], 0, timeline.slices.duration_ps >> parts, 1_400)
    assert set(index._merged) == prepared
