"""Cost of one execution of an op (FLOPs, bytes by memory space): recorded, else estimated from the HLO's shapes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import attrs

from scopelight.model.executions import Executions, Op
from scopelight.model.recorded_cost import GREATEST, RecordedCost
from scopelight.program.cost.flops import Flops, ModuleFlops
from scopelight.program.cost.matrix_unit import product_padding
from scopelight.program.cost.opcode_flops import WITHOUT_ARITHMETIC
from scopelight.program.cost.traffic import CONTAINERS, Access, Traffic
from scopelight.program.hlo.memory_spaces import HOST, ONE_MEMORY, OTHER, TPU_MEMORIES, MemorySpaces
from scopelight.program.hlo.nouns import HloModule, Instruction
from scopelight.program.hlo.sizes import first_array
from scopelight.program.phases.phases import computes_again


def computations_of_ops(ops: Sequence[Op]) -> Mapping[int, Iterable[int]]:
    """By module (its ``id()``) the rows of the computations that the ops are in."""
    found: dict[int, set[int]] = {}
    for op in ops:
        if op.module is not None and op.instruction is not None:
            found.setdefault(id(op.module), set()).add(op.instruction.computation)
    return found


def with_callers(module: HloModule, computations: Iterable[int]) -> frozenset[int]:
    """The computations, and those that call one of them, at whatever depth: all are executed where the first are."""
    waiting = set(computations)
    found: set[int] = set()
    while waiting:
        computation = waiting.pop()
        if computation not in found:
            found.add(computation)
            waiting.update(module.instructions[row].computation for row in module.callers.get(computation, ()))
    return frozenset(found)


_STARTED = frozenset(("async-start", "async-update", "async-done"))
_MOST_STEPS = 4
"""From an asynchronous end back to the start that holds the computation."""


@attrs.frozen(slots=True)
class OpCost:
    """Costs of one execution. None is unknown, never 0.

    ``flops`` are executed, as XLA counts them; ``model_flops`` are without ``repeated_flops``, which were computed
    again, and without those in the padding of windows. ``padded_flops`` are with the sizes of matrix products rounded
    up to the matrix unit (None without one). ``transcendentals`` are functions such as exp, which are
    no FLOPs. ``bytes_by_space`` is what is read and written, by memory space: ``main`` (HBM, GDDR, DRAM), ``vmem``,
    ``cmem``, ``smem``, ``host``, ``other``. ``element_type`` is that of the arithmetic, empty where unknown.
    ``basis`` says whether the profile states FLOPs or bytes, or shapes give both.
    """

    flops: int | None = None
    model_flops: int | None = None
    padded_flops: int | None = None
    transcendentals: int | None = None
    bytes_by_space: Mapping[str, int] | None = None
    element_type: str = ""
    basis: Literal["measured", "estimated"] = "estimated"
    repeated_flops: int | None = None

    @property
    def fields(self) -> dict[str, Any]:
        """Its fields by name."""
        return {each.name: getattr(self, each.name) for each in attrs.fields(OpCost)}

    def times(self, executions: int) -> "OpCost":
        """What ``executions`` cost together."""

        def product(value: Any) -> Any:  # noqa: ANN401 (of any quantity)
            if isinstance(value, Mapping):
                return {space: each * executions for space, each in value.items()}
            return value * executions if isinstance(value, int) else value

        return OpCost(**{name: product(value) for name, value in self.fields.items()})

    @property
    def bytes(self) -> int | None:
        """Bytes over all memory spaces."""
        return None if self.bytes_by_space is None else sum(self.bytes_by_space.values())


class OpCosts:
    """Per-execution costs of a profile's ops, computed on first use.

    A loop, a branch and a call cost nothing themselves, for what they call runs as ops of its own; where none of it
    did, the op counts what it holds. ``matrix_unit`` is the rows and columns that the device's matrix unit multiplies
    at once; without it no ``padded_flops`` are known.
    """

    def __init__(self, executions: Executions, matrix_unit: tuple[int, int] | None = None) -> None:
        self._ops = executions.ops
        self._matrix_unit = matrix_unit
        # A profile is of one kind of device; the host's ops are on none of the accelerator's memories.
        spaces = [device.memory_spaces for device in executions.devices]
        self._spaces = TPU_MEMORIES if TPU_MEMORIES in spaces else ONE_MEMORY
        self._of_row: dict[int, OpCost] = {}
        self._of_module: dict[int, _ModuleCosts] = {}
        self._computations = computations_of_ops(executions.ops)

    def of(self, row: int) -> OpCost:
        """The cost of one execution of the op at ``row`` of ``Executions.ops``."""
        if row not in self._of_row:
            op = self._ops[row]
            self._of_row[row] = self._cost(op)
        return self._of_row[row]

    def _cost(self, op: Op) -> OpCost:
        if op.module is None or op.instruction is None:
            return _with_recorded(OpCost(), op, is_again=computes_again(op.name, op.op_name))
        costs = self._costs_of(op.module)
        return _with_recorded(costs.of(op.instruction), op, is_again=costs.computes_again(op.instruction))

    def _costs_of(self, module: HloModule) -> "_ModuleCosts":
        costs = self._of_module.get(id(module))
        if costs is None:
            executed = with_callers(module, self._computations[id(module)])
            costs = self._of_module[id(module)] = _ModuleCosts(module, executed, self._matrix_unit, self._spaces)
        return costs


def _with_recorded(estimate: OpCost, op: Op, *, is_again: bool) -> OpCost:
    """The estimate, with what the profile states in its place."""
    recorded = op.recorded
    if recorded is None or not _is_believable(recorded, op):
        return estimate
    opcode = op.instruction.opcode if op.instruction else ""
    if opcode in CONTAINERS and estimate.flops == 0:
        # What is recorded of a container is what its body costs, which runs as ops of its own.
        return estimate
    if recorded.flops is not None:
        estimate = _with_recorded_flops(estimate, recorded.flops, recorded.model_flops, is_again=is_again)
    return attrs.evolve(
        estimate,
        bytes_by_space=estimate.bytes_by_space
        if recorded.bytes_by_space is None
        else _named(recorded.bytes_by_space, estimate.bytes_by_space),
        basis="measured",
    )


def _is_believable(recorded: RecordedCost, op: Op) -> bool:
    """XLA states 0 FLOPs and 0 bytes of a custom call that it knows nothing of: a kernel of Pallas, say."""
    is_nothing = not recorded.flops and not any((recorded.bytes_by_space or {}).values())
    return not (is_nothing and op.category == "custom-call") or (
        op.instruction is not None and op.instruction.custom_call_target in WITHOUT_ARITHMETIC
    )


def _with_recorded_flops(estimate: OpCost, flops: int, model_flops: int | None, *, is_again: bool) -> OpCost:
    """As recorded, less what jax computes again: the compiler, which states the figures, does not know of that."""
    stated = flops if model_flops is None else model_flops
    if not estimate.flops or estimate.model_flops is None or estimate.repeated_flops is None:
        model = once = 0 if is_again else stated
    else:
        model = stated * estimate.model_flops // estimate.flops
        once = stated * (estimate.flops - estimate.repeated_flops) // estimate.flops
    padded = None
    if estimate.flops is not None and estimate.padded_flops is not None:
        padded = flops + estimate.padded_flops - estimate.flops
    return attrs.evolve(
        estimate, flops=flops, model_flops=model, repeated_flops=max(0, flops - once), padded_flops=padded
    )


def _named(recorded: Mapping[str, int], estimate: Mapping[str, int] | None) -> Mapping[str, int]:
    """Recorded bytes by space. What is in none of the device's memories is in the host's, if shapes name that."""
    if OTHER not in recorded or not (estimate or {}).get(HOST):
        return recorded
    return {(HOST if space == OTHER else space): moved for space, moved in recorded.items()}


class _ModuleCosts:
    """Estimated costs of the instructions of one module; the computations in ``executed`` are executed op by op."""

    def __init__(
        self, module: HloModule, executed: frozenset[int], matrix_unit: tuple[int, int] | None, spaces: MemorySpaces
    ) -> None:
        self._module = module
        self._executed = executed
        self._matrix_unit = matrix_unit
        self._spaces = spaces
        self._flops = ModuleFlops(module, self._padded if matrix_unit else None)
        self._traffic = Traffic(module)

    def computes_again(self, instruction: Instruction) -> bool:
        return self._flops.computes_again(instruction)

    def of(self, instruction: Instruction) -> OpCost:
        held = [each for each in instruction.called if each not in self._executed]
        if instruction.opcode in CONTAINERS and (len(held) < len(instruction.called) or not held):
            return self._cost(Flops(0), {}, instruction)
        if instruction.opcode in ("while", "conditional"):
            # How often the body ran, or which branch, nothing tells; but one that computes nothing leaves no trace.
            if instruction.opcode == "conditional" and any(
                self._flops.of_computation(each).flops == 0 for each in held
            ):
                return self._cost(Flops(0), {}, instruction)
            return OpCost()
        if instruction.opcode == "call":
            return self._cost(self._flops.of(instruction), self._by_space(self._accesses_of(held)), instruction)
        if instruction.opcode in _STARTED:
            return self._of_asynchronous(instruction)
        return self._cost(self._flops.of(instruction), self._by_space(self._traffic.accesses(instruction)), instruction)

    def _of_asynchronous(self, instruction: Instruction) -> OpCost:
        """The start computes and reads, the end writes: each where its time is spent."""
        start = instruction
        for _ in range(_MOST_STEPS):
            if start.called or not start.operands:
                break
            start = self._module.instructions[start.operands[0]]
        held = [each for each in start.called if each not in self._executed]
        computes = instruction.opcode == "async-start"
        accesses = self._accesses_of(held if computes or instruction.opcode == "async-done" else ())
        if accesses is not None:
            accesses = [each for each in accesses if each.writes != computes]
        flops = self._flops.of(start) if computes and held else Flops(0)
        return self._cost(flops, self._by_space(accesses), instruction)

    def _cost(self, flops: Flops, by_space: Mapping[str, int] | None, instruction: Instruction) -> OpCost:
        count = _bounded(flops.flops)
        padded = None
        if count is not None and self._matrix_unit is not None:
            padded = _bounded(count + flops.padding_flops)
        return OpCost(
            flops=count,
            model_flops=None if count is None else count - flops.repeated_flops - flops.window_padding_flops,
            repeated_flops=None if count is None else flops.repeated_flops,
            padded_flops=padded,
            transcendentals=None if count is None else _bounded(flops.transcendentals),
            bytes_by_space=by_space,
            element_type=flops.element_type or first_array(instruction.shape).element_type,
        )

    def _padded(self, instruction: Instruction) -> int | None:
        if self._matrix_unit is None:
            return None
        padding = product_padding(self._module, instruction, self._matrix_unit)
        return padding.padded_flops if padding else None

    def _accesses_of(self, computations: Sequence[int]) -> list[Access] | None:
        """What the instructions of computations move, each by itself, those that they call included."""
        accesses: list[Access] = []
        waiting, seen = list(computations), set(computations)
        while waiting:
            for row in self._module.computations[waiting.pop()].instructions:
                instruction = self._module.instructions[row]
                moved = self._traffic.accesses(instruction)
                if moved is None or instruction.opcode in ("while", "conditional"):
                    return None
                accesses.extend(moved)
                if instruction.opcode == "call":
                    waiting.extend(each for each in instruction.called if each not in seen)
                    seen.update(instruction.called)
        return accesses

    def _by_space(self, accesses: Sequence[Access] | None) -> Mapping[str, int] | None:
        if accesses is None:
            return None
        spaces: dict[str, int] = {}
        for access in accesses:
            if access.bytes:
                space = self._spaces.of_array(access.array)
                spaces[space] = spaces.get(space, 0) + access.bytes
        return spaces if sum(spaces.values()) <= GREATEST else None


def _bounded(count: int | None) -> int | None:
    """What is more than any device does in one execution is a mistake of the file, and unknown."""
    return count if count is not None and count <= GREATEST else None
