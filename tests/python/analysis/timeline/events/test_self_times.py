"""Self times of slices: a duration less what is nested in it, against looking at every pair of slices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.truth.window_reference import made_timeline
from scopelight.analysis.timeline.events.selection import selection_record
from scopelight.analysis.timeline.events.self_times import self_times
from scopelight.analysis.timeline.lookups import Lookups
from scopelight.analysis.timeline.timeline import open_timeline
from scopelight.analysis.timeline.tracks.derived import derive
from scopelight.model.opening.profile import open_profile
from scopelight.model.slices import lane_slices

FILES = (
    "tpu-v6e-host-offload/tpu_inference_2.xplane.pb",
    "mi300x-conv/tw003.xplane.pb",
    "v100-tensorflow/worker.xplane.pb",
)
MOST_SLICES = 4_000
"""Of the tracks that are looked at pair by pair."""


def by_pairs(starts, ends, groups, first, beyond):
    """Self times inside a span: the parent of each slice is the last one before it in which it lies."""
    children = [[] for _ in starts]
    for row in range(len(starts)):
        for before in range(row - 1, -1, -1):
            inside = starts[row] < ends[before] and ends[row] <= ends[before]
            if groups[before] == groups[row] and inside and starts[before] <= starts[row]:
                children[before].append(row)
                break

    def cut(time):
        return min(max(time, first), beyond)

    own = []
    for row, nested in enumerate(children):
        covered, at = 0, cut(starts[row])
        for child in nested:
            covered += max(0, cut(ends[child]) - max(at, cut(starts[child])))
            at = max(at, cut(ends[child]))
        own.append(cut(ends[row]) - cut(starts[row]) - covered)
    return own


def lane_of(spans):
    starts, durations = (np.array([span[place] for span in spans], np.int64) for place in (0, 1))
    return lane_slices(np.arange(len(spans), dtype=np.int32) % 8, starts, durations)


@given(
    spans=st.lists(st.tuples(st.integers(0, 40), st.integers(0, 20)), min_size=1, max_size=30),
    window=st.tuples(st.integers(-5, 50), st.integers(0, 40)),
)
def test_self_times_are_those_of_every_pair(spans, window):
    lane = lane_of(spans)
    timeline = made_timeline(lane)
    columns = (lane.start_ps.tolist(), lane.end_ps.tolist(), [0] * len(lane))
    track = timeline.track("lane 0")
    assert self_times(timeline, track).tolist() == by_pairs(*columns, -(1 << 40), 1 << 40)
    first, beyond = window[0], sum(window)
    inside = self_times(timeline, track, np.arange(len(lane)), (first, beyond))
    assert inside.tolist() == by_pairs(*columns, first, beyond)
    assert (inside >= 0).all()


@given(spans=st.lists(st.tuples(st.integers(0, 40), st.integers(1, 20)), min_size=1, max_size=30))
def test_what_nests_is_never_counted_twice(spans):
    """Self times of slices of which none merely overlap are the time in which any goes on."""
    kept = []
    for start, length in sorted(spans, key=lambda span: (span[0], -span[1])):
        end = start + length
        if all(end <= other_end or start >= other_end for _, other_end in kept):
            kept.append((start, end))
    lane = lane_of([(start, end - start) for start, end in kept])
    busy = {time for start, end in kept for time in range(start, end)}
    timeline = made_timeline(lane)
    assert int(self_times(timeline, timeline.track("lane 0")).sum()) == len(busy)


def test_a_slice_that_merely_overlaps_takes_nothing():
    timeline = made_timeline(lane_of([(0, 10), (5, 10)]))
    assert self_times(timeline, timeline.track("lane 0")).tolist() == [10, 10]


def test_children_that_overlap_take_their_common_time_once():
    timeline = made_timeline(lane_of([(0, 100), (10, 20), (20, 30)]))
    assert self_times(timeline, timeline.track("lane 0")).tolist() == [60, 20, 30]


@pytest.fixture(scope="module", params=FILES)
def lookups(request, shared_data):
    path = shared_data / request.param
    profile, timeline = open_profile(path), open_timeline(path)
    return Lookups(timeline.completed(profile, derive(timeline.slices, profile)))


def test_recorded_and_derived_rows_have_self_times_by_nesting(lookups):
    executions = lookups.timeline.profile.executions
    checked = set()
    for track in lookups.timeline.tracks:
        lane = track.lane()
        if len(lane) > MOST_SLICES:
            continue
        own = lookups.self_ps(track)
        groups = np.zeros(len(lane), np.int64)
        if track.kind == "async":
            groups = np.arange(len(lane))
        elif track.kind == "ops" and track.stored is None:
            groups = executions.lane[lane.event]
        expected = by_pairs(lane.start_ps.tolist(), lane.end_ps.tolist(), groups.tolist(), -(1 << 62), 1 << 62)
        assert own.tolist() == expected
        record = selection_record(lookups, [track.id], 0, lookups.timeline.slices.duration_ps + 1)
        assert sum(row.self_ps for row in record.rows) == int(own.sum())
        checked.add((track.kind, track.stored is None))
    assert {("overlap", True), ("steps", True)} < checked


def test_asynchronous_ops_have_all_their_time(shared_data):
    path = shared_data / FILES[0]
    profile, timeline = open_profile(path), open_timeline(path)
    whole = timeline.completed(profile, derive(timeline.slices, profile))
    tracks = [track for track in whole.tracks if track.kind == "async"]
    assert {track.stored is None for track in tracks} == {True, False}
    for track in tracks:
        assert (self_times(whole, track) == track.lane().duration_ps).all()
