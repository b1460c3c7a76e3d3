"""Ops of the entry computation: which of them each op that ran is, or runs inside of."""

from collections.abc import Sequence

import attrs
import numpy as np

from scopelight.formats.columns import Bool, Int32
from scopelight.model.executions import Op
from scopelight.program.hlo.nouns import HloModule, Instruction

_REPEATING = frozenset({"while", "conditional"})


@attrs.frozen(eq=False, repr=False)
class EntryOps:
    """Of each op that ran the op of the entry computation that it belongs to, and what is true of those."""

    entry_op: Int32
    """By op, a row of the columns below. An op whose program is not known stands for itself."""
    runs_once: Bool
    """Whether it runs at most once in a run of its program, with all that runs inside of it."""
    loops: Bool
    """Whether it holds a loop or a branch: any number of kernels may run in it, in any order."""
    no_kernel_twice: Bool
    """Whether one execution of it launches no kernel twice: of a fusion, which is compiled to kernels of its own."""


@attrs.frozen(eq=False, repr=False)
class _Calls:
    """Which instruction calls each computation, and which computations hold a loop or a branch."""

    caller: dict[int, Instruction]
    looping: set[int]


def entry_ops(ops: Sequence[Op]) -> EntryOps:
    """The ops of the entry computations that these ops belong to."""
    calls: dict[int, _Calls] = {}
    rows: dict[tuple[int, int], int] = {}
    found: list[int] = []
    entries: list[tuple[Instruction | None, bool]] = []
    for number, op in enumerate(ops):
        instruction, loops = None, False
        if op.module is not None and op.instruction is not None:
            if id(op.module) not in calls:
                calls[id(op.module)] = _calls(op.module)
            of_module = calls[id(op.module)]
            instruction = _in_entry(op.module, op.instruction, of_module.caller)
            loops = instruction is not None and _loops(instruction, of_module.looping)
        key = (op.program, instruction.id) if instruction is not None else (-1, -1 - number)
        if key not in rows:
            rows[key] = len(entries)
            entries.append((instruction, loops))
        found.append(rows[key])
    return EntryOps(
        np.array(found, dtype=np.int32),
        np.array([instruction is not None for instruction, _ in entries], dtype=np.bool_),
        np.array([loops for _, loops in entries], dtype=np.bool_),
        np.array([each is not None and each.opcode == "fusion" for each, _ in entries], dtype=np.bool_),
    )


def _calls(module: HloModule) -> _Calls:
    caller: dict[int, Instruction] = {}
    called_from: dict[int, list[int]] = {}
    waiting = []
    for instruction in module.instructions:
        for computation in instruction.called:
            caller.setdefault(computation, instruction)
            called_from.setdefault(computation, []).append(instruction.computation)
        if instruction.opcode in _REPEATING:
            waiting.append(instruction.computation)
    looping: set[int] = set()
    while waiting:
        computation = waiting.pop()
        if computation not in looping:
            looping.add(computation)
            waiting.extend(called_from.get(computation, ()))
    return _Calls(caller, looping)


def _in_entry(module: HloModule, instruction: Instruction, caller: dict[int, Instruction]) -> Instruction | None:
    """The instruction of the entry computation inside of which another runs; None where none calls it."""
    seen: set[int] = set()
    while instruction.computation != module.entry:
        if instruction.computation in seen or instruction.computation not in caller:
            return None
        seen.add(instruction.computation)
        instruction = caller[instruction.computation]
    return instruction


def _loops(instruction: Instruction, looping: set[int]) -> bool:
    return instruction.opcode in _REPEATING or any(computation in looping for computation in instruction.called)
