"""The memory of a program over the order in which its ops run, with the phases of a training step."""

import numpy as np

from scopelight.analysis.memory.plan.buffer_rows import BufferRows
from scopelight.analysis.memory.plan.phase_bounds import phase_bands, phase_bounds
from scopelight.analysis.memory.plan.program_memory import ProgramMemory, SpaceMemory
from scopelight.analysis.memory.plan.records import ExecutionCurve, LiveAtRecord
from scopelight.analysis.records import PHASE_NAMES
from scopelight.analysis.totals.names import primitive_of
from scopelight.phrase import Phrase
from scopelight.program.cost.traffic import PASSING
from scopelight.program.memory.trace_choice import taken_at, trace_moments

_RUN_NOTHING = (PASSING - {"reshape"}) | {"async-update", "domain"}
"""Opcodes that nothing is run for."""


def execution_curve(memory: ProgramMemory, space: SpaceMemory) -> ExecutionCurve | None:
    """What is in ``space`` while each op runs; None where all of it is there throughout."""
    if space.trace is None or not space.steps:
        return None
    instructions = memory.module.instructions
    rows = [row for row in memory.order.rows if instructions[row].opcode not in _RUN_NOTHING]
    moments = trace_moments(space.trace, memory.buffers, memory.order, memory.last_read)
    positions = np.searchsorted(moments, taken_at(memory.order.time[rows].astype(np.int64)), side="right") - 1
    phases = [memory.phases[row] for row in rows]
    bounds = phase_bounds(phases)
    return ExecutionCurve(
        positions=tuple(positions.tolist()),
        bytes=tuple(space.bytes[positions + 1].tolist()),
        unpadded_bytes=tuple(space.unpadded_bytes[positions + 1].tolist()),
        ops=tuple(instructions[row].name for row in rows),
        phases=phase_bands(phases, bounds.forward_start),
        forward_start=bounds.forward_start,
        backward_end=bounds.backward_end,
    )


def live_at(memory: ProgramMemory, space: SpaceMemory, rows: BufferRows, position: int) -> LiveAtRecord:
    """What is in ``space`` at a position. Raises ``LookupError`` where the program has no such position."""
    if not -1 <= position < space.steps:
        raise LookupError(
            Phrase(
                "The program has the positions 0 to {last}, not {position}.", last=space.steps - 1, position=position
            )
        )
    now, unpadded = space.bytes, space.unpadded_bytes
    instruction = -1
    if position >= 0 and space.trace is not None:
        instruction = int(memory.buffers.instruction[space.trace.buffer[position]])
    found = memory.module.instructions[instruction] if instruction >= 0 else None
    return LiveAtRecord(
        position=position,
        bytes=int(now[position + 1]),
        unpadded_bytes=int(unpadded[position + 1]),
        change_bytes=int(now[position + 1] - now[position]) if position >= 0 else 0,
        op=found.name if found is not None else "",
        op_name=found.op_name if found is not None else "",
        **rows.frames.place_fields(rows.line(instruction)),
        phase=PHASE_NAMES[memory.phases[instruction]] if found is not None else "other",
        op_key=rows.op_key(instruction),
        primitive=primitive_of(memory.module, found) if found is not None else "",
        buffers=tuple(sorted(rows.alive_at(space, position), key=lambda row: -row.bytes)),
    )
