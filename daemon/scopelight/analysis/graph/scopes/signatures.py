"""Signatures: what ops, and groups of them, have in common that are equal to who looks at a program."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

import attrs

from scopelight.analysis.graph.programs import GraphedProgram
from scopelight.analysis.totals.names import main_instruction, shape_text
from scopelight.program.hlo.products import PRODUCTS


@attrs.frozen(slots=True)
class OpSignature:
    """An op, but not which of several equal ones: its line, its phase, what it does and the shape of its result."""

    path: str | None
    line: int
    function: str
    phase: int
    opcode: str
    shape: str


class Signatures:
    """The signatures of the ops of one program, each made once."""

    def __init__(self, program: GraphedProgram) -> None:
        self._program = program
        self._of_row: dict[int, OpSignature] = {}
        self._products: dict[int, tuple[str, tuple[int, ...]] | None] = {}

    def of(self, row: int) -> OpSignature:
        """The signature of one op."""
        known = self._of_row.get(row)
        if known is None:
            program = self._program
            each, frame = program.instruction(row), program.line_of(row)
            known = self._of_row[row] = OpSignature(
                frame.path if frame is not None else None,
                frame.line if frame is not None else 0,
                frame.function if frame is not None else "",
                program.phase_of(row),
                each.opcode,
                shape_text(each.shape),
            )
        return known

    def of_group(self, rows: Iterable[int]) -> Hashable:
        """What equal groups have in common.

        That is the sizes of their products (of matrices, convolutions, kernels) where they have any: what a compiler
        fuses around these differs between the first and the last of many layers. Else it is all their ops and shapes.
        """
        rows = list(rows)
        products = Counter(filter(None, map(self.product, rows)))
        if products:
            return frozenset(products.items())
        return frozenset(Counter((self.of(row).opcode, self.of(row).shape) for row in rows).items())

    def product(self, row: int) -> Hashable | None:
        """What kind of product an op is there for, and its sizes; None where it is no product."""
        if row not in self._products:
            module = self._program.module
            main = main_instruction(module, module.instructions[row])
            is_product = main.opcode in PRODUCTS or main.opcode == "custom-call"
            # A compiler transposes one product and not another of the same kind.
            sizes = (main.shape.arrays or (main.shape,))[0].dimensions
            self._products[row] = (main.opcode, tuple(sorted(sizes))) if is_product else None
        return self._products[row]


def in_order(rows: Sequence[int], signatures: Signatures) -> dict[OpSignature, list[int]]:
    """The ops of each signature, in their order, signatures in the order of their first op."""
    found: dict[OpSignature, list[int]] = {}
    for row in rows:
        found.setdefault(signatures.of(row), []).append(row)
    return found
