"""What a program computes again, as ``jax.checkpoint`` asks for, and what only bears the name of it.

jax writes ``rematted_computation`` around what the backward pass is to compute again. Where XLA finds the same
computation in the forward pass it keeps one of the two, often the one with that name: nothing is computed twice then,
and what is left is the forward pass's. XLA merges only what stands in one computation, so that in a loop over layers,
whose forward and backward pass are two loops, the name is right.

Where both passes stand in one computation, or nothing is left that is called forward, an instruction computes again if
its twin, of the same path of names, kind and size, is still there, or if it reads what is computed again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from scopelight.program.hlo.nouns import HloModule, Instruction
from scopelight.program.hlo.path import levels_of
from scopelight.program.hlo.products import PRODUCTS
from scopelight.program.hlo.sizes import element_count, first_array
from scopelight.program.phases.unnamed import unnamed

_INLINED = frozenset(("fusion", "call", "async-start"))
"""Opcodes whose called computation is a part of the one that they stand in."""
_MOVING = frozenset(
    (
        *("transpose", "copy", "bitcast", "reshape", "convert", "bitcast-convert", "copy-start", "copy-done"),
        *("optimization-barrier", "opt-barrier", "broadcast"),
    )
)
"""Opcodes whose result is their first operand's values, elsewhere or otherwise arranged."""
_PASSIVE = _MOVING | {"parameter", "constant", "iota", "tuple", "get-tuple-element"}
"""Opcodes that compute nothing: what they hand on says whether they belong to what is computed again."""
_PRODUCTS = PRODUCTS | {"custom-call"}
"""Opcodes of which XLA takes one for another."""
_CONTAINERS = frozenset(("while", "conditional"))
_OF_SEVERAL = frozenset(("sort", "reduce", "reduce-window"))
"""Opcodes that take several arrays at once. XLA drops those whose results nothing reads, from either pass."""
_CONSTANTS = frozenset(("constant", "iota"))
_MOST_STEPS = 64
_MOST_DEPTH = 8
"""Computations, one reading the other, by which two values are told apart."""
_MOST_LEVELS = 64
_MOST_TWINS = 1000
"""Instructions of one path, kind and size that are looked at; a network of so many layers is written as a loop."""

_Key = tuple[tuple[str, ...], str, int, tuple[str, int] | None]
"""Names, kind, size and innermost place in the source."""
_Origin = tuple[int, int | None]
"""Row of the instruction that made an array, and the array's place in its tuple."""


@attrs.frozen(eq=False, repr=False)
class PassMarks:
    """By row of a module's instructions, what their names say: forward, backward, or computed again."""

    forward: Sequence[bool]
    backward: Sequence[bool]
    again: Sequence[bool]


def computed_again(module: HloModule, marks: PassMarks) -> frozenset[Instruction]:
    """The instructions among those marked ``again`` that do compute again, with the fusions and loops around them."""
    marked = [row for row, each in enumerate(marks.again) if each]
    return frozenset(_Finder(module, marks).find(marked)) if marked else frozenset()


class _Finder:
    def __init__(self, module: HloModule, marks: PassMarks) -> None:
        self._module = module
        self._instructions = module.instructions
        self._unnamed = unnamed(module)
        self._marks = marks
        self._read: dict[int, frozenset[_Origin]] = {}
        self._keys: dict[int, _Key] = {}
        self._same: dict[tuple[int, int], bool] = {}
        self._callers = module.callers
        self._home = [self._find_home(row) for row in range(len(module.computations))]
        self._mixed = {
            self._home[each.computation] for row, each in enumerate(module.instructions) if marks.forward[row]
        }
        """Computations in which the forward pass stands, so that XLA may have merged what is in them with it."""

    def find(self, marked: Sequence[int]) -> Iterator[Instruction]:
        again: set[int] = set()
        if self._mixed:
            again.update(row for row in marked if self._home[self._instructions[row].computation] not in self._mixed)
        doubtful = [row for row in marked if row not in again]
        holding = {self._instructions[row].computation for row in doubtful if self._computes(row)}
        computing = [row for row in doubtful if self._computes(row) or self._stands_for_what_it_holds(row, holding)]
        twins = self._twins(computing)
        again.update(row for row in computing if any(self._is_twin(row, twin) for twin in twins.get(row, ())))
        self._hand_on(again, doubtful)
        self._lift(again)
        return (self._instructions[row] for row in again)

    def _computes(self, row: int) -> bool:
        opcode = self._instructions[row].opcode
        return opcode not in _PASSIVE and opcode not in _INLINED and opcode not in _CONTAINERS

    def _stands_for_what_it_holds(self, row: int, holding: set[int]) -> bool:
        """Whether it is a fusion of instructions whose names are lost."""
        each = self._instructions[row]
        return each.opcode in _INLINED and not any(called in holding for called in each.called)

    def _twins(self, rows: Iterable[int]) -> Mapping[int, Sequence[int]]:
        """By row, the instructions of the forward pass that may compute the same."""
        key_of = {row: self._key(row) for row in rows}
        found: dict[_Key, list[int]] = {key: [] for key in key_of.values()}
        last_parts = {key[0][-1] for key in found if key[0]}
        for row, each in enumerate(self._instructions):
            if self._marks.again[row] or self._marks.backward[row] or each.op_name.rpartition("/")[2] not in last_parts:
                continue
            same = found.get(self._key(row))
            if same is not None and len(same) < _MOST_TWINS:
                same.append(row)
        return {row: found[key] for row, key in key_of.items()}

    def _key(self, row: int) -> _Key:
        key = self._keys.get(row)
        if key is None:
            key = self._keys[row] = self._make_key(row)
        return key

    def _make_key(self, row: int) -> _Key:
        each = self._instructions[row]
        path, _, primitive = each.op_name.partition(";")[0].rpartition("/")
        names = tuple(level.name for level in levels_of(path, _MOST_LEVELS) if level.name)
        kind = "product" if each.opcode in _PRODUCTS else each.opcode
        place = (each.stack[0].path, each.stack[0].line) if each.stack else None
        return (*names, primitive), kind, element_count(first_array(each.shape)), place

    def _is_twin(self, row: int, other: int) -> bool:
        """Whether ``other``, of the forward pass, computes what ``row`` does.

        What stands in another computation cannot be followed to where it comes from, and may well.
        """
        home, home_there = (self._home[self._instructions[each].computation] for each in (row, other))
        return home != home_there or self._reads_the_same(row, other, 0)

    def _reads_the_same(self, row: int, other: int, depth: int) -> bool:
        known = self._same.get((row, other))
        if known is None:
            read, read_there = self._origins(row), self._origins(other)
            if len(read_there) < len(read) and self._instructions[row].opcode in _OF_SEVERAL:
                known = bool(read_there) and all(
                    any(self._is_same(origin, there, depth + 1) for origin in read) for there in read_there
                )
            else:
                known = len(read) == len(read_there) and all(
                    any(self._is_same(origin, there, depth + 1) for there in read_there) for origin in read
                )
            self._same[row, other] = known
        return known

    def _is_same(self, origin: _Origin, there: _Origin, depth: int) -> bool:
        """Whether two values are one, or were computed in the same way from the same."""
        if origin == there:
            return True
        row, other = origin[0], there[0]
        opcode = self._instructions[row].opcode
        if opcode in _CONSTANTS:
            return self._instructions[other].opcode == opcode
        # A value of the forward pass that is made of what bears the other name: XLA has merged what it reads.
        if opcode == "parameter" or self._marks.again[other] or self._key(row) != self._key(other):
            return False
        return depth >= _MOST_DEPTH or self._reads_the_same(row, other, depth)

    def _hand_on(self, again: set[int], doubtful: Sequence[int]) -> None:
        """Add what reads what is computed again: XLA cannot have merged it with what does not."""
        readers: dict[int, list[int]] = {}
        # Values go through what has no path of names as well, which XLA made, or jax lowered for several callers.
        between = {row for row, each in enumerate(self._instructions) if each.op_name in self._unnamed}
        for row in (*doubtful, *(between if again else ())):
            for origin, _ in self._origins(row):
                readers.setdefault(origin, []).append(row)
        waiting, reached = list(again), set(again)
        while waiting:
            for reader in readers.get(waiting.pop(), ()):
                if reader not in reached:
                    reached.add(reader)
                    if reader not in between:
                        again.add(reader)
                    if self._instructions[reader].opcode not in _PASSIVE:
                        waiting.append(reader)

    def _lift(self, again: set[int]) -> None:
        """Add the marked fusions, calls and loops that hold what is computed again."""
        waiting = list(again)
        while waiting:
            for caller in self._callers.get(self._instructions[waiting.pop()].computation, ()):
                if caller not in again and self._marks.again[caller]:
                    again.add(caller)
                    waiting.append(caller)

    def _origins(self, row: int) -> frozenset[_Origin]:
        known = self._read.get(row)
        if known is None:
            known = self._read[row] = frozenset(map(self._origin, self._instructions[row].operands))
        return known

    def _origin(self, row: int) -> _Origin:
        """What made the values at ``row``, through fusions and what only moves them."""
        part: int | None = None
        for _ in range(_MOST_STEPS):
            each = self._instructions[row]
            if each.opcode == "tuple" and part is not None and part < len(each.operands):
                row, part = each.operands[part], None
                continue
            source = self._module.source_of(each, _MOVING, _INLINED)
            if source is None or (each.opcode == "get-tuple-element" and part is not None):
                break
            if each.opcode == "get-tuple-element":
                part = each.tuple_index or 0
            row = source
        return row, part

    def _find_home(self, computation: int) -> int:
        """The computation that a fused, called or applied one is a part of; one of a loop or branch is its own."""
        for _ in range(_MOST_STEPS):
            callers = self._callers.get(computation, ())
            if not callers or self._instructions[callers[0]].opcode in _CONTAINERS:
                break
            computation = self._instructions[callers[0]].computation
        return computation
