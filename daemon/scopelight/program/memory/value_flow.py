"""Which buffers instructions read: values followed through tuples, loops and calls, from where they are made.

A value is one array of an instruction's result. Instructions that only name or regroup what there is (tuples, their
elements, bitcasts, the ends of asynchronous ops) make none; what a loop carries is one value with what it begins with.
"""

from collections.abc import Mapping, Sequence

import attrs

from scopelight.phrase import Phrase
from scopelight.program.hlo.dimensions import fail
from scopelight.program.hlo.nouns import HloModule, Instruction, Shape
from scopelight.program.memory.order import RunOrder, called_bodies

_FORWARDS = frozenset(("bitcast", "async-update", "all-reduce-done", "domain", "add-dependency"))
_NAMING = frozenset(("tuple", "opt-barrier", "get-tuple-element", "call"))
"""With those that forward one operand: what reads nothing itself."""
_FIRST_OF_START = frozenset(("copy-done", "recv-done", "send-done"))
_SECOND_OF_START = frozenset(("async-done", "all-gather-done", "collective-permute-done"))
_OPERANDS_FIRST = frozenset(("async-start", "all-gather-start", "collective-permute-start", "send"))
"""Their result is a tuple that begins with their operands."""

MOST_READS = 4_000_000
"""More only a hostile file has."""


@attrs.frozen(eq=False, repr=False)
class ValueFlow:
    """The values of a program by number, in the order in which they are made.

    ``maker`` is the row of the instruction that makes a value and ``leaf`` which array of its result it is.
    ``readers`` are the rows of what reads it, in the order in which they run. ``of`` finds the values of an
    instruction's result, array by array.
    """

    maker: Sequence[int]
    leaf: Sequence[int]
    readers: Sequence[Sequence[int]]
    of: Mapping[int, Sequence[int]]

    def value_at(self, module: HloModule, row: int, shape_index: Sequence[int]) -> int | None:
        """The value that lies at a path of an instruction's result; None where a tuple itself, or nothing, does."""
        values = self.of.get(row)
        leaf = module.instructions[row].shape.array_at(shape_index)
        return values[leaf] if values is not None and leaf is not None else None


def value_flow(module: HloModule, order: RunOrder) -> ValueFlow:
    """Follow the values of ``module`` in the order in which it runs."""
    return _Follower(module, order).follow()


@attrs.frozen(slots=True, eq=False)
class _Call:
    """Who calls a computation, and which of the computations that it calls that is."""

    caller: Instruction
    place: int


class _Follower:
    def __init__(self, module: HloModule, order: RunOrder) -> None:
        self._module = module
        self._order = order
        self._maker: list[int] = []
        self._leaf: list[int] = []
        self._same: list[int] = []
        """Union of values: of each the one that it is the same as, itself where it is the first."""
        self._reads: list[tuple[int, int]] = []
        self._of: dict[int, tuple[int, ...]] = {}
        self._arguments: dict[int, list[tuple[int, ...]]] = {}
        """By computation, the values that its caller passes."""

    def follow(self) -> ValueFlow:
        module = self._module
        callers = self._callers()
        for row in self._order.rows:
            instruction = module.instructions[row]
            if instruction.opcode == "parameter" and instruction.computation in callers:
                self._take_argument(row, instruction, callers[instruction.computation])
                continue
            found = self._result(row, instruction)
            self._of[row] = found if found is not None else self._made(row, instruction.shape)
            if not self._only_names(instruction):
                for operand in dict.fromkeys(instruction.operands):
                    self._reads.extend((value, row) for value in self._of.get(operand, ()))
                if len(self._reads) > MOST_READS:
                    fail(
                        Phrase("The program {name!r}", name=module.name),
                        "its instructions read more arrays than any program does",
                    )
        return self._flow()

    def _flow(self) -> ValueFlow:
        roots = [self._root(each) for each in range(len(self._maker))]
        numbers: dict[int, int] = {}
        for root in roots:
            numbers.setdefault(root, len(numbers))
        readers: list[list[int]] = [[] for _ in numbers]
        for value, row in self._reads:
            known = readers[numbers[roots[value]]]
            if not known or known[-1] != row:
                known.append(row)
        return ValueFlow(
            maker=[self._maker[root] for root in numbers],
            leaf=[self._leaf[root] for root in numbers],
            readers=readers,
            of={row: tuple(numbers[roots[each]] for each in values) for row, values in self._of.items()},
        )

    def _callers(self) -> Mapping[int, "_Call"]:
        callers: dict[int, _Call] = {}
        for row in self._order.rows:
            caller = self._module.instructions[row]
            bodies = called_bodies(self._module, caller)
            if bodies:
                places = {body: place for place, body in reversed(tuple(enumerate(caller.called)))}
                for body in bodies:
                    callers.setdefault(body, _Call(caller, places[body]))
        return callers

    def _take_argument(self, row: int, parameter: Instruction, call: "_Call") -> None:
        """What a parameter of a loop's, branch's or call's computation is, is what was passed."""
        operands = call.caller.operands
        if call.caller.opcode == "conditional":
            # The first operand chooses the branch; each branch has one argument.
            operands = operands[1 + call.place : 2 + call.place]
        number = parameter.parameter_number or 0
        passed = self._of.get(operands[number]) if 0 <= number < len(operands) else None
        fits = passed is not None and len(passed) == len(parameter.shape.arrays)
        self._of[row] = passed if passed is not None and fits else self._made(row, parameter.shape)

    def _result(self, row: int, instruction: Instruction) -> tuple[int, ...] | None:
        """The values of a result that an instruction does not make; None where it makes them all."""
        count = len(instruction.shape.arrays)
        operands = [self._of.get(operand, ()) for operand in instruction.operands]
        opcode = instruction.opcode
        found: tuple[int, ...] | None = None
        if opcode in ("tuple", "opt-barrier"):
            # A file may name a large operand any number of times.
            if sum(map(len, operands)) == count:
                found = tuple(value for each in operands for value in each)
        elif opcode == "get-tuple-element" and operands:
            found = self._element(instruction.operands[0], instruction.tuple_index or 0)
        elif opcode in _FORWARDS and operands:
            found = tuple(operands[0])
        elif opcode in _FIRST_OF_START and operands:
            found = self._element(instruction.operands[0], 0)
        elif opcode in _SECOND_OF_START and operands:
            found = self._element(instruction.operands[0], 1)
        elif opcode in ("while", "call", "conditional"):
            found = self._of_call(instruction, operands)
        elif opcode in _OPERANDS_FIRST and instruction.shape.tuple_shapes:
            if sum(map(len, operands)) <= count:
                passed = tuple(value for each in operands for value in each)
                passed += self._of_wrapped(instruction)
                found = passed + self._made_leaves(row, range(len(passed), count))
        elif opcode == "copy-start" and operands and count > 1 and len(operands[0]) == 1:
            made = self._made_leaves(row, (0, *range(2, count)))
            found = (made[0], operands[0][0], *made[1:])
        return found if found is not None and len(found) == count else None

    def _of_call(self, instruction: Instruction, operands: Sequence[Sequence[int]]) -> tuple[int, ...] | None:
        """A loop's result is what it begins with, a call's and a branch's that of what is called: all one value."""
        bodies = called_bodies(self._module, instruction)
        if instruction.opcode == "while":
            # The condition comes first, and its result is no part of the loop's.
            results = [tuple(operands[0])] if operands else []
            bodies = bodies[1:]
        else:
            results = []
        results += [self._of.get(self._module.computations[body].root, ()) for body in bodies]
        count = len(instruction.shape.arrays)
        if not results or any(len(each) != count for each in results):
            return None
        for other in results[1:]:
            for first, second in zip(results[0], other, strict=True):
                self._unite(first, second)
        return tuple(results[0])

    def _of_wrapped(self, start: Instruction) -> tuple[int, ...]:
        """The results of what an asynchronous op wraps, which are the second part of its start's."""
        bodies = called_bodies(self._module, start)
        made = self._of.get(self._module.computations[bodies[0]].root, ()) if len(bodies) == 1 else ()
        shapes = start.shape.tuple_shapes
        return tuple(made) if len(shapes) > 1 and len(made) == len(shapes[1].arrays) else ()

    def _element(self, operand: int, index: int) -> tuple[int, ...] | None:
        shape = self._module.instructions[operand].shape
        values = self._of.get(operand)
        if values is None or not 0 <= index < len(shape.tuple_shapes):
            return None
        return tuple(values[shape.array_starts[index] : shape.array_starts[index + 1]])

    def _only_names(self, instruction: Instruction) -> bool:
        return instruction.opcode in _NAMING or instruction.opcode in _FORWARDS

    def _made(self, row: int, shape: Shape) -> tuple[int, ...]:
        return self._made_leaves(row, range(len(shape.arrays)))

    def _made_leaves(self, row: int, leaves: Sequence[int]) -> tuple[int, ...]:
        first = len(self._maker)
        self._maker.extend([row] * len(leaves))
        self._leaf.extend(leaves)
        self._same.extend(range(first, first + len(leaves)))
        return tuple(range(first, first + len(leaves)))

    def _root(self, value: int) -> int:
        same = self._same
        while same[value] != value:
            same[value] = same[same[value]]
            value = same[value]
        return value

    def _unite(self, first: int, second: int) -> None:
        """Of two values that are one, the one that is made first stands for both."""
        first, second = self._root(first), self._root(second)
        self._same[max(first, second)] = min(first, second)
