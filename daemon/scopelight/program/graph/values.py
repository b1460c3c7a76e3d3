"""Values: which ops made what an instruction reads, seen through glue and into what is opened."""

from collections.abc import Collection, Iterator, Sequence

from scopelight.program.graph.glue import GLUE, HANDING_ON
from scopelight.program.hlo.nouns import HloModule, Instruction, Shape
from scopelight.program.hlo.sizes import byte_size

_STEPS_OF_A_ROW = 64
_LEAST_STEPS = 1 << 16
_DEEPEST = 64
"""Tuples in tuples: an element of itself, as a hostile file has it, lies ever deeper."""

BORDER = -1
"""In place of a row: what a computation was given."""

Seen = tuple[int, tuple[int, ...], Shape]
"""A row, the place in its result that is read, and the shape of what is read."""


class Values:
    """Finds who made a value. What is looked at in all is bounded: a hostile file has chains and fans of glue.

    ``opened`` are rows of instructions whose computations are parts of those that they stand in: their parameters are
    the operands, their roots the result. ``border`` is a computation whose parameters are makers themselves, all as
    `BORDER`; those of others are made by nothing.
    """

    def __init__(
        self, module: HloModule, nodes: Sequence[int], opened: Collection[int], border: int | None = None
    ) -> None:
        self._module = module
        self._nodes = nodes
        self._opened = opened
        self._border = border
        self._callers: dict[int, list[tuple[int, int]]] = {}
        for row in sorted(opened):
            for place, called in enumerate(module.instructions[row].called):
                self._callers.setdefault(called, []).append((row, place))
        self._sizes: dict[int, int] = {}
        self._steps_left = _LEAST_STEPS + _STEPS_OF_A_ROW * len(module.instructions)

    @property
    def is_cut_off(self) -> bool:
        """Whether there was more to look at than there is in any program."""
        return self._steps_left <= 0

    def makers(self, row: int) -> Iterator[tuple[int, int]]:
        """The rows of the ops that made the result of an instruction, itself mostly, and the bytes from each."""
        instructions = self._module.instructions
        if self._nodes[row] >= 0 and row not in self._opened and self._nodes[row] not in self._opened:
            yield self._nodes[row], self._bytes(instructions[row].shape)
            return
        pending: list[Seen] = [(row, (), instructions[row].shape)]
        seen: set[tuple[int, tuple[int, ...]]] = set()
        while pending and self._steps_left > 0:
            at, place, shape = pending.pop()
            if (at, place) in seen:
                continue
            seen.add((at, place))
            self._steps_left -= 1
            node = self._nodes[at]
            if node >= 0 and at not in self._opened and node not in self._opened:
                yield node, self._bytes(shape)
            elif instructions[at].opcode == "parameter" and instructions[at].computation == self._border:
                yield BORDER, self._bytes(shape)
            else:
                pending.extend(self._behind(at, place, shape))

    def _behind(self, row: int, place: tuple[int, ...], shape: Shape) -> Iterator[Seen]:
        each = self._module.instructions[row]
        opcode = each.opcode
        if opcode == "get-tuple-element":
            inner = (each.tuple_index or 0, *place)
            yield from ((operand, inner, shape) for operand in each.operands[:1] if len(inner) <= _DEEPEST)
        elif opcode == "tuple" and place:
            yield from ((operand, place[1:], shape) for operand in each.operands[place[0] : place[0] + 1])
        elif opcode in ("tuple", "after-all"):
            yield from self._whole(each.operands)
        elif opcode in HANDING_ON:
            yield from ((operand, place, shape) for operand in each.operands[:1])
        elif opcode == "parameter":
            for caller, which in self._callers.get(each.computation, ()):
                operand = _operand_of(self._module.instructions[caller], which, each.parameter_number or 0)
                if operand is not None:
                    yield operand, place, shape
        elif opcode not in GLUE:
            # It is opened: its result is that of what it calls. The end of an asynchronous op is the start's.
            start = self._nodes[row]
            called = self._module.instructions[start].called
            # The condition of a loop, which is named second, is no part of its result.
            for computation in called[:1] if opcode == "while" else called:
                yield self._module.computations[computation].root, place, shape

    def _whole(self, operands: Sequence[int]) -> Iterator[Seen]:
        yield from ((operand, (), self._module.instructions[operand].shape) for operand in operands)

    def _bytes(self, shape: Shape) -> int:
        known = self._sizes.get(id(shape))
        if known is None:
            known = self._sizes[id(shape)] = byte_size(shape)
        return known


def _operand_of(caller: Instruction, which: int, number: int) -> int | None:
    """The row that a called computation's parameter of that number is; ``which`` of the called it is."""
    if caller.opcode == "while":
        number = 0
    elif caller.opcode == "conditional":
        number = which + 1
    return caller.operands[number] if 0 <= number < len(caller.operands) else None
