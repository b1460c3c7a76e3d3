"""Buffers: what a compiled program keeps in memory, as the compiler assigned it, and in which order its ops run.

Rows of instructions and computations are those of the program's `HloModule`; of buffers and allocations, those of the
columns here. -1 is none.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import attrs
import numpy as np
import numpy.typing as npt

from scopelight.formats.columns import Int8, Int32, Int64

ALLOC, FREE, SHARE_WITH = 0, 1, 2
"""Kinds of the events of a heap trace. ``SHARE_WITH`` takes over, or also holds, the memory of another buffer."""

MAXIMUM_BYTES = 1 << 56
"""No memory holds a buffer of more; sums of as many as a file can name stay far below what 64 bits hold."""

MOST_MEMORY_SPACES = 64
"""More memory spaces no device has."""

BufferBasis = Literal["assigned", "estimated"]
"""Whether the compiler says which buffers there are, or they were derived from the order of the instructions."""


@attrs.frozen(slots=True)
class Allocation:
    """A piece of memory that one or several buffers lie in. A temporary's has none of the flags but ``is_tuple``."""

    index: int
    bytes: int
    memory_space: int
    is_thread_local: bool = False
    is_parameter: bool = False
    is_constant: bool = False
    is_live_out: bool = False
    is_tuple: bool = False
    parameter_number: int | None = None
    """Of a parameter of the entry computation."""

    @property
    def is_indefinite(self) -> bool:
        """Whether it is there throughout a run of the program."""
        return self.is_thread_local or self.is_parameter or self.is_constant or self.is_live_out


def _as_int8(values: npt.ArrayLike) -> Int8:
    return np.ascontiguousarray(values, np.int8)


def _as_int32(values: npt.ArrayLike) -> Int32:
    return np.ascontiguousarray(values, np.int32)


@attrs.frozen(eq=False, repr=False)
class HeapTrace:
    """How the compiler filled one heap: its events in order, columns [events].

    ``canonical`` is the buffer that a ``SHARE_WITH`` shares memory with, -1 for other events.
    """

    kind: Int8 = attrs.field(converter=_as_int8)
    buffer: Int32 = attrs.field(converter=_as_int32)
    canonical: Int32 = attrs.field(converter=_as_int32)
    allocation: int
    """Row of the allocation that became of the heap."""


@attrs.frozen(eq=False, repr=False)
class ModuleBuffers:
    """The logical buffers of one program, their allocations and heap traces. Columns have one row for each buffer."""

    basis: BufferBasis
    id: Int64
    bytes: Int64
    """With padding."""
    instruction: Int32
    """Row of the defining instruction."""
    shape_index: Sequence[tuple[int, ...]]
    """Which part of the instruction's result it is: a path through nested tuples."""
    allocation: Int32
    offset: Int64
    """In its allocation, in bytes; -1 where unknown."""
    allocations: Sequence[Allocation]
    traces: Sequence[HeapTrace]
    scoped_bytes: Mapping[int, int]
    """By memory space, the most that one op takes of it for itself while it runs."""
    where: str
    """The file or program, for error messages."""
    estimated_allocations: frozenset[int] = frozenset()
    """Rows of those of which no trace in the file tells: when their buffers are in use was derived."""

    def __len__(self) -> int:
        return len(self.id)


@attrs.frozen(slots=True)
class OutputAlias:
    """A part of the program's result that lies in a part of one of its arguments, which the caller gave up for it."""

    output_index: tuple[int, ...]
    parameter_number: int
    parameter_index: tuple[int, ...]


@attrs.frozen(slots=True)
class OperandAlias:
    """A part of an op's result that lies where a part of one of its operands lay."""

    output_index: tuple[int, ...]
    operand: int
    operand_index: tuple[int, ...]


@attrs.frozen(eq=False, repr=False)
class Schedule:
    """In which order the instructions of computations run, by row of the computation, and what outputs overwrite.

    ``in_place`` has, by row of the instruction, which of its results overwrite its operands.
    """

    sequences: Mapping[int, Sequence[int]]
    aliases: Sequence[OutputAlias] = ()
    donors: Sequence[int] = ()
    """Numbers of arguments that the caller gave up although no part of the result lies in them."""
    in_place: Mapping[int, Sequence[OperandAlias]] = attrs.field(factory=dict)
