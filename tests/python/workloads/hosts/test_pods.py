"""Four processes that train together, one of them slowed down: what the views of hosts say of their profiles."""

import json
import socket
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from made.findings import codes
from scopelight.model.opening.profile import open_profile
from scopelight.model.opening.slices import open_slices

STEPS, LAYERS = 12, 2
OPS_OF_A_LAYER = {"all_gather": 4, "ppermute": 8, "all_to_all": 2, "reduce_scatter": 4}
"""The participants of each; a layer exchanges twice."""
SHIFTS_MS = {"host0": 0.0, "host1": 7.0, "host2": -3.5, "host3": 120.0}
MS = 10**9


@pytest.fixture(scope="module")
def shifted(slow_pod, pod_module, tmp_path_factory):
    """The pod as it would be if the clocks of three hosts had been wrong."""
    session = tmp_path_factory.mktemp("shifted") / "plugins" / "profile" / slow_pod.session.name
    session.mkdir(parents=True)
    for file in slow_pod.files:
        target = session / file.name
        target.write_bytes(file.read_bytes())
        pod_module.shift_clock(target, SHIFTS_MS[file.name.partition(".")[0]])
    return session.parents[2]


@pytest.fixture(scope="module")
def shown(slow_pod, project):
    """``shown(view)``: what the command line prints of a view of the pod, as JSON."""

    def printed(view):
        command = [Path(sys.executable).parent / "scopelight", "show", view, slow_pod.directory, "--json"]
        ran = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=120, check=False)
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)

    return printed


def test_every_execution_of_a_collective_met_all_others(slow_record):
    met_in_a_step = 5 * LAYERS + 1
    # The one that costs most comes first.
    assert sorted((each.host, each.devices) for each in slow_record.hosts) == [(f"host{rank}", 2) for rank in range(4)]
    assert len(slow_record.cores) == 8
    assert slow_record.step_count == STEPS
    assert slow_record.instances == slow_record.complete_instances == STEPS * met_in_a_step
    assert slow_record.executions == STEPS * met_in_a_step * 8
    found = [(each.op.rpartition("/")[2], each.participants, each.per_step) for each in slow_record.collectives]
    expected = [(name, size, float(LAYERS)) for name, size in OPS_OF_A_LAYER.items()]
    expected += [("all_to_all", 2, float(LAYERS)), ("psum", 8, 1.0)]
    assert sorted(found) == sorted(expected)


def test_the_parts_of_each_core_sum_to_its_step(slow_record):
    for step in slow_record.steps:
        assert [each.core for each in step.cores] == list(range(8))
        for core in step.cores:
            assert sum(core.parts.values()) == core.duration_ps
            assert min(core.parts.values()) >= 0
    for row, core in enumerate(slow_record.cores):
        assert sum(core.parts.values()) == core.step_ps
        own_ps = [step.cores[row].duration_ps for step in slow_record.steps]
        assert core.step_ps == pytest.approx(np.mean(own_ps), abs=1)


def test_the_slow_host_alone_is_named_with_the_line_that_takes_longer(
    slow_pod, slow_record, is_named_rightly, callback_line
):
    named = is_named_rightly(slow_record, slow_pod)
    assert Path(named.path).name == "pod.py"
    assert named.line == callback_line
    assert named.op.endswith("/pure_callback")
    # Where the machine is busy the callbacks of one process hold each other up as well.
    added_ps = slow_pod.truth["extra_ms_per_step"] * MS
    assert 0.75 * added_ps <= named.excess_per_step_ps <= 1.75 * added_ps
    working_ps = {core.device: core.parts["low-flops"] for core in slow_record.cores}
    slow = {core.device for core in slow_record.cores if core.host == named.host}
    assert min(working_ps[each] for each in slow) > max(working_ps[each] for each in working_ps.keys() - slow)


def test_the_command_line_prints_the_same(slow_record, shown):
    printed = shown("hosts")
    assert [each["cost_per_step_ps"] for each in printed["hosts"]] == [
        each.cost_per_step_ps for each in slow_record.hosts
    ]
    assert [each["text"] for each in printed["findings"] if each["code"] == "host-slow"]
    edges = [each for each in shown("links")["links"] if each["kind"] == "edge"]
    ring = {f"host{rank}": f"host{(rank + 1) % 4}" for rank in range(4)}
    assert [(each["source_host"], each["destination_host"]) for each in edges if each["executions"]] != []
    assert {each["source_host"]: each["destination_host"] for each in edges} == ring
    assert len(edges) == 8
    assert {each["executions"] for each in edges} == {STEPS * LAYERS}
    clocks = shown("clocks")
    assert clocks["is_consistent"]
    assert [each["host"] for each in clocks["clocks"]] == [f"host{rank}" for rank in range(4)]


def test_wrong_clocks_are_found_and_change_nothing(
    slow_pod, slow_record, shifted, compared, is_named_rightly, callback_line
):
    record = compared(shifted)
    for clock in record.clocks:
        off_ps = abs(clock.offset_ps + SHIFTS_MS[clock.host] * MS)
        assert off_ps <= clock.offset_error_ps, "the clocks of one machine agree"
        # Collectives that all take long on a busy machine tell less.
        assert off_ps <= 0.7 * MS or clock.offset_error_ps > MS
        is_moved = abs(SHIFTS_MS[clock.host]) > 2
        assert clock.applied_offset_ps == (clock.offset_ps if is_moved else 0)
    assert record.complete_instances == record.instances == STEPS * (5 * LAYERS + 1)
    named = is_named_rightly(record, slow_pod)
    assert named.line == callback_line
    # In each of the layers one clock may be off to one side, and another to the other.
    (with_right_clocks,) = [each for each in slow_record.hosts if each.is_named]
    error_ps = max(clock.offset_error_ps for clock in record.clocks)
    assert abs(named.cost_per_step_ps - with_right_clocks.cost_per_step_ps) <= LAYERS * 2 * error_ps


def test_the_mesh_is_laid_out_as_the_program_has_it(slow_pod, slow_record):
    layout = slow_record.layouts[0]
    assert (layout.kind, layout.columns * layout.rows, layout.planes) == ("mesh", 8, 1)
    place_of = {slow_record.cores[cell.core].id: (cell.x, cell.y) for cell in layout.cells}
    mesh = np.array(slow_pod.truth["mesh_devices"]).reshape(list(slow_pod.truth["mesh"].values()))
    assert set(place_of) == set(mesh.ravel().tolist())
    # Without names either axis of the mesh may be that of the columns.
    grids = [mesh, mesh.T]
    assert any(
        all(len({place_of[each][axis] for each in line}) == 1 for axis, way in ((0, grid), (1, grid.T)) for line in way)
        for grid in grids
    )


def test_sessions_that_ended_two_seconds_apart_are_one_pod(slow_pod, copied, compared):
    pod = copied(slow_pod)
    first, files = pod.session, pod.files
    second = first.with_name(f"{first.name[:-2]}{int(first.name[-2:]) + 2:02}")
    second.mkdir()
    for file in files[2:]:
        file.rename(second / file.name)
    for path in (pod.directory, first, second):
        record = compared(path)
        assert sorted(each.host for each in record.hosts) == pod.names
        assert record.complete_instances == record.instances
        assert [each.host for each in record.hosts if each.is_named] == ["host2"]


def test_processes_of_one_machine_are_hosts_of_their_own(slow_pod, copied, compared):
    pod = copied(slow_pod)
    machine = socket.gethostname().encode()
    assert all(file.read_bytes().endswith(machine) for file in pod.files), "what is in them does not tell them apart"
    for rank, file in enumerate(pod.files):
        file.rename(file.with_name(f"machine_{rank}.xplane.pb"))
    record = compared(pod.directory)
    assert sorted(each.host for each in record.hosts) == [f"machine_{rank}" for rank in range(4)]
    assert len({core.id for core in record.cores}) == 8
    assert [each.host for each in record.hosts if each.is_named] == ["machine_2"]


@pytest.mark.parametrize("damage", ["torn", "missing", "foreign"])
@pytest.mark.parametrize("rank", [0, 3])
def test_a_damaged_file_costs_its_host_alone(slow_pod, copied, compared, damage, rank):
    pod = copied(slow_pod)
    file = pod.files[rank]
    if damage == "missing":
        file.unlink()
    elif damage == "foreign":
        file.write_text("A picture of a pod.\n" * 1000)
    else:
        file.write_bytes(file.read_bytes()[:1000])
    record = compared(pod.directory)
    whole = [name for name in pod.names if name != f"host{rank}"]
    assert sorted(each.host for each in record.hosts if each.devices) == whole
    assert len(record.cores) == 6
    assert record.step_count == STEPS
    assert [each.host for each in record.hosts if each.is_named] == ["host2"]
    # One without a single participant is none of the profile's.
    assert record.complete_instances < record.instances == STEPS * (5 * LAYERS + 1)
    said = {each.code for each in record.findings}
    assert "hosts-incomplete-instances" in said
    assert damage == "missing" or said & {"host-unreadable", "file-cut-off"}


def test_a_program_of_all_hosts_is_opened_once(slow_pod):
    profile = open_profile(slow_pod.directory)
    assert [module.name for module in profile.modules] == ["jit_forward"]
    assert sorted({device.host for device in profile.executions.devices}) == list(range(4))
    assert "host-unreadable" not in codes(profile)


def test_lanes_are_drawn_on_clocks_that_agree(slow_record, shifted, compared):
    error_ps = max(clock.offset_error_ps for clock in compared(shifted).clocks)
    (name,) = [each.name for each in slow_record.collectives if each.op.endswith("/psum")]
    slices = open_slices(shifted)
    of_hosts = {}
    for lane in slices.lanes:
        own = lane.slices()
        rows = [row for row, id in enumerate(own.name.tolist()) if slices.names.shown(id) == name]
        times = zip(own.start_ps[rows].tolist(), own.end_ps[rows].tolist(), strict=True)
        of_hosts.setdefault(slices.sections[lane.section].host, []).extend(times)
    assert sorted(of_hosts) == list(range(4))
    # Those of the two devices of a host, then those of its next step.
    met = np.array([sorted(times) for times in of_hosts.values()]).reshape(4, STEPS, 2, 2)
    for step in range(STEPS):
        own = met[:, step].reshape(-1, 2)
        assert own[:, 0].max() <= own[:, 1].min() + MS + error_ps, "nobody leaves before all have come"
    for one, other in pairwise(range(STEPS)):
        assert met[:, one, :, 1].max() <= met[:, other, :, 0].min()
