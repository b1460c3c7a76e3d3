"""Derived tracks, colours and joins of real profiles: of TPUs, GPUs, and four devices of XLA:CPU."""

import itertools
import subprocess
import sys
from collections import Counter
from pathlib import Path

import attrs
import numpy as np
import pytest

from made import scripts
from made.recorded import DATA
from scopelight.analysis.device_time.division import divide
from scopelight.analysis.device_time.stalls import STALLS
from scopelight.analysis.timeline.events.executions import (
    execution_of,
    executions_of,
    slice_of_execution,
    slices_of_ops,
)
from scopelight.analysis.timeline.records import SLICE_COLOURS
from scopelight.analysis.timeline.timeline import Timeline, open_timeline
from scopelight.analysis.timeline.tracks.derived import derive
from scopelight.model.opening.profile import open_profile

FILES = ("tpu-v6e-host-offload/tpu_inference_2", "mi300x-conv/tw003", "v100-tensorflow/worker")
COLLECTIVES = ("all-reduce", "psum")


def whole_timeline(path: Path) -> Timeline:
    timeline, profile = open_timeline(path), open_profile(path)
    return timeline.completed(profile, derive(timeline.slices, profile))


@pytest.fixture(scope="module")
def four_devices(tmp_path_factory):
    """The timeline of a training script on four devices of the CPU."""
    folder = tmp_path_factory.mktemp("four-devices")
    script = Path(scripts.__file__).with_name("four_devices.py")
    subprocess.run([sys.executable, str(script), str(folder)], check=True, capture_output=True, timeout=300)
    return whole_timeline(folder)


@pytest.fixture(scope="module")
def recorded():
    """Timelines of the shared profiles, each opened once."""
    if not DATA.is_dir():
        pytest.skip("the shared profiles are not beside this checkout")
    opened = {}

    def open_once(name):
        if name not in opened:
            opened[name] = whole_timeline(DATA / f"{name}.xplane.pb")
        return opened[name]

    return open_once


@pytest.fixture(params=["four devices of the CPU", *FILES])
def timeline(request):
    """Each of the timelines in turn."""
    if request.param in FILES:
        return request.getfixturevalue("recorded")(request.param)
    return request.getfixturevalue("four_devices")


def tracks(timeline, kind, section=None):
    return [
        track for track in timeline.tracks if track.kind == kind and section in (None, track.section.id, track.section)
    ]


def colours_by_name(timeline, track):
    """What the slices of each name are coloured by."""
    found = {}
    for name, colour in zip(track.lane().name.tolist(), track.colours().tolist(), strict=True):
        found.setdefault(timeline.slices.names.shown(name), set()).add(SLICE_COLOURS[colour])
    return found


def overlap_rows(timeline, section):
    """The rows of overlap of a section by their names, without what is remarked behind them."""
    return {track.id.rpartition("/")[2]: track for track in tracks(timeline, "overlap", section)}


def busy_of(track):
    return int(track.lane().duration_ps.sum())


def test_tracks_have_ids_of_their_own_and_as_many_slices_as_they_say(timeline):
    ids = [track.id for track in timeline.tracks]
    assert len(set(ids)) == len(ids)
    for track in timeline.tracks:
        lane = track.lane()
        assert len(lane) == track.events
        assert len(track.colours()) == len(lane)
        order = np.lexsort((-lane.duration_ps, lane.start_ps))
        assert (np.diff(lane.start_ps) >= 0).all()
        assert (lane.duration_ps[order] == lane.duration_ps).all()
        assert len(lane) == 0 or lane.depths == int(lane.depth.max()) + 1


def test_every_device_that_ran_something_has_a_section_with_ops_overlap_and_overview(timeline):
    executions = timeline.profile.executions
    ran = {executions.devices[row].name for row in np.unique(executions.device)}
    with_ops = {track.section.plane for track in tracks(timeline, "ops")}
    assert with_ops == {track.section.plane for track in tracks(timeline, "overlap")} == ran
    sections = {track.section.id for track in tracks(timeline, "ops")}
    assert set(timeline.record().busy) == sections
    assert all(len(ratios) == 1000 and max(ratios) > 0 for ratios in timeline.record().busy.values())


def test_computation_communication_and_free_time_of_every_device_make_up_the_window(timeline):
    for section in {track.section.id for track in tracks(timeline, "overlap")}:
        rows = overlap_rows(timeline, section)
        parts = [rows[name] for name in ("Computation", "Pure communication", "Free time") if name in rows]
        assert sum(map(busy_of, parts)) == timeline.slices.duration_ps
        edges = sorted(
            (start, end)
            for part in parts
            for start, end in zip(part.lane().start_ps.tolist(), part.lane().end_ps.tolist(), strict=True)
        )
        assert edges[0][0] == 0
        assert edges[-1][1] == timeline.slices.duration_ps
        assert all(end == start for (_, end), (start, _) in itertools.pairwise(edges))


def test_free_time_is_named_after_what_the_split_of_the_wall_clock_says_of_it(timeline):
    """Where copies and ops run side by side, the split counts the ops; in free time nothing computes."""
    profile = timeline.profile
    nothing = np.zeros(0, dtype=np.int64)
    division = divide(profile.executions, nothing, nothing)
    for device, each in enumerate(profile.executions.devices):
        rows = [track for track in tracks(timeline, "overlap") if track.section.plane == each.name]
        (free,) = [track for track in rows if track.name == "Free time"]
        lane = free.lane()
        of = Counter()
        for name, length in zip(lane.name.tolist(), (lane.end_ps - lane.start_ps).tolist(), strict=True):
            of[timeline.slices.names.text(name)] += length
        stalled = dict(zip(STALLS, division.stalled_ps[device].sum(axis=0).tolist(), strict=True))
        busy_ps = int(division.busy_ps[device].sum())
        assert of["idle"] + of["idle while compiling"] == profile.duration_ps - busy_ps - sum(stalled.values())
        assert of["stalled on input from the host"] <= stalled["host"]
        if not stalled["collective"] + stalled["peer"]:
            assert of["stalled on copies"] + of["stalled on input from the host"] == stalled["copy"] + stalled["host"]


def test_every_execution_is_one_slice_of_the_lane_that_it_was_read_from(timeline):
    executions = timeline.profile.executions
    seen = np.zeros(len(executions), dtype=np.int64)
    for track in timeline.tracks:
        if track.stored is not None:
            execution = executions_of(timeline, track)
            rows = execution[execution >= 0]
            np.add.at(seen, rows, 1)
            assert (track.lane().start_ps[execution >= 0] == executions.start_ps[rows]).all()
    assert (seen == 1).all()


def test_an_op_finds_each_of_its_executions_and_a_slice_its_op(timeline):
    executions = timeline.profile.executions
    for op in np.unique(executions.op)[:40].tolist():
        runs_of_op = np.flatnonzero(executions.op == op)
        found = slices_of_ops(timeline, [op])
        assert all(timeline.track(track).kind == "ops" for track in found)
        total = 0
        for track, events in found.items():
            rows = [execution_of(timeline, track, event) for event in events.tolist()]
            assert {int(executions.op[row]) for row in rows} == {op}
            total += len(rows)
        # Kernels of one op that follow each other are one slice.
        merged = any(track.kind == "stream" for track in timeline.tracks)
        assert 0 < total <= len(runs_of_op) if merged else total == len(runs_of_op)
        track, event = slice_of_execution(timeline, int(runs_of_op[0]))
        assert execution_of(timeline, track, event) == runs_of_op[0]
    assert slices_of_ops(timeline, []) == {}


def test_collectives_of_the_cpu_are_communication_that_no_computation_hides(four_devices):
    for track in tracks(four_devices, "ops"):
        rows = overlap_rows(four_devices, track.section.id)
        assert busy_of(rows["Pure communication"]) > 0
        named = colours_by_name(four_devices, track)
        assert {"communication"} in [named[name] for name in named if name.startswith(COLLECTIVES)]
        # One sum in each step, after all else: what it waits for, it waits for alone.
        hidden = 1 - busy_of(rows["Pure communication"]) / busy_of(rows["Communication"])
        assert hidden < 0.1
        assert rows["Communication"].name == f"Communication · {round(100 * hidden, 1):g} % hidden"
        assert len(rows["Communication"].lane()) >= 6


def test_devices_of_the_cpu_have_steps_modules_scopes_ops_and_the_threads_that_ran_them(four_devices):
    names = four_devices.slices.names
    sections = {track.section.id for track in tracks(four_devices, "ops")}
    assert sections == {f"device:/device:CPU:{number}" for number in range(4)}
    for section in sections:
        (modules,) = tracks(four_devices, "modules", section)
        assert {names.text(name) for name in modules.lane().name.tolist()} == {"jit_train_step"}
        assert len(modules.lane()) == 6
        (steps,) = tracks(four_devices, "steps", section)
        assert [names.text(name) for name in steps.lane().name.tolist()][:2] == ["step 1", "step 2"]
        (scopes,) = tracks(four_devices, "scopes", section)
        shown = {(names.text(name), depth) for name, depth in zip(scopes.lane().name, scopes.lane().depth, strict=True)}
        assert ("model [backward]", 0) in shown
        assert ("sgd", 0) in shown
        (ops,) = tracks(four_devices, "ops", section)
        threads = tracks(four_devices, "thread", section)
        executed = np.sort(np.concatenate([track.lane().event for track in threads]))
        assert executed.tolist() == np.sort(ops.lane().event).tolist()


def test_passes_of_a_training_step_have_their_colours(four_devices):
    for track in tracks(four_devices, "ops"):
        shown = set().union(*colours_by_name(four_devices, track).values())
        assert {"forward", "backward", "communication"} <= shown
        assert "host" not in shown


def test_events_of_threads_are_coloured_as_the_ops_that_they_are(four_devices):
    executions = four_devices.profile.executions
    for track in tracks(four_devices, "thread"):
        execution = executions_of(four_devices, track)
        colours = np.array(SLICE_COLOURS)[track.colours()]
        communicates = [executions.ops[op].category == "all-reduce" for op in executions.op[execution[execution >= 0]]]
        assert (colours[execution >= 0][communicates] == "communication").all()
        assert (colours[execution >= 0] != "host").all()


def test_a_tpu_keeps_the_lines_that_it_records(recorded):
    timeline = recorded(FILES[0])
    for number in range(4):
        section = f"device:/device:TPU:{number}"
        (ops,) = tracks(timeline, "ops", section)
        (modules,) = tracks(timeline, "modules", section)
        assert (ops.name, modules.name) == ("XLA Ops", "XLA Modules")
        colours = colours_by_name(timeline, ops)
        assert colours["all-reduce"] == {"communication"}
        assert colours["copy-done"] == colours["copy-start"] == {"transfer"}
        (asynchronous,) = tracks(timeline, "async", section)
        # Only the first core records its asynchronous copies; those of the others are told by starts and dones.
        assert asynchronous.name == ("Async XLA Ops" if number == 0 else "Async ops")
        assert len(asynchronous.lane()) == 600
        assert set().union(*colours_by_name(timeline, asynchronous).values()) == {"transfer"}


def test_starts_and_dones_of_a_tpu_tell_what_its_asynchronous_line_records(recorded):
    timeline = recorded(FILES[0])
    recorded_ps = busy_of(tracks(timeline, "async", "device:/device:TPU:0")[0])
    for number in (1, 2, 3):
        paired_ps = busy_of(tracks(timeline, "async", f"device:/device:TPU:{number}")[0])
        assert paired_ps == pytest.approx(recorded_ps, rel=5e-3)


def test_kernels_of_one_op_on_a_gpu_are_one_slice(recorded):
    timeline = recorded(FILES[1])
    names = timeline.slices.names
    section = "device:/device:GPU:1"
    (ops,) = tracks(timeline, "ops", section)
    (stream,) = tracks(timeline, "stream", section)
    lane, kernels = ops.lane(), stream.lane()
    assert (len(lane), len(kernels)) == (20, 25)
    convolution = next(row for row, name in enumerate(lane.name.tolist()) if names.text(name) == "cudnn-conv.1")
    inside = (kernels.start_ps >= lane.start_ps[convolution]) & (kernels.end_ps <= lane.end_ps[convolution])
    shown = [names.shown(name) for name in kernels.name[inside].tolist()]
    assert len(shown) == 2
    assert shown[0] == "Im3d2Col.kd"
    assert lane.start_ps[convolution] == kernels.start_ps[inside][0]
    assert lane.end_ps[convolution] == kernels.end_ps[inside][-1]


def test_copies_outside_of_programs_are_not_merged(recorded):
    timeline = recorded(FILES[2])
    (ops,) = tracks(timeline, "ops", "device:/device:GPU:1")
    assert ops.events == 19
    assert set(colours_by_name(timeline, ops)["MemcpyH2D"]) == {"transfer"}


def test_before_the_profile_is_read_nothing_is_known_of_executions(recorded):
    timeline = Timeline(recorded(FILES[1]).slices)
    track = timeline.tracks[0]
    assert executions_of(timeline, track) is None
    assert execution_of(timeline, track.id, 0) is None
    assert slices_of_ops(timeline, [0]) == {}
    assert slice_of_execution(timeline, 0) is None


def test_hosts_that_share_the_names_of_devices_have_sections_of_their_own(four_devices, tmp_path):
    (file,) = four_devices.profile.path.rglob("*.xplane.pb")
    for host in ("first", "second"):
        (tmp_path / f"{host}.xplane.pb").write_bytes(file.read_bytes())
    timeline = whole_timeline(tmp_path)
    sections = {track.section.id: track.section for track in tracks(timeline, "ops")}
    assert len(sections) == 8
    assert len({section.name for section in sections.values()}) == 8
    assert {section.host for section in sections.values()} == {0, 1}
    assert attrs.asdict(sections["device:first/device:CPU:0"])["plane"] == "/device:CPU:0"
