"""Pods of many shapes and with all kinds of trouble, or with none: who is named for it. `make test-hosts` runs them."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from made.scripted_agent import MOST_CALLS, ScriptedAgent
from made.until import until
from scopelight.model.opening.profile import open_profile
from scopelight.model.run.names import RUN_FILE
from workloads.hosts.matrix.namespaces import network, why_not

LINK_BYTES_PER_S = 37.5e6
MOST_OVER_SLOW_LINK_MS = 230
"""That a step takes over a slow link: 200 where the machine does nothing else."""
STEPS, LAYERS = 12, 2
WORKLOADS = Path(__file__).resolve().parents[4] / "workloads" / "hosts"
NEWEST = [each for each in os.environ.get("SCOPELIGHT_TEST_PYTHONS", "").split(":") if each]


@pytest.fixture(scope="module")
def newest_pod(make_pod):
    """A pod of the newest jax."""
    if not NEWEST:
        pytest.skip("`make test-hosts` has the newest jax")
    return make_pod("--slow", "1", "--kind", "device", "--ms", "8", python=NEWEST[0])


@pytest.mark.parametrize("number", range(10))
def test_nobody_is_named_where_nobody_is_slow(make_pod, compared, number):
    hosts, devices = ((4, 2), (4, 1), (2, 2))[number % 3]
    pod = make_pod("--hosts", str(hosts), "--devices", str(devices))
    record = compared(pod.directory)
    assert record.step_count == STEPS
    assert record.complete_instances == record.instances
    assert [each.host for each in record.hosts if each.is_named] == []
    assert not [each for each in record.findings if each.code in ("host-slow", "device-slow")]


@pytest.mark.parametrize(
    ("hosts", "devices", "slow", "kind", "ms", "every"),
    [
        (4, 1, 3, "device", 8, 1),
        (2, 2, 1, "device", 8, 1),
        (4, 2, 0, "device", 8, 1),
        (4, 2, 1, "host", 20, 2),
        (2, 2, 0, "host", 25, 3),
        (4, 1, 2, "input", 20, 2),
        (2, 2, 1, "input", 25, 3),
    ],
)
def test_the_slow_host_is_named_for_what_it_costs(
    make_pod, compared, is_named_rightly, callback_line, hosts, devices, slow, kind, ms, every
):
    options = {"hosts": hosts, "devices": devices, "slow": slow, "kind": kind, "ms": ms, "every": every}
    pod = make_pod(*(f"--{name}={value}" for name, value in options.items()))
    record = compared(pod.directory)
    assert record.complete_instances == record.instances == STEPS * sum(each.per_step for each in record.collectives)
    named = is_named_rightly(record, pod)
    if kind == "device":
        assert (Path(named.path).name, named.line) == ("pod.py", callback_line)
    if kind == "input":
        assert named.where == "next_batch"
        assert named.excess_per_step_ps == pytest.approx(pod.truth["extra_ms_per_step"] * 1e9, rel=0.25)
    found = ScriptedAgent(WORKLOADS, pod.directory.parent).investigate_run(pod.directory.name)
    reason = "works longer" if kind == "device" else "launches late"
    where = {"device": f"pod.py:{callback_line}", "host": None, "input": "in next_batch"}[kind]
    assert found.slow_host == (named.host, reason, where), found.summary
    assert found.calls <= MOST_CALLS


def test_wrong_clocks_are_found_within_the_stated_error(make_pod, pod_module, compared):
    shifts_ms = {"host0": 0.0, "host1": 7.0, "host2": -3.5, "host3": 120.0}
    pod = make_pod("--hosts=4", "--devices=2")
    for file in pod.files:
        pod_module.shift_clock(file, shifts_ms[file.name.partition(".")[0]])
    for clock in compared(pod.directory).clocks:
        off_ps = abs(clock.offset_ps + shifts_ms[clock.host] * 1e9)
        assert off_ps <= min(clock.offset_error_ps, 0.7e9)


def test_the_newest_jax_says_the_names_of_axes(newest_pod, compared, is_named_rightly, callback_line):
    record = compared(newest_pod.directory)
    layout = record.layouts[0]
    assert (layout.kind, layout.is_recorded) == ("mesh", True)
    # The first axis lies along the rows.
    assert (layout.y_name, layout.x_name) == tuple(newest_pod.truth["mesh"])
    assert (layout.rows, layout.columns) == tuple(newest_pod.truth["mesh"].values())
    places = {record.cores[cell.core].id: cell.y * layout.columns + cell.x for cell in layout.cells}
    assert sorted(places, key=places.get) == newest_pod.truth["mesh_devices"]
    axes = {each.op.rpartition("/")[2]: each.axes for each in record.collectives if each.kind != "collective-permute"}
    expected = {"all_gather": ("data",), "reduce_scatter": ("data",), "all_to_all": ("model",)}
    assert axes == {**expected, "psum": ("data", "model")}
    assert is_named_rightly(record, newest_pod).line == callback_line


def test_without_names_the_mesh_is_a_grid(make_pod, compared):
    record = compared(make_pod("--hosts", "2", "--devices", "2").directory)
    layout = record.layouts[0]
    assert (layout.kind, layout.columns, layout.rows, layout.x_name, layout.y_name) == ("mesh", 2, 2, "", "")
    assert {each.axes for each in record.collectives} == {()}


@pytest.fixture(scope="module")
def slow_link(make_pod, compared):
    """What is said of a pod from whose host2 no more than `LINK_BYTES_PER_S` go."""
    reason = why_not()
    if reason is not None:
        pytest.skip(f"no slow link was made: {reason}")
    try:
        with network(4) as made:
            made.slow_down(2, LINK_BYTES_PER_S * 8 / 1e6)
            options = {"hosts": 4, "devices": 1, "width": 512, "rows": 512, "address": made.address}
            arguments = [f"--{name}={value}" for name, value in options.items()]
            pod = make_pod(*arguments, f"--namespaces={made.name}", most_overhead_ms=MOST_OVER_SLOW_LINK_MS)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no slow link was made: {' '.join(error.cmd)}: {error.stderr.strip()}")
    return compared(pod.directory)


def test_the_speed_of_a_slow_link_is_found_and_nobody_is_named_for_it(slow_link):
    assert [each.host for each in slow_link.hosts if each.is_named] == []
    edges = {(each.source_host, each.destination_host): each for each in slow_link.links if each.kind == "edge"}
    assert len(edges) == 4
    slow = edges.pop(("host2", "host3"))
    assert slow.best_bytes_per_s == pytest.approx(LINK_BYTES_PER_S, rel=0.25)
    # The edge before it may be slow as well: whoever sends over the slow one is done when it has sent.
    assert min(each.best_bytes_per_s for each in edges.values()) > 1.25 * slow.best_bytes_per_s


def test_a_slow_link_is_named(slow_link):
    (named,) = [each for each in slow_link.links if each.is_named]
    assert (named.source_host, named.destination_host) == ("host2", "host3")
    assert "link-slow" in [each.code for each in slow_link.findings]


def test_a_job_that_is_captured_has_summaries_beside_its_profiles(pod_module, compared, tmp_path):
    """As a launcher starts it: every process has a variable that says that it is captured, and its rank."""
    given = pod_module.options(
        [str(tmp_path / "pod"), "--hosts=2", "--slow=1", "--ms=8", f"--until={tmp_path / 'enough'}"]
    )
    port, processes = pod_module.free_port(), []
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SCOPELIGHT_")}
    for rank in range(2):
        joined = {"RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "localhost"}
        environment = {**kept, **joined, "SCOPELIGHT_OPTIONS": json.dumps({"steps": 8})}
        with (tmp_path / f"log{rank}").open("w") as log:
            processes.append(
                pod_module.start_member(
                    given, rank, port, env=environment, cwd=tmp_path, stdout=log, stderr=subprocess.STDOUT
                )
            )
    try:
        until(lambda: _state(tmp_path) == "captured", seconds=150)
        (tmp_path / "enough").touch()
        assert [each.wait(60) for each in processes] == [0, 0]
    finally:
        for each in processes:
            each.kill()
            each.wait()
    (run,) = (tmp_path / ".scopelight").iterdir()
    files = sorted(run.glob("plugins/profile/*/*.xplane.pb"))
    assert len(files) == 2
    until(lambda: all(each.with_name(f"{each.name}.summary").is_file() for each in files))
    written = {each: each.stat().st_mtime_ns for each in files[0].parent.glob("*.summary")}
    record = compared(run)
    assert {each: each.stat().st_mtime_ns for each in files[0].parent.glob("*.summary")} == written, "they are read"
    assert sorted((each.host, each.devices) for each in record.hosts) == [
        (each.name.removesuffix(".xplane.pb"), 2) for each in files
    ]
    assert record.step_count >= 6
    assert open_profile(run).capture.hosts is not None
    (named,) = [each for each in record.hosts if each.is_named]
    assert (named.host[-2:], named.reason) == ("_1", "worked-longer")


def _state(folder):
    file = next(folder.glob(f".scopelight/*/{RUN_FILE}"), None)
    return None if file is None else json.loads(file.read_text())["state"]
