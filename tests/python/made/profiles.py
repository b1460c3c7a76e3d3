"""Profiles made by hand: program runs one after the other on one device."""

from pathlib import Path

import numpy as np

from scopelight.model.executions import Device, Executions, Op, Program, ProgramRuns
from scopelight.model.profile import Profile
from scopelight.model.spans import Spans
from scopelight.program.hlo.nouns import Computation, HloModule, Instruction, Shape

WEIGHT = Shape("f32", (512, 512))
SCALAR = Shape("f32")


def module(name, program_id, inputs, outputs, *, op_names=("jit(f)/add",), size=10):
    """A module with these entry shapes, padded with additions to ``size`` instructions."""
    instructions = [
        Instruction(row, f"p{row}", "parameter", shape, 0, parameter_number=row) for row, shape in enumerate(inputs)
    ]
    while len(instructions) < size - 1:
        row = len(instructions)
        instructions.append(
            Instruction(row, f"add.{row}", "add", SCALAR, 0, (0,), op_name=op_names[row % len(op_names)])
        )
    root = len(instructions)
    instructions.append(Instruction(root, "root", "tuple", Shape("tuple", tuple_shapes=tuple(outputs)), 0, (root - 1,)))
    return HloModule(name, program_id, tuple(instructions), (Computation(0, "main", tuple(range(root + 1)), root),), 0)


def spans(*edges):
    """Spans of (start_ps, end_ps)."""
    start, end = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    return Spans(start, end - start)


def profile(
    modules,
    runs,
    *,
    marks=(),
    launch_ps=None,
    executions_per_run=4,
    missing=None,
    device_steps=(),
    untraced=None,
    capture=None,
):
    """``runs`` are (module row, start_ps, duration_ps) or with a device as fourth; each runs its module's additions
    in equal parts. They are sorted by device, then by start.

    ``missing`` maps a run to the number of its first executions that the capture did not see.
    """
    ops = []
    first_op = []
    for row, each in enumerate(modules):
        first_op.append(len(ops))
        added = [instruction for instruction in each.instructions if instruction.opcode == "add"]
        ops.extend(
            Op(instruction.name, "add", row, each, instruction, instruction.op_name)
            for instruction in added[:executions_per_run]
        )
    columns = []
    device_of_run = np.array([each[3] if len(each) > 3 else 0 for each in runs], dtype=np.int32)
    runs = [each[:3] for each in runs]
    for run, (row, start, duration) in enumerate(runs):
        mine = min(executions_per_run, sum(op.program == row for op in ops))
        length = duration // mine
        for part in range((missing or {}).get(run, 0), mine):
            columns.append((first_op[row] + part, run, start + part * length, length))
    op, run, start, duration = (np.array(column, dtype=np.int64) for column in zip(*columns, strict=True))
    zeros = np.zeros(len(op), dtype=np.int32)
    program, run_start, run_duration = (np.array(column, dtype=np.int64) for column in zip(*runs, strict=True))
    return Profile(
        path=Path("made"),
        executions=Executions(
            op.astype(np.int32),
            device_of_run[run],
            run.astype(np.int32),
            zeros,
            start,
            duration,
            duration,
            ops=tuple(ops),
            devices=tuple(
                Device(f"/device:CPU:{each}", "cpu", 0, each) for each in range(int(device_of_run.max()) + 1)
            ),
            programs=tuple(Program(each.program_id, each.name) for each in modules),
            lanes=("thread",),
        ),
        runs=ProgramRuns(
            program.astype(np.int32),
            device_of_run,
            np.arange(1, len(runs) + 1, dtype=np.uint64),
            run_start,
            run_duration,
            np.full(len(runs), -1, dtype=np.int64) if launch_ps is None else np.array(launch_ps, dtype=np.int64),
        ),
        modules=modules,
        duration_ps=int((run_start + run_duration).max()),
        step_marks=marks,
        device_steps=device_steps,
        untraced=untraced,
        capture=capture,
    )
