"""Where padding can be: the arrays that the ops of a program write, and the products that they compute."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

import attrs

from scopelight.program.cost.flops import DEEPEST_NESTING
from scopelight.program.hlo.nouns import HloModule, Instruction, Shape
from scopelight.program.hlo.products import PRODUCTS
from scopelight.program.hlo.sizes import leaves
from scopelight.program.hlo.tiling import DimensionRole

MOST_ARRAYS = 256
"""Of one op's result; a tuple of more has them one like the other."""

_WRITING_NOTHING = frozenset(
    (
        *("tuple", "get-tuple-element", "bitcast", "constant", "opt-barrier", "after-all", "add-dependency", "domain"),
        *("partition-id", "replica-id", "while", "conditional", "async-update"),
    )
)
"""Opcodes whose result was written by others, or is no array in memory; a loop's is written by its body."""

_RUNNING_THEIRS = frozenset(("while", "conditional", "call"))
_HOLDING = frozenset(("fusion", "call", "async-start"))


@attrs.frozen(eq=False, repr=False)
class Program:
    """A program: its module, and the instructions that are ops of their own, in the module's order."""

    module: HloModule
    ops: Sequence[Instruction]

    @property
    def has_tiles(self) -> bool:
        """Whether its arrays lie in tiles: whether it was compiled for a TPU."""
        return any(
            leaf.layout is not None and leaf.layout.tiles
            for instruction in self.module.instructions
            for leaf in arrays(instruction.shape)
        )


def compiled_program(module: HloModule) -> Program:
    """A program of which no op was executed: its ops are those of the computations that a run would go through."""
    reached = module.reached([module.entry], _RUNNING_THEIRS)
    return Program(module, [each for each in module.instructions if each.computation in reached])


def executed_program(module: HloModule, executed: Iterable[Instruction]) -> Program:
    """A program whose ops are the ``executed`` instructions, and the parameters of its entry."""
    rows = {id(each) for each in executed}
    entry = module.computations[module.entry]
    rows.update(id(module.instructions[row]) for row in entry.instructions if _is_parameter(module, row))
    return Program(module, [each for each in module.instructions if id(each) in rows])


def written_arrays(program: Program) -> Iterator[tuple[Instruction, Shape]]:
    """Each array that an op writes, and each that the program is given.

    What an asynchronous op writes is its end's.
    """
    own = {each.computation for each in program.ops}
    for instruction in program.ops:
        opcode = instruction.opcode
        if opcode in _WRITING_NOTHING or opcode.endswith("-start"):
            continue
        if opcode == "call" and not own.isdisjoint(instruction.called):
            continue
        if opcode == "parameter" and instruction.computation != program.module.entry:
            continue
        for leaf in arrays(instruction.shape):
            yield instruction, leaf


def computed_products(program: Program) -> Iterator[tuple[Instruction, Instruction]]:
    """Each instruction that may be a product, with the op that it is or is inside of."""
    own = {each.computation for each in program.ops}
    for instruction in program.ops:
        for inner in _inside(program.module, instruction, own):
            yield instruction, inner


def fused_arrays(
    program: Program, costs: Callable[[Instruction], Mapping[int, float]]
) -> Iterator[tuple[Instruction, Instruction, Shape, float]]:
    """Each array that is made inside a fusion and not written: the fusion, what makes it, and its part of the cost.

    ``costs`` gives the costs of the instructions inside an op by their rows. What costs nothing makes nothing, and
    what a product makes is the product's.
    """
    instructions = program.module.instructions
    for op in program.ops:
        if op.opcode != "fusion":
            continue
        parts = costs(op)
        whole = sum(parts.values())
        written = {leaf.dimensions for leaf in arrays(op.shape)}
        for row, cost in parts.items():
            inner = instructions[row]
            if inner.opcode not in PRODUCTS and inner.shape.dimensions not in written:
                for leaf in arrays(inner.shape):
                    yield op, inner, leaf, cost / whole


def _inside(module: HloModule, instruction: Instruction, own: Set[int]) -> Iterator[Instruction]:
    """The op and what is inside it, without what ran as an op of its own."""
    yield instruction
    seen: set[int] = set()
    level = [instruction]
    for _ in range(DEEPEST_NESTING):
        held = dict.fromkeys(row for each in level if each.opcode in _HOLDING for row in each.called)
        rows = [row for row in held if row not in seen and row not in own]
        if not rows:
            return
        seen.update(rows)
        level = [module.instructions[each] for row in rows for each in module.computations[row].instructions]
        yield from level


def arrays(shape: Shape) -> Iterator[Shape]:
    """The arrays of one or more dimensions that a shape is made of, at most `MOST_ARRAYS`."""
    return itertools.islice((each for each in leaves(shape) if each.dimensions), MOST_ARRAYS)


def dimension_roles(module: HloModule, instruction: Instruction, shape: Shape) -> Sequence[DimensionRole] | None:
    """Roles of the dimensions of an array that an op writes, where the op is or holds one product that makes it."""
    products = [
        each
        for each in _inside(module, instruction, frozenset())
        if each.opcode in PRODUCTS and each.shape.dimensions == shape.dimensions
    ]
    if len(products) != 1:
        return None
    (product,) = products
    roles: list[DimensionRole] = ["spatial"] * len(shape.dimensions)
    if product.convolution is not None:
        numbers = product.convolution
        for dimension, role in ((numbers.output_batch, _BATCH), (numbers.output_feature, _FEATURE)):
            if dimension < len(roles):
                roles[dimension] = role
        return roles
    if product.dot is None or len(product.operands) < 2:
        return None
    rhs = module.instructions[product.operands[1]].shape
    features = len(rhs.dimensions) - len(product.dot.rhs_contracting) - len(product.dot.rhs_batch)
    return [_BATCH if each < len(roles) - features else _FEATURE for each in range(len(roles))]


_BATCH: DimensionRole = "batch"
_FEATURE: DimensionRole = "feature"


def _is_parameter(module: HloModule, row: int) -> bool:
    return module.instructions[row].opcode == "parameter"
