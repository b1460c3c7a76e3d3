"""Memory while a script runs: sampled, kept at both ends of the window, and explained where it runs out."""

import json
from pathlib import Path

import pytest

from made.findings import codes, said
from scopelight.analysis.memory.profile.memory_profile import memory_profile
from scopelight.analysis.totals.frames import LineOptions
from scopelight.model.opening.profile import open_profile

STEPS = """
    import time
    import jax
    import jax.numpy as jnp

    @jax.jit
    def step(weights):
        return jnp.tanh(weights @ weights)

    kept = [jnp.full((256, 256), number) for number in range(64)]
    weights = jnp.ones((256, 256))
    for _ in range(1500):
        weights = step(weights)
        weights.block_until_ready()
        time.sleep(0.002)
    """
KEPT_LINE = 10
KEPT_BYTES = 64 * 256 * 256 * 4

TOO_LARGE = """
    import jax.numpy as jnp

    def allocate():
        return jnp.broadcast_to(jnp.float32(1), (1_200_000, 250_000))

    print(jnp.ones(3) + 1)
    allocate()
    """
TOO_LARGE_LINE = 5

LEAK = """
    import resource
    import jax
    import jax.numpy as jnp

    kept = []

    def step(weights):
        activity = jnp.tanh(weights)
        kept.append(activity * 2.0)
        kept[-1].block_until_ready()
        return activity

    weights = jnp.ones((1024, 1024))
    step(weights).block_until_ready()
    with open("/proc/self/statm") as file:
        size = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + (400 << 20),) * 2)
    for _ in range(2000):
        step(weights).block_until_ready()
    """
LEAK_LINE = 10

BROKEN_SNAPSHOTS = """
    import jax

    def fails(*_, **__):
        raise RuntimeError("no snapshots here")

    jax.profiler.device_memory_profile = fails
    """


def record_of(captured):
    profile = open_profile(captured.out)
    return memory_profile(profile, LineOptions(roots=(str(captured.out.parent),)))


def readings(captured):
    return [json.loads(line) for line in (captured.out / "resources.jsonl").read_text().splitlines()]


def test_memory_is_sampled_and_kept_at_both_ends_of_the_window(bench):
    bench.write("script.py", STEPS)
    captured = bench.capture("script.py", steps=60)
    assert captured.returncode == 0, captured.stderr
    assert captured.run["format_version"] == 1
    told = readings(captured)
    assert told[0]["total_bytes"] > max(each["resident_bytes"] for each in told[1:]) > 0
    assert [each["time_ns"] for each in told] == sorted(each["time_ns"] for each in told)
    memory = captured.run["memory"]
    assert memory["readings"] == len(told) - 1
    assert 0 < memory["seconds"] < sum(each["seconds"] for each in captured.run["probes"])
    by_name = {each["name"]: each for each in memory["snapshots"]}
    assert {"window-start", "window-end", "end"} <= set(by_name)
    assert all(each["cost_seconds"] > 0 and (captured.out / each["file"]).is_file() for each in memory["snapshots"])
    window = captured.run["window"]
    assert by_name["window-start"]["time_ns"] <= window["started_ns"] + 10_000_000
    assert by_name["window-end"]["time_ns"] >= window["closed_ns"] - 10_000_000

    record = record_of(captured)
    assert (record.out_of_memory, record.findings) == (None, ())
    (process,) = record.memories
    assert (process.kind, process.source) == ("process", "samples")
    # The trace has events before and after the window, too: it is begun and ended around it.
    trace = open_profile(captured.out)
    begins_ns = min(window["started_ns"], trace.started_ns)
    ends_ns = max(window["closed_ns"], trace.started_ns + -(-trace.duration_ps // 1000))
    within = [each for each in told[1:] if begins_ns <= each["time_ns"] <= ends_ns]
    assert process.window_peak_bytes == max(each["resident_bytes"] for each in within)
    assert process.peak_bytes == process.lifetime_peak_bytes == max(each["resident_bytes"] for each in told[1:])
    # Times count from the first sample, which was taken long before the trace.
    assert process.samples[0].time_ps == 0 < record.trace_ps
    assert process.capacity_bytes == told[0]["total_bytes"]
    assert sum(row.bytes for row in process.breakdown) == process.peak_bytes
    # The marks of the steps lie over the samples.
    assert len(process.steps) >= 5
    for sample in process.samples:
        inside = [step.name for step in process.steps if step.start_ps <= sample.time_ps < step.end_ps]
        assert inside[:1] == ([] if sample.step is None else [sample.step])
    start = next(each for each in record.snapshots if each.name == "window-start")
    end = next(each for each in record.snapshots if each.name == "window-end")
    assert start.time_ps <= process.steps[0].start_ps < process.steps[-1].end_ps <= end.time_ps
    kept = [row for row in start.rows if row.line == KEPT_LINE and row.kind == "buffer"]
    assert sum(row.bytes for row in kept) == KEPT_BYTES
    assert {row.path for row in kept} == {"script.py"}
    (joined,) = [row for row in process.breakdown if row.line == KEPT_LINE]
    assert (joined.bytes, joined.basis) == (KEPT_BYTES, "joined")


def test_nothing_is_watched_where_it_is_not_wanted(bench):
    bench.write("script.py", STEPS)
    captured = bench.capture("script.py", watches_memory=False, steps=5)
    assert captured.returncode == 0, captured.stderr
    assert captured.run["state"] == "captured"
    assert captured.run["memory"] is None
    assert not (captured.out / "resources.jsonl").exists()
    assert not (captured.out / "memory").exists()
    assert codes(record_of(captured), "empty")


def test_snapshots_that_fail_are_told_and_the_run_goes_on(bench):
    bench.write("script.py", BROKEN_SNAPSHOTS + STEPS)
    captured = bench.capture("script.py", steps=5)
    assert captured.returncode == 0, captured.stderr
    assert captured.run["state"] == "captured"
    assert len(captured.profiles) == 1
    assert captured.run["memory"]["snapshots"] == []
    assert "no snapshots here" in said(captured.run, "warning")
    assert captured.run["memory"]["readings"] > 0


def test_an_allocation_beyond_memory_names_its_line(bench):
    bench.write("script.py", TOO_LARGE)
    captured = bench.capture("script.py")
    assert captured.returncode == 1
    assert "RESOURCE_EXHAUSTED" in captured.stderr
    record = record_of(captured).out_of_memory
    assert (record.stage, record.requested_bytes, record.limit_bytes) == ("run", 1_200_000 * 250_000 * 4, None)
    culprit = record.culprits[0]
    assert (culprit.path, culprit.line, culprit.function) == ("script.py", TOO_LARGE_LINE, "allocate")
    assert (culprit.basis, culprit.bytes) == ("traceback", record.requested_bytes)
    assert "script.py:5" in said(record)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the script limits itself by /proc")
def test_arrays_that_pile_up_are_named_by_the_line_that_makes_them(bench):
    bench.write("script.py", LEAK)
    captured = bench.capture("script.py")
    assert captured.returncode == 1, captured.stderr
    assert captured.run["exit_code"] == 1
    record = record_of(captured)
    culprit = record.out_of_memory.culprits[0]
    assert (culprit.path, culprit.line, culprit.basis) == ("script.py", LEAK_LINE, "snapshot")
    assert culprit.bytes > 100 << 20
    assert record.out_of_memory.requested_bytes == 4 << 20
    assert "script.py:10" in said(record.out_of_memory)
    # What filled memory is in the breakdown of the process's peak as well.
    (process,) = record.memories
    assert max(process.breakdown, key=lambda row: row.bytes if row.basis == "joined" else 0).line == LEAK_LINE


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the script limits itself by /proc")
def test_of_arrays_that_pile_up_unwatched_the_remedy_is_to_watch_them(bench):
    bench.write("script.py", LEAK)
    captured = bench.capture("script.py", watches_memory=False)
    assert captured.returncode == 1, captured.stderr
    assert captured.run["watches_memory"] is False
    record = record_of(captured).out_of_memory
    assert [(each.path, each.basis) for each in record.culprits] == [("script.py", "traceback")]
    assert record.requested_bytes == 4 << 20
    assert "run again without --no-memory" in said(record)


def test_a_run_that_ends_before_any_program_ran_is_kept_and_opens(bench):
    bench.write("script.py", "import jax.numpy as jnp\njnp.broadcast_to(jnp.float32(1), (1_200_000, 250_000))\n")
    captured = bench.capture("script.py")
    assert captured.returncode == 1
    record = record_of(captured).out_of_memory
    assert (record.culprits[0].path, record.culprits[0].line) == ("script.py", 2)
    if captured.run["state"] == "failed":
        assert "out of memory" in captured.run["failure"]


DEVICES_THAT_TELL = """
    import jax

    class Telling:
        platform, id = "gpu", 3

        def memory_stats(self):
            in_use = sum(array.nbytes for array in jax.live_arrays())
            return {"bytes_in_use": in_use, "bytes_limit": 1 << 30, "largest_free_block_bytes": (1 << 29), "other": 5}

    def devices():
        return [Telling()]

    import sys
    sys.modules["_scopelight_shim.jax_process"].local_devices = devices
    """

DEVICES_THAT_FAIL = """
    import sys
    import jax

    def devices():
        raise RuntimeError("no devices here")

    sys.modules["_scopelight_shim.jax_process"].local_devices = devices
    """


def test_devices_that_tell_are_sampled_too(bench):
    bench.write("script.py", DEVICES_THAT_TELL + STEPS)
    captured = bench.capture("script.py", steps=5)
    assert captured.returncode == 0, captured.stderr
    device, process = record_of(captured).memories
    assert (device.id, device.kind, device.capacity_bytes) == ("gpu:3", "accelerator", 1 << 30)
    assert device.peak_bytes >= KEPT_BYTES
    assert process.kind == "process"
    for sample in device.samples:
        assert sample.heap_bytes + sample.free_bytes == 1 << 30
        assert sample.fragmentation_ratio == pytest.approx(1 - (1 << 29) / sample.free_bytes)


def test_devices_that_fail_do_not_end_the_sampling(bench):
    bench.write("script.py", DEVICES_THAT_FAIL + STEPS)
    captured = bench.capture("script.py", steps=5)
    assert captured.returncode == 0, captured.stderr
    assert captured.run["findings"] == []
    _total, *told = readings(captured)
    # How many come in a few seconds is the machine's matter: each that was dear puts off the next one.
    assert len(told) > 1
    assert all(each["resident_bytes"] > 0 for each in told)
