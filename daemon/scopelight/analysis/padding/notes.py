"""Notes on padding: which products are left out of it, how much time they took, and why."""

from collections.abc import Iterator

import attrs

from scopelight.program.cost.block_products import block_product
from scopelight.program.cost.opcode_flops import WITHOUT_ARITHMETIC
from scopelight.program.hlo.nouns import HloModule, Instruction
from scopelight.program.hlo.products import PRODUCTS
from scopelight.program.hlo.sizes import element_count

_CALLBACK = "callback"
"""What the targets of custom calls into Python hold: no product of the device."""

_UNKNOWN_CALL = "what their custom calls compute is not known"
_UNKNOWN_GROUPS = "how much each group of their ragged dots contracts is not in the program"
_UNKNOWN_DIMENSIONS = "the dimensions of their products do not tell how they enter the matrix unit"
_ONE_BLOCK = "Of {} more may be padded: rows of a ragged dot count as one block here, though each group pads its own."


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

    def sentences(self, op_time_ps: int) -> Iterator[str]:
        """A sentence for each reason; shares are of ``op_time_ps``, and not told where that is nothing."""
        for reason, ops in self._left_out.items():
            are = "is" if len(ops) == 1 else "are"
            yield f"{_ops(ops, op_time_ps)} {are} left out of the products: {reason}."
        if self._in_groups:
            yield _ONE_BLOCK.format(_ops(self._in_groups, op_time_ps))


def _why_unknown(module: HloModule, instruction: Instruction) -> str | None:
    """Why an instruction is no product that is known; None where it is known to be none, or an empty one."""
    if instruction.opcode == "custom-call" and instruction.dot is None and instruction.convolution is None:
        target = instruction.custom_call_target
        return None if target in WITHOUT_ARITHMETIC or _CALLBACK in target else _UNKNOWN_CALL
    if instruction.opcode not in (*PRODUCTS, "custom-call"):
        return None
    operands = [module.instructions[row].shape for row in instruction.operands[:2]]
    if not all(element_count(each) for each in operands):
        return None
    return _UNKNOWN_GROUPS if instruction.opcode == "ragged-dot" else _UNKNOWN_DIMENSIONS


def _ops(ops: dict[tuple[str, str], int], op_time_ps: int) -> str:
    named = f"{len(ops):,} op{'s' if len(ops) != 1 else ''}"
    if not op_time_ps:
        return named
    return f"{named} with {sum(ops.values()) / op_time_ps * 100:.1f} % of the op time"
