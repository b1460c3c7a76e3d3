"""Replays a heap trace: how much is in memory after each of its events, and what."""

import attrs
import numpy as np

from scopelight.formats.columns import Int8, Int32, Int64
from scopelight.formats.errors import FormatError
from scopelight.formats.kernels import kernel
from scopelight.phrase import Phrase
from scopelight.program.memory.buffers import ALLOC, SHARE_WITH, HeapTrace

_FREES_NOTHING, _ALLOCATES_TWICE, _TOO_LARGE = -1, -2, -3
_ERRORS = {
    _FREES_NOTHING: Phrase("a heap trace frees a buffer that is not in memory"),
    _ALLOCATES_TWICE: Phrase("a heap trace allocates a buffer that is in memory"),
    _TOO_LARGE: Phrase("a heap trace fills more memory than there is"),
}
_MOST_BYTES = 1 << 61


@attrs.frozen(eq=False, repr=False)
class HeapReplay:
    """What a trace of n events does to its heap.

    ``heap_bytes[k]`` is what is in memory before event ``k``, the last entry what is left after them all. The lifetimes
    are columns, in the order of their beginning: a lifetime begins at event ``start`` and is there after each of the
    events ``start`` to ``end`` - 1. So what is there after event ``p``, ``heap_bytes[p + 1]``, is the sum of the
    lifetimes with ``start <= p < end``. What is never freed has the end ``n``.
    """

    heap_bytes: Int64
    unpadded_bytes: Int64
    buffer: Int32
    lifetime_bytes: Int64
    lifetime_unpadded_bytes: Int64
    start: Int32
    end: Int32
    peak_position: int
    """The first event after which the most is in memory; -1 where nothing ever is."""

    def alive_at(self, position: int) -> Int64:
        """Rows of the lifetimes that are there after event ``position``, in the order of their beginning."""
        return np.flatnonzero((self.start <= position) & (position < self.end))


def replay(trace: HeapTrace, sizes: Int64, unpadded_sizes: Int64, where: str = "") -> HeapReplay:
    """Replay ``trace`` over buffers of these sizes; ``where`` names its origin in errors.

    A ``SHARE_WITH`` adds a holder to the memory of another buffer, which is free when its last holder frees it; where
    it was free already, it is taken anew. Raises ``FormatError`` where the trace frees what is not there, allocates
    what is, or overflows.
    """
    count = len(trace.kind)
    heap, unpadded = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
    columns = [np.zeros(count, np.int32) for _ in range(4)]
    buffer, owner, start, end = columns
    root, lifetime = np.full((2, len(sizes)), -1, np.int32)
    holders = np.zeros(len(sizes), np.int32)
    events = (trace.kind, trace.buffer, trace.canonical)
    working = (root, holders, lifetime)
    found = _replay(*events, sizes, unpadded_sizes, heap, unpadded, buffer, owner, start, end, *working)
    if found < 0:
        raise FormatError(_ERRORS[found], path=where or None, kind="HLO module")
    buffer, owner, start, end = (each[:found].copy() for each in columns)
    peak = int(heap.argmax()) if count else 0
    return HeapReplay(heap, unpadded, buffer, sizes[owner], unpadded_sizes[owner], start, end, peak - 1)


@kernel
def _replay(
    kind: Int8,
    event_buffer: Int32,
    canonical: Int32,
    sizes: Int64,
    unpadded_sizes: Int64,
    heap: Int64,
    unpadded: Int64,
    buffer: Int32,
    owner: Int32,
    start: Int32,
    end: Int32,
    root: Int32,
    holders: Int32,
    lifetime: Int32,
) -> int:
    """Fill the columns; the number of lifetimes, or what is wrong. ``owner`` is whose size a lifetime has.

    ``root``, ``holders`` and ``lifetime`` of buffers are memory to work in: -1, 0 and -1 at first.
    """
    count = 0
    now = np.int64(0)
    now_unpadded = np.int64(0)
    for event in range(len(kind)):
        heap[event] = now
        unpadded[event] = now_unpadded
        this = event_buffer[event]
        if kind[event] == ALLOC or kind[event] == SHARE_WITH:
            begins = True
            if kind[event] == ALLOC:
                if holders[this] > 0:
                    return _ALLOCATES_TWICE
                memory = this
            else:
                other = canonical[event]
                memory = root[other] if root[other] >= 0 else other
                begins = holders[memory] == 0
            root[this] = memory
            holders[memory] += 1
            if begins:
                now += sizes[memory]
                now_unpadded += unpadded_sizes[memory]
                if now > _MOST_BYTES or now_unpadded > _MOST_BYTES:
                    return _TOO_LARGE
                buffer[count] = this
                owner[count] = memory
                start[count] = event
                end[count] = len(kind)
                lifetime[memory] = count
                count += 1
        else:
            memory = root[this]
            if memory < 0 or holders[memory] == 0:
                return _FREES_NOTHING
            holders[memory] -= 1
            if holders[memory] == 0:
                now -= sizes[memory]
                now_unpadded -= unpadded_sizes[memory]
                end[lifetime[memory]] = event
    heap[len(kind)] = now
    unpadded[len(kind)] = now_unpadded
    return count
