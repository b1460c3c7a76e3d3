"""Which arguments of a program a result could lie in, were they given up for it: each result for one of them."""

from collections.abc import Sequence
from typing import NamedTuple

from scopelight.program.hlo.nouns import HloModule, Instruction, Shape
from scopelight.program.hlo.sizes import byte_size
from scopelight.program.memory.buffers import OutputAlias, Schedule


class ReusableArgument(NamedTuple):
    """An argument that is kept although a result of its size is made: its name in the code, its size, and how that
    result would lie in it."""

    name: str
    bytes: int
    alias: OutputAlias

    @property
    def argument(self) -> str:
        """The argument of the function that it is, or is in."""
        return argument_of(self.name)


def argument_of(name: str) -> str:
    """The argument of a function that a parameter of its program is in: ``state`` of ``state['mean'][0]``."""
    return name.partition("[")[0].partition(".")[0]


def reusable_arguments(module: HloModule, schedule: Schedule) -> Sequence[ReusableArgument]:
    """Those of the entry's parameters that a result of the same type and shape could have reused."""
    entry = module.computations[module.entry]
    parameters = [module.instructions[row] for row in entry.instructions]
    parameters = sorted(
        (each for each in parameters if each.opcode == "parameter"), key=lambda each: each.parameter_number or 0
    )
    result = module.instructions[entry.root].shape
    reused = {result.array_at(each.output_index) for each in schedule.aliases}
    free: dict[tuple[str, tuple[int, ...]], list[tuple[int, ...]]] = {}
    for row, (path, shape) in enumerate(zip(result.array_paths, result.arrays, strict=True)):
        if row not in reused:
            free.setdefault(_size_of(shape), []).append(tuple(path))
    given_up = {each.parameter_number for each in schedule.aliases} | set(schedule.donors)
    found = []
    for each in parameters:
        size = _size_of(each.shape)
        number = each.parameter_number
        if number is None or number in given_up or each.shape.tuple_shapes or not free.get(size) or not _has_name(each):
            continue
        alias = OutputAlias(free[size].pop(0), number, ())
        found.append(ReusableArgument(each.op_name, byte_size(each.shape), alias))
    return found


def _size_of(shape: Shape) -> tuple[str, tuple[int, ...]]:
    return shape.element_type, shape.dimensions


def _has_name(parameter: Instruction) -> bool:
    """Whether it has a name of the code: newer versions of jax write ``args[0]`` of what a function closes over."""
    return bool(parameter.op_name) and not parameter.op_name.startswith("args[")
