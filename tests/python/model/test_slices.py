"""Lanes: what is drawn nowhere overlaps, times have the profile's zero, and every line has its place."""

import itertools
import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.xspace import Line, plane, write
from scopelight.formats.errors import FormatError
from scopelight.formats.xspace.reader import read_xspace
from scopelight.model.lane_kinds import thread_work
from scopelight.model.opening.profile import open_profile
from scopelight.model.opening.slices import open_slices, thread_name
from scopelight.model.slices import SliceNames, lane_slices, shown_name

REAL = ("tpu-v6e-host-offload/tpu_inference_2", "v100-tensorflow/worker", "mi300x-conv/tw003")


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 30))))
def test_slices_of_a_row_never_overlap_and_what_is_nested_lies_below(spans):
    lane = lane_slices(
        np.arange(len(spans), dtype=np.int32),
        np.array([span[0] for span in spans], np.int64),
        np.array([span[1] for span in spans], np.int64),
        np.arange(len(spans), dtype=np.int32),
    )
    found = sorted(zip(lane.start_ps.tolist(), lane.duration_ps.tolist(), lane.event.tolist(), strict=True))
    assert found == sorted((start, duration, row) for row, (start, duration) in enumerate(spans))
    assert lane.name.tolist() == lane.event.tolist()
    key = list(zip(lane.start_ps.tolist(), (-lane.duration_ps).tolist(), strict=True))
    assert key == sorted(key)
    assert lane.depths == (int(lane.depth.max()) + 1 if len(spans) else 0)
    for depth in range(lane.depths):
        row = np.flatnonzero(lane.depth == depth)
        assert len(row)
        for one, behind in itertools.pairwise(row.tolist()):
            assert lane.end_ps[one] <= lane.start_ps[behind]
    for inner, outer in itertools.product(range(len(spans)), repeat=2):
        is_parent = (
            outer < inner and lane.end_ps[outer] > lane.start_ps[inner] and lane.end_ps[outer] >= lane.end_ps[inner]
        )
        if is_parent:
            assert lane.depth[inner] > lane.depth[outer]


def test_nested_calls_take_as_many_rows_as_they_are_deep():
    lane = lane_slices(np.zeros(4, np.int32), np.array([0, 10, 20, 60], np.int64), np.array([100, 40, 5, 40], np.int64))
    assert lane.depth.tolist() == [0, 1, 2, 1]
    assert lane.event.tolist() == [-1] * 4


@pytest.mark.parametrize("name", REAL)
def test_lanes_hold_every_event_at_the_profiles_times(shared_data, name):
    path = shared_data / f"{name}.xplane.pb"
    slices, profile = open_slices(path), open_profile(path)
    assert slices.duration_ps == profile.duration_ps
    assert len({lane.id for lane in slices.lanes}) == len(slices.lanes)
    space = read_xspace(path)
    assert sum(lane.events for lane in slices.lanes) == sum(
        len(line.events()) for plane in space.planes for line in plane.lines
    )
    assert min(lane.first_ps for lane in slices.lanes) == 0
    for lane in slices.lanes:
        assert not lane.slices.is_made
        columns = lane.slices()
        assert lane.slices.is_made
        assert len(columns) == lane.events
        assert int(columns.start_ps.min()) == lane.first_ps
        assert int(columns.end_ps.max()) == lane.last_ps
        recorded = lane.events_as_recorded()
        last = len(columns) - 1
        assert lane.arguments(last) == recorded.stats(int(columns.event[last]))
        assert slices.names.text(int(columns.name[last])) == lane.metadata.text(
            int(recorded.metadata[columns.event[last]])
        )


def test_executions_of_a_tpu_are_slices_of_its_ops(shared_data):
    path = shared_data / "tpu-v6e-host-offload" / "tpu_inference_2.xplane.pb"
    executions = open_profile(path).executions
    slices = open_slices(path)
    for number, device in enumerate(executions.devices):
        rows = executions.device == number
        lane = next(each for each in slices.lanes if each.id == f"device:{device.name}/XLA Ops")
        columns = lane.slices()
        assert sorted(zip(columns.start_ps.tolist(), columns.duration_ps.tolist(), strict=True)) == sorted(
            zip(executions.start_ps[rows].tolist(), executions.duration_ps[rows].tolist(), strict=True)
        )


def made(tmp_path, name="host", start_ns=0, events=(("op", 5_000, 100),), session_ns=None):
    environment = (
        () if session_ns is None else (plane("Task Environment", stats=(("profile_start_time", session_ns),)),)
    )
    return write(
        tmp_path / "plugins" / "profile" / "2026_01_01_10_00_00" / f"{name}.xplane.pb",
        plane("/device:TPU:0", Line("XLA Ops", tuple(events), start_ns)),
        *environment,
    )


def test_clocks_of_hosts_are_joined_as_the_profile_joins_them(tmp_path):
    made(tmp_path, "one", session_ns=1_000_000)
    made(tmp_path, "two", session_ns=1_000_007)
    slices = open_slices(tmp_path)
    assert slices.duration_ps == open_profile(tmp_path).duration_ps == 7_100
    assert [lane.id for lane in slices.lanes] == ["device:one/device:TPU:0/XLA Ops", "device:two/device:TPU:0/XLA Ops"]
    assert [lane.slices().start_ps.tolist() for lane in slices.lanes] == [[0], [7_000]]
    assert [section.name for section in slices.sections] == ["TPU:0 · one", "TPU:0 · two"]


@pytest.mark.parametrize(
    ("thread_ids", "names", "last_id"),
    [
        ((5, -6, 7), ["worker/5", "worker/7", "worker/4294967290"], "worker/4294967290"),
        # Of parts of one process that are in files of their own.
        ((5, 5, 5), ["worker"] * 3, "worker#3"),
    ],
)
def test_threads_of_one_name_are_told_apart(tmp_path, thread_ids, names, last_id):
    lines = (Line("worker", (("f", at, 1),), id=thread_id) for at, thread_id in enumerate(thread_ids))
    path = write(tmp_path / "a.xplane.pb", plane("/host:CPU", *lines))
    lanes = open_slices(path).lanes
    assert [lane.name for lane in lanes] == names
    assert len({lane.id for lane in lanes}) == 3
    assert lanes[-1].id == f"host:/host:CPU/{last_id}"


@pytest.mark.parametrize(
    ("recorded", "shown"),
    [
        ("tf_GPU_Event_Manager/-1199079105", "tf_GPU_Event_Manager/3095888191"),
        ("py_xla_execute/-1472503042444199177", "py_xla_execute/16974241031265352439"),
        ("edge/-2147483648", "edge/2147483648"),
        ("edge/-9223372036854775808", "edge/9223372036854775808"),
        ("no id of any system/-9999999999999999999", "no id of any system/-9999999999999999999"),
        ("python/4041", "python/4041"),
        ("loader -3", "loader -3"),
    ],
)
def test_ids_of_threads_have_no_sign(recorded, shown):
    assert thread_name(recorded) == shown


def test_ids_of_threads_are_those_that_the_profile_has_for_its_lines(shared_data):
    """The recorded names have them signed, the lines' own ids are not."""
    path = shared_data / "v100-tensorflow" / "worker.xplane.pb"
    lines = [line for plane in read_xspace(path).planes for line in plane.lines if "/-" in line.name]
    assert lines
    names = {lane.line.id: lane.name for lane in open_slices(path).lanes}
    assert all(names[line.id].endswith(f"/{line.id}") for line in lines)


def test_parts_of_one_process_share_their_sections(tmp_path, shared_profile):
    where = tmp_path / "plugins" / "profile" / "2026_01_01_10_00_00"
    where.mkdir(parents=True)
    shutil.copyfile(shared_profile, where / "host.xplane.pb")
    shutil.copyfile(shared_profile, where / "host.part2.xplane.pb")
    alone, parts = open_slices(shared_profile), open_slices(tmp_path)
    assert [section.id for section in parts.sections] == [section.id for section in alone.sections]
    assert len(parts.lanes) == 2 * len(alone.lanes)
    assert len({lane.id for lane in parts.lanes}) == len(parts.lanes)


def test_a_counter_is_told_from_slices(tmp_path):
    events = [("HBM read (GB/s)", 30, 0, 2.5), ("HBM read (GB/s)", 10, 0, 7), ("cycles", 20, 0, 9), ("cycles", 40, 0)]
    path = write(tmp_path / "a.xplane.pb", plane("/device:TPU:0", Line("_counters_", tuple(events))))
    slices = open_slices(path)
    assert not slices.lanes
    bandwidth, cycles = slices.counters
    assert (bandwidth.id, bandwidth.name, bandwidth.unit, bandwidth.events) == (
        "device:/device:TPU:0/_counters_/HBM read (GB/s)",
        "HBM read",
        "GB/s",
        2,
    )
    assert bandwidth.values().start_ps.tolist() == [0, 20]
    assert bandwidth.values().value.tolist() == [7, 2.5]
    assert (cycles.name, cycles.unit) == ("cycles", "")
    assert np.array_equal(cycles.values().value, [9, np.nan], equal_nan=True)


def test_a_program_alone_has_no_lanes(tmp_path):
    path = tmp_path / "step.txt"
    path.write_text("HloModule m\n\nENTRY %main () -> f32[] {\n  ROOT %c = f32[] constant(1)\n}\n")
    slices = open_slices(path)
    assert slices.is_program
    assert not slices.lanes


def test_a_broken_event_is_said_when_its_lane_is_read(tmp_path):
    path = made(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"\x22\x07\x08\x01", b"\x22\x07\x08\x07"))
    slices = open_slices(path)
    for _ in range(2):
        with pytest.raises(FormatError, match="metadata id 7"):
            slices.lanes[0].slices()


@pytest.mark.parametrize(
    ("thread", "events", "work"),
    [
        ("python", (), "python"),
        ("main/1", ("$train.py:12 step", "Foo", "PjitFunction(step)"), "python"),
        ("tf_data_private/4", (), "input"),
        ("worker/7", ("Iterator::Map", "Iterator::Prefetch", "$a.py:1 f"), "input"),
        ("pool/3", ("backend_compile", "other"), "compile"),
        ("pool/3", ("TransferToDevice",), "transfer"),
        ("tf_XLAEigen/77", ("dot.3", "fusion"), "ops"),
        ("tf_XLAEigen/77", ("ThreadpoolListener::StartRegion", "end: fusion"), "ops"),
        ("tf_xla-cpu-codegen/8", ("CSEPass", "ThreadpoolListener::Record"), "compile"),
        ("tf_PjRtCompilerThreadPool/4", ("dce", "ThreadpoolListener::Record"), "compile"),
        ("Host Threads/5", ("unknown",), "other"),
    ],
)
def test_a_thread_is_told_by_what_it_does_then_by_its_name(thread, events, work):
    assert thread_work(thread, events) == work


def test_added_names_keep_their_ids():
    names = SliceNames()
    assert [names.add("a"), names.add("b"), names.add("a")] == [0, 1, 0]
    assert (len(names), names.text(1), names.shown(1)) == (2, "b", "b")


@pytest.mark.parametrize(
    ("name", "shown"), [("%fusion.3 = bf16[8]{0} fusion(%a)", "fusion.3"), ("100 % busy", "100 % busy"), ("%x", "x")]
)
def test_an_instructions_text_is_shown_as_its_name(name, shown):
    assert shown_name(name) == shown
