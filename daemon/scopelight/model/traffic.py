"""Bytes: the size of a shape, and what an instruction or a fusion moves to and from memory."""

import math
from collections.abc import Mapping

from scopelight.model.hlo import Computation, HloModule, Instruction, Shape

_ELEMENT_BITS: Mapping[str, int] = {
    **dict.fromkeys(("pred", "s8", "u8", "s4", "u4", "s2", "u2", "s1", "u1", "f4e2m1fn"), 8),
    **dict.fromkeys(("f8e5m2", "f8e4m3fn", "f8e4m3b11fnuz", "f8e5m2fnuz", "f8e4m3fnuz"), 8),
    **dict.fromkeys(("f8e4m3", "f8e3m4", "f8e8m0fnu"), 8),
    **dict.fromkeys(("s16", "u16", "f16", "bf16"), 16),
    **dict.fromkeys(("s32", "u32", "f32"), 32),
    **dict.fromkeys(("s64", "u64", "f64", "c64"), 64),
    "c128": 128,
}

PASSING = frozenset(
    (
        *("parameter", "constant", "bitcast", "reshape", "tuple", "get-tuple-element", "opt-barrier"),
        *("after-all", "add-dependency", "partition-id", "replica-id"),
    )
)
"""Opcodes that move nothing by themselves."""

SEEN_THROUGH = frozenset(("bitcast", "reshape", "tuple", "get-tuple-element", "opt-barrier", "broadcast"))
"""Opcodes inside a fusion through which a value reaches its reader; the reader is who moves it."""

SLICES = frozenset(("slice", "dynamic-slice", "gather"))
"""Opcodes that read only as much of their first operand as they return."""

_CONTAINERS = frozenset(("while", "conditional", "call"))


def element_count(shape: Shape) -> int:
    """Elements of an array; for a tuple the sum over its leaves."""
    if shape.tuple_shapes:
        return sum(map(element_count, shape.tuple_shapes))
    return math.prod(shape.dimensions)


def byte_size(shape: Shape) -> int:
    """Bytes of an array without padding; for a tuple the sum over its leaves.

    Types narrower than a byte take one byte for each element unless the layout says that they are packed.
    """
    if shape.tuple_shapes:
        return sum(map(byte_size, shape.tuple_shapes))
    bits = _ELEMENT_BITS.get(shape.element_type, 0)
    if bits and shape.layout is not None and shape.layout.element_size_bits > 0:
        bits = shape.layout.element_size_bits
    return -(-math.prod(shape.dimensions) * bits // 8)


def moved_bytes(module: HloModule, instruction: Instruction) -> int:
    """Bytes that one execution reads from and writes to memory.

    A fusion moves what crosses its boundary, a slice only what it returns; loops, branches and calls move
    nothing themselves.
    """
    opcode = instruction.opcode
    if opcode in PASSING or opcode in _CONTAINERS:
        return 0
    if opcode == "fusion" and len(instruction.called) == 1:
        return sum(boundary_traffic(module, module.computations[instruction.called[0]]).values())
    output = byte_size(instruction.shape)
    operands = [byte_size(module.instructions[row].shape) for row in instruction.operands]
    if opcode in SLICES:
        return 2 * output + (sum(operands[1:]) if opcode == "gather" else 0)
    if opcode == "dynamic-update-slice" and len(operands) > 1:
        return 2 * operands[1]
    return output + sum(operands)


def boundary_traffic(module: HloModule, fused: Computation) -> Mapping[int, int]:
    """Bytes that cross the boundary of a fused computation, by the row of the instruction that moves them.

    A parameter counts once however many instructions read it, and its readers share it; one that is only
    sliced counts as much as the slices return. The root counts as written by whatever computes it, an update
    in place as much as the update.
    """
    instructions = module.instructions
    sources = _sources(module, fused)
    readers: dict[int, dict[int, int]] = {}
    for row in fused.instructions:
        reader = instructions[row]
        if reader.opcode in SEEN_THROUGH:
            continue
        for position, operand in enumerate(reader.operands):
            source = sources.get(operand, operand)
            if instructions[source].opcode == "parameter":
                part = _part_read(module, reader, position, source)
                readers.setdefault(source, {})[row] = part
    traffic: dict[int, int] = {}
    for parameter, parts in readers.items():
        whole = byte_size(instructions[parameter].shape)
        asked = sum(parts.values())
        for row, part in parts.items():
            traffic[row] = traffic.get(row, 0) + (part if asked <= whole else part * whole // asked)
    for source in _written(module, fused.root, sources):
        written = instructions[source]
        size = byte_size(written.shape)
        if written.opcode == "dynamic-update-slice" and len(written.operands) > 1:
            size = byte_size(instructions[written.operands[1]].shape)
        traffic[source] = traffic.get(source, 0) + size
    return traffic


def _sources(module: HloModule, computation: Computation) -> Mapping[int, int]:
    """Where the values of see-through instructions come from; of a tuple, its first element."""
    # One pass in the file's order, operands first: what a hostile file turns round stays its own source.
    sources: dict[int, int] = {}
    for row in computation.instructions:
        instruction = module.instructions[row]
        if instruction.opcode in SEEN_THROUGH and instruction.operands:
            operand = instruction.operands[0]
            sources[row] = sources.get(operand, operand)
    return sources


def _part_read(module: HloModule, reader: Instruction, position: int, source: int) -> int:
    if position == 0 and reader.opcode in SLICES:
        return byte_size(reader.shape)
    if position == 0 and reader.opcode == "dynamic-update-slice":
        return 0
    return byte_size(module.instructions[source].shape)


def _written(module: HloModule, root: int, sources: Mapping[int, int]) -> list[int]:
    instruction = module.instructions[root]
    if instruction.opcode == "tuple":
        return [sources.get(operand, operand) for operand in instruction.operands]
    # A broadcast at the root writes more than what it spreads.
    return [root if instruction.opcode == "broadcast" else sources.get(root, root)]
