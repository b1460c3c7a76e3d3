"""The input of scripts that know what they wait for: how much that is, by whom it is made, and what the queues held.

Each is captured by the project's Pythons that have the library it reads with; `make test-host` makes those.
"""

import itertools
from pathlib import Path

import numpy as np
import pytest

from made.findings import codes
from made.host.idle_truth import IdleTruth
from scopelight.analysis.host.input.view import input_record
from scopelight.model.spans import Spans
from scopelight.source.workspace import line_options
from workloads.test_idle_truth import EXACT, LOADERS, told_of

STEPS = 20
POINTS = 0.03
"""By how much the share of the steps that waits for input may be off."""
SPLIT = 0.05
"""By how much the share of decoding among decoding and augmenting may be off."""
VARIES = 0.15
"""By how much the mean step may be off where some of them count with the median pause: on a machine that others use the
pauses vary, and some are far above it."""
ASKS = {
    "slow_loader": ["load"],
    "prefetch_thread": ["get"],
    "grain_loader": ["next"],
    "torch_loader": ["next"],
    "tf_data_loader": ["next"],
    "torch_in_loop": ["make", "fill", "stack", "join", "next"],
    "grain_processes": ["next"],
    "pool_of_threads": ["result"],
    "pool_of_processes": ["result"],
    "large_items": ["get"],
}
"""By script the lines on which its clock sees it wait for, or make, its input, the one with most of it first."""


LIBRARIES = {**LOADERS, "torch_in_loop": "torch", "grain_processes": "grain"}
"""By script what its Python must have beside jax."""


def pythons(project, version=""):
    """Those with line events first; or the one of a version."""
    versions = [version] if version else ["3.12", "3.11", "3.13"]
    known = [str(project / f".venv-host-{each}/bin/python") for each in versions]
    return [each for each in known if told_of(each) is not None]


def line_of(path, name):
    """The line of a script that is marked with a name, which its clock need not know."""
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    return next(row for row, text in enumerate(lines, 1) if text.endswith(f"# line: {name}"))


@pytest.fixture(scope="module")
def captured(capture_host, project):
    """``captured(script, version)``: its record, and the truth of it. Captured once, by a Python of that version."""
    kept = {}

    def made(script, version=""):
        if (script, version) in kept:
            return kept[script, version]
        wanted = LIBRARIES.get(script, "jax")
        python = next((each for each in pythons(project, version) if wanted in told_of(each)[1]), None)
        if python is None:
            pytest.skip(f"no Python of the project has {wanted}: `make test-host` makes some")
        ran = capture_host(f"input-{script}{version}", script, python, "--steps", str(STEPS))
        known = IdleTruth.of(ran.directory, ran.clock)
        found = input_record(known.profile, line_options(known.profile))
        kept[script, version] = found, known, told_of(python)[0] >= EXACT
        return kept[script, version]

    return made


@pytest.mark.parametrize("script", ASKS)
def test_the_share_of_the_steps_that_waits_for_input(captured, script):
    found, truth, _ = captured(script)
    inner, _ = truth.truth_of(truth.main_thread)
    true_ratio = sum(inner[truth.place(each)] for each in ASKS[script]) / found.wall_ps
    assert true_ratio > 0.1, "else there is nothing to see"
    assert found.input_ratio == pytest.approx(true_ratio, abs=POINTS)
    assert found.level in ("moderate", "high")
    assert found.lines[0].line == truth.place(ASKS[script][0])[1]
    assert "input-bound" in codes(found)


def test_steps_beside_an_evaluation_take_what_the_loop_takes_without_it(captured):
    found, truth, _ = captured("evaluates_often")
    stood = truth.threads[truth.main_thread]
    begins_ps = stood.start_ps[[place == truth.place("make") for place in stood.inner]]
    begins_ps = begins_ps[(begins_ps > truth.steps.start_ps[0]) & (begins_ps < found.window_ps)]
    inner, outer = stood.within(Spans(begins_ps[:1], begins_ps[-1:] - begins_ps[:1]))
    evaluating_ps = outer[truth.place("held out")] + outer[truth.place("evaluate")]
    assert evaluating_ps > 0.05 * sum(outer.values()), "else there is nothing to see"
    steps_ps = sum(outer.values()) - evaluating_ps
    (step,) = (each for each in found.spreads if each.quantity == "step")
    assert step.mean_ps == pytest.approx(steps_ps / (len(begins_ps) - 1), rel=VARIES)
    loading_ps = inner[truth.place("make")] + inner[truth.place("load")]
    assert found.input_ratio == pytest.approx(loading_ps / steps_ps, abs=POINTS)
    assert found.lines[0].line == truth.place("load")[1]
    # What the evaluation waits for is in none, but where a pause is far from the median.
    shares = {each.line: each.share_ratio for each in found.lines}
    assert shares.get(truth.place("load held out")[1], 0) < 0.02


def test_a_loader_in_the_loop_is_the_function_that_makes_the_data(captured):
    found, truth, _ = captured("slow_loader")
    chain = [(each.kind, each.name) for each in found.operations]
    assert chain == [("function", "batches"), ("script", "train"), ("device", "")]
    assert found.operations[0].line == truth.place("load")[1]
    assert found.operations[0].suspected == "sure"
    assert (found.queues, found.verdict) == ((), None)
    assert "input-in-the-loop" in codes(found)


def test_a_thread_that_reads_ahead_has_its_lines_as_they_were(captured):
    found, truth, _ = captured("prefetch_thread")
    by_line = {each.line: each for each in found.stages}
    decode, augment = (by_line[truth.place(name)[1]] for name in ("decode", "augment"))
    reader = next(thread for thread in truth.threads if thread != truth.main_thread)
    window = Spans(np.zeros(1, dtype=np.int64), np.array([found.window_ps]))
    inner, _ = truth.threads[reader].within(window)
    true_ps = {name: inner[truth.place(name)] for name in ("decode", "augment")}
    share = decode.self_ps / (decode.self_ps + augment.self_ps)
    assert share == pytest.approx(true_ps["decode"] / sum(true_ps.values()), abs=SPLIT)
    assert share == pytest.approx(0.45, abs=SPLIT)
    assert decode.thread_names == augment.thread_names == ("reader",)
    assert augment.suspect_steps >= STEPS * 0.7
    (queue,) = found.queues
    assert (queue.name, queue.capacity, queue.producers, queue.consumers) == ("ready", 4, ("reader",), ("MainThread",))
    assert queue.mean_held <= 1
    assert found.verdict == "processing"
    filler = found.operations[0]
    assert (filler.kind, filler.name, filler.workers, filler.suspected) == ("threads", "reader", 1, "sure")


def test_the_tree_of_grain_with_its_map_first(captured):
    found, truth, is_exact = captured("grain_loader")
    names = {each.key: each.name for each in found.operations}
    chain = [each.name for each in found.operations]
    assert chain == ["Range", "Map(Decode)", "Batch", "Prefetch", "train", ""]
    for before, after in itertools.pairwise(found.operations):
        assert [names[each] for each in after.inputs] == [before.name]
    longest = found.stages[0]
    assert (longest.kind, longest.name) == ("function", "Decode")
    assert longest.line < truth.place("map")[1] <= longest.line + 5
    assert longest.self_ratio > 0.9
    assert longest.suspect_steps >= STEPS * 0.5
    # Range is called as often as its function is.
    source = next(each for each in found.stages if each.name.startswith("Range"))
    assert (source.work, source.threads) == ("read-ahead", 2)
    if is_exact:
        assert abs(source.count - longest.count) <= 4
    (queue,) = found.queues
    assert (queue.kind, queue.capacity) == ("grain", 4)
    assert queue.mean_held < 1
    assert found.verdict == "processing"
    (suspected,) = (each for each in found.operations if each.suspected)
    assert suspected.name == "Map(Decode)"
    assert suspected.busy_ratio > 0.8


def test_torchs_workers_and_their_queue(captured):
    found, _, _ = captured("torch_loader")
    chain = [(each.kind, each.name) for each in found.operations]
    assert chain == [("torch", "Slow"), ("torch", "DataLoader"), ("script", "train"), ("device", "")]
    (queue,) = found.queues
    assert (queue.kind, queue.capacity) == ("torch", 4)
    assert queue.mean_held <= 1
    assert max(queue.held) <= 2
    workers = [each for each in found.stages if each.kind == "worker"]
    assert len(workers) == 2
    # They sleep.
    assert all(each.core_ratio is not None and each.core_ratio < 0.5 for each in workers)
    assert found.operations[1].workers == 2
    assert "input-workers-unseen" in codes(found)


def test_a_full_queue_whose_items_take_long_to_copy_is_no_input_that_keeps_up(captured):
    found, truth, _ = captured("large_items")
    (queue,) = found.queues
    assert (queue.kind, queue.is_nearest, queue.line) == ("processes", True, truth.place("get")[1])
    assert queue.empty_gets <= 0.2 * queue.gets
    assert (found.verdict, found.suspected) == ("gets", None)
    assert "input-gets-slow" in codes(found)
    assert not {"input-queue-full", "input-keeps-up"} & set(codes(found))


def test_tf_data_is_said_to_record_elsewhere(captured):
    found, truth, _ = captured("tf_data_loader")
    assert "input-tf-data-unseen" in codes(found)
    assert found.lines[0].share_ratio >= 0.95 * found.input_ratio
    assert found.lines[0].line == truth.place("next")[1]


def test_torch_without_workers_makes_its_data_in_the_loop(captured):
    found, truth, _ = captured("torch_in_loop")
    chain = [(each.kind, each.name) for each in found.operations]
    assert chain == [
        ("torch", "Slow"),
        ("torch", "stack"),
        ("torch", "DataLoader"),
        ("script", "train"),
        ("device", ""),
    ]
    slow, stack, loader, *_ = found.operations
    inner, _ = truth.threads[truth.main_thread].within(Spans(np.zeros(1, dtype=np.int64), np.array([found.window_ps])))
    for operation, line in ((slow, "make"), (stack, "stack")):
        assert operation.self_ps / found.window_ps == pytest.approx(
            inner[truth.place(line)] / found.window_ps, abs=POINTS
        )
    assert loader.workers == 0
    assert (slow.suspected is not None, found.suspected) == (True, slow.key)
    assert (found.queues, found.verdict) == ((), None)
    assert "input-torch-in-the-loop" in codes(found)
    assert not {"input-workers-unseen", "input-in-the-loop"} & set(codes(found))


def test_grains_processes_and_what_runs_in_them(captured):
    found, truth, _ = captured("grain_processes")
    chain = [each.name for each in found.operations]
    assert chain == ["Range", "Map(Decode)", "Batch", "Prefetch", "ProcessPrefetch", "train", ""]
    decode, processes = found.operations[1], found.operations[4]
    assert {each.runs_in for each in found.operations[:4]} == {processes.key}
    assert decode.line < truth.place("next")[1]
    assert decode.file.endswith("grain_processes.py")
    assert (processes.workers, len(processes.process_ids)) == (2, 2)
    # They sleep.
    assert processes.core_ratio is not None
    assert processes.core_ratio < 0.5
    (queue,) = found.queues
    assert (queue.kind, queue.capacity, queue.is_nearest) == ("grain-processes", 8, True)
    assert queue.mean_held < 2
    assert found.verdict == "processing"
    assert found.suspected == decode.key
    assert "input-workers-unseen" in codes(found)
    assert [each.name for each in found.stages if each.kind == "worker"] == list(map(str, processes.process_ids))


@pytest.mark.parametrize("version", ["3.10", "3.11", "3.12", "3.13"])
def test_a_task_that_shares_its_thread_with_the_steps(captured, version):
    found, truth, _ = captured("asyncio_loader", version)
    inner, _ = truth.truth_of(truth.main_thread)
    true_ratio = inner[truth.place("get")] / found.wall_ps
    assert true_ratio > 0.5, "else there is nothing to see"
    assert found.input_ratio == pytest.approx(true_ratio, abs=POINTS)
    lines = {each.line: each.share_ratio for each in found.lines}
    assert found.lines[0].line == truth.place("get")[1]
    # What the task does itself is on its own line.
    augment = line_of(truth.place("get")[0], "augment")
    assert lines[augment] * found.spreads[0].mean_ps == pytest.approx(4e9, rel=0.3)
    chain = [(each.kind, each.name) for each in found.operations]
    assert chain == [("tasks", "read_ahead"), ("script", "train"), ("device", "")]
    task, script, _ = found.operations
    assert task.line == line_of(truth.place("get")[0], "read")
    assert (script.line, task.workers) == (truth.place("get")[1], 1)
    assert lines[augment] == pytest.approx(task.busy_ratio, abs=SPLIT)
    (queue,) = found.queues
    assert (queue.kind, queue.name, queue.capacity) == ("asyncio", "ready", 3)
    assert (queue.producers, queue.consumers) == (("read_ahead",), ("MainThread",))
    assert queue.gets >= STEPS * 0.8
    assert queue.empty_gets >= queue.gets * 0.8
    assert (found.verdict, found.suspected) == ("processing", task.key)
    assert {"input-bound", "input-queue-empty", "input-tasks-wait"} <= set(codes(found))
    assert not {"input-in-the-loop", "input-fillers", "host-coroutines-unseen"} & set(codes(found))


def test_an_executor_of_threads_has_their_lines(captured):
    found, truth, _ = captured("pool_of_threads")
    chain = [(each.kind, each.name) for each in found.operations]
    assert chain == [("threads", "ThreadPoolExecutor(decoder)"), ("script", "train"), ("device", "")]
    pool = found.operations[0]
    assert (pool.line, pool.workers) == (truth.place("decode")[1], 2)
    assert pool.busy_ratio > 0.9
    assert pool.suspected == "sure"
    decode = next(each for each in found.stages if each.line == pool.line)
    assert decode.thread_names == ("decoder_0", "decoder_1")
    # They sleep: whoever has the cores, more of them would help.
    assert "input-pool-busy" in codes(found)
    assert "input-in-the-loop" not in codes(found)


def test_an_executor_of_processes_has_their_use_of_cores(captured):
    found, truth, _ = captured("pool_of_processes")
    chain = [(each.kind, each.name) for each in found.operations]
    assert chain == [("processes", "ProcessPoolExecutor(decode)"), ("script", "train"), ("device", "")]
    pool = found.operations[0]
    assert (pool.workers, len(pool.process_ids)) == (2, 2)
    assert pool.line < truth.place("decode")[1] <= pool.line + 2
    # They sleep.
    assert pool.core_ratio is not None
    assert pool.core_ratio < 0.5
    assert {"input-workers-unseen", "input-bound"} <= set(codes(found))
    assert "input-in-the-loop" not in codes(found)
