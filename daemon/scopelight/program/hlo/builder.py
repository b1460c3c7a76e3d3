"""From the bytes' messages to the nouns: a checked ``HloModule`` and the stacks of its instructions.

Files are hostile input: every id is looked up, never trusted, and nothing here recurses over instructions,
computations or frames.
"""

import re
from collections.abc import Sequence
from typing import Any, TypeVar

import attrs

from scopelight.formats.hlo import hlo_pb2
from scopelight.formats.hlo.primitive_types import PRIMITIVE_TYPES
from scopelight.phrase import Phrase
from scopelight.program.hlo.dimensions import (
    convolution_dimensions,
    dot_dimensions,
    fail,
    fft_length,
    is_possible,
    trip_count,
    window_dimensions,
)
from scopelight.program.hlo.frames import Frame, Stack
from scopelight.program.hlo.nouns import Computation, HloModule, Instruction, Layout, Shape
from scopelight.program.hlo.tiling import is_possible_layout

MAXIMUM_STACK_DEPTH = 256
"""Frames kept of one stack, counted from the innermost; jax itself records ten unless told otherwise."""

# A module's operands are named by a 64-bit id whose low half is the id inside the computation; some writers
# give the low half alone.
_LOCAL_ID = 0xFFFFFFFF

_OPERAND, _COMPUTATION, _ROOT = Phrase("operand"), Phrase("computation"), Phrase("root")
_FILE_LOCATION, _FUNCTION_NAME, _FILE_NAME = Phrase("file location"), Phrase("function name"), Phrase("file name")

_SOURCE = re.compile(r"^\s*(?P<path>.+?):(?P<line>\d{1,9})(?::(?P<column>\d{1,9}))?\s*$")

# The generated classes carry no annotations for their submessages.
_Message = Any
_Entry = TypeVar("_Entry")


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
    stacks = _Stacks(module, where)
    shapes = _Shapes(where)
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
        instructions=tuple(instructions),
        computations=_with_fusions_marked(instructions, computations),
        entry=_entry(where, module, computation_rows),
        device_count=_device_count(module),
    )


def _device_count(module: _Message) -> int:
    assignment = module.device_assignment
    replicas, partitions = int(assignment.replica_count), int(assignment.computation_count)
    return max(1, replicas) * max(1, partitions)


def stack_from_stats(source: str, source_stack: str) -> Stack:
    """Build a stack from the stats ``source`` and ``source_stack``, either of which may be empty.

    ``source`` is ``file:line`` of the innermost frame; ``source_stack`` holds one ``file:line:column`` per
    line, in either order. The end that equals ``source`` is the innermost; where neither does, the order of
    recent writers (innermost first) is assumed, and ``source`` goes in front.
    """
    innermost = _frame_of(source)
    stack = [frame for frame in map(_frame_of, source_stack.splitlines()) if frame is not None]
    if innermost is None:
        return tuple(stack[:MAXIMUM_STACK_DEPTH])
    if stack and stack[0] != innermost:
        if stack[-1] == innermost:
            stack.reverse()
        else:
            stack.insert(0, innermost)
    return tuple(stack[:MAXIMUM_STACK_DEPTH]) or (innermost,)


def _frame_of(text: str) -> Frame | None:
    match = _SOURCE.match(text)
    return Frame(match["path"], int(match["line"])) if match else None


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
    stacks: "_Stacks",
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


class _Stacks:
    """Stacks of a module's instructions, one object for each frame id."""

    def __init__(self, module: _Message, where: str) -> None:
        self._where = where
        index = module.stack_frame_index
        self._files: Sequence[str] = tuple(index.file_names)
        self._functions: Sequence[str] = tuple(index.function_names)
        locations = [(each.file_name_id, each.function_name_id, each.line) for each in index.file_locations]
        self._distinct: dict[tuple[str, int, str], Frame] = {}
        self._parents = [0, *(each.parent_frame_id for each in index.stack_frames)]
        self._frames = [
            None,
            *(self._frame(locations, each.file_location_id) for each in index.stack_frames),
        ]
        self._check_parents()
        self._known: dict[int, Stack] = {0: ()}
        self._single: dict[tuple[str, int], Stack] = {}
        self._interned: dict[tuple[int, ...], Stack] = {}

    def of(self, metadata: _Message) -> Stack:
        frame_id = metadata.stack_frame_id
        stack = self._known.get(frame_id)
        if stack is None:
            stack = self._known[frame_id] = self._walk(frame_id)
        if stack:
            return stack
        path = metadata.source_file
        if not path:
            return ()
        place = (path, max(0, metadata.source_line))
        stack = self._single.get(place)
        if stack is None:
            stack = self._single[place] = (Frame(*place),)
        return stack

    def _frame(self, locations: Sequence[tuple[int, int, int]], location_id: int) -> Frame | None:
        if location_id == 0:
            return None
        file_id, function_id, line = self._entry(locations, location_id, _FILE_LOCATION)
        if file_id == 0:
            return None
        function = self._entry(self._functions, function_id, _FUNCTION_NAME) if function_id else ""
        place = (self._entry(self._files, file_id, _FILE_NAME), max(0, line), function)
        frame = self._distinct.get(place)
        if frame is None:
            frame = self._distinct[place] = Frame(*place)
        return frame

    def _entry(self, table: Sequence[_Entry], identifier: int, what: Phrase) -> _Entry:
        if not 1 <= identifier <= len(table):
            fail(
                self._where,
                "a stack frame names the {what} {id} of {count}",
                what=what,
                id=identifier,
                count=len(table),
            )
        return table[identifier - 1]

    def _check_parents(self) -> None:
        """Refuse a parent out of range and a circle of parents, in one pass over all frames."""
        count = len(self._parents)
        done = bytearray(count)
        done[0] = 1
        for start in range(1, count):
            trail = []
            frame_id = start
            while not done[frame_id]:
                done[frame_id] = 2
                trail.append(frame_id)
                frame_id = self._parents[frame_id]
                if not 0 <= frame_id < count:
                    fail(self._where, "a stack frame names the parent {id} of {count}", id=frame_id, count=count - 1)
            if done[frame_id] == 2:
                fail(self._where, "its stack frames form a circle")
            for each in trail:
                done[each] = 1

    def _walk(self, frame_id: int) -> Stack:
        if not 0 <= frame_id < len(self._frames):
            fail(
                self._where,
                "an instruction names the stack frame {id} of {count}",
                id=frame_id,
                count=len(self._frames) - 1,
            )
        stack: list[Frame] = []
        for _ in range(MAXIMUM_STACK_DEPTH):
            frame = self._frames[frame_id]
            if frame is not None:
                stack.append(frame)
            frame_id = self._parents[frame_id]
            if frame_id == 0:
                break
        # Frames that differ in their column alone are one to us, and so are the stacks made of them.
        return self._interned.setdefault(tuple(map(id, stack)), tuple(stack))
