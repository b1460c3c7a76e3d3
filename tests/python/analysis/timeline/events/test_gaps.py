"""Gaps: why a device was idle, what ended that, the next one, and the way from a line to them."""

import attrs
import pytest

from made.host.waiting_host import LOADER, MS, TRAIN, waiting_lookups, waiting_profile
from scopelight.analysis.timeline.events.event import event_record
from scopelight.analysis.timeline.events.gaps import LEAST_PS, gap_beside, gaps_of_track, least_gap_ps, long_gaps
from scopelight.analysis.timeline.lookups import Lookups
from scopelight.analysis.timeline.records import TimelineMatcher
from scopelight.analysis.timeline.search.search import Search
from scopelight.analysis.timeline.timeline import open_timeline
from scopelight.analysis.timeline.tracks.derived import derive
from scopelight.model.opening.profile import open_profile

FILES = ("tpu-v6e-host-offload/tpu_inference_2", "mi300x-conv/tw003", "v100-tensorflow/worker")


@pytest.fixture(scope="module")
def lookups():
    return waiting_lookups()


def free_time(lookups):
    return next(track for track in lookups.timeline.tracks if track.id in lookups.timeline.derived.gaps)


def first_gap(lookups):
    track = free_time(lookups)
    return event_record(lookups, track, int(gaps_of_track(lookups.timeline, track)[0]))


def test_a_gap_tells_its_lines_and_classes(lookups):
    event = first_gap(lookups)
    assert (event.place.start_ps, event.place.duration_ps) == (10 * MS, 20 * MS)
    told = [(each.waiting_class, each.place.path, each.place.line, each.time_ps // MS) for each in event.gap.parts]
    assert told == [
        ("input", "loader.py", 3, 13),
        ("input", "loader.py", 2, 3),
        ("dispatch", "train.py", 6, 2),
        ("input", "train.py", 5, 1),
        ("python", "train.py", 6, 1),
    ]
    assert {each.basis for each in event.gap.parts} == {"exact"}
    # Its source is where most of it was: that is gone to.
    assert [(each.path, each.line, each.user) for each in event.frames][1:] == [
        ("loader.py", 3, True),
        ("train.py", 5, True),
        ("train.py", 20, True),
    ]


def test_a_gap_tells_what_exposed_it_and_what_ended_it(lookups):
    gap = first_gap(lookups).gap
    assert (gap.exposed_by.path, gap.exposed_by.line) == ("train.py", 7)
    assert gap.ended_by.place.start_ps == 30 * MS
    assert lookups.timeline.track(gap.ended_by.place.track).kind == "ops"
    # No lane of the host is stored in which the launch could be shown.
    assert gap.launched_by is None


def test_the_last_gap_is_ended_by_nothing(lookups):
    track = free_time(lookups)
    last = event_record(lookups, track, int(gaps_of_track(lookups.timeline, track)[-1]))
    assert last.place.start_ps == 100 * MS
    assert last.gap.ended_by is None


def test_what_is_no_gap_has_none(lookups):
    ops = next(track for track in lookups.timeline.tracks if track.kind == "ops")
    assert event_record(lookups, ops, 0).gap is None


@pytest.mark.parametrize("name", FILES)
def test_the_parts_of_every_gap_sum_to_it(shared_data, name):
    path = shared_data / f"{name}.xplane.pb"
    timeline, profile = open_timeline(path), open_profile(path)
    lookups = Lookups(timeline.completed(profile, derive(timeline.slices, profile)))
    seen = 0
    for track_id in lookups.timeline.derived.gaps:
        track = lookups.timeline.track(track_id)
        for number in gaps_of_track(lookups.timeline, track)[:40].tolist():
            event = event_record(lookups, track, number)
            assert sum(each.time_ps for each in event.gap.parts) == event.place.duration_ps
            assert all(each.time_ps > 0 for each in event.gap.parts)
            if event.gap.ended_by is not None:
                assert event.gap.ended_by.place.start_ps >= event.place.start_ps + event.place.duration_ps
            if event.gap.launched_by is not None:
                assert event.gap.launched_by.place.start_ps <= event.gap.ended_by.place.start_ps
            seen += 1
    assert seen


def test_one_goes_from_gap_to_gap_and_round(lookups):
    timeline = lookups.timeline
    starts = []
    at_ps = -1
    for _ in range(5):
        found = gap_beside(timeline, None, at_ps, is_after=True)
        at_ps = found.place.start_ps
        starts.append(at_ps // MS)
    assert starts == [10, 40, 70, 100, 10]
    assert gap_beside(timeline, None, 40 * MS, is_after=False).place.start_ps == 10 * MS
    assert gap_beside(timeline, None, 10 * MS, is_after=False).place.start_ps == 100 * MS
    assert gap_beside(timeline, "no such section", 0, is_after=True).place.start_ps == 10 * MS


def test_one_stays_with_the_device_that_one_looks_at():
    timeline = waiting_lookups(waiting_profile(devices=2)).timeline
    first, second = dict.fromkeys(track.section.id for track in timeline.tracks)
    assert gap_beside(timeline, first, 9 * MS, is_after=True).place.start_ps == 10 * MS
    found = gap_beside(timeline, second, 9 * MS, is_after=True)
    assert found.place.start_ps == 12 * MS
    assert timeline.track(found.place.track).section.id == second


def test_gaps_of_less_than_a_hundredth_of_a_step_are_passed_over():
    made = waiting_profile()
    assert least_gap_ps(waiting_lookups(made).timeline) == 300_000_000
    # The third execution of a run begins a little later than the second ends.
    starts = made.executions.start_ps.copy()
    durations = made.executions.duration_ps.copy()
    starts[2] += 200_000_000
    durations[2] -= 200_000_000
    timeline = waiting_lookups(
        attrs.evolve(made, executions=attrs.evolve(made.executions, start_ps=starts, duration_ps=durations))
    ).timeline
    track = timeline.track(next(iter(timeline.derived.gaps)))
    assert len(gaps_of_track(timeline, track)) == len(long_gaps(timeline, track)) + 1
    assert gap_beside(timeline, None, -1, is_after=True).place.start_ps == 10 * MS


def test_a_device_that_is_never_idle_for_long_says_so():
    made = waiting_profile()
    busy = attrs.evolve(made.executions, duration_ps=made.executions.duration_ps + 25 * MS)
    timeline = waiting_lookups(attrs.evolve(made, executions=busy, duration_ps=100 * MS)).timeline
    found = gap_beside(timeline, None, 0, is_after=True)
    assert found.place is None
    assert found.device
    assert found.least_ps > 0


def test_without_steps_gaps_are_measured_by_themselves():
    timeline = waiting_lookups().timeline
    timeline.derived = attrs.evolve(timeline.derived, steps=None)
    assert least_gap_ps(timeline) == LEAST_PS


def found_by(lookups, file, line):
    matcher = TimelineMatcher(file=file, line=line)
    search = Search(lookups.timeline, matcher, lookups.names, meant=lookups.meant_by_line(file, line))
    search.advance(None, 10)
    return search, search.record(0, None)


def test_a_line_that_the_device_waits_for_leads_to_its_longest_gap(lookups):
    search, found = found_by(lookups, LOADER, 3)
    assert (found.kind, found.count) == ("gaps", 4)
    # Each gap has 13 ms of the line but the last, after which nothing was launched.
    place = search.event(found.lead, None)
    assert place.duration_ps == 20 * MS
    assert place.track in lookups.timeline.derived.gaps
    assert found_by(lookups, TRAIN, 6)[1].kind == "gaps"


def test_a_line_leads_to_a_typical_gap_within_the_complete_steps():
    made = waiting_profile()
    lookups = waiting_lookups(attrs.evolve(made, duration_ps=made.duration_ps + 500 * MS))
    timeline = lookups.timeline
    track = timeline.track(next(iter(timeline.derived.gaps)))
    lane = track.lane()
    last = int(gaps_of_track(timeline, track)[-1])
    steps = timeline.derived.steps
    search, found = found_by(lookups, TRAIN, 7)
    place = search.event(found.lead, None)
    assert (place.track, place.event) != (track.id, last)
    assert lane.start_ps[last] >= steps.start_ps[-1]
    assert place.start_ps + place.duration_ps // 2 < steps.start_ps[-1] + steps.duration_ps[-1]


def test_the_longest_gap_of_a_line_is_led_to_wherever_it_is():
    made = waiting_profile()
    # The third run is late: the thread stands on the line of the loader's call for it longer than for the others.
    starts = made.executions.start_ps.copy()
    starts[starts >= 90 * MS] += 8 * MS
    executions = attrs.evolve(made.executions, start_ps=starts)
    runs = attrs.evolve(made.runs, start_ps=made.runs.start_ps + (made.runs.start_ps >= 90 * MS) * 8 * MS)
    lookups = waiting_lookups(attrs.evolve(made, executions=executions, runs=runs, duration_ps=130 * MS))
    search, found = found_by(lookups, TRAIN, 7)
    assert found.kind == "gaps"
    assert search.event(found.lead, None).start_ps == 70 * MS


def test_a_line_on_which_the_host_stood_while_the_device_ran_leads_there(lookups):
    search, found = found_by(lookups, TRAIN, 7)
    assert (found.kind, found.count) == ("events", 4)
    assert lookups.timeline.track(search.event(0, None).track).kind == "lines"
    assert found_by(lookups, TRAIN, 99)[1].count == 0
