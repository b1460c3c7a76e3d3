"""Which computations of a module ran as ops of their own in a profile."""

from collections.abc import Iterable, Mapping, Sequence

from scopelight.model.executions import Op
from scopelight.program.hlo.nouns import HloModule


def computations_of_ops(ops: Sequence[Op]) -> Mapping[int, Iterable[int]]:
    """By module (its ``id()``) the rows of the computations that the ops are in."""
    found: dict[int, set[int]] = {}
    for op in ops:
        if op.module is not None and op.instruction is not None:
            found.setdefault(id(op.module), set()).add(op.instruction.computation)
    return found


def with_callers(module: HloModule, computations: Iterable[int]) -> frozenset[int]:
    """The computations, and those that call one of them, at whatever depth: what ran, where the first ones did."""
    callers: dict[int, list[int]] = {}
    for instruction in module.instructions:
        for called in instruction.called:
            callers.setdefault(called, []).append(instruction.computation)
    waiting = set(computations)
    ran: set[int] = set()
    while waiting:
        computation = waiting.pop()
        if computation not in ran:
            ran.add(computation)
            waiting.update(callers.get(computation, ()))
    return frozenset(ran)
