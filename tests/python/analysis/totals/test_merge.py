"""Totals of several hosts: merging those of each gives those of a profile that holds them all."""

import attrs
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scopelight.analysis.device_time.division import divide
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.totals import attribution as attributions
from scopelight.analysis.totals import instruction_totals as totals_module
from scopelight.analysis.totals.attribution import attribution
from scopelight.analysis.totals.frames import LineOptions, UserFrames
from scopelight.analysis.totals.instruction_totals import OpIdentity, instruction_totals
from scopelight.analysis.totals.shares import Shares
from scopelight.model.executions import Device, Executions, Op, Program
from scopelight.program.hlo.frames import Frame
from scopelight.program.hlo.nouns import Computation, HloModule, Instruction, Shape

STEPS = Steps("annotation", "train", np.array([0, 100]), np.array([100, 50]))
LINES = tuple((Frame("train.py", line, "step"),) for line in (3, 5))


def fused(program_id):
    """A program of a fusion of two lines, each in a phase of its own."""
    array = Shape("f32", (64,))
    instructions = (
        Instruction(0, "p", "parameter", array, 0, parameter_number=0),
        Instruction(1, "exp", "exponential", array, 0, (0,), op_name="jit(f)/jvp(a)/exp", stack=LINES[0]),
        Instruction(2, "add", "add", array, 0, (1, 0), op_name="jit(f)/transpose(jvp(a))/add", stack=LINES[1]),
        Instruction(3, "x", "parameter", array, 1, parameter_number=0),
        Instruction(4, "fusion", "fusion", array, 1, (3,), (0,), stack=LINES[1]),
    )
    computations = (Computation(0, "fused", (0, 1, 2), 2), Computation(1, "main", (3, 4), 4))
    return HloModule("jit_step", program_id, instructions, computations, 1)


@st.composite
def hosts(draw, number):
    """Executions of a host: ops of programs of its own, on one or two devices."""
    programs = tuple(Program(str(each), "jit_step") for each in range(draw(st.integers(1, 2))))
    ops = []
    for row, program in enumerate(programs):
        module = fused(program.program_id)
        ops.append(Op("fusion", "", row, module=module, instruction=module.instructions[4]))
        ops.append(Op("kernel", "kernel", row, op_name="copy", stack=LINES[0]))
    kind = draw(st.sampled_from(("cpu", "tpu")))
    devices = tuple(Device(f"/device:{each}", kind, number, each) for each in range(draw(st.integers(1, 2))))
    row = st.tuples(
        st.integers(0, len(devices) - 1),
        st.integers(0, 200),
        st.integers(0, len(ops) - 1),
        st.integers(0, 30),
        st.integers(0, 60),
    )
    rows = sorted(draw(st.lists(row, min_size=1, max_size=12)))
    device, start, op, duration, self_ps = (np.array(column, np.int64) for column in zip(*rows, strict=True))
    return Executions(
        op=op.astype(np.int32),
        device=device.astype(np.int32),
        run=np.full(len(rows), -1, np.int32),
        lane=np.zeros(len(rows), np.int32),
        start_ps=start,
        duration_ps=duration,
        self_ps=self_ps,
        ops=tuple(ops),
        devices=devices,
        programs=programs,
        lanes=("lane",),
    )


def together(*parts):
    """One profile's executions of several hosts: ops, devices and programs of each are rows of their own."""
    ops, devices, programs, columns = [], [], [], []
    for part in parts:
        columns.append((part.op + len(ops), part.device + len(devices)))
        ops.extend(attrs.evolve(op, program=op.program + len(programs)) for op in part.ops)
        devices.extend(part.devices)
        programs.extend(part.programs)
    return attrs.evolve(
        parts[0],
        op=np.concatenate([op for op, _ in columns]),
        device=np.concatenate([device for _, device in columns]),
        **{
            name: np.concatenate([getattr(part, name) for part in parts])
            for name in ("run", "lane", "start_ps", "duration_ps", "self_ps")
        },
        ops=tuple(ops),
        devices=tuple(devices),
        programs=tuple(programs),
    )


def centre(executions):
    division = divide(executions, STEPS.start_ps, STEPS.start_ps + STEPS.duration_ps)
    totals = instruction_totals(executions, STEPS, division)
    return totals, attribution(executions.ops, totals, Shares(UserFrames(LineOptions(), None)))


def merged(first, second):
    return totals_module.merge(first[0], second[0]), attributions.merge(first[1], second[1])


def contents(of):
    """What totals and attribution say, without the order in which they say it."""
    totals, parts = of
    columns = (totals.op, totals.device, totals.step)
    values = (totals.executions, totals.self_ps, totals.span_ps, totals.least_ps, totals.greatest_ps, totals.wall_ps)
    sums = {
        (totals.ops[op], totals.devices[device], step): tuple(int(value[row]) for value in values)
        for row, (op, device, step) in enumerate(zip(*(column.tolist() for column in columns), strict=True))
    }
    assert len(sums) == len(totals.op)
    return totals.steps, sums, {parts.ops[op]: tuple(shares) for op, shares in parts.parts().items()}


@given(hosts(0), hosts(1), hosts(2))
def test_totals_of_hosts_merge_to_those_of_a_profile_of_all(one, two, three):
    first, second, third = centre(one), centre(two), centre(three)
    whole = contents(centre(together(one, two, three)))
    assert contents(merged(merged(first, second), third)) == whole
    assert contents(merged(first, merged(second, third))) == whole
    assert contents(merged(merged(third, first), second)) == whole


@given(hosts(0), hosts(0))
def test_totals_of_two_parts_of_a_host_add_up(one, two):
    two = attrs.evolve(two, devices=tuple(attrs.evolve(each, kind=one.devices[0].kind) for each in two.devices))
    first, second = centre(one), centre(two)
    both = contents(merged(first, second))
    assert both == contents(merged(second, first))
    assert sum(each[1] for each in both[1].values()) == int(one.self_ps.sum() + two.self_ps.sum())


@given(hosts(0))
def test_totals_are_the_sums_of_the_executions(executions):
    """By counting them one by one."""
    steps, sums, _ = contents(centre(executions))
    assert steps == 2
    expected = {}
    for row, op in enumerate(executions.op.tolist()):
        device = executions.devices[executions.device[row]]
        start, self_ps = int(executions.start_ps[row]), int(executions.self_ps[row])
        step = 0 if start < 100 else 1 if start < 150 else -1
        span_ps = min(self_ps, int(executions.duration_ps[row])) if device.kind == "cpu" else self_ps
        of = executions.ops[op]
        program = executions.programs[of.program]
        key = (OpIdentity(0, program.program_id, program.name, of.name, of.op_name), device, step)
        known = expected.get(key, (0, 0, 0, self_ps, self_ps))
        expected[key] = (
            known[0] + 1,
            known[1] + self_ps,
            known[2] + span_ps,
            min(known[3], self_ps),
            max(known[4], self_ps),
        )
    assert {key: each[:-1] for key, each in sums.items() if each[0]} == expected
    # What only reaches into a step has wall clock there and no execution.
    assert all(each[:3] == (0, 0, 0) and each[-1] > 0 for key, each in sums.items() if key not in expected)
