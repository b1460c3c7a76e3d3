"""FLOPs of an instruction, and of all that it holds.

The rules of single opcodes are in ``opcode_flops``; for bytes see ``traffic``, for the division of a fusion
``fusions``, for the ops of a profile ``op_cost``.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from scopelight.program.cost.opcode_flops import (
    APPLYING,
    DIRECT,
    ELEMENTWISE,
    IN_PADDING,
    PREDICATES,
    TRANSCENDENTAL,
    library_call_flops,
)
from scopelight.program.hlo.nouns import HloModule, Instruction, Shape
from scopelight.program.hlo.products import PRODUCTS
from scopelight.program.hlo.sizes import element_bits, element_count, first_array
from scopelight.program.phases.phases import is_rematerialised, recomputed_instructions

DEEPEST_NESTING = 32
"""Computations nested deeper than this inside an instruction cost nothing; only a hostile file has them."""

INLINED = frozenset(("fusion", "call", "async-start"))
"""Opcodes whose called computation runs once, as a part of the instruction where that is one op."""


@attrs.frozen(slots=True)
class Flops:
    """FLOPs and transcendental functions of one execution.

    ``flops`` is None where the shapes do not tell: a custom call, and whatever holds one. Of the FLOPs,
    ``repeated_flops`` compute again what was computed before, and ``window_padding_flops`` are applied to the padding
    of windows, as XLA counts them, or to holes in them (both at once are among the repeated). ``padding_flops`` come on
    top of them where matrix products are rounded up. ``element_type`` is that of the instruction that costs the most,
    with ``greatest`` FLOPs and transcendentals.
    """

    flops: int | None
    transcendentals: int = 0
    repeated_flops: int = 0
    padding_flops: int = 0
    element_type: str = ""
    greatest: int = 0
    window_padding_flops: int = 0

    def times(self, count: int) -> "Flops":
        """``count`` executions."""
        return Flops(
            None if self.flops is None else self.flops * count,
            self.transcendentals * count,
            self.repeated_flops * count,
            self.padding_flops * count,
            self.element_type,
            self.greatest * count,
            self.window_padding_flops * count,
        )


class ModuleFlops:
    """FLOPs of one module's instructions; each computation is counted once.

    ``padded_flops`` tells a dot's or convolution's FLOPs with its sizes rounded up, or None where it cannot.
    """

    def __init__(self, module: HloModule, padded_flops: Callable[[Instruction], int | None] | None = None) -> None:
        self._module = module
        self._padded_flops = padded_flops
        self._of_computation: dict[int, Flops] = {}
        self._again = recomputed_instructions(module)

    def of(self, instruction: Instruction) -> Flops:
        """FLOPs of one execution of ``instruction``.

        A fusion, a call and an asynchronous start count what they hold. Loops and branches count nothing: how
        often their bodies run is for the executions to say.
        """
        counted = self._counted(instruction)
        # What a fusion holds says itself what of it computes again, if its names are not lost.
        is_repeated = not counted.repeated_flops and instruction in self._again
        if counted.flops and (is_repeated or is_rematerialised(instruction.name)):
            return attrs.evolve(counted, repeated_flops=counted.flops, window_padding_flops=0)
        return counted

    def computes_again(self, instruction: Instruction) -> bool:
        """Whether an instruction, or some of what it holds, computes again what was computed before."""
        return instruction in self._again or is_rematerialised(instruction.name)

    def _counted(self, instruction: Instruction) -> Flops:
        opcode = instruction.opcode
        if opcode in ELEMENTWISE:
            count = element_count(instruction.shape)
            shape = self._module.instructions[instruction.operands[0]].shape if instruction.operands else None
            shape = shape if shape is not None and opcode in PREDICATES else instruction.shape
            return Flops(count, element_type=shape.element_type, greatest=count)
        if opcode in TRANSCENDENTAL:
            count = element_count(instruction.shape)
            return Flops(0, count, element_type=first_array(instruction.shape).element_type, greatest=count)
        if opcode in INLINED:
            return add_flops(self.of_computation(each) for each in instruction.called)
        operands = [self._module.instructions[row].shape for row in instruction.operands]
        if opcode in APPLYING:
            return self._applied(instruction, operands)
        flops: int | None = 0
        if opcode in DIRECT:
            flops = DIRECT[opcode](instruction, operands)
        elif opcode == "custom-call":
            flops = library_call_flops(instruction, operands)
        if not flops:
            return Flops(flops, element_type=first_array(instruction.shape).element_type)
        padded = self._padded_flops(instruction) if self._padded_flops and _is_product(instruction) else None
        return Flops(
            flops,
            padding_flops=max(0, padded - flops) if padded is not None else 0,
            element_type=_type_of_operands(instruction, operands),
            greatest=flops,
        )

    def _applied(self, instruction: Instruction, operands: Sequence[Shape]) -> Flops:
        """What a reduction, a scatter or the like computes: its computations as often as it applies them."""
        rules = APPLYING[instruction.opcode]
        parts = [
            self.of_computation(called).times(rules[min(place, len(rules) - 1)](instruction, operands))
            for place, called in enumerate(instruction.called)
        ]
        applied = add_flops(parts)
        in_padding = IN_PADDING.get(instruction.opcode)
        window_padding: int | None = 0
        if in_padding is not None and instruction.called:
            once = self.of_computation(instruction.called[0])
            window_padding = once.times(in_padding(instruction, operands)).flops
        # The applied computation itself belongs to no scope: whether it computes again, its user says.
        return attrs.evolve(
            applied,
            repeated_flops=0,
            window_padding_flops=window_padding or 0,
            element_type=_type_of_operands(instruction, operands),
        )

    def of_computation(self, computation: int) -> Flops:
        """FLOPs of every instruction of a computation (a row of the module's) together."""
        if computation not in self._of_computation:
            for each in self._inner_first(computation):
                rows = self._module.computations[each].instructions
                self._of_computation[each] = add_flops(self.of(self._module.instructions[row]) for row in rows)
        return self._of_computation[computation]

    def _inner_first(self, computation: int) -> Iterator[int]:
        """Computations held, callees before callers. Those that call back, or lie too deep, count nothing."""
        seen = {computation}
        path = [(computation, self._callees(computation))]
        while path:
            current, callees = path[-1]
            for callee in callees:
                if callee in self._of_computation:
                    continue
                if callee in seen or len(path) >= DEEPEST_NESTING:
                    self._of_computation[callee] = Flops(0)
                    continue
                seen.add(callee)
                path.append((callee, self._callees(callee)))
                break
            else:
                path.pop()
                yield current

    def _callees(self, computation: int) -> Iterator[int]:
        for row in self._module.computations[computation].instructions:
            instruction = self._module.instructions[row]
            if instruction.called and (instruction.opcode in INLINED or instruction.opcode in APPLYING):
                yield from instruction.called


def add_flops(parts: Iterable[Flops]) -> Flops:
    """All parts together; the FLOPs are unknown where those of one are."""
    flops: int | None = 0
    transcendentals = repeated = padding = window_padding = greatest = 0
    element_type = ""
    for each in parts:
        flops = None if flops is None or each.flops is None else flops + each.flops
        transcendentals += each.transcendentals
        repeated += each.repeated_flops
        padding += each.padding_flops
        window_padding += each.window_padding_flops
        if each.greatest > greatest:
            greatest, element_type = each.greatest, each.element_type
    return Flops(flops, transcendentals, repeated, padding, element_type, greatest, window_padding)


def _type_of_operands(instruction: Instruction, operands: Sequence[Shape]) -> str:
    """The wider of the two types that a product multiplies; of another op, its first operand's."""
    shapes = [first_array(each) for each in operands[: 2 if _is_product(instruction) else 1]]
    widest = max(shapes, key=element_bits, default=first_array(instruction.shape))
    return widest.element_type


def _is_product(instruction: Instruction) -> bool:
    return instruction.opcode in PRODUCTS or instruction.dot is not None or instruction.convolution is not None
