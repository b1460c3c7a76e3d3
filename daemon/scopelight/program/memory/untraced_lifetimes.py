"""Estimates the lifetimes of buffers in allocations without a heap trace, from the instruction order.

The compiler has said where such a buffer lies, and not when it is in use. It is taken to be there from the instruction
that makes it to its last reader. Two buffers that are there at once in one place are one piece of memory that the
second takes over; where they overlap in part only, the estimate is too long, and the first ends with the second's
beginning. So there is never more in use than the allocation has; what no buffer takes of it is unused.
"""

import bisect
from collections.abc import Iterator, Sequence

import attrs
import numpy as np

from scopelight.formats.columns import Int64
from scopelight.program.hlo.nouns import HloModule
from scopelight.program.memory.buffers import ALLOC, FREE, SHARE_WITH, HeapTrace, ModuleBuffers
from scopelight.program.memory.order import RunOrder
from scopelight.program.memory.trace_choice import (
    given_back_after,
    memory_spaces,
    taken_at,
    trace_moments,
    trace_of_space,
    untraced_allocations,
)
from scopelight.program.memory.value_flow import ValueFlow


@attrs.frozen(eq=False, repr=False)
class _Lifetimes:
    """By row of a buffer the time when it is read for the last time, -1 where that is not known, and the moments, as
    those of a trace, at which it is made and given back."""

    last_read: Int64
    made: Int64
    given_back: Int64


_Event = tuple[int, int, int, int]
"""Moment, kind, buffer and canonical buffer."""


def with_estimated_traces(buffers: ModuleBuffers, module: HloModule, order: RunOrder, flow: ValueFlow) -> ModuleBuffers:
    """``buffers`` with a trace for every memory space that covers all its temporaries for which one can be made.

    None can be for an allocation that has no buffers which the program makes while it runs, or one that reaches beyond
    the allocation's end.
    """
    lifetimes = _lifetimes(buffers, module, order, flow)
    by_allocation = np.argsort(buffers.allocation, kind="stable")
    starts = np.searchsorted(buffers.allocation[by_allocation], np.arange(len(buffers.allocations) + 1))
    estimated: set[int] = set()
    made: list[HeapTrace] = []
    replaced: list[HeapTrace] = []
    for number in memory_spaces(buffers):
        of_allocation = {
            row: _placeable(buffers, row, by_allocation[starts[row] : starts[row + 1]], lifetimes)
            for row in untraced_allocations(buffers, number)
        }
        rows = [row for row, here in of_allocation.items() if len(here)]
        if not rows:
            continue
        known = trace_of_space(buffers, number)
        events = [_events(buffers, of_allocation[row], lifetimes) for row in rows]
        made.append(_merged(buffers, order, lifetimes, known, events))
        estimated.update(rows)
        if known is not None:
            replaced.append(known)
    kept = [trace for trace in buffers.traces if not any(trace is each for each in replaced)]
    return attrs.evolve(buffers, traces=(*made, *kept), estimated_allocations=frozenset(estimated))


def _lifetimes(buffers: ModuleBuffers, module: HloModule, order: RunOrder, flow: ValueFlow) -> _Lifetimes:
    last_user = np.full(len(module.instructions), -1, np.int64)
    for row, instruction in enumerate(module.instructions):
        operands = np.asarray(instruction.operands, np.int64)
        last_user[operands] = np.maximum(last_user[operands], order.time[row])
    birth = np.full(len(buffers), -1, np.int64)
    death = np.full(len(buffers), -1, np.int64)
    for buffer, row in enumerate(buffers.instruction.tolist()):
        if row < 0 or order.time[row] < 0:
            continue
        value = flow.value_at(module, row, buffers.shape_index[buffer])
        # The table of a tuple's parts is no value: an instruction that takes the tuple reads it.
        last = (
            max((int(order.time[each]) for each in flow.readers[value]), default=-1)
            if value is not None
            else int(last_user[row])
        )
        birth[buffer] = order.time[row]
        death[buffer] = max(int(birth[buffer]), last)
    return _Lifetimes(death, taken_at(birth), given_back_after(death))


def _placeable(buffers: ModuleBuffers, allocation: int, here: Int64, lifetimes: _Lifetimes) -> Int64:
    """Of the buffers of an allocation those with a known lifetime; none where one does not fit into it."""
    fits = (buffers.offset[here] >= 0) & (
        buffers.offset[here] + buffers.bytes[here] <= buffers.allocations[allocation].bytes
    )
    if not fits.all():
        return here[:0]
    return here[(lifetimes.last_read[here] >= 0) & (buffers.bytes[here] > 0)]


def _events(buffers: ModuleBuffers, here: Int64, lifetimes: _Lifetimes) -> Iterator[_Event]:
    """What happens in one allocation, in the order of time."""
    births = sorted(here.tolist(), key=lambda row: (int(lifetimes.made[row]), int(buffers.offset[row])))
    deaths = sorted(births, key=lambda row: int(lifetimes.given_back[row]))
    place = _Places(buffers)
    gone = 0
    for row in births:
        moment = int(lifetimes.made[row])
        while gone < len(deaths) and lifetimes.given_back[deaths[gone]] < moment:
            yield from place.free(deaths[gone], int(lifetimes.given_back[deaths[gone]]))
            gone += 1
        yield from place.take(row, moment)
    for row in deaths[gone:]:
        yield from place.free(row, int(lifetimes.given_back[row]))


@attrs.frozen(eq=False, repr=False)
class _Piece:
    """A piece of memory in use: the buffer that it was taken for, and those that are in it now."""

    first: int
    end: int
    holders: set[int]


class _Places:
    """The pieces of one allocation that are in use. They never overlap."""

    def __init__(self, buffers: ModuleBuffers) -> None:
        self._buffers = buffers
        self._starts: list[int] = []
        self._pieces: dict[int, _Piece] = {}
        """By where they start."""

    def take(self, row: int, moment: int) -> Iterator[_Event]:
        """A buffer is made."""
        start = int(self._buffers.offset[row])
        end = start + int(self._buffers.bytes[row])
        at = bisect.bisect_left(self._starts, start)
        if at and self._pieces[self._starts[at - 1]].end > start:
            at -= 1
        while at < len(self._starts) and self._starts[at] < end:
            other = self._starts[at]
            piece = self._pieces[other]
            if (other, piece.end) == (start, end):
                yield moment, SHARE_WITH, row, piece.first
                piece.holders.add(row)
                return
            del self._starts[at], self._pieces[other]
            for each in sorted(piece.holders):
                yield moment, FREE, each, -1
        self._starts.insert(at, start)
        self._pieces[start] = _Piece(row, end, {row})
        yield moment, ALLOC, row, -1

    def free(self, row: int, moment: int) -> Iterator[_Event]:
        """A buffer was read for the last time."""
        start = int(self._buffers.offset[row])
        piece = self._pieces.get(start)
        if piece is None or row not in piece.holders:
            # Another one took its place before.
            return
        yield moment, FREE, row, -1
        piece.holders.remove(row)
        if not piece.holders:
            del self._pieces[start], self._starts[bisect.bisect_left(self._starts, start)]


def _merged(
    buffers: ModuleBuffers,
    order: RunOrder,
    lifetimes: _Lifetimes,
    known: HeapTrace | None,
    events: Sequence[Iterator[_Event]],
) -> HeapTrace:
    """One trace of a known one, whose events keep their order, and of others, in the order of time."""
    columns = np.asarray([each for of_one in events for each in of_one], np.int64).reshape(-1, 4)
    if known is not None:
        moments = trace_moments(known, buffers, order, lambda buffer: int(lifetimes.last_read[buffer]))
        columns = np.concatenate((np.stack((moments, known.kind, known.buffer, known.canonical), axis=1), columns))
    _, kind, buffer, canonical = columns[np.argsort(columns[:, 0], kind="stable")].T
    return HeapTrace(
        kind,
        buffer,
        canonical,
        allocation=known.allocation if known is not None else int(buffers.allocation[buffer[0]]),
    )
