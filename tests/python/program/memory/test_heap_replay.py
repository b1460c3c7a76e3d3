"""Heap traces are replayed as a plain simulation of them says, and what cannot be is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopelight.formats.errors import FormatError
from scopelight.program.memory.buffers import ALLOC, FREE, SHARE_WITH, HeapTrace
from scopelight.program.memory.heap_replay import replay


def trace(events):
    kind, buffer, canonical = (np.array(column, np.int64) for column in zip(*events, strict=True))
    return HeapTrace(kind.astype(np.int8), buffer.astype(np.int32), canonical.astype(np.int32), 0)


def sizes(*values):
    return np.array(values, np.int64)


class Heap:
    """What a trace does, written as it is told: pieces of memory, each with the buffers that hold it."""

    def __init__(self):
        self.pieces = {}
        self.holders = {}

    def apply(self, kind, buffer, canonical):
        if kind == ALLOC:
            self.pieces[buffer] = buffer
            self.holders[buffer] = {buffer}
        elif kind == SHARE_WITH:
            piece = self.pieces[canonical]
            self.pieces[buffer] = piece
            self.holders[piece].add(buffer)
        else:
            self.holders[self.pieces[buffer]].discard(buffer)

    def alive(self):
        return {piece for piece, holders in self.holders.items() if holders}


@st.composite
def traces(draw):
    """A valid trace over at most twelve buffers, with their sizes and those without padding."""
    count = draw(st.integers(1, 12))
    heap, events, waiting, living = Heap(), [], list(range(count)), []
    while waiting or (living and draw(st.booleans())):
        choices = [ALLOC] * bool(waiting) + [FREE] * bool(living)
        # A taking over of what is free already happens too: the last reader of one frees it for the next.
        if waiting and heap.pieces:
            choices.append(SHARE_WITH)
        kind = draw(st.sampled_from(choices))
        if kind == FREE:
            buffer = living.pop(draw(st.integers(0, len(living) - 1)))
            event = (FREE, buffer, -1)
        else:
            buffer = waiting.pop()
            living.append(buffer)
            event = (kind, buffer, draw(st.sampled_from(sorted(heap.pieces))) if kind == SHARE_WITH else -1)
        heap.apply(*event)
        events.append(event)
    padded = draw(st.lists(st.integers(0, 1 << 40), min_size=count, max_size=count))
    return events, padded, [draw(st.integers(0, each)) for each in padded]


@given(traces())
def test_the_heap_is_the_sum_of_what_is_alive_after_every_event(made):
    events, padded, unpadded = made
    replayed = replay(trace(events), sizes(*padded), sizes(*unpadded))
    heap = Heap()
    assert (replayed.heap_bytes[0], replayed.unpadded_bytes[0], len(replayed.heap_bytes)) == (0, 0, len(events) + 1)
    for position, event in enumerate(events):
        heap.apply(*event)
        alive = replayed.alive_at(position)
        assert replayed.heap_bytes[position + 1] == sum(padded[piece] for piece in heap.alive())
        assert replayed.heap_bytes[position + 1] == replayed.lifetime_bytes[alive].sum() >= 0
        assert replayed.unpadded_bytes[position + 1] == replayed.lifetime_unpadded_bytes[alive].sum()
        assert len(alive) == len(heap.alive())
    assert replayed.heap_bytes[replayed.peak_position + 1] == replayed.heap_bytes.max()
    assert (replayed.start < replayed.end).all()
    assert (np.diff(replayed.start) > 0).all()


def test_memory_that_is_shared_lives_until_its_last_holder_frees_it():
    events = [(ALLOC, 0, -1), (SHARE_WITH, 1, 0), (FREE, 0, -1), (ALLOC, 2, -1), (FREE, 1, -1), (FREE, 2, -1)]
    replayed = replay(trace(events), sizes(100, 100, 7), sizes(90, 80, 7))
    assert replayed.heap_bytes.tolist() == [0, 100, 100, 100, 107, 7, 0]
    assert replayed.unpadded_bytes.tolist() == [0, 90, 90, 90, 97, 7, 0]
    assert (replayed.buffer.tolist(), replayed.start.tolist(), replayed.end.tolist()) == ([0, 2], [0, 3], [4, 5])
    assert replayed.peak_position == 3


def test_memory_that_was_free_is_taken_anew_by_who_shares_it():
    events = [(ALLOC, 0, -1), (FREE, 0, -1), (SHARE_WITH, 1, 0), (FREE, 1, -1)]
    replayed = replay(trace(events), sizes(100, 100), sizes(90, 80))
    assert replayed.heap_bytes.tolist() == [0, 100, 0, 100, 0]
    assert (replayed.buffer.tolist(), replayed.start.tolist(), replayed.end.tolist()) == ([0, 1], [0, 2], [1, 3])


def test_what_is_never_freed_is_there_to_the_end():
    replayed = replay(trace([(ALLOC, 0, -1), (ALLOC, 1, -1)]), sizes(3, 0), sizes(3, 0))
    assert replayed.end.tolist() == [2, 2]
    assert replayed.peak_position == 0


@pytest.mark.parametrize(
    ("events", "sentence"),
    [
        ([(FREE, 0, -1)], "frees a buffer that is not in memory"),
        ([(ALLOC, 0, -1), (FREE, 0, -1), (FREE, 0, -1)], "frees a buffer that is not in memory"),
        ([(ALLOC, 0, -1), (ALLOC, 0, -1)], "allocates a buffer that is in memory"),
        ([(ALLOC, row, -1) for row in range(100)], "more memory than there is"),
    ],
)
def test_what_cannot_be_is_refused(events, sentence):
    huge = np.full(100, 1 << 56, np.int64)
    with pytest.raises(FormatError, match=sentence):
        replay(trace(events), huge, huge, "step.hlo.pb")
