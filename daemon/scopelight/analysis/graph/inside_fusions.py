"""What lines hand each other inside one fusion, where no array is written and no edge leaves the op."""

from collections.abc import Callable, Iterator

from scopelight.program.graph.glue import HANDING_ON
from scopelight.program.hlo.nouns import HloModule, Instruction
from scopelight.program.hlo.sizes import byte_size

Place = tuple[str, int, int]
"""A recorded path, a line and a phase."""
_MADE_ELSEWHERE = frozenset(("parameter", "constant"))


def handed_inside(
    module: HloModule, fusion: Instruction, place_of: Callable[[Instruction], Place | None]
) -> Iterator[tuple[Place, Place, int]]:
    """Each value that one line makes and another reads: the two, and the bytes of it as an array.

    ``place_of`` gives the line of an instruction; what has none hands on whose value it reads first.
    """
    for called in fusion.called:
        makers: dict[int, Place] = {}
        for row in module.computations[called].instructions:
            each = module.instructions[row]
            if each.opcode in _MADE_ELSEWHERE:
                continue
            own = None if each.opcode in HANDING_ON else place_of(each)
            of_operands = [(operand, makers.get(operand)) for operand in each.operands]
            if own is None:
                own = next((maker for _, maker in of_operands if maker is not None), None)
            else:
                for operand, maker in of_operands:
                    if maker is not None and maker != own:
                        yield maker, own, byte_size(module.instructions[operand].shape)
            if own is not None:
                makers[row] = own
