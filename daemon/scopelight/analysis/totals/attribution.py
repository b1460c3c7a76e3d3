"""Attribution: which stacks and phases the time of each op belongs to, and in what proportion."""

from collections.abc import Mapping, Sequence

import attrs
import numpy as np

from scopelight.analysis.totals.instruction_totals import InstructionTotals, OpIdentity
from scopelight.analysis.totals.shares import Share, Shares
from scopelight.formats.columns import Bool, Int64
from scopelight.model.executions import Op
from scopelight.program.hlo.frames import Stack
from scopelight.program.phases.phase import Phase


@attrs.frozen(eq=False, repr=False)
class Attribution:
    """One row for each part of an op that ran, sorted by ``op``, a row of ``ops``.

    A part has ``weight`` over the sum of the op's weights of its time. ``stack`` is a row of ``stacks``, an empty one
    where no source is known; ``phase`` a value of `Phase`; ``inherited`` says that the stack is a neighbour's.
    """

    op: Int64
    stack: Int64
    phase: Int64
    weight: Int64
    inherited: Bool
    ops: Sequence[OpIdentity]
    stacks: Sequence[Stack]

    def parts(self) -> Mapping[int, Sequence[Share]]:
        """By op its parts, at least one."""
        parts: dict[int, list[Share]] = {}
        columns = (self.op, self.stack, self.phase, self.weight, self.inherited)
        for op, stack, phase, weight, inherited in zip(*(each.tolist() for each in columns), strict=True):
            parts.setdefault(op, []).append(Share(self.stacks[stack], phase, weight, inherited))
        return parts


def attribution(ops: Sequence[Op], totals: InstructionTotals, shares: Shares) -> Attribution:
    """Divide every op that ran among the stacks inside it."""
    rates = [device.rates for device in totals.devices]
    device = totals.device_of_op.tolist()
    parts = [(row, share) for row in totals.op_rows for share in shares.of(ops[row], rates[device[row]])]
    # Stacks are kept once each, by identity: ops by the thousand have them by the dozen.
    stacks = {id(share.stack): share.stack for _, share in parts}
    rows = {identity: row for row, identity in enumerate(stacks)}
    return Attribution(
        op=np.array([row for row, _ in parts], np.int64),
        stack=np.array([rows[id(share.stack)] for _, share in parts], np.int64),
        phase=np.array([share.phase for _, share in parts], np.int64),
        weight=np.array([share.weight for _, share in parts], np.int64),
        inherited=np.array([share.inherited for _, share in parts], np.bool_),
        ops=totals.ops,
        stacks=tuple(stacks.values()),
    )


def merge(first: Attribution, second: Attribution) -> Attribution:
    """That of both; what they have in common, which is the same program on the same host, is the same in both."""
    ops = {identity: row for row, identity in enumerate(dict.fromkeys((*first.ops, *second.ops)))}
    stacks = {stack: row for row, stack in enumerate(dict.fromkeys((*first.stacks, *second.stacks)))}
    of_first, of_second = (np.array([ops[each] for each in one.ops], np.int64)[one.op] for one in (first, second))
    added = ~np.isin(of_second, of_first)
    op = np.concatenate([of_first, of_second[added]])
    order = np.argsort(op, kind="stable")

    of_stacks = [np.array([stacks[stack] for stack in each.stacks], np.int64)[each.stack] for each in (first, second)]
    columns = {
        "stack": of_stacks,
        **{name: [getattr(first, name), getattr(second, name)] for name in ("phase", "weight", "inherited")},
    }
    joined = {name: np.concatenate([one, other[added]])[order] for name, (one, other) in columns.items()}
    return Attribution(op=op[order], **joined, ops=tuple(ops), stacks=tuple(stacks))


def greatest_phase(shares: Sequence[Share]) -> Phase:
    """The phase that most of an op's time belongs to; of several that have as much the latest.

    An op that holds a part of the backward pass runs in it, whatever of the forward pass is computed there too.
    """
    weights = [0] * len(Phase)
    for share in shares:
        weights[share.phase] += share.weight
    if weights[Phase.BACKWARD] or weights[Phase.RECOMPUTE]:
        weights[Phase.FORWARD] = 0
    return max(Phase, key=lambda phase: (weights[phase], phase is not Phase.OTHER, phase))
