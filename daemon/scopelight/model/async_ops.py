"""Asynchronous ops: from the execution that starts one to the execution that waits for its end."""

from collections.abc import Sequence

import attrs
import numpy as np

from scopelight.formats.columns import Int64
from scopelight.model.executions import Executions, Op
from scopelight.program.hlo.nouns import Instruction

_MOST_UPDATES = 16
"""``async-update`` steps between a start and its done; more only a hostile file has."""


@attrs.frozen(eq=False, repr=False)
class AsyncOps:
    """Columns of equal length, one row per asynchronous op that was started and waited for, sorted by start.

    ``start`` and ``done`` are rows of the executions. The op reaches from the start of the one to the end of the other.
    """

    start: Int64
    done: Int64
    start_ps: Int64
    duration_ps: Int64

    def __len__(self) -> int:
        return len(self.start)


def async_ops(executions: Executions, device: int) -> AsyncOps:
    """Pair the starts and dones that ran on a device (a row of ``executions.devices``).

    A done ends the latest start before it that was not ended: in a loop both run once per iteration.
    """
    none = np.zeros(0, dtype=np.int64)
    pairs = async_pairs(executions.ops)
    if not pairs:
        return AsyncOps(none, none, none, none)
    start, done = ended_by(executions, device, pairs)
    by_start = np.argsort(executions.start_ps[start], kind="stable")
    start, done = start[by_start], done[by_start]
    start_ps = executions.start_ps[start]
    return AsyncOps(start, done, start_ps, executions.start_ps[done] + executions.duration_ps[done] - start_ps)


def ended_by(executions: Executions, device: int, pairs: Sequence[tuple[int, int]]) -> tuple[Int64, Int64]:
    """Rows of the executions of a device that begin, and of those that end, ops of ``pairs`` (rows of ops)."""
    rows = executions.rows_of(device)
    first, op = rows.start, executions.op[rows]
    order = np.argsort(op, kind="stable")
    bounds = np.searchsorted(op[order], np.arange(len(executions.ops) + 1))
    starts: list[Int64] = [np.zeros(0, dtype=np.int64)]
    dones: list[Int64] = [np.zeros(0, dtype=np.int64)]
    for start_op, done_op in pairs:
        start = first + order[bounds[start_op] : bounds[start_op + 1]]
        done = first + order[bounds[done_op] : bounds[done_op + 1]]
        latest = np.searchsorted(executions.start_ps[start], executions.start_ps[done], side="right") - 1
        done, latest = done[latest >= 0], latest[latest >= 0]
        ended, earliest = np.unique(latest, return_index=True)
        starts.append(start[ended])
        dones.append(done[earliest])
    return np.concatenate(starts), np.concatenate(dones)


def async_pairs(ops: Sequence[Op]) -> list[tuple[int, int]]:
    """Rows of the ops that start and that end an asynchronous op, for each such op of which both ran."""
    rows = {(op.program, id(op.instruction)): row for row, op in enumerate(ops) if op.instruction is not None}
    found = []
    for row, op in enumerate(ops):
        if op.instruction is None or not op.instruction.opcode.endswith("-done"):
            continue
        started = _start_of(op, op.instruction)
        start = rows.get((op.program, id(started))) if started is not None else None
        if start is not None:
            found.append((start, row))
    return found


def _start_of(op: Op, done: Instruction) -> Instruction | None:
    instruction = done
    for _ in range(_MOST_UPDATES):
        if op.module is None or not instruction.operands:
            return None
        instruction = op.module.instructions[instruction.operands[0]]
        if instruction.opcode.endswith("-start") or instruction.opcode in ("send", "recv"):
            return instruction
        if not instruction.opcode.endswith("-update"):
            return None
    return None
