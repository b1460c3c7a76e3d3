"""The memory of one program: its buffers with their shapes, and what is in each memory space position by position."""

import functools
from collections.abc import Iterator, Mapping, Sequence

import attrs
import numpy as np

from scopelight.analysis.memory.plan.records import BufferCategory, MemoryBasis
from scopelight.formats.columns import Int64
from scopelight.program.hlo.nouns import HloModule, Shape
from scopelight.program.hlo.sizes import byte_size, element_bits
from scopelight.program.memory.buffers import SHARE_WITH, Allocation, HeapTrace, ModuleBuffers
from scopelight.program.memory.heap_replay import HeapReplay, replay
from scopelight.program.memory.liveness import estimated_buffers
from scopelight.program.memory.order import RunOrder, run_order
from scopelight.program.memory.trace_choice import has_untraced, memory_spaces, trace_of_space, untraced_allocations
from scopelight.program.memory.untraced_lifetimes import with_estimated_traces
from scopelight.program.memory.value_flow import ValueFlow, value_flow
from scopelight.program.phases.phases import module_phases
from scopelight.program.stored import LoadedProgram

POINTER_BYTES = 8
"""What a tuple takes for each of its elements."""


_CATEGORIES: Sequence[BufferCategory] = ("parameter", "output", "thread-local", "constant", "temporary")


@attrs.frozen(slots=True)
class Lifetime:
    """Memory that is taken from position ``start`` to before ``end``: by an allocation that is there throughout
    (``is_fixed``), or by what the trace takes and frees.

    ``buffer`` and ``allocation`` are rows, -1 where none is known.
    """

    buffer: int
    allocation: int
    bytes: int
    unpadded_bytes: int
    start: int
    end: int
    is_fixed: bool = False


@attrs.frozen(eq=False, repr=False)
class SpaceMemory:
    """What is in one memory space. ``heap`` and ``trace`` are None where nothing in it comes and goes.

    ``fixed`` is what is there throughout, in the order of parameters, outputs, constants. ``unplanned`` is how many of
    it are temporaries of which nothing says when they are in use: they are counted throughout.
    """

    number: int
    basis: MemoryBasis
    fixed: Sequence[Lifetime]
    unplanned: int
    trace: HeapTrace | None
    heap: HeapReplay | None
    _buffers: ModuleBuffers

    @property
    def steps(self) -> int:
        """How many positions the program has."""
        return len(self.trace.kind) if self.trace is not None else 0

    def lifetimes(self, position: int | None = None) -> Iterator[Lifetime]:
        """All that is ever in memory, or what is there at a position: first what is there throughout."""
        yield from self.fixed
        heap = self.heap
        if heap is None:
            return
        rows = slice(None) if position is None else heap.alive_at(position)
        allocation = self._buffers.allocation[heap.buffer]
        columns = (heap.buffer, allocation, heap.lifetime_bytes, heap.lifetime_unpadded_bytes, heap.start, heap.end)
        for values in zip(*(column[rows].tolist() for column in columns), strict=True):
            yield Lifetime(*values)

    @property
    def fixed_bytes(self) -> int:
        """What is there throughout."""
        return sum(each.bytes for each in self.fixed)

    @property
    def fixed_unpadded_bytes(self) -> int:
        """The same without padding."""
        return sum(each.unpadded_bytes for each in self.fixed)

    @property
    def bytes(self) -> Int64:
        """All that is in memory, before each event of the trace and after the last."""
        heap = self.heap.heap_bytes if self.heap is not None else np.zeros(1, np.int64)
        return heap + self.fixed_bytes

    @property
    def unpadded_bytes(self) -> Int64:
        """The same without padding."""
        heap = self.heap.unpadded_bytes if self.heap is not None else np.zeros(1, np.int64)
        return heap + self.fixed_unpadded_bytes

    @property
    def peak_bytes(self) -> int:
        """The most that is in memory at once."""
        return int(self.bytes.max())

    @property
    def peak_position(self) -> int:
        """The first position at which the most is in memory; -1, before all events, where none adds anything."""
        return self.heap.peak_position if self.heap is not None else -1


class ProgramMemory:
    """The memory of one program. What takes time is found when it is first asked for."""

    def __init__(self, loaded: LoadedProgram) -> None:
        self.module: HloModule = loaded.module
        self.buffers: ModuleBuffers = planned_buffers(loaded)
        self.schedule = loaded.schedule
        self._shapes = _shapes(self.module, self.buffers)
        self._spaces: dict[int, SpaceMemory] = {}
        self._unpadded = np.fromiter(
            (
                min(own, _unpadded(shape, own))
                for own, shape in zip(self.buffers.bytes.tolist(), self._shapes, strict=True)
            ),
            np.int64,
            len(self.buffers),
        )

    def space(self, number: int) -> SpaceMemory:
        """What is in a memory space. Raises ``FormatError`` where its heap trace cannot be replayed."""
        if number not in self._spaces:
            self._spaces[number] = space_memory(self.buffers, number, self._unpadded, self.results)
        return self._spaces[number]

    def shape(self, buffer: int) -> Shape | None:
        """The shape of a buffer; None where the program has no such instruction, or no such part of its result."""
        return self._shapes[buffer]

    def buffer_name(self, buffer: int) -> str:
        """The instruction that defines a buffer; of a part of its result with its place, as XLA writes it: ``a.1{0}``.

        Empty where the program has no such instruction.
        """
        row = int(self.buffers.instruction[buffer])
        if row < 0:
            return ""
        place = self.buffers.shape_index[buffer]
        return self.module.instructions[row].name + (f"{{{','.join(map(str, place))}}}" if place else "")

    @functools.cached_property
    def order(self) -> RunOrder:
        """In which order its instructions run."""
        return run_order(self.module, self.schedule)

    @functools.cached_property
    def flow(self) -> ValueFlow:
        """Who reads what."""
        return value_flow(self.module, self.order)

    def readers(self, buffer: int) -> Sequence[int]:
        """Rows of the instructions that read a buffer, in the order in which they run."""
        instruction = int(self.buffers.instruction[buffer])
        if instruction < 0:
            return ()
        value = self.flow.value_at(self.module, instruction, self.buffers.shape_index[buffer])
        return self.flow.readers[value] if value is not None else ()

    def last_read(self, buffer: int) -> int:
        """When a buffer is read for the last time, as `order` counts; -1 where that is not known."""
        return max((int(self.order.time[each]) for each in self.readers(buffer)), default=-1)

    @functools.cached_property
    def phases(self) -> Sequence[int]:
        """Phase of every instruction by row."""
        return module_phases(self.module)

    @functools.cached_property
    def results(self) -> Sequence[int]:
        """The buffers that the program's result lies in, but for those in its arguments."""
        outputs = set(self.flow.of.get(self.module.computations[self.module.entry].root, ()))
        allocations = self.buffers.allocations
        found = []
        for buffer, row in enumerate(self.buffers.allocation.tolist()):
            instruction = int(self.buffers.instruction[buffer])
            if row < 0 or instruction < 0 or not allocations[row].is_live_out or allocations[row].is_parameter:
                continue
            if self.flow.value_at(self.module, instruction, self.buffers.shape_index[buffer]) in outputs:
                found.append(buffer)
        return found

    @functools.cached_property
    def holders(self) -> Mapping[int, Sequence[int]]:
        """Of a buffer whose memory others take over, those others."""
        found: dict[int, list[int]] = {}
        for trace in self.buffers.traces:
            root: dict[int, int] = {}
            for event in np.flatnonzero(trace.kind == SHARE_WITH).tolist():
                this, other = int(trace.buffer[event]), int(trace.canonical[event])
                root[this] = root.get(other, other)
                found.setdefault(root[this], []).append(this)
        return found


def planned_buffers(loaded: LoadedProgram) -> ModuleBuffers:
    """The buffers of a program. What its file does not say of them is derived from the order of its instructions."""
    buffers = loaded.buffers
    if buffers is None:
        return estimated_buffers(loaded.module, loaded.schedule)
    if not has_untraced(buffers):
        return buffers
    order = run_order(loaded.module, loaded.schedule)
    return with_estimated_traces(buffers, loaded.module, order, value_flow(loaded.module, order))


def space_peaks(buffers: ModuleBuffers) -> Mapping[int, int]:
    """The peak of every memory space. Raises ``FormatError`` where a heap trace cannot be replayed."""
    nothing = np.zeros(len(buffers), np.int64)
    return {number: space_memory(buffers, number, nothing).peak_bytes for number in memory_spaces(buffers)}


def space_basis(buffers: ModuleBuffers, number: int) -> MemoryBasis:
    """Whether the lifetimes in a memory space are the compiler's."""
    is_estimated = any(buffers.allocations[row].memory_space == number for row in buffers.estimated_allocations)
    return "estimated" if is_estimated else buffers.basis


def space_memory(buffers: ModuleBuffers, number: int, unpadded: Int64, results: Sequence[int] = ()) -> SpaceMemory:
    """What is in a memory space, by the trace that it was filled by.

    Memory of single threads is left out: it is on their stacks. What is there throughout goes by its largest buffer: of
    several by the one that is among the ``results``, else the first. Temporaries of which nothing says when they are in
    use go by no buffer: none of theirs is known to be there.
    """
    trace = trace_of_space(buffers, number)
    unplanned = set(untraced_allocations(buffers, number))
    largest = _largest_buffers(buffers, results)
    end = len(trace.kind) if trace is not None else 0
    fixed: list[Lifetime] = []
    for row, allocation in enumerate(buffers.allocations):
        if allocation.memory_space != number or allocation.is_thread_local or not allocation.bytes:
            continue
        if not allocation.is_indefinite and row not in unplanned:
            continue
        buffer = largest.get(row, -1) if allocation.is_indefinite else -1
        of_buffer = allocation.bytes if buffer < 0 else min(int(unpadded[buffer]), allocation.bytes)
        fixed.append(Lifetime(buffer, row, allocation.bytes, of_buffer, 0, end, is_fixed=True))
    fixed.sort(key=lambda each: _CATEGORIES.index(category_of(buffers.allocations[each.allocation])))
    heap = replay(trace, buffers.bytes, unpadded, buffers.where) if trace is not None else None
    return SpaceMemory(number, space_basis(buffers, number), fixed, len(unplanned), trace, heap, buffers)


def category_of(allocation: Allocation | None) -> BufferCategory:
    """What an allocation is there for; of several uses the first in the order of xprof counts."""
    if allocation is None:
        return "temporary"
    if allocation.is_parameter:
        return "parameter"
    if allocation.is_live_out:
        return "output"
    if allocation.is_thread_local:
        return "thread-local"
    return "constant" if allocation.is_constant else "temporary"


def _largest_buffers(buffers: ModuleBuffers, results: Sequence[int]) -> Mapping[int, int]:
    """The largest buffer of every allocation that has any."""
    comes_second = np.ones(len(buffers), np.bool_)
    comes_second[np.asarray(results, np.int64)] = False
    order = np.lexsort((np.arange(len(buffers)), comes_second, -buffers.bytes))
    rows, firsts = np.unique(buffers.allocation[order], return_index=True)
    return {row: int(order[first]) for row, first in zip(rows.tolist(), firsts.tolist(), strict=True) if row >= 0}


def _shapes(module: HloModule, buffers: ModuleBuffers) -> Sequence[Shape | None]:
    return [
        _part(module.instructions[row].shape, index) if row >= 0 else None
        for row, index in zip(buffers.instruction.tolist(), buffers.shape_index, strict=True)
    ]


def _part(shape: Shape, index: Sequence[int]) -> Shape | None:
    for each in index:
        if not 0 <= each < len(shape.tuple_shapes):
            return None
        shape = shape.tuple_shapes[each]
    return shape


def _unpadded(shape: Shape | None, padded: int) -> int:
    if shape is None:
        return padded
    if shape.tuple_shapes:
        return POINTER_BYTES * len(shape.tuple_shapes)
    # What has no element type of a known size, such as an opaque handle, is what it takes.
    return byte_size(shape) if element_bits(shape) else padded
