"""Selections and tables: against looking at every slice, on recorded profiles and on made-up lanes."""

import io
import random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.findings import said
from made.xspace import Line, plane, write
from scopelight.analysis.timeline.events.places import nearest_event
from scopelight.analysis.timeline.events.selection import selection_record
from scopelight.analysis.timeline.events.table import event_table
from scopelight.analysis.timeline.events.time_order import touching
from scopelight.analysis.timeline.export import export_timeline
from scopelight.analysis.timeline.lookups import Lookups
from scopelight.analysis.timeline.timeline import open_timeline
from scopelight.analysis.timeline.tracks.derived import derive
from scopelight.analysis.timeline.windows.lane_index import LaneIndex
from scopelight.model.opening.profile import open_profile
from scopelight.model.slices import lane_slices
from scopelight.report.findings.worded import in_terminal

FILES = ("tpu-v6e-host-offload/tpu_inference_2.xplane.pb", "mi300x-conv/tw003.xplane.pb")


@pytest.fixture(scope="module", params=FILES)
def lookups(request, shared_data):
    path = shared_data / request.param
    profile, timeline = open_profile(path), open_timeline(path)
    return Lookups(timeline.completed(profile, derive(timeline.slices, profile)))


def spans(timeline):
    whole = timeline.slices.duration_ps
    chance = random.Random(5)
    for _ in range(6):
        start = chance.randrange(whole)
        yield start, start + chance.randrange(1, whole // 3)
    yield 0, whole + 1
    yield whole // 2, whole // 2 + 1


def slices(timeline, start_ps, end_ps):
    """(start, place of track, number, end, name) of every slice that touches a span."""
    found = []
    for place, track in enumerate(timeline.tracks):
        lane = track.lane()
        columns = (lane.start_ps.tolist(), lane.end_ps.tolist(), lane.name.tolist())
        for number, (start, end, name) in enumerate(zip(*columns, strict=True)):
            if start < end_ps and (end > start_ps or start == end >= start_ps):
                found.append((start, place, number, end, name))
    return sorted(found)


def test_selections_add_up(lookups):
    timeline = lookups.timeline
    names = timeline.slices.names
    ids = [track.id for track in timeline.tracks]
    for start_ps, end_ps in spans(timeline):
        expected = {}
        for start, _, _, end, name in slices(timeline, start_ps, end_ps):
            part = min(end, end_ps) - max(start, start_ps)
            expected.setdefault(names.text(name), []).append(part)
        record = selection_record(lookups, ids, start_ps, end_ps)
        assert record.names == len(expected)
        assert record.count == sum(map(len, expected.values()))
        assert record.total_ps == sum(map(sum, expected.values()))
        assert len(record.rows) == min(record.names, 1_000)
        texts = {text[:1_000]: parts for text, parts in expected.items()}
        for row in record.rows:
            parts = texts[row.name.removesuffix("…")]
            assert (row.count, row.total_ps) == (len(parts), sum(parts))
            assert (row.least_ps, row.greatest_ps) == (min(parts), max(parts))
            assert row.mean_ps == pytest.approx(sum(parts) / len(parts))
            assert 0 <= row.self_ps <= row.total_ps
            assert row.share_ratio == pytest.approx(row.total_ps / record.total_ps if record.total_ps else 0)
        totals = [row.total_ps for row in record.rows]
        assert totals == sorted(totals, reverse=True)


def test_a_name_is_that_of_an_op_only_where_all_of_its_events_are(lookups):
    timeline, found = lookups.timeline, {}
    for track in timeline.tracks:
        for number, name in enumerate(track.lane().name.tolist()):
            op = lookups.op_of_event(track, number)
            if op is not None or track.kind not in ("ops", "async", "stream", "thread"):
                found.setdefault(timeline.slices.names.text(name)[:1_000], set()).add(op)
    rows = selection_record(lookups, [track.id for track in timeline.tracks], 0, timeline.slices.duration_ps).rows
    named = [row for row in rows if row.op is not None]
    assert all(found[row.name.removesuffix("…")] == {row.op} for row in named)
    assert any(row.op.primitive and row.op.line for row in named)
    assert any(row.op is None for row in rows)


def test_self_times_of_a_nested_lane_are_its_busy_time(lookups):
    timeline = lookups.timeline
    for track in timeline.tracks:
        lane = track.lane()
        for start_ps, end_ps in spans(timeline):
            record = selection_record(lookups, [track.id], start_ps, end_ps)
            begin = np.maximum(lane.start_ps, start_ps)
            end = np.minimum(lane.end_ps, end_ps)
            reach = np.maximum.accumulate(np.maximum(end, begin)) if len(begin) else end
            starts = np.maximum(begin, np.concatenate(([start_ps], reach[:-1])))
            busy = int(np.maximum(end - starts, 0).sum())
            if record.names <= 1_000:
                assert sum(row.self_ps for row in record.rows) >= busy
                # Streams run beside each other.
                is_of_streams = track.kind == "ops" and track.stored is None
                if track.kind in ("ops", "modules", "steps", "overlap") and not is_of_streams:
                    assert sum(row.self_ps for row in record.rows) == busy


def test_an_instant_at_the_very_end_is_in_a_span_up_to_there(tmp_path):
    path = write(
        tmp_path / "a.xplane.pb",
        plane(
            "/host:CPU", Line("python", (("work", 0, 500), ("middle", 500, 0), ("rest", 500, 500), ("end", 1000, 0)))
        ),
    )
    profile, timeline = open_profile(path), open_timeline(path)
    lookups = Lookups(timeline.completed(profile, derive(timeline.slices, profile)))
    track = next(track for track in timeline.tracks if track.stored is not None)

    def names(start_ps, end_ps):
        return [row.place.name for row in event_table(lookups, [track.id], start_ps, end_ps, 0, 10).rows]

    assert names(0, 1000) == ["work", "rest", "middle", "end"]
    assert names(1000, 1001) == ["end"]
    assert names(0, 500) == ["work"]
    record = selection_record(lookups, [track.id], 0, 1000)
    assert (record.count, record.total_ps, record.end_ps) == (4, 1000, 1000)
    file = io.StringIO()
    assert export_timeline(timeline, file, in_terminal, start_ps=600, end_ps=1000, track_ids=[track.id]).events == 2


def test_nothing_selected_says_why(lookups):
    record = selection_record(lookups, [], 0, 10)
    assert (record.count, record.rows) == (0, ())
    assert said(record, "empty")
    assert said(record, "empty")
    with pytest.raises(LookupError, match="no track"):
        selection_record(lookups, ["nothing"], 0, 10)


def test_tables_list_every_event_once(lookups):
    timeline = lookups.timeline
    ids = [track.id for track in timeline.tracks]
    places = {track.id: place for place, track in enumerate(timeline.tracks)}
    for start_ps, end_ps in list(spans(timeline))[:3]:
        expected = [each[:3] for each in slices(timeline, start_ps, end_ps)]
        found = []
        while len(found) < len(expected):
            page = event_table(lookups, ids, start_ps, end_ps, len(found), 700)
            assert (page.count, page.first) == (len(expected), len(found))
            assert page.rows
            found += [(row.place.start_ps, places[row.place.track], row.place.event) for row in page.rows]
        # What began before the span comes first, each part in the order of time.
        before = [each for each in expected if each[0] < start_ps]
        assert found == before + [each for each in expected if each[0] >= start_ps]
    assert event_table(lookups, ids, 0, 10**15, 10**12, 5).rows == ()
    assert event_table(lookups, ids, 0, 10**15, -5, -5).rows == ()


lanes = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 15)), min_size=1, max_size=40).map(
    lambda each: lane_slices(
        np.zeros(len(each), np.int32),
        np.array([start for start, _ in each], np.int64),
        np.array([duration for _, duration in each], np.int64),
    )
)


@given(lanes, st.integers(-1, 60), st.integers(0, 20))
def test_what_touches_a_span(lane, start_ps, length):
    track = SimpleNamespace(lane=lambda: lane)
    found = touching(track, start_ps, start_ps + length)
    expected = [
        number
        for number, (start, end) in enumerate(zip(lane.start_ps.tolist(), lane.end_ps.tolist(), strict=True))
        if (start < start_ps + length and start >= start_ps) or start < start_ps < end
    ]
    assert found.numbers.tolist() == expected
    assert len(found) == len(expected)


@given(lanes, st.integers(-1, 60), st.integers(0, 4))
def test_the_nearest_event_of_a_depth(lane, at_ps, depth):
    track = SimpleNamespace(lane=lambda: lane, index=lambda: LaneIndex(lane), name="lane")
    distances = {
        number: max(start - at_ps, at_ps - end, 0)
        for number, (start, end, of) in enumerate(
            zip(lane.start_ps.tolist(), lane.end_ps.tolist(), lane.depth.tolist(), strict=True)
        )
        if of == depth
    }
    if not distances:
        with pytest.raises(LookupError, match="no event in row"):
            nearest_event(track, depth, at_ps)
    else:
        assert distances[nearest_event(track, depth, at_ps)] == min(distances.values())
