"""The order in which the instructions of a program run, those of loops and branches in place of them, each once."""

from collections.abc import Iterator, Sequence

import attrs
import numpy as np

from scopelight.formats.columns import Int32
from scopelight.program.hlo.nouns import HloModule, Instruction
from scopelight.program.memory.buffers import Schedule

LAID_OPEN = frozenset(("while", "conditional", "call", "async-start"))
"""Opcodes whose called computations have a schedule of their own. That of an async op runs when it starts."""


@attrs.frozen(eq=False, repr=False)
class RunOrder:
    """``rows`` of the instructions that run, and of every instruction its place among them; -1 for those inside fusions
    and others that do not run by themselves."""

    rows: Sequence[int]
    time: Int32


def run_order(module: HloModule, schedule: Schedule) -> RunOrder:
    """Lay the program open as XLA's live ranges do: what an instruction calls runs before the instruction itself.

    A computation runs where it is first called; calls in a circle, which only hostile files have, end there.
    """
    rows: list[int] = []
    entered = {module.entry}
    open_calls: list[Iterator[int]] = [iter(_sequence(module, schedule, module.entry))]
    waiting: list[int] = []
    while open_calls:
        row = next(open_calls[-1], None)
        if row is None:
            open_calls.pop()
            if waiting:
                rows.append(waiting.pop())
            continue
        called = [each for each in called_bodies(module, module.instructions[row]) if each not in entered]
        if not called:
            rows.append(row)
            continue
        entered.update(called)
        waiting.append(row)
        open_calls.append(iter([each for body in called for each in _sequence(module, schedule, body)]))
    time = np.full(len(module.instructions), -1, np.int32)
    time[rows] = np.arange(len(rows), dtype=np.int32)
    return RunOrder(rows, time)


def called_bodies(module: HloModule, instruction: Instruction) -> Sequence[int]:
    """The computations that run as parts of an instruction, a loop's condition before its body as it runs."""
    if instruction.opcode not in LAID_OPEN:
        return ()
    # A file names the body first; the condition runs before it.
    called = reversed(instruction.called) if instruction.opcode == "while" else instruction.called
    return tuple(dict.fromkeys(each for each in called if not module.computations[each].is_fusion))


def _sequence(module: HloModule, schedule: Schedule, computation: int) -> Sequence[int]:
    return schedule.sequences.get(computation, module.computations[computation].instructions)
