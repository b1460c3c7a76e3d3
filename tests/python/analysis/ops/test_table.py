"""The table of ops: sums, devices, hosts, sides, peaks, and programs that did not run."""

import attrs
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from made.findings import codes, said
from made.views import flops, op_profile, op_statistics, roofline
from scopelight.analysis.ops.card import op_card_record
from scopelight.analysis.ops.flops import flops_record
from scopelight.analysis.ops.op_profile import op_profile_record
from scopelight.analysis.ops.roofline import roofline_record
from scopelight.analysis.ops.statistics import ops_record
from scopelight.analysis.ops.table import op_side, op_table
from scopelight.model.devices.peaks import OwnPeaks
from scopelight.model.executions import Device, Op, Program
from scopelight.model.profile import StepMarks
from scopelight.program.hlo.nouns import Computation, HloModule, Instruction, Shape

MILLISECOND = 10**9
SIDE = 64
PRODUCT_FLOPS = 2 * SIDE**3


def test_a_row_has_the_sums_of_its_executions(profile_of, product):
    record = op_statistics(profile_of([(product, 3 * MILLISECOND), (product, MILLISECOND)]))
    (row,) = record.rows
    assert (row.executions, row.self_ps, row.least_ps, row.greatest_ps) == (
        2,
        4 * MILLISECOND,
        MILLISECOND,
        3 * MILLISECOND,
    )
    assert row.mean_ps == 2 * MILLISECOND
    assert row.share_ratio == 1
    assert row.flops == row.model_flops == 2 * PRODUCT_FLOPS
    assert row.bytes == row.bytes_by_space["main"] == 2 * 3 * SIDE * SIDE * 4
    assert (row.side, row.element_type, row.primitive) == ("device", "f32", "dot_general")


def test_utilisations_are_of_the_peaks(profile_of, product):
    profile = profile_of([(product, MILLISECOND)])
    (row,) = op_statistics(profile, own_peaks=OwnPeaks({"f32": PRODUCT_FLOPS * 4000.0}, 1e12)).rows
    assert row.flop_utilisation_ratio == pytest.approx(0.25)
    assert row.bandwidth_utilisation_ratio == pytest.approx(row.bytes * 1000 / 1e12)
    assert row.bound_by == "compute"
    assert row.wasted_ps == round(0.75 * MILLISECOND)
    (slow,) = op_statistics(profile, own_peaks=OwnPeaks({"f32": 1e18}, row.bytes * 2e3)).rows
    assert (slow.bound_by, slow.bandwidth_utilisation_ratio, slow.wasted_ps) == ("main", 0.5, MILLISECOND // 2)
    # Faster than the bandwidth by far: that is not what limited it.
    (slow,) = op_statistics(profile, own_peaks=OwnPeaks({"f32": 1e18}, 1e3)).rows
    assert (slow.bound_by, slow.bandwidth_utilisation_ratio, slow.wasted_ps) == (None, row.bytes, 0)
    assert slow.findings == row.findings == ()
    (other,) = op_statistics(profile, own_peaks=OwnPeaks({"f64": 1e18})).rows
    assert (other.flop_utilisation_ratio, other.bandwidth_utilisation_ratio, other.wasted_ps) == (None, None, None)
    unknown = op_statistics(profile)
    assert unknown.rows[0].flop_utilisation_ratio is None
    assert "utilisation-unknown" in codes(unknown)


def test_rates_are_over_the_wall_clock_of_ops_that_threads_share(profile_of, product):
    profile = profile_of([(product, 4 * MILLISECOND)])
    shared = attrs.evolve(profile.executions, duration_ps=profile.executions.duration_ps // 4)
    own = OwnPeaks({"f32": PRODUCT_FLOPS * 1000.0})
    (row,) = op_statistics(attrs.evolve(profile, executions=shared), own_peaks=own).rows
    assert (row.self_ps, row.wall_ps) == (4 * MILLISECOND, MILLISECOND)
    assert row.flop_utilisation_ratio == pytest.approx(1)


def test_one_device_alone(profile_of, product):
    profile = profile_of([(product, 1), (product, 2), (product, 4)], device_of=[0, 0, 1])
    assert op_statistics(profile).op_time_ps == 7
    record = op_statistics(profile, device="/device:CPU:1")
    assert (record.op_time_ps, record.rows[0].executions, record.device) == (4, 1, "/device:CPU:1")
    assert [device.name for device in record.devices] == ["/device:CPU:1"]
    for analysis in (op_profile, flops, roofline):
        with pytest.raises(LookupError, match="/device:CPU:7"):
            analysis(profile, device="/device:CPU:7")


def test_devices_of_several_hosts_are_told_apart_and_their_ops_are_one(profile_of, product):
    profile = profile_of([(product, 1), (attrs.evolve(product, program=1), 2)], device_of=[0, 1])
    executions = attrs.evolve(
        profile.executions,
        devices=[Device("/device:TPU:0", "tpu", host) for host in (0, 1)],
        programs=[Program("7", "program"), Program("7", "program")],
    )
    profile = attrs.evolve(profile, executions=executions)
    (row,) = op_statistics(profile).rows
    assert (row.executions, row.self_ps, row.flops) == (2, 3, 2 * PRODUCT_FLOPS)
    assert op_statistics(profile, device="/device:TPU:0 (host 1)").op_time_ps == 2


def test_keys_are_unique(profile_of):
    kernels = [Op("copy.kd", "kernel", -1, op_name=name) for name in ("a/b", "a/c", "")]
    rows = op_statistics(profile_of([(kernel, 5) for kernel in kernels])).rows
    assert len({row.key for row in rows}) == 3
    assert all(row.flops is None and row.bytes is None and row.wasted_ps is None for row in rows)


@pytest.mark.parametrize(
    ("opcode", "target", "category", "side"),
    [
        ("custom-call", "xla_ffi_python_cpu_callback", "", "callback"),
        ("custom-call", "xla_python_cpu_callback", "", "callback"),
        ("custom-call", "xla_ffi_partitioned_python_cpu_callback", "", "callback"),
        ("custom-call", "xla_ffi_python_gpu_callback", "", "callback"),
        ("custom-call", "__cublas$gemm", "custom-call", "device"),
        ("infeed", "", "infeed", "host"),
        ("send", "", "host send", "host"),
        ("send", "", "send", "device"),
        ("dot", "", "dot", "device"),
    ],
)
def test_sides(opcode, target, category, side):
    instruction = Instruction(0, "x", opcode, Shape("f32"), 0, custom_call_target=target)
    assert op_side(Op("x", category, 0, None, instruction), category) == side


def test_a_callback_of_jax_is_one(compiled_module, ops_of, profile_of):
    def host(x):
        return np.asarray(x) + 1

    def called(x):
        return jax.pure_callback(host, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

    module = compiled_module(called, jnp.ones(3))
    rows = op_statistics(profile_of([(op, 5) for op in ops_of(module)])).rows
    assert "callback" in {row.side for row in rows}


def test_what_ran_outside_complete_steps_counts_as_no_part_of_them(profile_of, product):
    profile = profile_of([(product, 10)] * 4)
    step = StepMarks("train", np.array([0, 1]), np.array([10, 20]), np.array([10, 10]))
    record = op_statistics(attrs.evolve(profile, step_marks=[step]))
    (row,) = record.rows
    assert record.steps == 2
    assert (row.executions, row.executions_per_step, row.per_step_ps, row.share_ratio) == (2, 1, 10, 1.0)
    table = flops(attrs.evolve(profile, step_marks=[step]))
    assert table.wall_ps == 20
    assert table.rows[0].flops == 2 * PRODUCT_FLOPS
    assert table.rows[0].flops_per_s == pytest.approx(2 * PRODUCT_FLOPS / 20e-12)


def test_nothing_at_all_says_why(profile_of):
    profile = profile_of([])
    for analysis in (op_statistics, op_profile, flops, roofline):
        record = analysis(profile)
        assert record.rows == ()
        assert "No op ran" in said(record, "empty")
        assert "scopelight run" in said(record, "empty")
    with pytest.raises(LookupError, match="7/dot"):
        op_card_record(op_table(profile), "7/dot")


def looping(x, w):
    return jax.lax.fori_loop(0, 5, lambda _, x: jnp.tanh(x @ w), x)


def test_a_program_that_did_not_run_has_ops_without_time(compiled_module, profile_of):
    module = compiled_module(looping, jnp.ones((SIDE, SIDE)), jnp.ones((SIDE, SIDE)))
    table = op_table(profile_of([], modules=[module]))
    record = ops_record(table)
    assert record.op_time_ps == 0
    assert not codes(record, "empty")
    assert record.devices == ()
    assert "Nothing of the program ran" in said(record, "warning")
    assert all((row.executions, row.self_ps, row.mean_ps) == (0, 0, 0) for row in record.rows)
    # The body of the loop as often as it runs, whatever XLA fused around it.
    assert 5 * PRODUCT_FLOPS <= sum(row.flops or 0 for row in record.rows) < 1.1 * 5 * PRODUCT_FLOPS
    assert record.rows[0].flops == max(row.flops or 0 for row in record.rows)
    whole = flops_record(table).rows[0]
    assert whole.flops == sum(row.flops or 0 for row in record.rows)
    assert (whole.mfu_ratio, whole.flops_per_s) == (None, None)
    for empty in (op_profile_record(table, "category"), roofline_record(table)):
        assert empty.rows == ()
        assert "nothing of them ran" in said(empty, "empty")
        assert said(empty, "empty")


@pytest.mark.parametrize(("side", "used"), [(2**10, 2**30 / 10e-12), (2**62, None)])
def test_hostile_sizes_do_not_break_the_sums(profile_of, side, used):
    huge = Shape("f32", (side, side, side))
    instructions = (
        Instruction(0, "p", "parameter", huge, 0, parameter_number=0),
        Instruction(1, "add", "add", huge, 0, (0, 0)),
    )
    module = HloModule("m", "7", instructions, (Computation(0, "main", (0, 1), 1),), 0)
    op = Op("add", "", 0, module, instructions[1])
    profile = profile_of([(op, 10)] * 3)
    own = OwnPeaks({"f32": 1.0}, 1.0)
    (row,) = op_statistics(profile, own_peaks=own).rows
    assert row.flop_utilisation_ratio == (used and pytest.approx(used))
    # An array is read twice and written once, of 4 bytes an element.
    assert row.bandwidth_utilisation_ratio == (used and pytest.approx(12 * used))
    for analysis in (op_profile, flops, roofline):
        assert codes(analysis(profile, own_peaks=own), "warning") == []
    assert op_card_record(op_table(profile), row.key).expression.startswith(f"%add = f32[{side},{side},{side}] add(")
