"""From the bytes' messages to the nouns: a checked ``HloModule`` and the stacks of its instructions.

Files are hostile input: every id is looked up, never trusted, and nothing here recurses over instructions,
computations or frames.
"""

from collections.abc import Sequence
from typing import Any

import attrs

from scopelight.formats.hlo import hlo_pb2
from scopelight.formats.hlo.primitive_types import PRIMITIVE_TYPES
from scopelight.phrase import Phrase
from scopelight.program.hlo.dimensions import (
    convolution_dimensions,
    dot_dimensions,
    estimated_cycles,
    fail,
    fft_length,
    is_possible,
    trip_count,
    whole_number,
    window_dimensions,
)
from scopelight.program.hlo.groups import KnownGroups, crosses_slices, device_ids_of, source_target_pairs_of
from scopelight.program.hlo.loops import with_trip_counts
from scopelight.program.hlo.nouns import Computation, HloModule, Instruction, Layout, Shape
from scopelight.program.hlo.stacks import Stacks
from scopelight.program.hlo.tiling import is_possible_layout

# A module's operands are named by a 64-bit id whose low half is the id inside the computation; some writers
# give the low half alone.
_LOCAL_ID = 0xFFFFFFFF

_OPERAND, _COMPUTATION, _ROOT = Phrase("operand"), Phrase("computation"), Phrase("root")

# The generated classes carry no annotations for their submessages.
_Message = Any


def build_module(proto: hlo_pb2.HloProto, program_id: str, where: str = "") -> HloModule:
    """Build the module of ``proto``; ``program_id`` is the id by which executions name it, or empty.

    ``where`` names its origin in errors; without it they name the program.

    Raises ``FormatError`` where an id names nothing, an id is given twice, frames form a cycle, or a shape
    is impossible. Computations that call each other in a circle are let through: no reader of an
    ``HloModule`` may assume that calls end.
    """
    module: _Message = proto.hlo_module
    where = where or Phrase("The program {name!r}", name=module.name)
    if not module.computations:
        fail(where, "it has no computations")
    stacks = Stacks(module, where)
    shapes = _Shapes(where)
    groups = KnownGroups()
    computation_rows: dict[int, int] = {}
    for row, computation in enumerate(module.computations):
        if computation_rows.setdefault(computation.id, row) != row:
            fail(where, "two computations have the id {id}", id=computation.id)

    instructions: list[Instruction] = []
    computations: list[Computation] = []
    for row, computation in enumerate(module.computations):
        first = len(instructions)
        rows = _instruction_rows(where, computation, first)
        for each in computation.instructions:
            instructions.append(
                _instruction(
                    where,
                    each,
                    computation=row,
                    operands=tuple(_row(where, rows, operand, _OPERAND, each) for operand in each.operand_ids),
                    called=tuple(
                        _row(where, computation_rows, called, _COMPUTATION, each)
                        for called in each.called_computation_ids
                    ),
                    shapes=shapes,
                    stacks=stacks,
                    groups=groups,
                )
            )
        if first == len(instructions):
            fail(where, "computation {name!r} has no instructions", name=computation.name)
        computations.append(
            Computation(
                id=computation.id,
                name=computation.name,
                instructions=tuple(range(first, len(instructions))),
                root=_row(where, rows, computation.root_id, _ROOT, computation),
                is_fusion=computation.is_fusion_computation,
            )
        )
    return HloModule(
        name=module.name,
        program_id=program_id,
        instructions=tuple(with_trip_counts(instructions, computations)),
        computations=_with_fusions_marked(instructions, computations),
        entry=_entry(where, module, computation_rows),
        device_count=_device_count(module),
        partition_count=max(1, module.device_assignment.computation_count),
        device_ids=device_ids_of(module),
    )


def _device_count(module: _Message) -> int:
    assignment = module.device_assignment
    replicas, partitions = int(assignment.replica_count), int(assignment.computation_count)
    return max(1, replicas) * max(1, partitions)


def _row(where: str, rows: dict[int, int], wanted: int, what: Phrase, owner: _Message) -> int:
    row = rows.get(wanted)
    if row is None:
        row = rows.get(wanted & _LOCAL_ID) if what is not _COMPUTATION else None
    if row is None:
        fail(where, "{name!r} names the {what} {id}, which does not exist", name=owner.name, what=what, id=wanted)
    return row


def _instruction_rows(where: str, computation: _Message, first: int) -> dict[int, int]:
    rows = {each.id: row for row, each in enumerate(computation.instructions, first)}
    if len(rows) != len(computation.instructions):
        fail(where, "two instructions of computation {name!r} have one id", name=computation.name)
    if any(identifier > _LOCAL_ID for identifier in rows):
        for identifier, row in tuple(rows.items()):
            rows.setdefault(identifier & _LOCAL_ID, row)
    return rows


def _entry(where: str, module: _Message, rows: dict[int, int]) -> int:
    if module.entry_computation_id in rows:
        return rows[module.entry_computation_id]
    for row, computation in enumerate(module.computations):
        if computation.name == module.entry_computation_name:
            return row
    return fail(where, "its entry computation {id} does not exist", id=module.entry_computation_id)


def _with_fusions_marked(
    instructions: Sequence[Instruction], computations: Sequence[Computation]
) -> tuple[Computation, ...]:
    # Older writers leave is_fusion_computation unset.
    fused = {row for each in instructions if each.opcode == "fusion" for row in each.called}
    return tuple(
        each if each.is_fusion or row not in fused else attrs.evolve(each, is_fusion=True)
        for row, each in enumerate(computations)
    )


def _instruction(
    where: str,
    proto: _Message,
    *,
    computation: int,
    operands: tuple[int, ...],
    called: tuple[int, ...],
    shapes: "_Shapes",
    stacks: Stacks,
    groups: KnownGroups,
) -> Instruction:
    opcode = proto.opcode
    metadata = proto.metadata
    is_windowed = proto.HasField("window")
    is_convolution = proto.HasField("convolution_dimension_numbers")
    return Instruction(
        id=proto.id,
        name=proto.name,
        opcode=opcode,
        shape=shapes.of(proto.shape),
        computation=computation,
        operands=operands,
        called=called,
        op_name=metadata.op_name,
        stack=stacks.of(metadata),
        fusion_kind=proto.fusion_kind,
        custom_call_target=proto.custom_call_target,
        dimensions=tuple(proto.dimensions),
        dot=dot_dimensions(where, proto),
        convolution=convolution_dimensions(where, proto) if is_convolution else None,
        window=window_dimensions(where, proto) if is_windowed else (),
        feature_group_count=max(1, proto.feature_group_count),
        batch_group_count=max(1, proto.batch_group_count),
        fft_length=fft_length(where, proto),
        parameter_number=proto.parameter_number if opcode == "parameter" else None,
        tuple_index=proto.tuple_index if opcode == "get-tuple-element" else None,
        trip_count=trip_count(proto) if opcode == "while" else None,
        estimated_cycles=estimated_cycles(proto),
        constant=whole_number(proto) if opcode == "constant" else None,
        comparison=proto.comparison_direction,
        replica_groups=groups.of(proto),
        source_target_pairs=source_target_pairs_of(proto),
        channel_id=max(0, proto.channel_id),
        uses_global_device_ids=proto.use_global_device_ids,
        crosses_slices=crosses_slices(proto),
    )


class _Shapes:
    """Shapes of a module, one object for each that differs."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._known: dict[bytes, Shape] = {}

    def of(self, proto: _Message) -> Shape:
        key = proto.SerializeToString()
        shape = self._known.get(key)
        if shape is None:
            shape = self._known[key] = self._build(proto)
        return shape

    def _build(self, proto: _Message) -> Shape:
        # Protobuf refuses messages nested deeper than a hundred, which bounds the recursion over tuples.
        dimensions = tuple(proto.dimensions)
        if not is_possible(dimensions):
            fail(self._where, "it has an array of the impossible size {sizes}", sizes=list(dimensions)[:8])
        layout = self._layout(proto.layout) if proto.HasField("layout") else None
        if layout is not None and not is_possible_layout(dimensions, layout):
            fail(
                self._where,
                "it has an array of the sizes {sizes} with an impossible layout",
                sizes=list(dimensions)[:8],
            )
        number = proto.element_type
        return Shape(
            element_type=PRIMITIVE_TYPES[number] if 0 <= number < len(PRIMITIVE_TYPES) else f"type{number}",
            dimensions=dimensions,
            tuple_shapes=tuple(map(self.of, proto.tuple_shapes)),
            layout=layout,
        )

    def _layout(self, proto: _Message) -> Layout:
        return Layout(
            minor_to_major=tuple(proto.minor_to_major),
            tiles=tuple(tuple(tile.dimensions) for tile in proto.tiles),
            element_size_bits=proto.element_size_in_bits,
            memory_space=proto.memory_space,
            tail_padding_elements=max(1, proto.tail_padding_alignment_in_elements),
        )
