"""Opening a prediction: executions as long as the compiler expects, collectives by bytes, nothing side by side."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.predictions import ALL, KERNELS, MESH, SCAN, UNROLLED
from scopelight.formats.hlo_text.reader import parse_hlo_text
from scopelight.model.backends.predicted import predicted_executions
from scopelight.model.devices.table import device_models
from scopelight.model.executions import Device
from scopelight.model.op_work import Work, work_of
from scopelight.model.opening.profile import open_profile
from scopelight.model.rendezvous.collectives import sent_bytes
from scopelight.program.hlo.builder import build_module
from scopelight.program.hlo.calls import RUNNING_OTHERS

MIB = 2**20
LINK_BYTES_PER_S = 200e9
"""Of TPU v5e, in one direction."""


@pytest.mark.parametrize("run", ALL, ids=lambda run: run.name)
def test_runs_follow_each_other_and_their_ops_fill_them(run):
    profile = open_profile(run)
    executions, runs = profile.executions, profile.runs
    assert np.array_equal(runs.start_ps[1:], (runs.start_ps + runs.duration_ps)[:-1])
    assert int(executions.self_ps.sum()) == int(runs.duration_ps.sum()) == profile.duration_ps
    own = executions.self_ps > 0
    ends_ps = (executions.start_ps + executions.duration_ps)[own]
    assert (executions.start_ps[own][1:] >= ends_ps[:-1]).all()


@pytest.mark.parametrize("run", ALL, ids=lambda run: run.name)
def test_what_has_no_estimate_takes_no_time_and_says_so(run):
    executions = open_profile(run).executions
    for row, op in enumerate(executions.ops):
        self_ps = executions.self_ps[executions.op == row]
        assert op.has_estimate or not self_ps.any()
        if op.instruction.estimated_cycles:
            assert op.has_estimate
            assert self_ps.all()


def test_passes_of_a_loop_lie_together():
    executions = open_profile(SCAN).executions
    assert {op.repetitions for op in executions.ops} == {1, 4, 5}
    # Each layer's forward and backward pass, and the two conditions, which are asked once more.
    in_loops = [op for op in executions.ops if op.repetitions == 4 and op.has_estimate]
    assert all("/while/body/" in op.op_name or not op.op_name for op in in_loops)
    assert {op.repetitions for op in open_profile(UNROLLED).executions.ops} == {1}


def test_scan_and_loop_take_as_long():
    steps_ps = [int(open_profile(run).runs.duration_ps[-1]) for run in (SCAN, UNROLLED)]
    assert steps_ps[0] == pytest.approx(steps_ps[1], rel=0.05)


def test_collectives_take_what_their_bytes_take_on_all_links():
    executions = open_profile(MESH).executions
    took_ps = {}
    for row, op in enumerate(executions.ops):
        if work_of(op) is Work.COMMUNICATION and op.has_estimate:
            took_ps.setdefault(op.name, int(executions.self_ps[executions.op == row][0]))
    # Gradients of f32[2048,1024] and f32[1024,2048] and the loss among four, a weight of f32[4096,1024] among two.
    reduced, gathered = 2 * 8 * MIB + 4, 16 * MIB
    assert took_ps["all-reduce.4"] == round(2 * reduced * 3 // 4 * 1e12 / LINK_BYTES_PER_S)
    assert took_ps["all-gather.5"] == round(gathered // 2 * 1e12 / LINK_BYTES_PER_S)


def test_kernels_sorts_and_uncounted_loops_are_left_open():
    profile = open_profile(KERNELS)
    unknown = {op.instruction.opcode for op in profile.executions.ops if not op.has_estimate}
    assert {"custom-call", "sort"} <= unknown
    assert not unknown & RUNNING_OTHERS


def test_each_tpu_has_links():
    for model in device_models():
        assert (model.link_bytes_per_s is not None) == (model.kind == "tpu")


PAIRED = """HloModule jit_step, num_partitions=4

ENTRY %main (x: f32[64]) -> f32[256] {
  %x = f32[64]{0} parameter(0)
  %tanh.1 = f32[64]{0} tanh(%x)
  %all-gather-start.3 = (f32[64]{0}, f32[256]{0}) all-gather-start(%tanh.1), channel_id=1, \
replica_groups=[1,4]<=[4], dimensions={0}, use_global_device_ids=true
  %collective-permute.6 = f32[64]{0} collective-permute(%tanh.1), channel_id=1, source_target_pairs={{0,1},{1,2}}
  %alone = f32[64]{0} all-gather(%tanh.1), channel_id=1, replica_groups={{0},{1},{2},{3}}, \
dimensions={0}, use_global_device_ids=true
  ROOT %all-gather-done.5 = f32[256]{0} all-gather-done(%all-gather-start.3)
}
"""


def test_an_asynchronous_collective_sends_once():
    module = build_module(parse_hlo_text(PAIRED, where="made"), "1")
    sent = {each.name: sent_bytes(module, each) for each in module.instructions}
    assert sent == {
        "x": None,
        "tanh.1": None,
        "all-gather-start.3": 0,
        "all-gather-done.5": 3 * 256,
        "collective-permute.6": 256,
        "alone": 0,
    }


@st.composite
def nests(draw, depth=3):
    """A loop's passes, the cycles of the ops in it, and the loops in it."""
    inner = draw(st.lists(nests(depth=depth - 1), max_size=2)) if depth > 1 else []
    return draw(st.integers(1, 5)), draw(st.lists(st.integers(0, 1000), max_size=3)), inner


def _module_of(nest):
    """A program whose entry has the ops and loops of a nest, and the estimate of each op by its name."""
    cycles, computations = {}, []

    def computation(name, own, loops, *, is_entry=False):
        lines = [f"  %p.{name} = f32[] parameter(0)"]
        last = f"p.{name}"
        for each in own:
            op = f"tanh.{len(cycles)}"
            cycles[op] = each
            lines.append(f"  %{op} = f32[] tanh(%{last})")
            last = op
        for passes, inner_own, inner in loops:
            loop = f"while.{len(cycles)}.{len(computations)}"
            cycles[loop] = 0
            body = computation(f"body.{loop}", inner_own, inner)
            condition = f"condition.{loop}"
            computations.append(
                f"%{condition} (p: f32[]) -> pred[] {{\n  %c.{loop} = f32[] parameter(0)\n"
                f"  ROOT %ne.{loop} = pred[] compare(%c.{loop}, %c.{loop}), direction=NE\n}}"
            )
            lines.append(
                f"  %{loop} = f32[] while(%{last}), condition=%{condition}, body=%{body},"
                f' backend_config={{"known_trip_count":{{"n":"{passes}"}}}}'
            )
            last = loop
        lines.append(f"  ROOT %copy.{name} = f32[] copy(%{last})")
        head = f"{'ENTRY ' if is_entry else ''}%{name} (p: f32[]) -> f32[] {{"
        computations.append("\n".join((head, *lines, "}")))
        return name

    computation("main", nest[1], nest[2], is_entry=True)
    module = build_module(parse_hlo_text("HloModule made\n\n" + "\n\n".join(computations), where="made"), "1")
    return module, cycles


def _took(own, loops):
    return sum(own) + sum(passes * _took(inner_own, inner) for passes, inner_own, inner in loops)


@given(nests())
def test_a_run_takes_all_passes_of_all_loops(nest):
    module, cycles = _module_of(nest)
    executions, runs = predicted_executions(
        [module], [0, 0], Device("TPU v5e", "tpu"), lambda _, each: cycles.get(each.name)
    )
    whole = _took(nest[1], nest[2])
    assert runs.duration_ps.tolist() == [whole, whole]
    assert int(executions.self_ps.sum()) == 2 * whole
    for row, op in enumerate(executions.ops):
        expected = cycles.get(op.name, 0) * op.repetitions
        assert executions.self_ps[executions.op == row].tolist() == [expected, expected]
    # What is in a loop lies in its span.
    assert (executions.start_ps + executions.duration_ps <= 2 * whole).all()
