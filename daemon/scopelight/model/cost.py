"""FLOPs of an instruction, from its shapes.

Counted as XLA's ``HloCostAnalysis`` does: two for each multiply-add, one for each element of an elementwise
op, transcendental functions apart. For bytes see ``traffic``, for the division of a fusion ``fusions``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

import attrs

from scopelight.model.convolutions import convolution_flops
from scopelight.model.hlo import HloModule, Instruction, Shape
from scopelight.model.traffic import element_count

DEEPEST_NESTING = 32
"""Computations nested deeper than this inside an instruction cost nothing; only a hostile file has them."""

TRANSCENDENTAL = frozenset(
    (
        *("exponential", "exponential-minus-one", "log", "log-plus-one", "logistic", "power", "sqrt"),
        *("cbrt", "rsqrt", "tanh", "sine", "cosine", "tan", "atan2", "erf", "rng"),
        *("acos", "acosh", "asin", "asinh", "atanh", "cosh", "sinh"),
    )
)
"""Opcodes of one transcendental for each element of their output."""

ELEMENTWISE = frozenset(
    (
        *(
            "add",
            "subtract",
            "multiply",
            "divide",
            "remainder",
            "maximum",
            "minimum",
            "abs",
            "negate",
            "sign",
        ),
        *("and", "or", "xor", "not", "shift-left", "shift-right-arithmetic", "shift-right-logical"),
        *(
            "compare",
            "select",
            "clamp",
            "convert",
            "ceil",
            "floor",
            "round-nearest-afz",
            "stochastic-convert",
        ),
        *("round-nearest-even", "is-finite", "real", "imag", "complex", "popcnt", "clz", "reduce-precision"),
    )
)
"""Opcodes of one FLOP for each element of their output."""

INLINED = frozenset(("fusion", "call", "async-start"))
"""Opcodes whose called computation runs once, as a part of the instruction where that is one op."""


@attrs.frozen(slots=True)
class Flops:
    """FLOPs and transcendental functions of one execution.

    ``flops`` is None where the shapes do not tell: a custom call, and whatever holds one.
    """

    flops: int | None
    transcendentals: int = 0

    def times(self, count: int) -> "Flops":
        """``count`` executions."""
        return Flops(None if self.flops is None else self.flops * count, self.transcendentals * count)


class ModuleFlops:
    """FLOPs of one module's instructions; each computation is looked at once."""

    def __init__(self, module: HloModule) -> None:
        self._module = module
        self._of_computation: dict[int, Flops] = {}

    def of(self, instruction: Instruction) -> Flops:
        """FLOPs of one execution of ``instruction``.

        A fusion, a call and an asynchronous start count what they hold. Loops and branches count nothing: how
        often their bodies run is for the executions to say.
        """
        opcode = instruction.opcode
        if opcode in ELEMENTWISE:
            return Flops(element_count(instruction.shape))
        if opcode in TRANSCENDENTAL:
            return Flops(0, element_count(instruction.shape))
        if opcode in INLINED:
            return self._of_called(instruction)
        operands = [self._module.instructions[row].shape for row in instruction.operands]
        if opcode in _DIRECT:
            return Flops(_DIRECT[opcode](instruction, operands))
        if opcode in _APPLYING:
            return self._of_called(instruction).times(_APPLYING[opcode](instruction, operands))
        return Flops(None if opcode == "custom-call" else 0)

    def of_computation(self, computation: int) -> Flops:
        """FLOPs of every instruction of a computation (a row of the module's) together."""
        if computation not in self._of_computation:
            for each in self._inner_first(computation):
                rows = self._module.computations[each].instructions
                self._of_computation[each] = _sum(self.of(self._module.instructions[row]) for row in rows)
        return self._of_computation[computation]

    def _of_called(self, instruction: Instruction) -> Flops:
        return _sum(self.of_computation(each) for each in instruction.called)

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
            if instruction.called and (instruction.opcode in INLINED or instruction.opcode in _APPLYING):
                yield from instruction.called


def _sum(costs: Iterator[Flops]) -> Flops:
    flops: int | None = 0
    transcendentals = 0
    for each in costs:
        flops = None if flops is None or each.flops is None else flops + each.flops
        transcendentals += each.transcendentals
    return Flops(flops, transcendentals)


_Rule = Callable[[Instruction, Sequence[Shape]], int]


def _dot(instruction: Instruction, operands: Sequence[Shape]) -> int:
    if instruction.dot is None or not operands:
        return 0
    contracted = 1
    for dimension in instruction.dot.lhs_contracting:
        if dimension >= len(operands[0].dimensions):
            return 0
        contracted *= operands[0].dimensions[dimension]
    return 2 * element_count(instruction.shape) * contracted


def _convolution(instruction: Instruction, operands: Sequence[Shape]) -> int:
    return convolution_flops(instruction, operands[0], operands[1]) if len(operands) > 1 else 0


def _sort(_: Instruction, operands: Sequence[Shape]) -> int:
    count = element_count(operands[0]) if operands else 0
    return count * max(0, count - 1).bit_length()


def _all_reduce(instruction: Instruction, _: Sequence[Shape]) -> int:
    return element_count(instruction.shape)


_DIRECT: Mapping[str, _Rule] = {
    "dot": _dot,
    "convolution": _convolution,
    "sort": _sort,
    "all-reduce": _all_reduce,
}
"""FLOPs straight from the shapes."""


def _reduce(instruction: Instruction, operands: Sequence[Shape]) -> int:
    if not operands:
        return 0
    shape = instruction.shape
    output = shape.tuple_shapes[0] if shape.tuple_shapes else shape
    return max(0, element_count(operands[0]) - element_count(output))


def _window_elements(instruction: Instruction) -> int:
    elements = 1
    for dimension in instruction.window:
        elements *= dimension.size
    return elements


def _reduce_window(instruction: Instruction, _: Sequence[Shape]) -> int:
    shape = instruction.shape
    output = shape.tuple_shapes[0] if shape.tuple_shapes else shape
    return element_count(output) * max(0, _window_elements(instruction) - 1)


def _select_and_scatter(instruction: Instruction, operands: Sequence[Shape]) -> int:
    # Both computations, select and scatter, are taken as often as the more frequent of the two.
    return element_count(operands[1]) * max(1, _window_elements(instruction) - 1) if len(operands) > 1 else 0


def _scatter(_: Instruction, operands: Sequence[Shape]) -> int:
    # Operands are n arrays, the indices, and n arrays of updates.
    updates = len(operands) // 2 + 1
    return element_count(operands[updates]) if updates < len(operands) else 0


def _map(instruction: Instruction, _: Sequence[Shape]) -> int:
    return element_count(instruction.shape)


_APPLYING: Mapping[str, _Rule] = {
    "reduce": _reduce,
    "reduce-window": _reduce_window,
    "select-and-scatter": _select_and_scatter,
    "scatter": _scatter,
    "map": _map,
}
"""How many times the called computation is applied."""
