"""Stages of input in a trace: by what libraries mark them, on whichever thread, and whatever else a file may hold."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from made import xspace
from scopelight.model.host.stage_events import Stage, read_stage_events
from scopelight_agent.interface.input_data import MARK

MARKS = {"_ipl_stage_id": 70, "_ipl_stage_name": "Prefetch(4)", "_ipl_stage_cat": "prefetch"}
BATCH = {**MARKS, "_ipl_stage_id": 71, "_ipl_dataset_name": "Batch(8)", "_ipl_stage_cat": "preprocessing"}


@pytest.fixture
def read(tmp_path):
    """What is read of the threads of a host, each with events in ps."""

    def read_them(*lines, plane="/host:CPU", shift_ps=0):
        file = xspace.write(tmp_path / "made.xplane.pb", xspace.plane(plane, *lines))
        return read_stage_events([(file, 3, shift_ps)])

    return read_them


def test_a_stage_goes_by_its_dataset_else_by_its_name(read):
    found = read(
        xspace.Line("python", (("Prefetch.__next__", 5, 40, MARKS), ("anything", 9, 3)), id=11),
        xspace.Line("python", (("Prefetch._getitem", 0, 30, BATCH), ("Prefetch._getitem", 30, 30, BATCH)), id=12),
    )
    assert found.stages == (
        Stage("grain", "Prefetch(4)", "prefetch", 70),
        Stage("grain", "Batch(8)", "preprocessing", 71),
    )
    consumer, worker = found.threads
    assert (consumer.host, consumer.line_id, consumer.stage.tolist()) == (3, 11, [0])
    assert (worker.line_id, worker.start_ps.tolist(), worker.end_ps.tolist()) == (12, [0, 30], [30, 60])


def test_data_that_the_script_marked_goes_by_the_name_that_it_gave(read):
    marks = {"_ipl_stage_id": 7, "_ipl_stage_name": "images", "_ipl_stage_cat": "prefetch"}
    found = read(xspace.Line("python", ((MARK, 5, 40, marks),)))
    assert found.stages == (Stage("data", "images", "prefetch", 7),)


def test_iterators_of_tf_data_go_by_their_path(read):
    events = (("Iterator::Root::Prefetch", 0, 9), ("Iterator::Root::Prefetch::TFRecord", 1, 5))
    found = read(xspace.Line("tf_data_iterator", events))
    assert [(each.library, each.name, each.category) for each in found.stages] == [
        ("tf.data", "Root::Prefetch", "prefetch"),
        ("tf.data", "Root::Prefetch::TFRecord", "read"),
    ]


def test_parents_come_before_children_and_times_are_the_profiles(read):
    found = read(xspace.Line("python", (("inner", 5, 2, BATCH), ("outer", 5, 9, MARKS))), shift_ps=-5)
    (thread,) = found.threads
    assert thread.start_ps.tolist() == [0, 0]
    assert [found.stages[each].name for each in thread.stage.tolist()] == ["Prefetch(4)", "Batch(8)"]
    assert thread.end_ps.tolist() == [9, 2]


def test_other_planes_and_other_events_are_none(read):
    line = xspace.Line("python", (("x", 0, 9, MARKS),))
    assert read(line, plane="/device:TPU:0").stages == ()
    assert read(xspace.Line("python", (("x", 0, 9),))).threads == []


def test_a_file_that_cannot_be_read_is_left_out(tmp_path):
    broken = tmp_path / "broken.xplane.pb"
    broken.write_bytes(b"\x0a\xff\xff\xff\xff\x0f")
    assert read_stage_events([(broken, 0, 0), (tmp_path / "absent.xplane.pb", 0, 0)]).threads == []


@settings(max_examples=50)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 1 << 40),
            st.integers(0, 1 << 40),
            st.integers(-(1 << 62), 1 << 62),
            st.text(max_size=9),
            st.sampled_from(["read", "prefetch", "enqueue", "", "?"]),
        ),
        max_size=20,
    )
)
def test_whatever_events_say_each_is_of_a_stage(tmp_path_factory, rows):
    events = tuple(
        ("x", start, length, {"_ipl_stage_id": id_, "_ipl_stage_name": name, "_ipl_stage_cat": category})
        for start, length, id_, name, category in rows
    )
    file = tmp_path_factory.mktemp("made") / "made.xplane.pb"
    xspace.write(file, xspace.plane("/host:CPU", xspace.Line("python", events)))
    found = read_stage_events([(file, 0, 0)])
    assert sum(len(each.stage) for each in found.threads) == len(rows)
    for each in found.threads:
        assert ((each.stage >= 0) & (each.stage < len(found.stages))).all()
        assert (np.diff(each.start_ps) >= 0).all()
