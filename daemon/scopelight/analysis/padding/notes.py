"""Notes on padding: which products are left out of it, how much time they took, and why."""

from collections.abc import Iterator

import attrs

from scopelight.findings import Finding, note
from scopelight.program.cost.block_products import block_product
from scopelight.program.cost.opcode_flops import WITHOUT_ARITHMETIC
from scopelight.program.hlo.nouns import HloModule, Instruction
from scopelight.program.hlo.products import PRODUCTS
from scopelight.program.hlo.sizes import element_count

_CALLBACK = "callback"
"""What the targets of custom calls into Python hold: no product of the device."""


@attrs.define(slots=True, eq=False)
class ProductNotes:
    """What is seen of the products of programs that no row tells: ops by reason, each with its self time."""

    _left_out: dict[str, dict[tuple[str, str], int]] = attrs.field(factory=dict)
    _in_groups: dict[tuple[str, str], int] = attrs.field(factory=dict)

    def see(self, module: HloModule, inner: Instruction, op: tuple[str, str], self_ps: int | None) -> None:
        """Take note of an instruction in the op of a program and name."""
        is_known = block_product(module, inner) is not None
        if is_known and inner.opcode == "ragged-dot":
            self._in_groups[op] = self_ps or 0
        reason = None if is_known else _why_unknown(module, inner)
        if reason is not None:
            self._left_out.setdefault(reason, {})[op] = self_ps or 0

    def findings(self, op_time_ps: int) -> Iterator[Finding]:
        """A note for each reason; shares are of ``op_time_ps``, and None where that is nothing."""
        for reason, ops in self._left_out.items():
            yield note("products-left-out", reason=reason, ops=len(ops), share_ratio=_share(ops, op_time_ps))
        if self._in_groups:
            share_ratio = _share(self._in_groups, op_time_ps)
            yield note("rows-as-one-block", ops=len(self._in_groups), share_ratio=share_ratio)


def _why_unknown(module: HloModule, instruction: Instruction) -> str | None:
    """Why an instruction is no product that is known; None where it is known to be none, or an empty one."""
    if instruction.opcode == "custom-call" and instruction.dot is None and instruction.convolution is None:
        target = instruction.custom_call_target
        return None if target in WITHOUT_ARITHMETIC or _CALLBACK in target else "custom-calls-unknown"
    if instruction.opcode not in (*PRODUCTS, "custom-call"):
        return None
    operands = [module.instructions[row].shape for row in instruction.operands[:2]]
    if not all(element_count(each) for each in operands):
        return None
    return "groups-unknown" if instruction.opcode == "ragged-dot" else "dimensions-unknown"


def _share(ops: dict[tuple[str, str], int], op_time_ps: int) -> float | None:
    return sum(ops.values()) / op_time_ps if op_time_ps else None
