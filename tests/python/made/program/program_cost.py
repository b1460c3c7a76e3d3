"""Cost of a whole program as ``compiled.cost_analysis()`` of jax counts it, without a profile."""

from collections.abc import Iterator

import attrs

from scopelight.program.cost.flops import DEEPEST_NESTING, ModuleFlops
from scopelight.program.cost.traffic import Traffic
from scopelight.program.hlo.nouns import HloModule, Instruction

_RUNNING = frozenset(("while", "conditional", "call", "async-start"))
_POINTER_BYTES = 8


@attrs.frozen(slots=True)
class ProgramCost:
    """FLOPs, transcendentals and bytes of one run of a program whose loops run once.

    Of a conditional the larger branch counts in each of the three. ``unknown`` is the number of custom calls, which
    count nothing.
    """

    flops: int = 0
    transcendentals: int = 0
    bytes: int = 0
    unknown: int = 0

    def __add__(self, other: "ProgramCost") -> "ProgramCost":
        return ProgramCost(
            self.flops + other.flops,
            self.transcendentals + other.transcendentals,
            self.bytes + other.bytes,
            self.unknown + other.unknown,
        )


def program_cost(module: HloModule) -> ProgramCost:
    """The cost of a module's entry computation, and of what it calls."""
    return _Program(module).of(module.entry, 0)


class _Program:
    def __init__(self, module: HloModule) -> None:
        self._module = module
        self._flops = ModuleFlops(module)
        self._traffic = Traffic(module)
        self._known: dict[int, ProgramCost] = {}

    def of(self, computation: int, depth: int) -> ProgramCost:
        """The cost of a computation. One that calls itself counts once, and nothing below the deepest nesting."""
        if computation not in self._known:
            self._known[computation] = ProgramCost()
            total = ProgramCost()
            if depth <= DEEPEST_NESTING:
                for each in self._instructions(computation):
                    total += self._of_instruction(each, depth)
            self._known[computation] = total
        return self._known[computation]

    def _instructions(self, computation: int) -> Iterator[Instruction]:
        return (self._module.instructions[row] for row in self._module.computations[computation].instructions)

    def _of_instruction(self, instruction: Instruction, depth: int) -> ProgramCost:
        if instruction.opcode in _RUNNING:
            called = [self.of(each, depth + 1) for each in instruction.called]
            if instruction.opcode != "conditional":
                return sum(called, ProgramCost())
            return ProgramCost(
                max((each.flops for each in called), default=0),
                max((each.transcendentals for each in called), default=0),
                max((each.bytes for each in called), default=0),
                sum(each.unknown for each in called),
            )
        counted = self._flops.of(instruction)
        moved = self._traffic.accesses(instruction)
        if counted.flops is None or moved is None:
            return ProgramCost(unknown=1)
        # XLA counts the table of pointers that a tuple is.
        table = _POINTER_BYTES * len(instruction.operands) if instruction.opcode == "tuple" else 0
        return ProgramCost(counted.flops, counted.transcendentals, table + sum(each.bytes for each in moved))
