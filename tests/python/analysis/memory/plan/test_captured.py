"""The memory of a training step that was captured here, against what jax says of the compiled program."""

import inspect
from pathlib import Path

import jax
import jax.numpy as jnp
import pytest

from made.views import memory_lines, memory_viewer
from scopelight.analysis.ops.statistics import ops_record
from scopelight.analysis.ops.table import op_table
from scopelight.analysis.totals.frames import LineOptions
from scopelight.model.opening.profile import open_profile
from scopelight.program.memory.liveness import estimated_buffers

LAYERS, BATCH, WIDTH = 6, 1024, 256


def loss(weights, x):
    for layer in range(LAYERS):
        x = jnp.tanh(x @ weights[layer])
    return jnp.mean(x**2)


def train_step(weights, x):
    value, gradient = jax.value_and_grad(loss)(weights, x)
    return value, weights - 0.1 * gradient


@pytest.fixture(scope="module")
def captured(tmp_path_factory):
    """The profile of some steps, and jax's own object of the step."""
    folder = tmp_path_factory.mktemp("profile")
    step = jax.jit(train_step, donate_argnums=(0,))
    weights, x = jnp.ones((LAYERS, WIDTH, WIDTH)), jnp.ones((BATCH, WIDTH))
    compiled = step.lower(weights, x).compile()
    with jax.profiler.trace(str(folder)):
        for _ in range(2):
            value, weights = step(weights, x)
        value.block_until_ready()
    return open_profile(folder), compiled


@pytest.fixture(scope="module")
def here(request):
    return LineOptions(roots=(str(request.path.parent),))


def test_totals_are_those_of_memory_analysis(captured):
    profile, compiled = captured
    record = memory_viewer(profile)
    theirs, totals = compiled.memory_analysis(), record.totals
    assert (record.module, record.basis) == ("jit_train_step", "assigned")
    assert totals.argument_bytes == theirs.argument_size_in_bytes
    assert totals.output_bytes == theirs.output_size_in_bytes
    assert totals.alias_bytes == theirs.alias_size_in_bytes > 0
    assert totals.temporary_bytes == theirs.temp_size_in_bytes > 0
    assert totals.indefinite_bytes < record.peak_bytes <= totals.allocated_bytes
    # What the CPU lays out is not padded.
    assert record.peak_unpadded_bytes == record.peak_bytes


def test_activations_are_of_their_line_and_kept_for_the_backward_pass(captured, here):
    profile, _ = captured
    record = memory_lines(profile, here)
    lines = {line.line: line for line in record.lines}
    first = inspect.getsourcelines(loss)[1]
    product = lines[first + 2]
    assert (product.path, product.function) == (Path(__file__).name, "loss")
    # The backward pass reads what each tanh but the last gave, or the product that it is of.
    assert product.residual_bytes >= (LAYERS - 1) * BATCH * WIDTH * 4
    assert sum(line.bytes for line in record.lines) + record.unattributed_bytes == record.peak_bytes
    # The weights are donated, so that only they and the batch are of no line, but for what is small.
    arguments = (LAYERS * WIDTH + BATCH) * WIDTH * 4
    assert arguments <= record.unattributed_bytes < arguments + 4096


def test_the_curve_rises_in_the_forward_pass_and_falls_in_the_backward_pass(captured):
    profile, _ = captured
    curve = memory_viewer(profile).execution
    peak = curve.bytes.index(max(curve.bytes))
    assert 0 <= curve.forward_start < peak <= curve.backward_end
    assert curve.bytes[0] < curve.bytes[peak] > curve.bytes[-1]
    names = {op.name for op in profile.executions.ops}
    assert len(names & set(curve.ops)) > LAYERS


def test_ops_that_ran_have_the_keys_of_other_views(captured):
    profile, _ = captured
    record = memory_viewer(profile)
    keys = {row.op_key: row.name for row in record.buffers if row.op_key is not None}
    names = {row.key: row.name for row in ops_record(op_table(profile)).rows}
    assert keys
    assert {key: name.partition("{")[0] for key, name in keys.items()} == {key: names[key] for key in keys}
    (program,) = (each for each in record.modules if each.program_id == record.program_id)
    assert set(keys) <= set(program.op_keys) <= set(names)


def test_the_estimate_without_a_buffer_assignment_is_near(captured):
    """What the order of the instructions alone gives, of the same program."""
    profile, _ = captured
    record = memory_viewer(profile)
    program = next(each for each in profile.programs if each.name == "jit_train_step")
    loaded = program.load()
    estimated = estimated_buffers(loaded.module, loaded.schedule)
    assert estimated.basis == "estimated"
    temporary = sum(each.bytes for each in estimated.allocations if not each.is_indefinite)
    assert temporary == pytest.approx(record.totals.temporary_without_fragmentation_bytes, rel=0.25)
    arguments = sum(each.bytes for each in estimated.allocations if each.is_parameter)
    assert arguments == record.totals.argument_bytes


def test_opening_a_profile_reads_no_buffers(captured, monkeypatch):
    profile, _ = captured
    read = []
    monkeypatch.setattr("scopelight.program.memory.builder.build_buffers", lambda *arguments: read.append(arguments))
    again = open_profile(profile.path)
    assert {each.program_id for each in again.programs} == {each.program_id for each in profile.programs}
    assert not read
    again.programs[0].buffers()
    assert len(read) == 1, "what is watched for is what reads them"
