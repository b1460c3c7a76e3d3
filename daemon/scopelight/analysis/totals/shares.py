"""Which stacks and phases an op's time belongs to, and in what proportion."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence

import attrs

from scopelight.analysis.totals.frames import UserFrames
from scopelight.model.executions import Op
from scopelight.program.cost.flops import INLINED
from scopelight.program.cost.fusions import FusionCosts
from scopelight.program.cost.rates import BackendRates
from scopelight.program.cost.traffic import PASSING
from scopelight.program.hlo.frames import Frame, Stack
from scopelight.program.hlo.nouns import HloModule, Instruction
from scopelight.program.hlo.products import PRODUCTS, Products
from scopelight.program.phases.phases import module_phases, phase_of_name

_SCALE = 1 << 40
_FARTHEST = 8
_MOST_NEIGHBOURS = 64
_LOOPS = frozenset(("while", "conditional"))


@attrs.frozen(slots=True)
class Share:
    """A part of an op's time: ``weight`` over the sum of the op's weights; ``stack`` is empty if unknown."""

    stack: Stack
    phase: int
    """A value of ``Phase``."""
    weight: int
    inherited: bool = False


class Shares:
    """Divides ops among stacks. What it learns of a module is kept. Safe to use from several threads."""

    def __init__(self, frames: UserFrames) -> None:
        self._frames = frames
        self._modules: dict[tuple[int, str], _ModuleShares] = {}
        self._lock = threading.RLock()

    def of(self, op: Op, rates: BackendRates) -> Sequence[Share]:
        """Shares of ``op``, at least one."""
        if op.module is None or op.instruction is None:
            return (Share(op.stack, int(phase_of_name(op.op_name)), 1),)
        with self._lock:
            return self._of_module(op.module, rates).of(op.instruction, op.stack)

    def costs_inside(self, module: HloModule, instruction: Instruction, rates: BackendRates) -> Mapping[int, float]:
        """What the instructions inside a fusion cost, by their rows; see `FusionCosts`."""
        with self._lock:
            return self._of_module(module, rates).costs.parts(instruction)

    def phase(self, module: HloModule, instruction: Instruction, rates: BackendRates) -> int:
        """The phase of an instruction by itself, a value of `Phase`."""
        with self._lock:
            return self._of_module(module, rates).phase(instruction)

    def line(self, module: HloModule, instruction: Instruction, rates: BackendRates) -> Frame | None:
        """The line of an instruction: its own, else the one that the most of its time is charged to."""
        user = self._frames.of(self.stack(module, instruction, rates))
        return user[0] if user else None

    def stack(self, module: HloModule, instruction: Instruction, rates: BackendRates) -> Stack:
        """The stack of the line of an instruction; empty where it has none."""
        if self._frames.of(instruction.stack):
            return instruction.stack
        with self._lock:
            shares = sorted(self._of_module(module, rates).of(instruction, ()), key=lambda share: -share.weight)
        return next((share.stack for share in shares if self._frames.of(share.stack)), ())

    def _of_module(self, module: HloModule, rates: BackendRates) -> "_ModuleShares":
        key = (id(module), rates.kind)
        if key not in self._modules:
            self._modules[key] = _ModuleShares(module, self._frames, rates)
        return self._modules[key]


class _ModuleShares:
    def __init__(self, module: HloModule, frames: UserFrames, rates: BackendRates) -> None:
        self._module = module
        self._frames = frames
        self.costs = FusionCosts(module, rates)
        self._phases = module_phases(module)
        self._rows = {id(each): row for row, each in enumerate(module.instructions)}
        self._heirs: dict[int, Mapping[int, int]] = {}
        self._users: dict[int, dict[int, list[int]]] = {}
        self._products: Products | None = None

    def phase(self, instruction: Instruction) -> int:
        return self._phases[self._rows[id(instruction)]]

    def of(self, instruction: Instruction, told: Stack) -> Sequence[Share]:
        row = self._rows[id(instruction)]
        if instruction.opcode in INLINED and instruction.called:
            shares = self._divided(row, instruction, told)
            if shares:
                return shares
        stack, inherited = self._stack(row, told)
        return (Share(stack, self._phases[row], 1, inherited),)

    def _divided(self, row: int, instruction: Instruction, told: Stack) -> Sequence[Share]:
        single = self._undivided(instruction)
        if single is not None:
            return (single,)
        whole: tuple[Stack, bool] | None = None
        costs: dict[tuple[int, int], float] = {}
        stacks: dict[int, tuple[Stack, bool]] = {}
        for inner, cost in self.costs.parts(instruction).items():
            if self._is_lost_product(inner):
                stack = self._line_of_product(inner)
                stacks.setdefault(id(stack), (stack, True))
                key = (id(stack), self._phases[inner])
                costs[key] = costs.get(key, 0.0) + cost
                continue
            heir = self._heirs_of(self._module.instructions[inner].computation).get(inner)
            if heir is not None:
                stack, inherited = self._module.instructions[heir].stack, heir != inner
            else:
                # Nothing around it inside has a source: it goes with the op as a whole.
                if whole is None:
                    whole = self._stack(row, told)
                stack, inherited = whole
            known = stacks.get(id(stack))
            stacks[id(stack)] = (stack, inherited and (known is None or known[1]))
            key = (id(stack), self._phases[inner])
            costs[key] = costs.get(key, 0.0) + cost
        total = sum(costs.values())
        if total <= 0:
            return ()
        return [
            Share(stacks[stack][0], phase, max(1, round(cost / total * _SCALE)), stacks[stack][1])
            for (stack, phase), cost in costs.items()
        ]

    def _undivided(self, instruction: Instruction) -> Share | None:
        """The one share of a fusion whose instructions all have one stack and phase: nothing to weigh."""
        if len(instruction.called) != 1:
            return None
        instructions = self._module.instructions
        heirs = self._heirs_of(instruction.called[0])
        found: tuple[Stack, int] | None = None
        for inner in self._module.computations[instruction.called[0]].instructions:
            if instructions[inner].opcode in PASSING:
                continue
            heir = heirs.get(inner)
            if heir is None or instructions[inner].opcode in INLINED or self._is_lost_product(inner):
                return None
            stack, phase = instructions[heir].stack, self._phases[inner]
            if found is None:
                found = (stack, phase)
            elif found[0] is not stack or found[1] != phase:
                return None
        return Share(*found, 1) if found is not None else None

    def _heirs_of(self, computation: int) -> Mapping[int, int]:
        """For the instructions of a fused computation, the one whose stack counts: itself or a neighbour.

        XLA puts converts, broadcasts and merged ops inside for the sake of what reads them, so the first
        reader with a source is asked before the operands.
        """
        heirs = self._heirs.get(computation)
        if heirs is not None:
            return heirs
        instructions = self._module.instructions
        rows = self._module.computations[computation].instructions
        found: dict[int, int] = {row: row for row in rows if self._frames.of(instructions[row].stack)}
        self._heirs[computation] = found
        if len(found) == len(rows):
            return found
        taken: dict[int, int] = {}
        for row in reversed(rows):
            heir = found.get(row, taken.get(row))
            if heir is not None:
                for operand in instructions[row].operands:
                    # Rows are walked backwards, so that the last to write is the first reader.
                    taken[operand] = heir
        for row in rows:
            if row not in found and row in taken:
                found[row] = taken[row]
        for row in rows:
            if row not in found:
                heir = next((found[each] for each in instructions[row].operands if each in found), None)
                if heir is not None:
                    found[row] = heir
        return found

    # Ops as a whole

    def _stack(self, row: int, told: Stack) -> tuple[Stack, bool]:
        """Stack of an op as a whole, and whether it is another's.

        An op that XLA inserted takes the line that all its nearest users with a source agree on, else its
        operands'; a ``-done`` that of its start. What a call returns has the call's. Inside a loop or branch it is the
        loop's. Else it has none.
        """
        outermost = row
        for each in self._outwards(row):
            outermost = each
            instruction = self._module.instructions[each]
            for stack in (instruction.stack, told if each == row else ()):
                if self._frames.of(stack):
                    return stack, each != row
            if self._is_lost_product(each):
                return self._line_of_product(each), True
            if instruction.opcode.endswith("-done"):
                directions = (self._operands_of, self._users_of)
            else:
                directions = (self._users_of, self._operands_of)
            for direction in directions:
                agreed = self._agreed(each, direction)
                if agreed:
                    return agreed, True
        return self._loop_around(self._module.instructions[outermost].computation), True

    def _outwards(self, row: int) -> Iterator[int]:
        """An op, and the calls around it whose result it is: XLA:CPU puts ops that it divides among threads in one."""
        seen: set[int] = set()
        while row not in seen:
            seen.add(row)
            yield row
            computation = self._module.instructions[row].computation
            callers = self._module.callers.get(computation, ())
            if len(callers) != 1 or self._module.computations[computation].root != row:
                return
            if self._module.instructions[callers[0]].opcode != "call":
                return
            row = callers[0]

    def _is_lost_product(self, row: int) -> bool:
        instruction = self._module.instructions[row]
        return instruction.opcode in PRODUCTS and not self._frames.of(instruction.stack)

    def _line_of_product(self, row: int) -> Stack:
        """Stack of a product without a source: of its result under its own name, else of its siblings if they agree.

        Other neighbours say nothing: what reads a gradient is the optimizer's line.
        """
        if self._products is None:
            self._products = Products(self._module)
        result = self._products.result_of(row)
        if result is not None and self._frames.of(self._module.instructions[result].stack):
            return self._module.instructions[result].stack
        stacks = [self._module.instructions[each].stack for each in self._products.of_same_line(row)]
        known = [stack for stack in stacks if self._frames.of(stack)]
        lines = {(frame.path, frame.line) for frame in (self._frames.of(stack)[0] for stack in known)}
        return known[0] if len(lines) == 1 else ()

    def _operands_of(self, row: int) -> Sequence[int]:
        return self._module.instructions[row].operands

    def _users_of(self, row: int) -> Sequence[int]:
        computation = self._module.instructions[row].computation
        users = self._users.get(computation)
        if users is None:
            users = self._users[computation] = {}
            for user in self._module.computations[computation].instructions:
                for operand in self._module.instructions[user].operands:
                    users.setdefault(operand, []).append(user)
        return users.get(row, ())

    def _agreed(self, row: int, direction: Callable[[int], Sequence[int]]) -> Stack:
        seen = {row}
        level = [row]
        for _ in range(_FARTHEST):
            following = [each for one in level for each in direction(one)]
            level = [each for each in dict.fromkeys(following) if each not in seen]
            seen.update(level)
            if not level or len(seen) > _MOST_NEIGHBOURS:
                return ()
            stacks = [self._module.instructions[each].stack for each in level]
            known = [stack for stack in stacks if self._frames.of(stack)]
            if known:
                lines = {(first.path, first.line) for first in (self._frames.of(stack)[0] for stack in known)}
                return known[0] if len(lines) == 1 else ()
        return ()

    def _loop_around(self, computation: int) -> Stack:
        seen: set[int] = set()
        while computation not in seen:
            seen.add(computation)
            callers = self._module.callers.get(computation, ())
            if len(callers) != 1:
                break
            caller = self._module.instructions[callers[0]]
            if caller.opcode in _LOOPS and self._frames.of(caller.stack):
                return caller.stack
            computation = caller.computation
        return ()
