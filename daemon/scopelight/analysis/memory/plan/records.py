"""Records of the memory that compiled programs take, by the compiler's own plan of it.

The plan is a sequence of steps, each of which takes memory for a buffer or gives it back. A position is a step: what
is in memory *at* position ``p`` is there after step ``p``, and before step ``p + 1``; at position -1 there is what is
there before them all. A buffer is in memory at its positions ``start`` to ``end``, without ``end``. A curve over n
steps has n + 1 points: point ``k`` is what is there before step ``k``, which is position ``k - 1``.

Bytes are of one memory space, with padding unless they are called ``unpadded``. Unknown is None, never 0.
"""

from typing import ClassVar, Literal

import attrs

from scopelight.analysis.records import FORMAT_VERSION, Phase, ViewRecord

MemoryBasis = Literal["assigned", "estimated"]
"""Whether the compiler's buffer assignment says it, or lifetimes were estimated from the order of instructions: all of
them, or those in allocations of which the assignment has no heap trace."""

BufferCategory = Literal["parameter", "output", "thread-local", "constant", "temporary"]
"""What a buffer is there for. Of an allocation that is several of these the first one counts."""

CapacityBasis = Literal["allocator", "compiler", "device"]
"""Whether it is what a device's allocator can give out, what the compiler gives to a program that has not run, or,
where neither tells, all memory of the chip."""

LineMemoryBasis = Literal["static", "snapshot"]
"""Whether a line's bytes are those planned at the peak of a program, or were found in memory by a snapshot."""


@attrs.frozen(slots=True)
class MemorySpaceChoice:
    """A memory space that a program uses. ``number`` is the compiler's: 0 is the device's main memory."""

    number: int
    name: str
    peak_bytes: int | None


@attrs.frozen(slots=True)
class MemoryModule:
    """A compiled program that may be shown.

    ``program_id`` is what it is asked for by: its id in the profile, else its name, numbered where several have it.
    ``peak_bytes`` and ``basis`` are those of its main memory; None where nothing says which buffers it has.
    """

    key: str
    name: str
    program_id: str
    peak_bytes: int | None
    basis: MemoryBasis | None
    memory_spaces: tuple[MemorySpaceChoice, ...]
    op_keys: tuple[str, ...]
    """Of its ops that ran."""

    @property
    def label(self) -> str:
        """What people read: the name and, where that is another, the id in brackets."""
        return self.name if self.program_id == self.name else f"{self.name} ({self.program_id})"


@attrs.frozen(slots=True)
class MemoryBuffer:
    """A logical buffer: the memory that an instruction's result, or a part of it, takes.

    ``name`` is the defining instruction's, of a part of its result with its place: ``fusion.1{0}``. (An allocation
    of which no buffer is known has its own.) ``op_name`` is the framework's path of it; ``shape`` is written with
    its layout. It lives at the positions ``start`` to ``end``, without ``end``. ``is_residual``: a temporary that
    the forward pass makes and the backward pass reads. ``allocation`` and ``offset_bytes`` say where it lies;
    ``allocation_kind`` is the allocation in words. A row with a ``count`` above 1 is that many small buffers
    together: it has their bytes, and of what they do not have in common nothing. ``key`` names the buffer in
    another run too; ``op_key`` is the `OpRow.key` of the defining instruction, None where it did not run by itself.
    ``last_op`` is the instruction that reads it last, ``last_primitive`` in jax, on ``last_line`` of ``last_path``;
    None where nothing does, or it is there throughout.
    """

    key: str
    id: str
    category: BufferCategory
    bytes: int
    unpadded_bytes: int
    start: int
    end: int
    is_residual: bool
    allocation_kind: str
    count: int = 1
    name: str = ""
    shape: str = ""
    element_type: str = ""
    op_name: str = ""
    opcode: str = ""
    line_key: str | None = None
    path: str | None = None
    file: str | None = None
    line: int | None = None
    function: str | None = None
    allocation: int | None = None
    offset_bytes: int | None = None
    op_key: str | None = None
    last_op: str | None = None
    last_primitive: str = ""
    last_path: str | None = None
    last_line: int | None = None
    primitive: str = ""
    """The operation of jax that defines it; empty where none is known."""
    phase: Phase | None = None
    """Of the defining instruction; None of what nothing in the program makes."""


@attrs.frozen(slots=True)
class MemoryTotals:
    """Sums over the allocations of one memory space.

    ``argument_bytes``, ``output_bytes``, ``alias_bytes`` (outputs that lie in arguments) and ``temporary_bytes``
    are what jax's ``compiled.memory_analysis()`` calls so (for a TPU it rounds temporaries up to 16 KiB).
    ``indefinite_bytes`` is what is there throughout: arguments, outputs and constants. ``allocated_bytes`` is all
    of the space's allocations but thread-local ones. ``temporary_without_fragmentation_bytes`` is the part of the
    peak that is not there throughout; ``fragmentation_ratio`` the part of the temporaries' allocations that is not
    in use at the peak. ``stack_bytes`` is the most that one op takes of fast memory for itself; ``capacity_bytes``
    what programs can have on the device, by ``capacity_basis``; None where nothing says it.
    """

    argument_bytes: int
    output_bytes: int
    temporary_bytes: int
    alias_bytes: int
    constant_bytes: int
    thread_local_bytes: int
    indefinite_bytes: int
    allocated_bytes: int
    stack_bytes: int | None
    temporary_without_fragmentation_bytes: int
    fragmentation_ratio: float | None
    capacity_bytes: int | None
    capacity_basis: CapacityBasis | None


@attrs.frozen(slots=True)
class MemoryTimeline:
    """Bytes in memory before every step, and after the last; ``ops`` are the ops whose buffers the steps are of.

    Point ``k`` is position ``k - 1``: point 0 is before position 0, as in xprof's ``heapSizes``, so that what is in
    memory at ``peak_position`` is at point ``peak_position + 1``. The last point has no op.
    """

    bytes: tuple[int, ...] = ()
    unpadded_bytes: tuple[int, ...] = ()
    ops: tuple[str, ...] = ()


@attrs.frozen(slots=True)
class PhaseBand:
    """Points ``start`` to ``end``, without ``end``, of an `ExecutionCurve` whose ops belong to one phase.

    What is for the backward pass and runs before the forward pass starts counts as other.
    """

    phase: Phase
    start: int
    end: int


@attrs.frozen(slots=True)
class ExecutionCurve:
    """The same memory over the order in which ops run: one point for each op that does.

    ``positions`` are program positions (-1 before the first), so that what is alive at a point can be asked for.
    ``bytes`` are those in memory while the op runs. ``forward_start`` is the point of the first op of the forward pass,
    ``backward_end`` the one after the last of the backward pass, but for the few ops that stand apart from their pass;
    None in a program that does not train.
    """

    positions: tuple[int, ...]
    bytes: tuple[int, ...]
    unpadded_bytes: tuple[int, ...]
    ops: tuple[str, ...]
    phases: tuple[PhaseBand, ...]
    forward_start: int | None
    backward_end: int | None


@attrs.frozen(slots=True)
class MemoryLifetimes:
    """Every buffer of the memory space, as columns: its name as in `MemoryBuffer`, where it lies, and from which
    position to which.
    """

    id: tuple[str, ...] = ()
    name: tuple[str, ...] = ()
    op_key: tuple[str | None, ...] = ()
    allocation: tuple[int | None, ...] = ()
    offset_bytes: tuple[int | None, ...] = ()
    bytes: tuple[int, ...] = ()
    start: tuple[int, ...] = ()
    end: tuple[int, ...] = ()


@attrs.frozen(slots=True)
class MemoryViewerRecord(ViewRecord):
    """The memory of one compiled program in one memory space.

    ``buffers`` is what is in memory at the peak, in program order: first what is there throughout, then temporaries in
    the order in which they are made. Those below ``small_bytes`` are put together, one row for each category.
    ``peak_position`` is the first position with the most in memory; None, and so is ``execution``, where nothing comes
    and goes. ``reason`` and ``remedy`` say why there is nothing to show, and what to do.
    """

    ROWS: ClassVar = "buffers"

    module: str | None
    program_id: str | None
    modules: tuple[MemoryModule, ...]
    """Largest peak first."""
    memory_space: int
    memory_space_name: str
    small_bytes: int
    basis: MemoryBasis | None = None
    peak_bytes: int | None = None
    peak_unpadded_bytes: int | None = None
    peak_position: int | None = None
    totals: MemoryTotals | None = None
    timeline: MemoryTimeline = MemoryTimeline()
    execution: ExecutionCurve | None = None
    buffers: tuple[MemoryBuffer, ...] = ()
    lifetimes: MemoryLifetimes = MemoryLifetimes()


@attrs.frozen(slots=True)
class LiveAtRecord:
    """What is in memory at one position, largest first; nothing is put together.

    ``op`` is the one whose buffer the step there is of, with its line and phase; ``change_bytes`` is what the step
    adds. At position -1 there is none.
    """

    position: int
    bytes: int
    unpadded_bytes: int
    change_bytes: int
    op: str
    op_name: str
    path: str | None
    file: str | None
    line: int | None
    phase: Phase
    op_key: str | None
    buffers: tuple[MemoryBuffer, ...]
    primitive: str = ""
    """Of the op; empty where none is known."""
    format_version: int = FORMAT_VERSION


@attrs.frozen(slots=True)
class MemoryLine:
    """What a line of source has in memory at the peak.

    ``bytes`` is that of the buffers that the line defines, each counted once; ``residual_bytes`` what of it is kept
    from the forward pass for the backward pass. ``count`` is how many buffers it has there or, of a snapshot, which has
    no ``buffers``, how many arrays and programs of known size.
    """

    key: str
    path: str | None
    file: str | None
    line: int
    function: str
    basis: LineMemoryBasis
    count: int = 0
    bytes: int = 0
    unpadded_bytes: int = 0
    residual_bytes: int = 0
    buffers: tuple[MemoryBuffer, ...] = ()


@attrs.frozen(slots=True)
class MemoryLinesRecord(ViewRecord):
    """The lines that the memory of one program is for at its peak, most bytes first.

    The lines' bytes and ``unattributed_bytes`` sum to ``peak_bytes``, exactly.
    """

    ROWS: ClassVar = "lines"

    module: str | None = None
    program_id: str | None = None
    memory_space: int = 0
    basis: MemoryBasis | None = None
    peak_bytes: int | None = None
    unattributed_bytes: int | None = None
    lines: tuple[MemoryLine, ...] = ()
