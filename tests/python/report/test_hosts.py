"""The views of hosts on the command line: what their JSON holds, what they say, and why they are empty."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from analysis.hosts.pods import MS_PS, Pod
from made.xspace import Line, plane, write
from scopelight.cli.main import main

ROW_OF_HOST = {
    *("host", "offset_ps", "offset_error_ps", "cost_per_step_ps", "launched_late_per_step_ps"),
    *("worked_longer_per_step_ps", "is_named", "path", "line"),
}
ROW_OF_LINK = {
    *("source", "destination", "best_bytes_per_s", "median_bytes_per_s", "latency_ps", "send_delay_ps"),
    *("is_named", "ops"),
}


@pytest.fixture(scope="module")
def pod(tmp_path_factory):
    """A log directory of hosts of which one works longer, and one has a clock that is 70 ms behind."""
    root = tmp_path_factory.mktemp("logs")
    Pod(slower_ps={2: 3 * MS_PS}, clock_ps={1: 70 * MS_PS}).write(root / "plugins" / "profile" / "2026_01_01_00_00_00")
    return root


def show(view, path, *options):
    result = CliRunner().invoke(main, ["show", view, str(path), *options])
    assert result.exit_code == 0, result.output
    return result.output


def shown(view, path):
    return json.loads(show(view, path, "--json"))


def test_hosts_say_what_each_costs_and_where(pod):
    record = shown("hosts", pod)
    assert {"hosts", "steps", "findings"} <= record.keys()
    for each in record["hosts"]:
        assert each.keys() >= ROW_OF_HOST
    first = record["hosts"][0]
    assert (first["host"], first["is_named"], first["line"]) == ("host2", True, 12)
    assert first["path"].endswith("train.py")
    assert first["worked_longer_per_step_ps"] == pytest.approx(3 * MS_PS, rel=0.02)
    assert first["launched_late_per_step_ps"] < MS_PS // 10
    assert first["cost_per_step_ps"] == pytest.approx(3 * MS_PS, rel=0.02)
    moved = next(each for each in record["hosts"] if each["host"] == "host1")
    assert abs(moved["offset_ps"] - 70 * MS_PS) <= moved["offset_error_ps"] < 70 * MS_PS
    assert record["step_count"] == len(record["steps"])
    assert "host-slow" in [each["code"] for each in record["findings"]]


def test_links_say_how_fast_they_are(pod):
    record = shown("links", pod)
    links = record["links"]
    for each in links:
        assert each.keys() >= ROW_OF_LINK
        assert isinstance(each["ops"], list)
    edges = {(each["source"], each["destination"]) for each in links if each["kind"] == "edge"}
    assert len(edges) == 8
    assert ("host3 /device:TPU:1", "host0 /device:TPU:0") in edges
    assert not any(each["is_named"] for each in links)
    for each in links:
        assert 0 < each["median_bytes_per_s"] <= each["best_bytes_per_s"]


def test_clocks_say_what_was_added_to_each(pod):
    record = shown("clocks", pod)
    assert [each["host"] for each in record["clocks"]] == ["host0", "host1", "host2", "host3"]
    first, moved = record["clocks"][:2]
    assert (first["offset_ps"], first["offset_error_ps"]) == (0, 0)
    assert moved["applied_offset_ps"] == moved["offset_ps"] == pytest.approx(70 * MS_PS, abs=4 * MS_PS)
    assert record["is_consistent"]


def test_the_text_names_the_host_what_it_costs_and_the_line(pod):
    text = " ".join(show("hosts", pod).split())
    assert "host2" in text
    assert "costs 3.00 ms of" in text
    assert "train.py:12" in text


@pytest.mark.parametrize("view", ["hosts", "links", "clocks"])
def test_the_text_has_a_row_for_each(pod, view):
    text = show(view, pod)
    for host in ("host0", "host1", "host2", "host3"):
        assert host in text


@pytest.mark.parametrize("view", ["hosts", "links", "clocks"])
def test_where_no_op_ran_the_view_says_why_it_is_empty(tmp_path, view):
    program = tmp_path / "step.txt"
    program.write_text(
        "HloModule step\n\nENTRY %main (x: f32[8]) -> f32[8] {\n"
        "  %x = f32[8]{0} parameter(0)\n  ROOT %tanh.1 = f32[8]{0} tanh(%x)\n}\n"
    )
    idle = write(tmp_path / "idle" / "host0.xplane.pb", plane("/host:CPU", Line("python", (("work", 0, 10),))))
    for path in (program, idle):
        record = shown(view, path)
        assert record[view] == []
        assert [each["code"] for each in record["findings"] if each["severity"] == "empty"] == ["hosts-nothing-ran"]
        said = next(each["text"] for each in record["findings"] if each["code"] == "hosts-nothing-ran")
        assert said in " ".join(show(view, path).split())


def test_one_host_is_shown_and_says_that_there_is_nobody_to_compare_it_with(tmp_path):
    Pod(hosts=1, devices=4).write(tmp_path)
    record = shown("hosts", tmp_path)
    assert [(each["host"], each["cost_per_step_ps"]) for each in record["hosts"]] == [("host0", None)]
    assert "hosts-one-host" in [each["code"] for each in record["findings"]]
    assert len(record["cores"]) == 4


@pytest.mark.parametrize("view", ["links", "clocks"])
def test_devices_that_never_met_have_no_links_and_clocks_of_which_nothing_is_known(tmp_path, view):
    ops = Line("XLA Ops", tuple((f"dot.{row}", 1000 * row, 900) for row in range(4)))
    for name in ("a", "b"):
        write(tmp_path / f"{name}.xplane.pb", plane("/device:TPU:0", ops))
    record = shown(view, tmp_path)
    assert "hosts-nothing-met" in [each["code"] for each in record["findings"]]
    if view == "links":
        assert record["links"] == []
    else:
        assert [each["offset_ps"] for each in record["clocks"]] == [0, None]
    assert show(view, tmp_path)


def test_an_engine_that_is_not_there_ends_the_command_with_a_sentence(pod):
    result = CliRunner().invoke(main, ["show", "hosts", str(pod), "--engine", "ray"])
    assert result.exit_code != 0
    assert "No engine is called 'ray'" in result.output
    assert "Traceback" not in result.output


def test_the_installed_command_prints_the_same(pod):
    command = [
        sys.executable,
        "-m",
        "scopelight.cli.main",
        "show",
        "hosts",
        str(pod),
        "--json",
        "--engine",
        "processes",
    ]
    for each in pod.rglob("*.summary"):
        each.unlink()
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120, env=environment)
    assert json.loads(ran.stdout) == shown("hosts", pod)
