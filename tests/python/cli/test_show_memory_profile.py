"""``scopelight show memory-profile`` prints the record for people and programs alike."""

import gzip
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from made.findings import codes, said
from made.recorded import DATA
from scopelight.analysis.memory.profile.memory_profile import memory_profile
from scopelight.cli.main import main
from scopelight.formats.pprof import pprof_pb2
from scopelight.model.opening.profile import open_profile
from scopelight.report.memory.profile import render_memory_profile

MESSAGE = "RESOURCE_EXHAUSTED: Out of memory allocating 1048576 bytes."


def snapshot(path, line, size):
    texts = [b"", b"allocations", b"space", b"kind", b"buffer", b"device", b"cpu:0", b"keep", str(path).encode()]
    profile = pprof_pb2.Profile(string_table=texts)
    profile.sample_type.add(type=1)
    profile.sample_type.add(type=2)
    sample = profile.sample.add(location_id=[1], value=[3, size])
    sample.label.add(key=3, str=4)
    sample.label.add(key=5, str=6)
    profile.location.add(id=1).line.add(function_id=1, line=line)
    profile.function.add(id=1, name=7, filename=8)
    return gzip.compress(profile.SerializeToString())


@pytest.fixture
def workspace(tmp_path):
    """Where the script was, which is there no more."""
    return tmp_path / "workspace"


@pytest.fixture
def run(tmp_path, workspace):
    """A run that ended for want of memory before anything was traced."""
    folder = tmp_path / "run"
    (folder / "memory").mkdir(parents=True)
    taken = {"name": "out-of-memory", "file": "memory/out-of-memory.pprof", "time_ns": 2_000, "cost_seconds": 0.004}
    information = {
        "format_version": 1,
        "state": "failed",
        "script": "train.py",
        "cwd": str(workspace),
        "exit_code": 1,
        "memory": {"readings": 2, "seconds": 0.001, "snapshots": [taken]},
        "out_of_memory": {
            "message": MESSAGE,
            "stack": [{"path": str(workspace / "train.py"), "line": 9, "function": "step"}],
            "during_compilation": False,
        },
    }
    (folder / "run.json").write_text(json.dumps(information))
    (folder / "memory" / "out-of-memory.pprof").write_bytes(snapshot(workspace / "train.py", 4, 3 << 20))
    lines = [
        {"time_ns": 1_000, "total_bytes": 1 << 30},
        {"time_ns": 1_000, "resident_bytes": 100 << 20, "devices": {"gpu:0": {"bytes_in_use": 5, "bytes_limit": 100}}},
        {"time_ns": 3_000, "resident_bytes": 300 << 20, "devices": {"gpu:0": {"bytes_in_use": 9, "bytes_limit": 100}}},
    ]
    (folder / "resources.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"time_ns": 40')
    return folder


def show(path, *options):
    return CliRunner().invoke(main, ["show", "memory-profile", str(path), *options])


def test_json_is_the_record(run):
    record = json.loads(show(run, "--json").output)
    assert {"memories", "snapshots", "out_of_memory", "findings"} <= set(record)
    assert codes(record) == ["readings-cut-off"], "the last line was not written to its end"
    gpu, process = record["memories"]
    assert (gpu["id"], gpu["kind"], gpu["capacity_bytes"], gpu["peak_bytes"]) == ("gpu:0", "accelerator", 100, 9)
    assert (process["id"], process["kind"], process["peak_bytes"]) == ("process", "process", 300 << 20)
    # Without a trace times count from the first sample.
    assert (process["peak_ps"], [each["time_ps"] for each in process["samples"]]) == (2_000_000, [0, 2_000_000])
    assert record["out_of_memory"]["requested_bytes"] == 1 << 20
    assert [each["line"] for each in record["out_of_memory"]["culprits"]] == [4, 9]
    assert (record["trace_ps"], record["snapshots"][0]["time_ps"]) == (None, 1_000_000)
    # The arrays of the snapshot and the rest are the whole peak.
    rest, arrays = process["breakdown"]
    assert (arrays["line"], arrays["bytes"], arrays["basis"]) == (4, 3 << 20, "joined")
    assert (rest["bytes"], rest["basis"]) == (297 << 20, "measured")
    # The snapshot is one of main memory: of the device nothing is known but the sum.
    assert [(row["findings"][0]["text"], row["bytes"]) for row in gpu["breakdown"]] == [("other allocations", 9)]
    (row,) = record["snapshots"][0]["rows"]
    assert (row["line"], row["bytes"], row["count"], row["stack"][0]["function"]) == (4, 3 << 20, 3, "keep")


def test_people_read_what_filled_memory_and_what_to_do(run, workspace):
    output = show(run).output
    assert f"The script ran out of memory at {workspace / 'train.py'}:9: 1 MiB more were asked for." in output
    assert "3 arrays alive" in output
    assert "donate" in output
    assert "300 MiB" in output
    # Without a trace, too, times of samples and snapshots count from the first sample.
    assert "Snapshot out-of-memory: 3 MiB at 1.00 µs; it took 4 ms." in output
    assert "Times count" not in output


def test_a_run_without_a_trace_shows_why_in_every_view(run):
    output = CliRunner().invoke(main, ["show", "lines", str(run)]).output
    assert "no trace" in output
    listed = CliRunner().invoke(main, ["runs", str(run)]).output
    assert "failed" in listed
    assert "out of memory" in listed


def test_a_snapshot_opens_by_itself(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "any.name"
    path.write_bytes(snapshot("train.py", 4, 3 << 20))
    record = json.loads(show(path, "--json").output)
    assert record["memories"] == []
    assert not codes(record, "empty")
    assert record["snapshots"][0]["bytes"] == 3 << 20
    assert "train.py:4" in show(path).output


def test_the_lines_of_a_snapshot_are_those_of_its_arrays(tmp_path):
    path = tmp_path / "memory.prof"
    path.write_bytes(snapshot(tmp_path / "train.py", 4, 3 << 20))
    output = CliRunner().invoke(main, ["show", "memory-lines", str(path), "--json"]).output
    record = json.loads(output)
    assert (record["peak_bytes"], record["unattributed_bytes"], record["findings"]) == (3 << 20, 0, [])
    (line,) = record["lines"]
    assert (line["path"], line["line"], line["bytes"], line["basis"]) == (
        str(tmp_path / "train.py"),
        4,
        3 << 20,
        "snapshot",
    )
    assert "The largest snapshot: 3 MiB" in CliRunner().invoke(main, ["show", "memory-lines", str(path)]).output


@pytest.mark.parametrize("view", ["lines", "ops", "op-profile", "flops", "roofline", "flame"])
def test_a_view_of_ops_says_that_a_snapshot_is_no_trace(tmp_path, view):
    path = tmp_path / "memory.prof"
    path.write_bytes(snapshot(tmp_path / "train.py", 4, 3 << 20))
    output = CliRunner().invoke(main, ["show", view, str(path)]).output
    assert "what was in memory and no trace" in output
    assert "show memory-profile" in output


def test_a_real_snapshot_opens():
    path = DATA / "tpu-memory-pprof" / "memory.prof"
    if not path.is_file():
        pytest.skip("../shared/data is absent")
    record = json.loads(show(path, "--json").output)
    assert record["snapshots"][0]["bytes"] == sum(row["bytes"] for row in record["snapshots"][0]["rows"])
    assert record["snapshots"][0]["bytes"] == 23_554_502_656


def test_a_damaged_snapshot_is_one_sentence(tmp_path, run):
    path = tmp_path / "memory.prof"
    path.write_bytes(snapshot(tmp_path / "train.py", 4, 3 << 20)[:-15])
    refused = show(path)
    assert refused.exit_code == 1
    assert refused.output.startswith("scopelight: ")
    assert len(refused.output.splitlines()) == 1
    # One of several in a run is left out, and a warning says so.
    (run / "memory" / "out-of-memory.pprof").write_bytes(path.read_bytes())
    record = json.loads(show(run, "--json").output)
    assert record["snapshots"] == []
    assert "compressed" in said(record, "warning")


def test_a_profile_without_memory_says_what_to_do(tmp_path):
    path = tmp_path / "step.txt"
    path.write_text("HloModule m\n\nENTRY %e (x: f32[4]) -> f32[4] {\n  ROOT %x = f32[4]{0} parameter(0)\n}\n")
    record = json.loads(show(path, "--json").output)
    assert record["memories"] == record["snapshots"] == []
    assert codes(record, "empty") == ["programs-never-ran-no-memory"]
    assert "memory-viewer" in said(record, "empty")


@pytest.mark.parametrize("view", ["memory-viewer", "padding"])
def test_of_a_run_without_a_trace_no_other_capture_is_advised(run, view):
    """It was captured so: capturing it again would find the same."""
    outcome = CliRunner().invoke(main, ["show", view, str(run), "--json"])
    record = json.loads(outcome.stdout)
    assert "no compiled program was kept" in said(record, "empty")
    assert "scopelight show memory-profile" in said(record, "empty")
    assert "scopelight run" not in said(record, "empty")


@pytest.mark.parametrize("columns", [1, 40, 60, 80, 200])
def test_the_line_of_an_array_is_whole_at_any_width(columns):
    if not DATA.is_dir():
        pytest.skip("../shared/data is absent")
    record = memory_profile(open_profile(DATA / "tpu-memory-pprof" / "memory.prof"))
    written = io.StringIO()
    console = Console(file=written, width=columns, force_terminal=True, no_color=True)
    render_memory_profile(record, console, base=Path("/"), limit=20)
    places = {f"{Path(row.path).name}:{row.line}" for row in record.snapshots[0].rows[:20] if row.path}
    assert "2712439232.py:27" in places
    for place in places:
        assert f"{place} " in written.getvalue()
