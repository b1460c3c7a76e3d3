"""The panel Memory Profile over the wire, of a run that was captured, of one that ran out of memory, and of a file."""

import asyncio
import cProfile
import gzip
import json
import shutil
import sys
import textwrap

import pytest

from made.findings import said
from scopelight.capture.launching.launch import Script
from scopelight.capture.launching.launch_source import LaunchSource, LaunchSpec
from scopelight.formats.pprof import pprof_pb2

pytestmark = pytest.mark.asyncio

TOO_LARGE = """
    import jax.numpy as jnp

    def allocate():
        return jnp.broadcast_to(jnp.float32(1), (1_200_000, 250_000))

    allocate()
    """


async def test_the_memory_of_a_captured_run(editor, captured):
    await editor.show(captured.run)
    view = await editor.result("scopelight/view/memory-profile", {})
    record = view["record"]
    assert view["run"]["out_of_memory"] is None
    (process,) = record["memories"]
    assert process["kind"] == "process"
    assert process["peak_bytes"] == max(each["heap_bytes"] for each in process["samples"])
    assert "end" in {each["name"] for each in record["snapshots"]}
    again = await editor.result("scopelight/view/memory-profile", {})
    assert again["record"] == record


async def test_requests_share_one_record(editor, captured):
    await editor.show(captured.run)
    asked = [editor.begin("scopelight/view/memory-profile", {})[1] for _ in range(5)]
    answers = await asyncio.gather(*asked)
    assert len({json.dumps(each["result"]["record"], sort_keys=True) for each in answers}) == 1


async def test_a_run_that_ended_for_want_of_memory_opens_at_its_culprits(start_editor, extension_options, tmp_path):
    folder = tmp_path.resolve()
    editor = await start_editor()
    await editor.initialize(folder, options=extension_options)
    script = folder / "too_large.py"
    script.write_text(textwrap.dedent(TOO_LARGE))
    run = folder / ".scopelight" / "too-large"
    result = await asyncio.to_thread(_capture, script, run)
    assert result.exit_code == 1
    followed = await editor.result("scopelight/followCapture", {"path": str(run)})
    assert followed["out_of_memory"] is True
    listed = (await editor.result("scopelight/runs", {}))["runs"]
    assert {each["path"]: each["out_of_memory"] for each in listed} == {str(run): True}
    opened = await editor.result("scopelight/openRun", {"path": str(run)})
    assert "too_large.py:5" in opened["out_of_memory"]
    view = await editor.result("scopelight/view/memory-profile", {})
    first = view["record"]["out_of_memory"]["culprits"][0]
    assert (first["file"], first["line"], first["bytes"]) == (str(script), 5, 1_200_000 * 250_000 * 4)


async def test_a_snapshot_file_opens(editor, tmp_path, shared_data):
    path = shared_data / "tpu-memory-pprof" / "memory.prof"
    opened = await editor.result("scopelight/openRun", {"path": str(path)})
    assert opened["lines"] == 0
    assert "no trace" in said(opened, "empty")
    assert opened["short"] == "no trace"
    record = (await editor.result("scopelight/view/memory-profile", {}))["record"]
    assert record["snapshots"][0]["bytes"] == 23_554_502_656
    timeline = (await editor.result("scopelight/view/timeline", {}))["record"]
    assert "no trace" in said(timeline, "empty")
    broken = tmp_path / "memory.prof"
    broken.write_bytes(gzip.compress(gzip.decompress(path.read_bytes())[:-100]))
    _, message = await editor.error("scopelight/openRun", {"path": str(broken)})
    assert "memory snapshot" in message


async def test_a_snapshot_file_is_shown_beside_the_run_that_is_shown(editor, captured):
    await editor.show(captured.run)
    path = captured.run / "memory" / "end.pprof"
    view = await editor.result("scopelight/view/memory-profile", {"path": str(path)})
    assert (view["run"]["path"], view["run"]["memory_alone"], view["run"]["has"]) == (str(path), True, ["memory"])
    (snapshot,) = view["record"]["snapshots"]
    of_run = (await editor.result("scopelight/view/memory-profile", {"path": None}))["record"]
    assert snapshot["bytes"] == next(each["bytes"] for each in of_run["snapshots"] if each["name"] == "end")
    assert not [each for each in editor.received if each["method"] == "scopelight/shownRun"][1:]


async def test_a_file_that_is_no_snapshot_of_memory_is_refused_with_one_sentence(editor, tmp_path):
    profiler = cProfile.Profile()
    profiler.runcall(sorted, [2, 1])
    of_python = tmp_path / "train.prof"
    profiler.dump_stats(of_python)
    for content in (of_python.read_bytes(), b"", b"\x1f\x8bnothing", b"some text"):
        of_python.write_bytes(content)
        _, message = await editor.error("scopelight/view/memory-profile", {"path": str(of_python)})
        assert message.startswith("train.prof is no snapshot of memory that jax saved")
        assert (". " in message, message[-1]) == (False, ".")
    # A profile of the same format that counts other things.
    other = pprof_pb2.Profile(string_table=[b"", b"samples", b"count", b"cpu", b"nanoseconds"])
    other.sample_type.add(type=1, unit=2)
    other.sample_type.add(type=3, unit=4)
    other.sample.add(value=[1, 10])
    of_python.write_bytes(gzip.compress(other.SerializeToString()))
    _, message = await editor.error("scopelight/view/memory-profile", {"path": str(of_python)})
    assert "it is a pprof profile of samples, cpu, not of memory" in message
    _, message = await editor.error("scopelight/view/memory-profile", {"path": str(tmp_path / "absent.prof")})
    assert "no such file" in message


async def test_a_run_that_has_snapshots_and_no_trace_opens_at_its_memory(editor, captured, tmp_path):
    run = tmp_path / "run"
    shutil.copytree(captured.run / "memory", run / "memory")
    shutil.copyfile(captured.run / "run.json", run / "run.json")
    opened = await editor.show(run)
    assert (opened["memory_alone"], opened["has"], opened["out_of_memory"]) == (True, ["memory"], None)
    record = (await editor.result("scopelight/view/memory-profile", {}))["record"]
    assert "end" in {each["name"] for each in record["snapshots"]}
    shutil.rmtree(run / "memory")
    _, message = await editor.error("scopelight/openRun", {"path": str(run)})
    assert "no profile" in message


def _capture(script, run):
    return LaunchSource(
        script=Script(script.name, (), False),
        python=sys.executable,
        cwd=script.parent,
        environment={"JAX_PLATFORMS": "cpu", "PATH": "/usr/bin:/bin"},
    ).capture(LaunchSpec(out=run))
