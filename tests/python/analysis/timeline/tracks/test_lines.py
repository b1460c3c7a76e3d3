"""The tracks of the lines on which threads stood that launch programs."""

import io
import json

import attrs
import numpy as np

from made.host.waiting_host import (
    AT_READ,
    LINE_ID,
    LOAD,
    MAIN,
    MS,
    NEXT,
    QUEUE,
    STACKS,
    WHOLE_MS,
    stands_in_steps,
    waiting_lookups,
    waiting_profile,
)
from scopelight.analysis.timeline.events.event import event_record
from scopelight.analysis.timeline.export import export_timeline
from scopelight.model.host.stands import UNKNOWN, Stands


def lines_of(lookups):
    return next(track for track in lookups.timeline.tracks if track.kind == "lines")


def rows_of(lookups, depth):
    """Names, starts and ends in ms of the slices of a row."""
    lane = lines_of(lookups).lane()
    return [
        (lookups.timeline.slices.names.text(int(lane.name[at])), int(lane.start_ps[at]) / MS, int(lane.end_ps[at]) / MS)
        for at in np.flatnonzero(lane.depth == depth)
    ]


def test_the_line_of_the_loop_holds_the_lines_that_it_calls():
    lookups = waiting_lookups()
    assert lines_of(lookups).name == "Lines of MainThread"
    assert rows_of(lookups, 0)[:4] == [
        ("train.py:7 train", 0, 10),
        ("train.py:5 train", 10, 27),
        ("train.py:6 train", 27, 30),
        ("train.py:7 train", 30, 40),
    ]
    assert rows_of(lookups, 1)[:3] == [
        ("loader.py:2 load", 11, 14),
        ("loader.py:3 load", 14, 27),
        ("loader.py:2 load", 41, 44),
    ]
    lane = lines_of(lookups).lane()
    # Where the thread stood is known all the time: the first row has all of it, once.
    assert lane.duration_ps[lane.depth == 0].sum() == WHOLE_MS * MS
    assert len(lane) == lines_of(lookups).events == 4 * 5
    assert lane.depths == 2


def test_a_track_stands_beside_the_first_device_of_its_host_alone():
    made = waiting_profile(devices=3)
    sections = [track.section.id for track in waiting_lookups(made).timeline.tracks if track.kind == "lines"]
    assert sections == [waiting_lookups(made).timeline.tracks[0].section.id]
    kinds = [track.kind for track in waiting_lookups().timeline.tracks]
    assert kinds.index("lines") == kinds.index("overlap") + kinds.count("overlap")


def test_without_a_record_of_the_host_there_is_none():
    made = attrs.evolve(waiting_profile(), host_records=dict)
    assert all(track.kind != "lines" for track in waiting_lookups(made).timeline.tracks)


def test_a_slice_tells_its_stack_and_whether_it_feeds_the_steps():
    lookups = waiting_lookups()
    track = lines_of(lookups)
    names = [lookups.timeline.slices.names.text(each) for each in track.lane().name.tolist()]
    load = event_record(lookups, track, names.index("loader.py:3 load"))
    assert [(each.path, each.line) for each in load.frames] == [
        (QUEUE.path, QUEUE.line),
        ("loader.py", LOAD.line),
        ("train.py", NEXT.line),
        ("train.py", MAIN.line),
    ]
    assert load.self_ps == load.place.duration_ps == 13 * MS
    assert load.colour == "transfer"
    assert [each.code for each in load.findings] == ["track-lines"]
    call = event_record(lookups, track, names.index("train.py:5 train"))
    assert [each.line for each in call.frames] == [NEXT.line, MAIN.line]
    assert call.self_ps == 1 * MS
    read = event_record(lookups, track, names.index("train.py:7 train"))
    assert read.colour == "host"
    assert read.op_key is None


def test_lines_from_samples_are_marked():
    lookups = waiting_lookups(waiting_profile(stands=stands_in_steps(is_exact=False)))
    track = lines_of(lookups)
    assert rows_of(lookups, 0)[0][0] == "≈ train.py:7 train"
    assert [each.code for each in event_record(lookups, track, 0).findings] == ["track-lines-estimated"]


def test_nothing_is_said_of_what_is_not_known():
    times = np.array([5, 5, 60, 70, 90, 200], dtype=np.int64) * MS
    rows = np.array([AT_READ, UNKNOWN, AT_READ, UNKNOWN, AT_READ, AT_READ])
    made = waiting_profile(stands=Stands(times, rows, STACKS, is_exact=True))
    # Of two lines at one moment the last counts; after the end of the profile none does.
    assert rows_of(waiting_lookups(made), 0) == [("train.py:7 train", 60, 70), ("train.py:7 train", 90, WHOLE_MS)]
    nowhere = Stands(np.array([200 * MS]), np.array([AT_READ]), STACKS, is_exact=True)
    assert rows_of(waiting_lookups(waiting_profile(stands=nowhere)), 0) == []
    assert LINE_ID in made.host_records()[0].threads


def test_an_export_of_all_that_was_recorded_has_the_lines():
    lookups = waiting_lookups()
    file = io.StringIO()
    exported = export_timeline(lookups.timeline, file, str)
    names = [each["name"] for each in json.loads(file.getvalue())["traceEvents"] if each["ph"] == "X"]
    assert exported.events == len(names) == lines_of(lookups).events
    assert "loader.py:3 load" in names
