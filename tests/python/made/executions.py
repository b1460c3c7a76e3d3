"""Executions made by hand: rows of (op, start_ps, end_ps) on one device or several."""

from pathlib import Path

import numpy as np

from scopelight.model.executions import Device, Executions, Op, Program, ProgramRuns
from scopelight.model.profile import Profile
from scopelight.program.hlo.nouns import Computation, HloModule, Instruction, Shape

ARRAY = Shape("f32", (8,))


def named(name, category="", op_name="", program=0):
    """An op of which nothing is known but what is said of it."""
    return Op(name, category, program, op_name=op_name)


def ops_of_module(instructions, program=0):
    """An op for each instruction of a module, given as (name, opcode, operands) and optionally an op_name."""
    made = tuple(
        Instruction(row, name, opcode, ARRAY, 0, tuple(operands), op_name=rest[0] if rest else "")
        for row, (name, opcode, operands, *rest) in enumerate(instructions)
    )
    computation = Computation(0, "main", tuple(range(len(made))), len(made) - 1)
    module = HloModule("jit_step", "7", made, (computation,), 0)
    return [Op(each.name, "", program, module=module, instruction=each, op_name=each.op_name) for each in made]


def executions_of(rows, *, runs=None, devices=None, lanes=None, lane_places=(), kind="tpu"):
    """Executions from (op, start_ps, end_ps), which must be in the order of device and start."""
    ops = list({id(op): op for op, _, _ in rows}.values())
    position = {id(op): row for row, op in enumerate(ops)}
    start = np.array([start for _, start, _ in rows], dtype=np.int64)
    duration = np.array([end - start for _, start, end in rows], dtype=np.int64)
    device = np.array(devices or [0] * len(rows), dtype=np.int32)
    lane = np.array(lanes or [0] * len(rows), dtype=np.int32)
    return Executions(
        op=np.array([position[id(op)] for op, _, _ in rows], dtype=np.int32),
        device=device,
        run=np.array(runs or [-1] * len(rows), dtype=np.int32),
        lane=lane,
        start_ps=start,
        duration_ps=duration,
        self_ps=duration,
        ops=tuple(ops),
        devices=tuple(
            Device(f"/device:{kind.upper()}:{row}", kind, 0, row) for row in range(device.max(initial=0) + 1)
        ),
        programs=(Program("7", "jit_step"),),
        lanes=tuple(f"lane {row}" for row in range(lane.max(initial=0) + 1)),
        lane_places=tuple(lane_places),
    )


def profile_of_executions(executions, duration_ps):
    """A profile without program runs."""
    none = np.zeros(0, dtype=np.int64)
    runs = ProgramRuns(none.astype(np.int32), none.astype(np.int32), none.astype(np.uint64), none, none, none)
    return Profile(Path("made"), executions, runs, (), duration_ps)
