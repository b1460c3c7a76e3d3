"""Matrix products and convolutions that XLA rewrote without their source, and how their source is found again.

XLA:CPU turns a product with a dimension of 1 into one of fewer dimensions, and the gradient of a convolution into a
convolution of transposed arrays; it writes neither name nor source on the new instruction. Two traces are left. What
gives the result its old shape back, a bitcast or a transpose, kept the product's name. And the forward product and the
other gradients of the same line read some of the same arrays: the forward one the activations, the other gradient the
incoming gradient.
"""

from collections.abc import Mapping, Sequence

from scopelight.program.hlo.frames import Stack
from scopelight.program.hlo.nouns import HloModule

DOTS = frozenset(("dot", "ragged-dot", "scaled-dot"))
PRODUCTS = DOTS | {"convolution"}
"""Opcodes of matrix products and convolutions. Custom calls may be products too: those have dimension numbers."""

_MOVING = frozenset(
    ("transpose", "copy", "bitcast", "reshape", "convert", "bitcast-convert", "reverse", "copy-start", "copy-done")
)
"""Opcodes whose result is their first operand's values, elsewhere or otherwise arranged."""
_MOST_STEPS = 64
_PRIMITIVES = frozenset(("dot_general", "conv_general_dilated", "ragged_dot_general", "ragged_dot", "dot"))
"""Last parts of the names that jax gives to products."""

_Origin = tuple[str, Stack] | tuple[int, int]
"""Name and source of the op that made an array, which its copies in other fusions share; where it has none, the row
of the instruction and the array's place in its tuple, or -1."""


def _is_product_name(op_name: str) -> bool:
    path, _, primitive = op_name.rpartition("/")
    # The gradient of a product ends in the transpose that XLA folded into it.
    return primitive in _PRIMITIVES or (primitive == "transpose" and "transpose(" in path)


class Products:
    """The products of one module and the arrays that they read."""

    def __init__(self, module: HloModule) -> None:
        self._module = module
        self._instructions = module.instructions
        self._computations = module.computations
        self._fusion_of: dict[int, int] = {}
        for row, each in enumerate(module.instructions):
            if each.opcode == "fusion":
                for called in each.called:
                    self._fusion_of[called] = row
        self._sourced: Mapping[_Origin, Sequence[int]] | None = None
        self._readers: Mapping[int, Sequence[int]] | None = None

    def result_of(self, row: int) -> int | None:
        """Row of what rearranges the result of the product at ``row`` under the product's own name; None if nothing."""
        if self._readers is None:
            self._readers = self._index_readers()
        waiting, seen = [row], {row}
        while waiting and len(seen) < _MOST_STEPS:
            for reader in self._readers.get(waiting.pop(), ()):
                each = self._instructions[reader]
                if reader in seen or each.opcode not in _MOVING | {"parameter", "fusion"}:
                    continue
                if each.opcode in _MOVING and each.stack and _is_product_name(each.op_name):
                    return reader
                seen.add(reader)
                waiting.append(reader)
        return None

    def _index_readers(self) -> Mapping[int, Sequence[int]]:
        """Readers of every row. A fusion's operand is read by the parameter inside, its root by the fusion itself."""
        readers: dict[int, list[int]] = {}
        for row, each in enumerate(self._instructions):
            fusion = self._fusion_of.get(each.computation)
            if each.opcode == "parameter" and fusion is not None:
                source = self._module.source_of(each, _MOVING, ("fusion",))
                if source is not None:
                    readers.setdefault(source, []).append(row)
            elif each.opcode != "fusion":
                for operand in each.operands:
                    readers.setdefault(operand, []).append(row)
        for computation, fusion in self._fusion_of.items():
            readers.setdefault(self._computations[computation].root, []).append(fusion)
        return readers

    def of_same_line(self, row: int) -> Sequence[int]:
        """Rows of the products with a source that share the most arrays with the one at ``row``; maybe none."""
        if self._sourced is None:
            self._sourced = self._index()
        shared: dict[int, int] = {}
        for origin in self._origins(row):
            for other in self._sourced.get(origin, ()):
                shared[other] = shared.get(other, 0) + 1
        most = max(shared.values(), default=0)
        return [other for other, count in shared.items() if count == most]

    def _index(self) -> Mapping[_Origin, Sequence[int]]:
        found: dict[_Origin, list[int]] = {}
        for row, each in enumerate(self._instructions):
            if each.opcode in PRODUCTS and each.stack:
                for origin in self._origins(row):
                    found.setdefault(origin, []).append(row)
        return found

    def _origins(self, row: int) -> set[_Origin]:
        return {self._origin(operand) for operand in self._instructions[row].operands}

    def _origin(self, row: int) -> _Origin:
        place = -1
        for _ in range(_MOST_STEPS):
            source = self._module.source_of(self._instructions[row], _MOVING, ("fusion",))
            if source is None:
                break
            if self._instructions[row].opcode == "get-tuple-element":
                place = self._instructions[row].tuple_index or 0
            row = source
        made = self._instructions[row]
        return (made.op_name, made.stack) if made.op_name and made.stack else (row, place)
