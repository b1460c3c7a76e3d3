"""Shapes of all arrays of the programs of a profile, and sizes in them that may be those of several dimensions."""

import itertools
import math
from collections.abc import Iterable, Iterator

import attrs

from scopelight.analysis.totals.names import scope_and_primitive
from scopelight.model.profile import Profile
from scopelight.program.hlo.nouns import HloModule, Instruction
from scopelight.program.hlo.sizes import leaves

_RESHAPES = frozenset(("reshape", "bitcast"))
_RESIZES = frozenset(("concatenate", "slice", "dynamic-slice", "pad", "reduce-window"))
"""Opcodes whose operands have the dimensions of the result, in other sizes."""

_MOST_COMBINED = 8
"""Dimensions of which all products are looked at; an array that has more has been made of one that has fewer."""


@attrs.frozen(slots=True)
class ArrayShapes:
    """``shapes`` of two and more dimensions; those that are ``given``; and sizes that are ``ambiguous``.

    Given are the arrays that no program makes: its parameters and constants. Ambiguous are sizes that a reshape of the
    program has on one side only, or that are cut, put together or slid over, so that another size depends on them;
    and products of dimensions, which the compiler may have merged into one.
    """

    shapes: frozenset[tuple[int, ...]]
    given: frozenset[tuple[int, ...]]
    ambiguous: frozenset[int]


def array_shapes(profile: Profile) -> ArrayShapes:
    """The shapes of ``profile``'s programs, those that ran and those that did not."""
    modules = {id(op.module): op.module for op in profile.executions.ops if op.module is not None}
    modules.update((id(module), module) for module in profile.modules)
    return shapes_of(modules.values())


def shapes_of(modules: Iterable[HloModule]) -> ArrayShapes:
    """The shapes of ``modules``."""
    shapes: set[tuple[int, ...]] = set()
    given: set[tuple[int, ...]] = set()
    ambiguous: set[int] = set()
    for module in modules:
        for instruction in module.instructions:
            own = {leaf.dimensions for leaf in leaves(instruction.shape)}
            shapes |= own
            if _is_given(module, instruction):
                given |= own
            ambiguous.update(_reshaped(module, instruction))
            ambiguous.update(_resized(module, instruction))
    for shape in shapes:
        ambiguous.update(_products(shape))
    return ArrayShapes(
        frozenset(each for each in shapes if len(each) > 1),
        frozenset(each for each in given if len(each) > 1),
        frozenset(ambiguous),
    )


def _is_given(module: HloModule, instruction: Instruction) -> bool:
    if instruction.opcode == "constant":
        return True
    return instruction.opcode == "parameter" and instruction.computation == module.entry


def _products(dimensions: tuple[int, ...]) -> Iterator[int]:
    """Sizes of two and more dimensions together, of those that are more than 1."""
    sizes = [size for size in dimensions if size > 1]
    if len(sizes) <= _MOST_COMBINED:
        for number in range(2, len(sizes) + 1):
            yield from (math.prod(each) for each in itertools.combinations(sizes, number))


def _reshaped(module: HloModule, instruction: Instruction) -> set[int]:
    """Sizes that are lost or made by a reshape of the user's; the compiler's own come out as they were."""
    if instruction.opcode not in _RESHAPES or not instruction.operands:
        return set()
    if scope_and_primitive(instruction.op_name)[1] != "reshape":
        return set()
    before = module.instructions[instruction.operands[0]].shape.dimensions
    return set(before) ^ set(instruction.shape.dimensions)


def _resized(module: HloModule, instruction: Instruction) -> Iterator[int]:
    """Sizes that a dimension has before and after it is cut, put together with another, or slid over by a window."""
    after = instruction.shape.dimensions
    if instruction.convolution is not None and instruction.operands:
        numbers = instruction.convolution
        before = module.instructions[instruction.operands[0]].shape.dimensions
        if len(before) == len(after):
            for old, new in zip(numbers.input_spatial, numbers.output_spatial, strict=False):
                if old < len(before) and new < len(after) and before[old] != after[new]:
                    yield from (before[old], after[new])
    if instruction.opcode in _RESIZES:
        for operand in instruction.operands:
            before = module.instructions[operand].shape.dimensions
            # What is padded with, and where a slice begins, has fewer dimensions.
            if len(before) == len(after):
                yield from (size for pair in zip(before, after, strict=True) if pair[0] != pair[1] for size in pair)
