"""FLOPs of model, scopes and ops against the wall clock."""

import attrs
import jax
import jax.numpy as jnp
import pytest

from made.findings import codes
from scopelight.analysis.ops.flops import flops_record
from scopelight.analysis.ops.statistics import ops_record
from scopelight.analysis.ops.table import op_table
from scopelight.model.cost.static_program import static_program
from scopelight.model.devices.peaks import OwnPeaks
from scopelight.model.devices.table import device_model
from scopelight.model.executions import Device, Op
from scopelight.model.stated_peaks import StatedPeaks

SIDE = 96
ROWS = 40
PEAK = 1e12


@pytest.fixture(scope="module")
def profile(compiled_module, profile_of):
    """Two steps' work of a program that computes a loop's block again for its backward pass, and an unknown kernel."""

    def loss(w, x):
        def body(x, _):
            with jax.named_scope("block"):
                return jax.checkpoint(lambda w, x: jnp.tanh(x @ w) @ w)(w, x), None

        x, _ = jax.lax.scan(body, x, length=2)
        return jnp.sum(x * x)

    module = compiled_module(jax.grad(loss), jnp.ones((SIDE, SIDE)), jnp.ones((ROWS, SIDE)))
    ops = [*static_program([module]).executions.ops, Op("unknown.kd", "kernel", -1)]
    return profile_of([(op, 10**9) for op in ops] * 2)


@pytest.fixture(scope="module")
def merged_profile(compiled_module, ops_of, profile_of):
    """A program of which the compiler merged what is to be computed again with the forward pass."""

    def loss(w, x):
        with jax.named_scope("block"):
            x = jax.checkpoint(lambda w, x: jnp.tanh(x @ w) @ w)(w, x)
        return jnp.sum(x * x)

    module = compiled_module(jax.grad(loss), jnp.ones((SIDE, SIDE)), jnp.ones((ROWS, SIDE)))
    return profile_of([(op, 10**9) for op in ops_of(module)])


def test_rows_sum_up_the_tree(profile):
    record = flops_record(op_table(profile, own_peaks=OwnPeaks({"f32": PEAK})))
    rows = record.rows
    assert rows[0].kind == "model"
    for place, row in enumerate(rows):
        below = []
        for each in rows[place + 1 :]:
            if each.depth <= row.depth:
                break
            if each.depth == row.depth + 1:
                below.append(each)
        if row.kind == "op":
            assert not below
            continue
        for quantity in ("self_ps", "unknown_ps"):
            assert sum(getattr(each, quantity) for each in below) == getattr(row, quantity)
        for quantity in ("flops", "model_flops", "flops_per_s", "mfu_ratio", "hfu_ratio"):
            known = [amount for each in below if (amount := getattr(each, quantity)) is not None]
            assert sum(known) == pytest.approx(getattr(row, quantity) or 0)
    assert rows[0].unknown_ps == 2 * 10**9


def test_figures_of_the_model(profile):
    table = op_table(profile, own_peaks=OwnPeaks({"f32": PEAK}))
    record = flops_record(table)
    whole = record.rows[0]
    assert record.wall_ps == profile.duration_ps
    seconds = record.wall_ps / 1e12
    # The first of the block's two products is computed again, in each of the two runs.
    product = 2 * ROWS * SIDE * SIDE * 2
    recomputed = sum(row.flops or 0 for row in ops_record(table).rows if row.phase == "recompute")
    assert recomputed >= product
    # A fusion of the backward pass may compute a little again too.
    assert whole.flops - whole.model_flops == pytest.approx(recomputed, rel=0.02)
    assert whole.recompute_ratio == pytest.approx(recomputed / whole.flops, rel=0.02)
    assert whole.flops_per_s == pytest.approx(whole.flops / seconds)
    assert whole.hfu_ratio == pytest.approx(whole.flops / seconds / PEAK, rel=0.01)
    assert whole.mfu_ratio == pytest.approx(whole.model_flops / seconds / PEAK, rel=0.01)
    path, scopes = [], {}
    for row in record.rows:
        path[row.depth :] = [row.label]
        if row.kind == "scope":
            scopes["/".join(path[1:])] = row
    assert {"[forward]/block", "[backward]/block", "[recompute]/block"} <= set(scopes)
    assert scopes["[recompute]"].phase == "recompute"
    assert scopes["[recompute]"].model_flops == 0
    assert scopes["[recompute]"].mfu_ratio == 0


def test_what_the_compiler_merged_is_not_computed_again(merged_profile):
    table = op_table(merged_profile, own_peaks=OwnPeaks({"f32": PEAK}))
    assert any("rematted_computation" in row.op_name for row in ops_record(table).rows)
    record = flops_record(table)
    whole = record.rows[0]
    assert whole.recompute_ratio == 0
    assert whole.mfu_ratio == whole.hfu_ratio > 0
    assert not any("[recompute]" in row.label or row.phase == "recompute" for row in record.rows)
    forward = next(row for row in record.rows if row.label == "block [forward]")
    assert forward.flops == pytest.approx(2 * 2 * ROWS * SIDE * SIDE, rel=0.02)


def test_without_peaks_rates_are_known_and_utilisations_are_not(profile):
    record = flops_record(op_table(profile))
    assert "utilisation-unknown" in codes(record)
    assert record.rows[0].flops_per_s
    assert (record.rows[0].mfu_ratio, record.rows[0].hfu_ratio) == (None, None)
    assert record.rows[0].padding_waste_ratio is None


def test_padding_of_the_matrix_unit_is_told_where_there_is_one(profile):
    device = Device("/device:TPU:0", "tpu", stated=StatedPeaks(name="TPU v5 lite"))
    on_tpu = attrs.evolve(profile, executions=attrs.evolve(profile.executions, devices=[device]))
    record = flops_record(op_table(on_tpu))
    whole = record.rows[0]
    assert device_model("TPU v5 lite").matrix_unit == (128, 128)
    assert whole.padded_flops > whole.flops
    # A unit of 128 by 128 holds 96 by 96 of the forward pass, and 40 by 96 of the gradient of the weights.
    assert 1 - (SIDE / 128) ** 2 <= whole.padding_waste_ratio <= 1 - ROWS * SIDE / 128**2
    assert "utilisation-unknown" not in codes(record)
    assert whole.hfu_ratio > 0


def test_wall_time_counts_every_device(profile):
    executions = profile.executions
    half = len(executions) // 2
    devices = executions.device.copy()
    devices[half:] = 1
    two = attrs.evolve(
        executions, device=devices, devices=[Device(f"/device:CPU:{row}", "cpu", ordinal=row) for row in range(2)]
    )
    record = flops_record(op_table(attrs.evolve(profile, executions=two)))
    assert record.wall_ps == 2 * profile.duration_ps
    one = flops_record(op_table(attrs.evolve(profile, executions=two), device="/device:CPU:1"))
    assert one.wall_ps == profile.duration_ps
    assert one.rows[0].flops == record.rows[0].flops // 2


def test_the_padding_of_windows_is_no_work_of_the_model_and_not_computed_again(compiled, profile_of):
    rows, images = 3, jnp.ones((2, 14, 11, 3))

    def pool(images):
        return jax.lax.reduce_window(images, -jnp.inf, jax.lax.max, (1, 3, 3, 1), (1, 1, 1, 1), "SAME")

    module, executable = compiled(pool, images)
    record = flops_record(op_table(profile_of([(op, 10**9) for op in static_program([module]).executions.ops] * rows)))
    whole = record.rows[0]
    assert whole.flops == rows * executable.cost_analysis()["flops"]
    # Of ones the sum over a window is how many elements it holds.
    held = jax.lax.reduce_window(images, 0.0, jax.lax.add, (1, 3, 3, 1), (1, 1, 1, 1), "SAME")
    assert whole.model_flops == rows * int((held - 1).sum()) < whole.flops
    assert whole.recompute_ratio == 0
