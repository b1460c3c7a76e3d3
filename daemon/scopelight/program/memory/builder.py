"""From the bytes' messages to the nouns: the buffers of a program and its schedule.

Files are hostile input: every id is looked up, sizes are bounded, and what names nothing is refused with a sentence.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from scopelight.formats.hlo import hlo_pb2
from scopelight.phrase import Phrase
from scopelight.program.hlo.dimensions import MAXIMUM_CONFIGURATION_BYTES, fail
from scopelight.program.memory.buffers import (
    ALLOC,
    MAXIMUM_BYTES,
    MOST_MEMORY_SPACES,
    SHARE_WITH,
    Allocation,
    HeapTrace,
    ModuleBuffers,
    OutputAlias,
    Schedule,
)
from scopelight.program.memory.in_place import MOST_INDICES, operand_aliases

_LOCAL_ID = 0xFFFFFFFF
_SCOPED = b"used_scoped_memory_configs"

_ALLOCATION, _HEAP_TRACE = Phrase("an allocation"), Phrase("a heap trace")

# The generated classes carry no annotations for their submessages.
_Message = Any


def build_buffers(proto: hlo_pb2.HloProto, where: str = "") -> ModuleBuffers | None:
    """The buffers of ``proto``; None where it has no buffer assignment. ``where`` names its origin in errors.

    Raises ``FormatError`` where sizes are impossible, two buffers have one id, or an event of a heap trace, or an
    allocation, names a buffer that does not exist.
    """
    assignment: _Message = proto.buffer_assignment
    if not assignment.buffer_allocations:
        return None
    where = where or Phrase("The program {name!r}", name=proto.hlo_module.name)
    rows = _InstructionRows(proto)
    buffers = assignment.logical_buffers
    by_id = {each.id: row for row, each in enumerate(buffers)}
    if len(by_id) != len(buffers):
        fail(where, "two of its logical buffers have one id")
    allocations = [_allocation(where, each) for each in assignment.buffer_allocations]
    by_index = {each.index: row for row, each in enumerate(allocations)}
    if len(by_index) != len(allocations):
        fail(where, "two of its buffer allocations have one index")
    if len({each.memory_space for each in allocations}) > MOST_MEMORY_SPACES:
        fail(where, "its allocations are in more memory spaces than any device has")
    of_allocation = np.full(len(buffers), -1, np.int32)
    offset = np.full(len(buffers), -1, np.int64)
    for row, each in enumerate(assignment.buffer_allocations):
        for assigned in each.assigned:
            buffer = _buffer(where, by_id, assigned.logical_buffer_id, _ALLOCATION)
            of_allocation[buffer] = row
            offset[buffer] = _size(where, assigned.offset)
    return ModuleBuffers(
        basis="assigned",
        id=np.fromiter((each.id for each in buffers), np.int64, len(buffers)),
        bytes=np.fromiter((_size(where, each.size) for each in buffers), np.int64, len(buffers)),
        instruction=np.fromiter((rows.of(each.defined_at) for each in buffers), np.int32, len(buffers)),
        shape_index=tuple(tuple(each.defined_at.shape_index[:MOST_INDICES]) for each in buffers),
        allocation=of_allocation,
        offset=offset,
        allocations=tuple(allocations),
        traces=tuple(_trace(where, each, by_id, by_index) for each in assignment.heap_simulator_traces),
        scoped_bytes=_scoped_bytes(proto.hlo_module),
        where=where,
    )


def build_schedule(proto: hlo_pb2.HloProto) -> Schedule:
    """The schedule of ``proto``. A computation without one, as in HLO text, runs its instructions as they are listed.

    What a sequence names that is no instruction of its computation is left out of it.
    """
    module: _Message = proto.hlo_module
    sequences = module.schedule.sequences
    found: dict[int, Sequence[int]] = {}
    first = 0
    for row, computation in enumerate(module.computations):
        listed = range(first, first + len(computation.instructions))
        first += len(computation.instructions)
        if computation.id not in sequences:
            found[row] = listed
            continue
        by_id = dict(zip((each.id for each in computation.instructions), listed, strict=True))
        named = (by_id.get(each) for each in sequences[computation.id].instruction_ids)
        found[row] = tuple(dict.fromkeys(each for each in named if each is not None))
    aliases = tuple(
        OutputAlias(
            tuple(each.output_shape_index[:MOST_INDICES]),
            each.parameter_number,
            tuple(each.parameter_shape_index[:MOST_INDICES]),
        )
        for each in module.input_output_alias.entries
    )
    donors = tuple(each.parameter_number for each in module.buffer_donor.entries)
    return Schedule(found, aliases, donors, operand_aliases(module))


class _InstructionRows:
    """Finds instructions as buffers name them: by id, in older files by name."""

    def __init__(self, proto: hlo_pb2.HloProto) -> None:
        module: _Message = proto.hlo_module
        instructions = [each for computation in module.computations for each in computation.instructions]
        self._by_id = {each.id: row for row, each in enumerate(instructions)}
        self._instructions = instructions
        self._by_name: dict[str, int] | None = None

    def of(self, place: _Message) -> int:
        """Row of the instruction, -1 where there is none."""
        if place.instruction_name:
            if self._by_name is None:
                self._by_name = {each.name: row for row, each in enumerate(self._instructions)}
            return self._by_name.get(place.instruction_name, -1)
        row = self._by_id.get(place.instruction_id, -1)
        return row if row >= 0 else self._by_id.get(place.instruction_id & _LOCAL_ID, -1)


def _allocation(where: str, proto: _Message) -> Allocation:
    is_parameter = proto.is_entry_computation_parameter
    return Allocation(
        index=proto.index,
        bytes=_size(where, proto.size),
        memory_space=_memory_space(where, proto.color),
        is_thread_local=proto.is_thread_local,
        is_parameter=is_parameter,
        is_constant=proto.is_constant,
        is_live_out=proto.maybe_live_out,
        is_tuple=proto.is_tuple,
        parameter_number=proto.parameter_number if is_parameter else None,
    )


def _trace(where: str, proto: _Message, by_id: Mapping[int, int], by_index: Mapping[int, int]) -> HeapTrace:
    kinds = [each.kind for each in proto.events]
    if kinds and not ALLOC <= min(kinds) <= max(kinds) <= SHARE_WITH:
        fail(where, "an event of a heap trace is of an unknown kind")
    return HeapTrace(
        kind=kinds,
        buffer=[_buffer(where, by_id, each.buffer_id, _HEAP_TRACE) for each in proto.events],
        canonical=[
            _buffer(where, by_id, each.share_with_canonical_id, _HEAP_TRACE) if each.kind == SHARE_WITH else -1
            for each in proto.events
        ],
        # Some traces name an allocation that was merged into another one since.
        allocation=by_index.get(proto.buffer_allocation_index, -1),
    )


def _buffer(where: str, by_id: Mapping[int, int], identifier: int, what: Phrase) -> int:
    row = by_id.get(identifier)
    if row is None:
        fail(where, "{what} names the logical buffer {id}, which does not exist", what=what, id=identifier)
    return row


def _size(where: str, size: int) -> int:
    return (
        size
        if 0 <= size <= MAXIMUM_BYTES
        else fail(where, "a buffer has the impossible size or offset {size}", size=size)
    )


def _memory_space(where: str, number: int) -> int:
    return (
        number
        if 0 <= number <= _LOCAL_ID
        else fail(where, "an allocation is in the impossible space {number}", number=number)
    )


def _scoped_bytes(module: _Message) -> dict[int, int]:
    """What XLA:TPU writes into the configuration of an op: the fast memory that it takes while it runs."""
    most: dict[int, int] = {}
    seen: set[bytes] = set()
    for computation in module.computations:
        for instruction in computation.instructions:
            text = instruction.backend_config
            if _SCOPED not in text or len(text) > MAXIMUM_CONFIGURATION_BYTES or text in seen:
                continue
            seen.add(text)
            of_op: dict[int, int] = {}
            for space, size in _scoped(text):
                of_op[space] = of_op.get(space, 0) + size
            for space, size in of_op.items():
                most[space] = max(most.get(space, 0), size)
    return most


def _scoped(text: bytes) -> Iterator[tuple[int, int]]:
    try:
        for each in json.loads(text)[_SCOPED.decode()]:
            space, size = int(each["memory_space"]), int(each["size"])
            if 0 <= size <= MAXIMUM_BYTES:
                yield space, size
    except (ValueError, TypeError, LookupError, RecursionError):
        # Not a configuration as it is known: nothing is known of this op.
        return
