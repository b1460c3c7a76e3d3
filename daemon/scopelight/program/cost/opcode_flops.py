"""FLOPs of an opcode from its shapes, as XLA's ``HloCostAnalysis`` counts them.

Two for each multiply-add, one for each element of an elementwise op; transcendental functions are counted apart.
"""

import math
from collections.abc import Callable, Mapping, Sequence

from scopelight.program.cost.convolutions import convolution_flops
from scopelight.program.cost.windows import reduced, reduced_in_padding, scattered, selected, selected_in_padding
from scopelight.program.hlo.nouns import Instruction, Shape
from scopelight.program.hlo.sizes import element_count, first_array

TRANSCENDENTAL = frozenset(
    (
        *("exponential", "exponential-minus-one", "log", "log-plus-one", "logistic", "power", "sqrt"),
        *("cbrt", "rsqrt", "tanh", "sine", "cosine", "tan", "atan2", "erf", "rng", "rng-bit-generator"),
        *("acos", "acosh", "asin", "asinh", "atanh", "cosh", "sinh"),
    )
)
"""Opcodes of one transcendental for each element of their output."""

ELEMENTWISE = frozenset(
    (
        *("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "abs", "negate", "sign"),
        *("and", "or", "xor", "not", "shift-left", "shift-right-arithmetic", "shift-right-logical"),
        *("compare", "select", "clamp", "convert", "ceil", "floor", "round-nearest-afz", "stochastic-convert"),
        *("round-nearest-even", "is-finite", "real", "imag", "complex", "popcnt", "count-leading-zeros"),
        *("clz", "reduce-precision", "bitcast-convert"),
    )
)
"""Opcodes of one FLOP for each element of their output."""

PREDICATES = frozenset(("compare", "is-finite"))
"""Elementwise opcodes whose arithmetic is that of their operands: their output is a truth value."""

WITHOUT_ARITHMETIC = frozenset(
    (
        *("AllocateBuffer", "AssumeGatherIndicesInBound", "ConcatBitcast", "GatherScatterIndicesBitpacked", "Noop"),
        *("PrepareAsyncCallStart", "PrepareAsyncCallDone", "MoveToHost", "MoveToDevice", "PinToDevice"),
        *("annotate_device_placement", "LayoutConstraint", "Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape"),
    )
)
"""Targets of custom calls by which XLA tells itself something; they neither compute nor move anything."""

Rule = Callable[[Instruction, Sequence[Shape]], int]
"""From an instruction and the shapes of its operands to a number."""


def _dot(instruction: Instruction, operands: Sequence[Shape]) -> int:
    if instruction.dot is None or not operands:
        return 0
    sizes = operands[0].dimensions
    contracted = 1
    for dimension in instruction.dot.lhs_contracting:
        if dimension >= len(sizes):
            return 0
        contracted *= sizes[dimension]
    flops = 2 * element_count(first_array(instruction.shape)) * contracted
    if instruction.opcode == "ragged-dot" and len(operands) > 2:
        # Where the contracted dimension is divided, each group's result comes from its own part of it.
        divided = set(instruction.dot.lhs_ragged) & set(instruction.dot.lhs_contracting)
        if divided:
            flops //= max(1, operands[2].dimensions[-1] if operands[2].dimensions else 1)
    return flops


def _convolution(instruction: Instruction, operands: Sequence[Shape]) -> int:
    return convolution_flops(instruction, operands[0], operands[1]) if len(operands) > 1 else 0


def _sort(_: Instruction, operands: Sequence[Shape]) -> int:
    count = element_count(operands[0]) if operands else 0
    return count * max(0, count - 1).bit_length()


def _all_reduce(instruction: Instruction, _: Sequence[Shape]) -> int:
    # Two replicas are assumed: each element is the sum of two.
    shapes = instruction.shape.tuple_shapes or (instruction.shape,)
    return sum(element_count(each) for each in shapes if each.element_type != "token")


def _fft(instruction: Instruction, operands: Sequence[Shape]) -> int:
    factors = math.prod(max(0, length.bit_length() - 1) for length in instruction.fft_length)
    return 8 * factors * element_count(operands[0]) if operands else 0


def _triangular_solve(_: Instruction, operands: Sequence[Shape]) -> int:
    if len(operands) < 2 or not operands[0].dimensions:
        return 0
    return 2 * operands[0].dimensions[-1] * element_count(operands[1])


def _cholesky(_: Instruction, operands: Sequence[Shape]) -> int:
    if not operands or not operands[0].dimensions:
        return 0
    return operands[0].dimensions[-1] * element_count(operands[0]) // 3


DIRECT: Mapping[str, Rule] = {
    **dict.fromkeys(("dot", "ragged-dot", "scaled-dot"), _dot),
    "convolution": _convolution,
    "sort": _sort,
    **dict.fromkeys(("all-reduce", "all-reduce-start"), _all_reduce),
    "fft": _fft,
    "triangular-solve": _triangular_solve,
    "cholesky": _cholesky,
}
"""FLOPs straight from the shapes."""


def library_call_flops(call: Instruction, operands: Sequence[Shape]) -> int | None:
    """FLOPs of a custom call that is a library's product or convolution, or computes nothing; None for any other."""
    if call.custom_call_target in WITHOUT_ARITHMETIC:
        return 0
    if call.dot is not None:
        return _dot(call, operands)
    if call.convolution is not None and len(operands) > 1:
        return _convolution(call, operands)
    return None


def _reduce(instruction: Instruction, operands: Sequence[Shape]) -> int:
    if not operands:
        return 0
    return max(0, element_count(operands[0]) - element_count(first_array(instruction.shape)))


def _scatter(_: Instruction, operands: Sequence[Shape]) -> int:
    # Operands are n arrays, the indices, and n arrays of updates.
    updates = len(operands) // 2 + 1
    return element_count(operands[updates]) if updates < len(operands) else 0


def _map(instruction: Instruction, _: Sequence[Shape]) -> int:
    return element_count(instruction.shape)


APPLYING: Mapping[str, Sequence[Rule]] = {
    "reduce": (_reduce,),
    "reduce-window": (reduced,),
    "select-and-scatter": (selected, scattered),
    "scatter": (_scatter,),
    "map": (_map,),
}
"""How many times each called computation is applied, the last rule for all further ones."""

IN_PADDING: Mapping[str, Rule] = {"reduce-window": reduced_in_padding, "select-and-scatter": selected_in_padding}
"""How many times of those the first called computation is applied to the padding of windows or to holes in them."""
