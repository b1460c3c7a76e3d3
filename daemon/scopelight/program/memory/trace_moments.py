"""When the events of a heap trace happen, in the order in which the program runs."""

from collections.abc import Callable

import numpy as np

from scopelight.formats.columns import Int64
from scopelight.program.memory.buffers import FREE, HeapTrace, ModuleBuffers
from scopelight.program.memory.order import RunOrder


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
