"""Which heap trace is that of a memory space, and what of the space no trace tells of."""

from collections.abc import Sequence

import numpy as np

from scopelight.program.memory.buffers import Allocation, HeapTrace, ModuleBuffers


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
        traced = set(np.unique(buffers.allocation[trace.buffer]).tolist()) | {trace.allocation}
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
