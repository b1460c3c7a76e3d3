"""What cores did in steps: every moment once, and the parts of a step sum to it."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.hosts.pods import compared, summary_of
from made.executions import executions_of, named
from scopelight.analysis.hosts.breakdown import IDLE, MOVE, PARTS, WAIT, core_steps, part_of, parts_of_ops
from scopelight.analysis.hosts.comparison import compare
from scopelight.analysis.hosts.topology import layouts
from scopelight.formats.hlo_text.reader import parse_hlo_text
from scopelight.model.executions import Op
from scopelight.program.hlo.builder import build_module
from scopelight.program.hlo.memory_spaces import ONE_MEMORY, TPU_MEMORIES

PROGRAM = """HloModule jit_step

%body (c: f32[64]) -> f32[64] {
  %c = f32[64]{0} parameter(0)
  ROOT %dot.9 = f32[64]{0} multiply(%c, %c)
}

ENTRY %main (x: f32[64,64]) -> f32[64,64] {
  %x = f32[64,64]{1,0} parameter(0)
  %dot.1 = f32[64,64]{1,0} dot(%x, %x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %tanh.2 = f32[64,64]{1,0} tanh(%dot.1)
  %copy-start.3 = (f32[64,64]{1,0:S(5)}, f32[64,64]{1,0}, u32[]) copy-start(%tanh.2)
  %copy-done.4 = f32[64,64]{1,0:S(5)} copy-done(%copy-start.3)
  %copy-start.5 = (f32[64,64]{1,0:S(1)}, f32[64,64]{1,0}, u32[]) copy-start(%tanh.2)
  %copy-done.6 = f32[64,64]{1,0:S(1)} copy-done(%copy-start.5)
  %copy-start.7 = (f32[64,64]{1,0}, f32[64,64]{1,0:S(5)}, u32[]) copy-start(%copy-done.4)
  %copy-done.8 = f32[64,64]{1,0} copy-done(%copy-start.7)
  %all-reduce-start.9 = f32[64,64]{1,0} all-reduce-start(%tanh.2), replica_groups={}
  ROOT %all-reduce-done.10 = f32[64,64]{1,0} all-reduce-done(%all-reduce-start.9)
}
"""
MODULE = build_module(parse_hlo_text(PROGRAM, where="made"), "7")


def part_named(name, spaces=TPU_MEMORIES):
    instruction = MODULE.by_name[name]
    return PARTS[part_of(Op(name, "", 0, module=MODULE, instruction=instruction), spaces)]


def part_of_category(name, category=""):
    number = part_of(named(name, category), ONE_MEMORY)
    return None if number < 0 else PARTS[number]


def test_copies_from_and_to_the_memory_of_the_host_are_transfers():
    for name in ("copy-start.3", "copy-done.4", "copy-start.7", "copy-done.8"):
        assert part_named(name) == part_named(name, ONE_MEMORY) == "host-transfer"
    # What goes to the fast memory beside the core stays on the chip.
    assert part_named("copy-start.5") == part_named("copy-done.6") == "low-flops"


def test_products_are_told_from_other_computation():
    assert part_named("dot.1") == "high-flops"
    assert part_named("tanh.2") == "low-flops"
    assert part_named("all-reduce-start.9") == part_named("all-reduce-done.10") == "collective-move"


@pytest.mark.parametrize(
    ("name", "category", "part"),
    [
        ("fusion.1", "convolution fusion", "high-flops"),
        ("fusion.2", "output fusion", "high-flops"),
        ("fusion.3", "loop fusion", "low-flops"),
        ("Cijk_Ailk_Bljk_gemm_MT64", "", "high-flops"),
        ("loop_add_fusion", "", "low-flops"),
        ("infeed.1", "infeed", "infeed"),
        ("outfeed.1", "outfeed", "outfeed"),
        ("send.1", "send", "send"),
        ("recv-done.1", "recv-done", "recv"),
        ("send.2", "host send", "host-transfer"),
        ("recv.2", "host recv", "host-transfer"),
        ("all-gather.1", "all-gather", "collective-move"),
        ("ncclDevKernel_AllReduce", "", "collective-move"),
        ("while.1", "while", None),
    ],
)
def test_categories_and_kernels_have_their_parts(name, category, part):
    assert part_of_category(name, category) == part


@st.composite
def devices(draw):
    """Executions of any parts that overlap in any way, and steps between some of the moments."""
    # Collectives often, so that several of them go on at once and nothing before them.
    parts = draw(st.lists(st.integers(-1, MOVE) | st.just(MOVE), min_size=1, max_size=8))
    times = st.tuples(st.integers(0, 60), st.integers(0, 25), st.integers(0, len(parts) - 1))
    rows = sorted(draw(st.lists(times, max_size=14)), key=lambda row: row[0])
    borders = sorted(draw(st.lists(st.integers(-5, 95), min_size=2, max_size=8, unique=True)))
    steps = list(itertools.pairwise(borders))[:: draw(st.sampled_from([1, 2]))]
    ops = [named(f"op.{row}") for row in range(len(parts))]
    chosen = sorted({op for _, _, op in rows}, key=[each[2] for each in rows].index)
    of_ops = np.array([parts[op] for op in chosen], dtype=np.int64)
    executions = executions_of([(ops[op], start, start + length) for start, length, op in rows])
    return executions, np.array(steps, dtype=np.int64), of_ops


def slow_parts(executions, steps, part_of_op):
    """By step the parts, moment by moment; and by (row, step) how long an execution was what was exposed."""
    rows = [
        (part_of_op[op], start, start + duration, row)
        for row, (op, start, duration) in enumerate(
            zip(executions.op.tolist(), executions.start_ps.tolist(), executions.duration_ps.tolist(), strict=True)
        )
        if part_of_op[op] >= 0
    ]
    found = np.zeros((len(steps), len(PARTS)), dtype=np.int64)
    exposed = {}
    for step, (begin, end) in enumerate(steps.tolist()):
        for moment in range(begin, end):
            open_now = [each for each in rows if each[1] <= moment < each[2]]
            part = min((each[0] for each in open_now), default=IDLE)
            found[step, part] += 1
            if part == MOVE:
                latest = max(each[3] for each in open_now if each[0] == MOVE)
                exposed[latest, step] = exposed.get((latest, step), 0) + 1
    return found, exposed


@given(devices())
def test_every_moment_counts_once_as_the_first_part_that_goes_on(device):
    executions, steps, part_of_op = device
    found = core_steps(executions, 0, steps[:, 0].copy(), steps[:, 1].copy(), part_of_op)
    assert found.parts_ps.sum(axis=1).tolist() == (steps[:, 1] - steps[:, 0]).tolist()
    parts_ps, exposed = slow_parts(executions, steps, part_of_op)
    assert found.parts_ps.tolist() == parts_ps.tolist()
    told: dict[tuple[int, int], int] = {}
    for row, step, exposed_ps in zip(found.row.tolist(), found.step.tolist(), found.exposed_ps.tolist(), strict=True):
        told[row, step] = told.get((row, step), 0) + exposed_ps
    assert told == exposed
    by_step = np.zeros(len(steps), dtype=np.int64)
    np.add.at(by_step, found.step, found.exposed_ps)
    assert by_step.tolist() == found.parts_ps[:, MOVE].tolist()


def test_each_device_has_its_own_parts():
    first, other = named("fusion.1", "convolution fusion"), named("all-reduce.2", "all-reduce")
    executions = executions_of([(first, 0, 30), (first, 10, 20), (other, 20, 60)], devices=[0, 1, 1])
    part_of_op = parts_of_ops(executions)
    edges = np.array([0]), np.array([100])
    told = [core_steps(executions, each, *edges, part_of_op).parts_ps[0] for each in range(2)]
    assert [(int(each[0]), int(each[MOVE]), int(each[IDLE])) for each in told] == [(30, 0, 70), (10, 40, 50)]
    assert core_steps(executions, 1, *edges, part_of_op).row.tolist() == [2]


def sums_of(comparison):
    summary = comparison.summary
    steps_ps = summary.steps.duration_ps[summary.cores.step]
    assert len(steps_ps)
    assert comparison.parts_ps.sum(axis=1).tolist() == steps_ps.tolist()
    assert (comparison.parts_ps >= 0).all()
    return comparison.parts_ps.sum(axis=0) / steps_ps.sum()


def test_a_step_that_waits_for_the_host_s_memory_is_a_transfer(shared_data):
    comparison = compare(summary_of(shared_data / "tpu-v6e-host-offload" / "tpu_inference_2.xplane.pb"))
    shares = dict(zip(PARTS, sums_of(comparison), strict=True))
    assert shares["host-transfer"] == pytest.approx(0.97, abs=0.015)
    assert shares["low-flops"] < 0.04
    chips = next(each for each in layouts(comparison.summary) if each.kind == "chips")
    # The second host of a slice of eight chips, which is two wide.
    assert [(cell.x, cell.y) for cell in chips.cells] == [(0, 2), (1, 2), (0, 3), (1, 3)]
    assert chips.columns == 2


def test_the_parts_of_a_gpu_sum_to_its_steps(shared_profile):
    shares = dict(zip(PARTS, sums_of(compare(summary_of(shared_profile))), strict=True))
    assert shares["high-flops"] + shares["low-flops"] > 0
    assert shares["collective-wait"] == 0


def test_waiting_and_moving_of_a_core_are_what_is_exposed_of_its_collectives(tmp_path):
    comparison = compared(tmp_path, slower_ps={1: 3 * 10**9})
    sums_of(comparison)
    cores = comparison.summary.cores
    both_ps = comparison.parts_ps[:, MOVE] + comparison.parts_ps[:, WAIT]
    assert both_ps.tolist() == cores.parts_ps[:, MOVE].tolist()
    of_host = comparison.host_of_device[cores.device]
    # All but the slow host wait 3 ms in each step for it.
    wait_ps = comparison.parts_ps[:, WAIT]
    assert wait_ps[of_host == 1].max() < 10**8
    assert wait_ps[of_host != 1].min() > 2.9e9
