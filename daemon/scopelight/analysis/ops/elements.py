"""The elements of a fusion: the instructions inside, what each computes, and what of the time it takes."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import attrs

from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.names import kind_of_op, primitive_of, shape_text
from scopelight.model.executions import Op
from scopelight.program.cost.flops import ModuleFlops
from scopelight.program.cost.rates import BackendRates
from scopelight.program.cost.traffic import PASSING
from scopelight.program.hlo.frames import Frame
from scopelight.program.hlo.nouns import HloModule, Instruction

MOST_ELEMENTS = 64
"""Of one fusion, the costliest; one that a person would read has a few dozen at most."""


@attrs.frozen(slots=True, eq=False)
class Element:
    """An instruction inside a fusion; ``flops`` are of one execution."""

    row: int
    """In the module's instructions."""
    place: tuple[str, int]
    """Its kind, and which of that kind it is in the fusion: no other of the fusion has both."""
    name: str
    opcode: str
    primitive: str
    shape: str
    flops: int | None
    frame: Frame | None
    """Its innermost user frame."""


class Elements:
    """The elements of the fusions of one profile; what is learned of a module is kept."""

    def __init__(self, centre: Centre) -> None:
        self._frames = centre.frames
        self._shares = centre.shares
        self._flops: dict[int, ModuleFlops] = {}
        # The modules are kept by the profile, so that no identity is used twice.
        self._of_fusion: dict[int, Sequence[Element]] = {}

    def of(self, op: Op) -> Sequence[Element]:
        """Elements of a fusion, those with the most FLOPs first; of any other op none."""
        if op.module is None or op.instruction is None or op.instruction.opcode != "fusion":
            return ()
        known = self._of_fusion.get(id(op.instruction))
        if known is None:
            known = self._of_fusion[id(op.instruction)] = self._find(op.module, op.instruction)
        return known

    def time_shares(self, module: HloModule, fusion: Instruction, rates: BackendRates) -> Mapping[int, float]:
        """By row of the module's instructions, the share of a fusion's time that each is estimated to take."""
        parts = self._shares.costs_inside(module, fusion, rates)
        whole = sum(parts.values())
        return {row: cost / whole for row, cost in parts.items()} if whole > 0 else {}

    def _find(self, module: HloModule, fusion: Instruction) -> Sequence[Element]:
        flops = self._flops.get(id(module))
        if flops is None:
            flops = self._flops[id(module)] = ModuleFlops(module)
        rows = [
            row
            for called in dict.fromkeys(fusion.called)
            for row in module.computations[called].instructions
            if module.instructions[row].opcode not in PASSING
        ]
        found = [(flops.of(module.instructions[row]).flops, row, place) for row, place in _places(module, rows)]
        found.sort(key=lambda each: -(each[0] or 0))
        return [self._element(module, row, place, counted) for counted, row, place in found[:MOST_ELEMENTS]]

    def _element(self, module: HloModule, row: int, place: tuple[str, int], flops: int | None) -> Element:
        instruction = module.instructions[row]
        user = self._frames.of(instruction.stack)
        return Element(
            row=row,
            place=place,
            name=instruction.name,
            opcode=instruction.opcode,
            primitive=primitive_of(module, instruction),
            shape=shape_text(instruction.shape),
            flops=flops,
            frame=user[0] if user else None,
        )


def _places(module: HloModule, rows: Sequence[int]) -> Iterator[tuple[int, tuple[str, int]]]:
    numbers: Counter[str] = Counter()
    for row in rows:
        kind = kind_of_op(module, module.instructions[row])
        numbers[kind] += 1
        yield row, (kind, numbers[kind])
