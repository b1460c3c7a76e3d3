"""Tables of two captured runs row by row: memory, the input, and programs for other shapes."""

import subprocess
import sys

import pytest

from scopelight.analysis.compare.lists.options import ComparedListOptions
from scopelight.analysis.host.input.view import input_view
from scopelight.analysis.memory.options import ProgramMemoryOptions
from scopelight.analysis.memory.plan.views import memory_viewer
from scopelight.analysis.memory.profile.view import memory_profile
from scopelight.analysis.options import NoOptions
from scopelight.analysis.programs.shapes import shapes
from scopelight.views.comparing import compare_view
from scopelight.views.opening import open_subject

SCRIPT = """
import time

import jax
import jax.numpy as jnp
import numpy as np

LENGTHS = (32, 64)

@jax.jit
def step(weights, batch):
    return weights - 0.01 * batch.T @ jnp.tanh(batch @ weights)

def batches():
    number = 0
    while True:
        rows = np.ones((LENGTHS[number % 2], WIDTH), np.float32)
        time.sleep(0.002)
        yield rows
        number += 1

weights = jnp.eye(WIDTH) * 0.5
kept = [jnp.ones((512, 512)) + number for number in range(3)]
loader = batches()
for number in range(60):
    weights = step(weights, next(loader))
    weights.block_until_ready()
"""
KEPT = SCRIPT.splitlines().index("kept = [jnp.ones((512, 512)) + number for number in range(3)]") + 1
SLEEP = SCRIPT.splitlines().index("        time.sleep(0.002)") + 1


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """The run of a script, one of the same, one of other lengths, and one twice as wide with a comment above."""
    folder = tmp_path_factory.mktemp("lists")
    edits = {
        "first": SCRIPT.replace("WIDTH", "128"),
        "again": SCRIPT.replace("WIDTH", "128"),
        "other": SCRIPT.replace("WIDTH", "128").replace("(32, 64)", "(64, 48)"),
        "wide": "# above\n" + SCRIPT.replace("WIDTH", "256"),
    }
    for name, script in edits.items():
        (folder / "train.py").write_text(script)
        command = [sys.executable, "-m", "scopelight.cli.main", "run", "--whole", "--no-calibration", "--out", name]
        subprocess.run([*command, "train.py"], cwd=folder, check=True, capture_output=True, timeout=300)
    return {name: open_subject(folder / name, folder) for name in edits}


def compared(runs, before, after, of, **options):
    record = compare_view([runs[before]], [runs[after]], ComparedListOptions(of, **options))
    for node in record.nodes:
        assert (node.before or 0) + node.change == (node.after or 0)
    for side in ("before", "after"):
        assert getattr(record, f"total_{side}") == sum(getattr(node, side) or 0 for node in record.nodes)
    return record


def test_buffers_of_the_same_code_are_the_same_and_of_a_wider_one_larger(runs):
    same = compared(runs, "first", "again", "buffers")
    assert {node.verdict for node in same.nodes} == {"same"}
    step = memory_viewer(runs["wide"], ProgramMemoryOptions("jit_step"))
    wider = compared(runs, "first", "wide", "buffers", program=step.program_id)
    before = max(
        each.peak_bytes
        for each in memory_viewer(runs["first"], ProgramMemoryOptions()).modules
        if each.name == step.module
    )
    assert (wider.total_before, wider.total_after) == (before, step.peak_bytes)
    # Each array of the step has a counterpart, and is two or four times as large.
    ratios = {node.after / node.before for node in wider.nodes if node.verdict not in ("only-before", "only-after")}
    assert ratios <= {2.0, 4.0}
    paired = sum(node.before for node in wider.nodes if node.before and node.after)
    assert paired / wider.total_before > 0.95


def test_of_programs_of_one_name_that_for_the_same_shapes_is_the_same(runs):
    (family,) = shapes(runs["other"], NoOptions()).families
    ids = {variant.shapes[0].shape: variant.program_id for variant in family.variants}
    # It ran first here, and second there.
    record = compared(runs, "first", "other", "buffers", program=ids["f32[64,128]"])
    assert {node.verdict for node in record.nodes} == {"same"}
    record = compared(runs, "first", "other", "buffers", program=ids["f32[48,128]"])
    assert "same" not in {node.verdict for node in record.nodes if "[48,128]" in node.label}


def test_a_snapshot_that_was_not_taken_before_has_nothing(runs):
    record = compared(runs, "first", "again", "snapshot", snapshot="no such moment")
    assert record.nodes == ()


def test_arrays_that_are_alive_are_found_on_the_line_that_moved(runs):
    snapshot = next(each for each in memory_profile(runs["wide"], NoOptions()).snapshots if each.name == "end")
    record = compared(runs, "first", "wide", "snapshot", snapshot=snapshot.name)
    assert record.total_after == snapshot.bytes
    assert [node.key for node in record.nodes[: len(snapshot.rows)]] == [row.key for row in snapshot.rows]
    kept = [node for node in record.nodes if node.line == KEPT + 1 and node.after]
    assert kept
    assert all((node.verdict, node.paired_by) == ("same", "text") for node in kept)
    assert sum(node.after for node in kept) >= 3 << 20


def test_stages_are_compared_by_step(runs):
    record = compared(runs, "first", "wide", "stages")
    view = input_view(runs["wide"], NoOptions())
    by_key = {node.key: node for node in record.nodes}
    stages = {each.key: each.self_per_step_ps for each in view.stages if each.self_ps is not None}
    assert {key: node.after for key, node in by_key.items() if node.after is not None} == stages
    # One run of each tells nothing of a wall clock.
    assert {node.verdict for node in record.nodes} <= {"cannot-tell", "only-before", "only-after"}
    slow = next(node for node in record.nodes if node.line == SLEEP + 1)
    assert slow.paired_by == "text"
    assert slow.before >= 2_000_000_000


def test_a_variant_is_that_for_the_same_shapes_alone(runs):
    view = shapes(runs["again"], NoOptions())
    same = compared(runs, "first", "again", "variants")
    variants = {each.key: each.mean_ps for family in view.families for each in family.variants}
    assert {node.key: node.after for node in same.nodes} == variants
    assert {node.verdict for node in same.nodes} == {"cannot-tell"}
    wider = compared(runs, "first", "wide", "variants")
    assert {node.verdict for node in wider.nodes} == {"only-before", "only-after"}
