"""Bytes: what an instruction or a fusion moves to and from memory."""

from collections.abc import Iterable, Mapping, Sequence

import attrs

from scopelight.legible import Legible
from scopelight.program.cost.opcode_flops import WITHOUT_ARITHMETIC
from scopelight.program.hlo.nouns import Computation, HloModule, Instruction, Shape
from scopelight.program.hlo.sizes import byte_size, leaves

PASSING = frozenset(
    (
        *("parameter", "constant", "bitcast", "reshape", "tuple", "get-tuple-element", "opt-barrier"),
        *("after-all", "add-dependency", "partition-id", "replica-id"),
    )
)
"""Opcodes inside a fusion that move nothing by themselves."""

SEEN_THROUGH = frozenset(("bitcast", "reshape", "tuple", "get-tuple-element", "opt-barrier", "broadcast"))
"""Opcodes inside a fusion through which a value reaches its reader; the traffic is the reader's."""

_RENAMING = frozenset(("bitcast", "reshape", "opt-barrier"))

SLICES = frozenset(("slice", "dynamic-slice", "gather"))
"""Opcodes that read only as much of their first operand as they return."""

UPDATES = frozenset(("dynamic-update-slice", "scatter"))
"""Opcodes that write their updates into their first operand, in place where that is a parameter."""

CONTAINERS = frozenset(("while", "conditional", "call"))
"""Opcodes whose work is that of the computations that they call."""

DEEPEST_FUSION = 32
"""A fusion nested deeper than this reads its operands whole; only a hostile file has one."""

_MOST_STEPS = 64
_STILL = (PASSING | CONTAINERS | {"async-update", "domain"}) - {"reshape"}


@attrs.frozen(slots=True, repr=False)
class Access(Legible):
    """Bytes that one execution reads from an array or writes to it; ``array`` has the layout that names the memory."""

    bytes: int
    array: Shape
    writes: bool = False


@attrs.frozen(slots=True, repr=False)
class Boundary(Legible):
    """What crosses the boundary of a fused computation.

    ``read`` is by the row of the parameter and the row of the instruction that reads it, ``written`` by element of the
    result: the row of the instruction that computes it, and its bytes.
    """

    read: Mapping[int, Mapping[int, int]]
    written: Sequence[tuple[int, int]]


class Traffic:
    """Bytes that the instructions of one module move, as XLA counts them: without the padding of tiles."""

    def __init__(self, module: HloModule) -> None:
        self._module = module
        self._boundaries: dict[int, Boundary] = {}

    def accesses(self, instruction: Instruction) -> Sequence[Access] | None:
        """What one execution reads and writes; None where the instruction does not tell: a custom call.

        A fusion moves what crosses its boundary, a slice only what it returns; loops, branches and calls move nothing
        themselves. What is done asynchronously is read by its start and written by its end.
        """
        opcode = instruction.opcode
        if opcode in _STILL:
            return ()
        operands = [self._module.instructions[row].shape for row in instruction.operands]
        if opcode == "fusion" and len(instruction.called) == 1:
            return self._of_fusion(instruction, operands)
        if opcode == "custom-call":
            return _of_custom_call(instruction, operands)
        return (*self._reads(instruction, operands), *self._writes(instruction, operands))

    def boundary(self, computation: int) -> Boundary:
        """What crosses the boundary of the fused computation at a row of the module's.

        A parameter counts once however many instructions read it, and its readers share it; one that is only sliced
        counts as much as the slices return. A result counts as written by whatever computes it, an update in place as
        much as the update.
        """
        return self._boundary(computation, 0)

    def _reads(self, instruction: Instruction, operands: Sequence[Shape]) -> Sequence[Access]:
        opcode = instruction.opcode
        reads = _all(operands)
        if opcode.endswith("-done") or opcode == "recv":
            reads = ()
        elif opcode == "send":
            reads = _all(operands[:1])
        elif opcode in SLICES and operands:
            reads = (Access(byte_size(instruction.shape), operands[0]), *_all(operands[1:]))
        elif opcode == "dynamic-update-slice":
            reads = _all(operands[1:])
        elif opcode == "scatter" and operands:
            # It combines its updates with what is there; its operands are arrays, indices and as many updates.
            reads = (Access(self._updates(instruction), operands[0]), *_all(operands[len(operands) // 2 :]))
        elif opcode in ("triangular-solve", "cholesky") and operands:
            # Half of the matrix is read; the other half is not looked at.
            reads = (Access(byte_size(operands[0]) // 2, operands[0]), *_all(operands[1:]))
        return reads

    def _writes(self, instruction: Instruction, operands: Sequence[Shape]) -> Sequence[Access]:
        opcode = instruction.opcode
        if opcode in ("send", "send-done", "recv") or opcode.endswith("-start"):
            return ()
        if opcode in UPDATES and operands:
            return (Access(self._updates(instruction), operands[0], writes=True),)
        return _all([instruction.shape], writes=True)

    def _of_fusion(self, fusion: Instruction, operands: Sequence[Shape]) -> Sequence[Access]:
        boundary = self.boundary(fusion.called[0])
        accesses = []
        for row, parts in boundary.read.items():
            parameter = self._module.instructions[row]
            number = parameter.parameter_number
            shape = operands[number] if number is not None and number < len(operands) else parameter.shape
            accesses.append(Access(sum(parts.values()), next(leaves(shape))))
        results = list(leaves(fusion.shape))
        for place, (_, written) in enumerate(boundary.written):
            array = results[place] if len(results) == len(boundary.written) else results[0]
            accesses.append(Access(written, array, writes=True))
        return accesses

    def _boundary(self, computation: int, depth: int) -> Boundary:
        known = self._boundaries.get(computation)
        if known is None:
            # Set first, so that a computation that calls itself ends.
            self._boundaries[computation] = Boundary({}, ())
            known = self._boundaries[computation] = self._find_boundary(self._module.computations[computation], depth)
        return known

    def _find_boundary(self, fused: Computation, depth: int) -> Boundary:
        instructions = self._module.instructions
        sources = _sources(self._module, fused)
        read: dict[int, dict[int, int]] = {}
        for row in fused.instructions:
            reader = instructions[row]
            if row in sources:
                continue
            for position, operand in enumerate(reader.operands):
                source = sources.get(operand, operand)
                if instructions[source].opcode == "parameter":
                    part = self._part_read(reader, position, source, depth)
                    readers = read.setdefault(source, {})
                    readers[row] = max(part, readers.get(row, 0))
        root = instructions[fused.root]
        results = root.operands if root.opcode == "tuple" else (fused.root,)
        written = [self._written(row, sources) for row in results]
        for result, (writer, size) in zip(results, written, strict=True):
            # What is handed on as it is, or only spread, is read all the same.
            source = sources.get(result, result)
            if instructions[source].opcode == "parameter":
                read.setdefault(source, {}).setdefault(writer, min(size, byte_size(instructions[source].shape)))
        for parameter, parts in read.items():
            whole = byte_size(instructions[parameter].shape)
            asked = sum(parts.values())
            if asked > whole:
                read[parameter] = _shared(parts, whole, asked)
        return Boundary(read, written)

    def _part_read(self, reader: Instruction, position: int, source: int, depth: int) -> int:
        """How much of the parameter ``source`` its reader needs, which has it as the operand at ``position``."""
        if position == 0 and reader.opcode in SLICES:
            return byte_size(reader.shape)
        if position == 0 and reader.opcode in UPDATES:
            # A dynamic-update-slice does not look at what it replaces; a scatter combines its updates with it.
            return self._updates(reader) if reader.opcode == "scatter" else 0
        whole = byte_size(self._module.instructions[source].shape)
        if reader.opcode == "fusion" and len(reader.called) == 1 and depth < DEEPEST_FUSION:
            for row, parts in self._boundary(reader.called[0], depth + 1).read.items():
                if self._module.instructions[row].parameter_number == position:
                    return min(whole, sum(parts.values()))
            return 0
        return whole

    def _updates(self, update: Instruction) -> int:
        """Bytes of the arrays that an update writes into others."""
        first = 1 if update.opcode == "dynamic-update-slice" else len(update.operands) // 2 + 1
        last = 2 if update.opcode == "dynamic-update-slice" else len(update.operands)
        return sum(byte_size(self._module.instructions[row].shape) for row in update.operands[first:last])

    def _written(self, result: int, sources: Mapping[int, int]) -> tuple[int, int]:
        """Who writes a result and how much: of updates in place of a parameter, one in the other, only the updates."""
        instructions = self._module.instructions
        writer = result
        for _ in range(_MOST_STEPS):
            each = instructions[writer]
            # A broadcast writes more than what it spreads.
            if each.opcode not in SEEN_THROUGH or each.opcode == "broadcast" or not each.operands:
                break
            writer = each.operands[0]
        updated, place = 0, writer
        for _ in range(_MOST_STEPS):
            each = instructions[place]
            if each.opcode == "parameter" and place != writer:
                return writer, min(updated, byte_size(instructions[result].shape))
            if each.opcode not in UPDATES or len(each.operands) < 2:
                break
            updated += self._updates(each)
            place = sources.get(each.operands[0], each.operands[0])
        return writer, byte_size(instructions[result].shape)


def _all(shapes: Iterable[Shape], *, writes: bool = False) -> tuple[Access, ...]:
    return tuple(Access(byte_size(each), each, writes) for shape in shapes for each in leaves(shape))


def _of_custom_call(call: Instruction, operands: Sequence[Shape]) -> Sequence[Access] | None:
    if call.custom_call_target in WITHOUT_ARITHMETIC:
        return ()
    if call.dot is None and call.convolution is None:
        return None
    # The last array of a tuple is the library's workspace.
    results = list(leaves(call.shape))
    return (*_all(operands), *_all(results[:-1] if len(results) > 1 else results, writes=True))


def _shared(parts: Mapping[int, int], whole: int, asked: int) -> dict[int, int]:
    """``whole`` divided as the parts of ``asked`` are; what rounding leaves over is the last one's."""
    shared = {row: part * whole // asked for row, part in parts.items()}
    last = next(reversed(parts))
    shared[last] += whole - sum(shared.values())
    return shared


def boundary_traffic(module: HloModule, computation: int) -> Mapping[int, int]:
    """Bytes that cross the boundary of a fused computation, by the row of the instruction that moves them."""
    boundary = Traffic(module).boundary(computation)
    traffic: dict[int, int] = {}
    for parts in boundary.read.values():
        for row, part in parts.items():
            traffic[row] = traffic.get(row, 0) + part
    for row, size in boundary.written:
        traffic[row] = traffic.get(row, 0) + size
    return traffic


def _sources(module: HloModule, computation: Computation) -> Mapping[int, int]:
    """Where the values of see-through instructions come from; of a tuple, its first element.

    A nested fusion that only hands on what it is given is seen through as well: so Triton's products name the blocks of
    their operands.
    """
    # One pass in the file's order, operands first: what a hostile file turns round stays its own source.
    sources: dict[int, int] = {}
    for row in computation.instructions:
        instruction = module.instructions[row]
        place: int | None = 0 if instruction.opcode in SEEN_THROUGH else None
        if instruction.opcode == "fusion" and len(instruction.called) == 1:
            place = _handed_on(module, module.computations[instruction.called[0]])
        if place is not None and place < len(instruction.operands):
            operand = instruction.operands[place]
            sources[row] = sources.get(operand, operand)
    return sources


def _handed_on(module: HloModule, fused: Computation) -> int | None:
    """The number of the parameter that a fused computation hands on as it is; None where it does anything else."""
    row = fused.root
    for _ in range(_MOST_STEPS):
        each = module.instructions[row]
        if each.opcode == "parameter":
            return each.parameter_number
        if each.opcode not in _RENAMING or not each.operands:
            return None
        row = each.operands[0]
    return None
