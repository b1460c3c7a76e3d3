"""The stacks of a profile's ops, each with what its parts of them have."""

import attrs
import numpy as np

from scopelight.analysis.flame.measures import OpValues
from scopelight.analysis.flame.tree import StackSums
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.charging import apportion
from scopelight.model.executions import Op
from scopelight.program.hlo.frames import Stack


@attrs.define(slots=True, eq=False)
class StackParts:
    """Sums by stack. Ops by the thousand have stacks by the dozen: their frames are walked once, later."""

    sums: dict[int, tuple[Stack, StackSums]] = attrs.field(factory=dict)
    """By the identity of the stack, which is empty for what has none."""

    def of(self, stack: Stack) -> StackSums:
        """The sums of a stack, made where it is new."""
        return self.sums.setdefault(id(stack), (stack, StackSums()))[1]


def op_parts(centre: Centre, values: OpValues) -> StackParts:
    """Divide the ops among stacks, as Hot Lines divides them among lines."""
    parts = StackParts()
    for row in np.flatnonzero((values.self_ps > 0) | (values.value > 0)).tolist():
        op = centre.executions.ops[row]
        shares = centre.parts[row]
        weights = [share.weight for share in shares]
        times = apportion(int(values.self_ps[row]), weights)
        measured = apportion(int(values.value[row]), weights)
        start_ps = None if centre.static is not None else int(values.start_ps[row])
        for share, self_ps, value in zip(shares, times, measured, strict=True):
            stack = share.stack if centre.frames.of(share.stack) else _own_stack(op)
            parts.of(stack).add(row, share.phase, self_ps, value, start_ps)
    return parts


def _own_stack(op: Op) -> Stack:
    """What is known of an op that no line of the user's is charged for: the libraries that traced it."""
    return op.stack or (op.instruction.stack if op.instruction is not None else ())
