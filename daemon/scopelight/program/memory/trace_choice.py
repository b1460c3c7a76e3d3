"""Selects the heap trace of a memory space, and finds the allocations that no trace covers."""

from collections.abc import Callable, Sequence

import numpy as np

from scopelight.formats.columns import Int64, distinct_values
from scopelight.program.memory.buffers import FREE, Allocation, HeapTrace, ModuleBuffers
from scopelight.program.memory.order import RunOrder


def memory_spaces(buffers: ModuleBuffers) -> Sequence[int]:
    """The memory spaces that hold something, the device's main memory always and first."""
    return tuple(sorted({0} | {each.memory_space for each in buffers.allocations if each.bytes}))


def trace_of_space(buffers: ModuleBuffers, number: int) -> HeapTrace | None:
    """The trace that a memory space was filled by; None where nothing in it comes and goes.

    Of several the first one that begins with a temporary of the space is taken, as xprof does, else that with the most
    events in the space.
    """
    most, best = 0, None
    for trace in buffers.traces:
        if not len(trace.buffer):
            continue
        first = buffers.allocation[trace.buffer[0]]
        if first >= 0:
            allocation = buffers.allocations[first]
            if allocation.memory_space == number and not allocation.is_indefinite:
                return trace
        here = sum(_is_in(buffers.allocations, row, number) for row in buffers.allocation[trace.buffer].tolist())
        if here > most:
            most, best = here, trace
    return best


def untraced_allocations(buffers: ModuleBuffers, number: int) -> Sequence[int]:
    """Rows of the temporaries of a memory space of which its trace does not say when they are in use."""
    trace = trace_of_space(buffers, number)
    traced = set()
    if trace is not None:
        traced = set(distinct_values(buffers.allocation[trace.buffer]).tolist()) | {trace.allocation}
    return [
        row
        for row, each in enumerate(buffers.allocations)
        if each.memory_space == number and each.bytes and not each.is_indefinite and row not in traced
    ]


def has_untraced(buffers: ModuleBuffers) -> bool:
    """Whether there are such temporaries in any memory space."""
    return any(untraced_allocations(buffers, number) for number in memory_spaces(buffers))


def _is_in(allocations: Sequence[Allocation], row: int, number: int) -> bool:
    return row >= 0 and allocations[row].memory_space == number


def taken_at(time: Int64) -> Int64:
    """The moment at which the op of a time takes memory: an even number."""
    return time * 2


def given_back_after(time: Int64) -> Int64:
    """The moment after the op of a time, when what it read last is given back: an odd number."""
    return time * 2 + 1


def trace_moments(trace: HeapTrace, buffers: ModuleBuffers, order: RunOrder, last_read: Callable[[int], int]) -> Int64:
    """When each event of ``trace`` happens, never before the one ahead of it; int64[events].

    The trace says when memory is taken: when its first holder is made. When it is given back it says up to the next
    taking; between two of these a buffer is taken to end with its last reader. ``last_read`` gives of a buffer the time
    when it is read for the last time, -1 where that is not known.
    """
    made = buffers.instruction[trace.buffer]
    times = np.where(made >= 0, order.time[made], -1).astype(np.int64)
    is_free = trace.kind == FREE
    taken = np.maximum.accumulate(np.where(is_free, -1, times))
    # The time of the next taking, the end of the program after the last.
    following = np.where(is_free, len(order.rows), times)
    following = np.minimum.accumulate(following[::-1])[::-1]
    read = np.fromiter((last_read(int(each)) for each in trace.buffer), np.int64, len(trace.buffer))
    freed = np.clip(read, taken, np.maximum(taken, following - 1))
    moments: Int64 = np.maximum.accumulate(np.where(is_free, given_back_after(freed), taken_at(taken)))
    return moments
