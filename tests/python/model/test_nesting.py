"""Self times by nesting."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scopelight.model.nesting import nest


def nested(*spans):
    starts, ends = np.array(spans, dtype=np.int64).T
    order = np.lexsort((-ends, starts))
    return nest(starts[order], (ends - starts)[order])


def test_a_parent_keeps_what_its_children_leave():
    parent, self_ps = nested((0, 100), (10, 40), (20, 30), (50, 60))
    assert parent.tolist() == [-1, 0, 1, 0]
    assert self_ps.tolist() == [60, 20, 10, 10]


def test_an_overlap_belongs_to_the_event_that_started_later():
    _, self_ps = nested((0, 10), (5, 15))
    assert self_ps.tolist() == [5, 10]


def test_instants_are_nobodys_parent():
    parent, self_ps = nested((5, 5), (5, 9), (6, 7))
    assert parent.tolist() == [-1, 0, 0]
    assert self_ps.tolist() == [3, 0, 1]


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 25)), min_size=1, max_size=40))
def test_self_times_of_properly_nested_events_sum_to_their_union(pieces):
    # Cut every span at its parent's end, so that events nest properly.
    spans = []
    open_ends = []
    for start, length in sorted(pieces, key=lambda each: (each[0], -each[1])):
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        end = min(start + length, open_ends[-1]) if open_ends else start + length
        spans.append((start, end))
        if end > start:
            open_ends.append(end)
    _, self_ps = nested(*spans)
    covered = set()
    for start, end in spans:
        covered.update(range(start, end))
    assert self_ps.sum() == len(covered)
    assert (self_ps >= 0).all()
