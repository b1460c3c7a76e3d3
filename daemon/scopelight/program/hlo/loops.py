"""How often loops run whose count the compiler did not write down: those that count one number up to a constant.

XLA for TPUs leaves its ``known_trip_count`` out. What is looked for is what its ``WhileLoopTripCount`` analysis knows:
a condition that compares an element of the state with a constant, a body that adds a constant to it, and a first
value that is one.
"""

from collections.abc import Sequence

import attrs

from scopelight.program.hlo.nouns import Computation, Instruction

_HANDING_ON = frozenset(("copy", "convert", "bitcast", "copy-done", "copy-start"))
_MOST_STEPS = 16
"""From a value to what it is a copy of."""
_MIRRORED = {"LT": "GT", "LE": "GE", "GT": "LT", "GE": "LE"}
_MOST_TRIPS = 2**53


def with_trip_counts(instructions: Sequence[Instruction], computations: Sequence[Computation]) -> Sequence[Instruction]:
    """The instructions of a module, loops that count with how often they do."""
    counting = _Counting(instructions, computations)
    return [
        attrs.evolve(each, trip_count=counting.trips(each))
        if each.opcode == "while" and each.trip_count is None
        else each
        for each in instructions
    ]


class _Counting:
    def __init__(self, instructions: Sequence[Instruction], computations: Sequence[Computation]) -> None:
        self._instructions = instructions
        self._computations = computations

    def trips(self, loop: Instruction) -> int | None:
        if len(loop.called) != 2 or len(loop.operands) != 1:
            return None
        body, condition = (self._instructions[self._computations[each].root] for each in loop.called)
        compared = self._compared(condition)
        if compared is None:
            return None
        element, direction, bound = compared
        first = self._constant(self._part(self._instructions[loop.operands[0]], element))
        step = self._step(self._part(body, element), element)
        if first is None or step is None:
            return None
        return _trips(first, step, direction, bound)

    def _compared(self, condition: Instruction) -> tuple[int, str, int] | None:
        """Which element of its state a condition compares, how, and with what."""
        if condition.opcode != "compare" or len(condition.operands) != 2:
            return None
        left, right = (self._instructions[each] for each in condition.operands)
        for counter, bound, direction in (
            (left, right, condition.comparison),
            (right, left, _MIRRORED.get(condition.comparison, condition.comparison)),
        ):
            element, constant = self._element(counter), self._constant(bound)
            if element is not None and constant is not None:
                return element, direction, constant
        return None

    def _step(self, value: Instruction | None, element: int) -> int | None:
        """What is added to an element of the state that is ``value`` afterwards."""
        value = self._source(value)
        if value is None or value.opcode != "add" or len(value.operands) != 2:
            return None
        left, right = (self._instructions[each] for each in value.operands)
        for counter, step in ((left, right), (right, left)):
            if self._element(counter) == element:
                return self._constant(step)
        return None

    def _element(self, value: Instruction) -> int | None:
        """Which element of its computation's one parameter a value is."""
        source = self._source(value)
        if source is None or source.opcode != "get-tuple-element" or len(source.operands) != 1:
            return None
        return source.tuple_index if self._instructions[source.operands[0]].opcode == "parameter" else None

    def _constant(self, value: Instruction | None) -> int | None:
        source = self._source(value)
        return None if source is None else source.constant

    def _part(self, value: Instruction, element: int) -> Instruction | None:
        if value.opcode != "tuple" or not 0 <= element < len(value.operands):
            return None
        return self._instructions[value.operands[element]]

    def _source(self, value: Instruction | None) -> Instruction | None:
        """What a value is a copy of."""
        for _ in range(_MOST_STEPS):
            if value is None or value.opcode not in _HANDING_ON or not value.operands:
                return value
            value = self._instructions[value.operands[0]]
        return None


def _trips(first: int, step: int, direction: str, bound: int) -> int | None:
    """How often the state passes, that begins with ``first`` and changes by ``step``."""
    if direction in ("GT", "GE"):
        first, step, bound = -first, -step, -bound
    elif direction == "NE":
        if step == 0 or (bound - first) % step or (bound - first) // step < 0:
            return None
        return (bound - first) // step
    elif direction not in ("LT", "LE"):
        return None
    if direction in ("LE", "GE"):
        bound += 1
    if first >= bound:
        return 0
    trips = -(-(bound - first) // step) if step > 0 else None
    return trips if trips is not None and trips <= _MOST_TRIPS else None
