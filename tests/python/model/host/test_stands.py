"""Looking up where a thread stood, and joining what several recordings have of it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scopelight.model.host.stands import UNKNOWN, Stands, joined
from scopelight.program.hlo.frames import Frame

A, B, C = ((Frame("/a.py", line, "f"),) for line in (1, 2, 3))


def stands(*rows, stacks=(A, B), is_exact=True):
    start, stack = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    return Stands(start, stack, stacks, is_exact)


def test_a_thread_stands_from_each_start_until_the_next():
    found = stands((10, 0), (20, 1)).at(np.array([9, 10, 19, 20, 10**15]))
    assert found.tolist() == [UNKNOWN, 0, 0, 1, 1]


def test_of_two_that_begin_at_once_the_later_counts():
    assert stands((10, 0), (10, 1)).at(np.array([10])).tolist() == [1]


def test_without_a_row_it_is_never_known():
    assert stands().at(np.array([0, 5])).tolist() == [UNKNOWN, UNKNOWN]
    assert len(stands().at(np.zeros(0, dtype=np.int64))) == 0


ROWS = st.lists(st.tuples(st.integers(0, 50), st.integers(-1, 1)), max_size=12).map(sorted)


@given(ROWS, st.lists(st.integers(-5, 60), max_size=8))
def test_it_is_found_as_one_would_look_row_by_row(rows, moments):
    for moment, found in zip(moments, stands(*rows).at(np.array(moments, dtype=np.int64)), strict=True):
        # Equal starts keep their order.
        assert found == next((stack for start, stack in reversed(rows) if start <= moment), UNKNOWN)


@given(ROWS, ROWS)
def test_joined_recordings_keep_their_stacks(first, later):
    parts = [stands(*first), stands(*((start + 100, stack) for start, stack in later), stacks=(B, C))]
    whole = joined(parts)
    for start in range(0, 160, 5):
        part = parts[1] if later and start >= 100 + later[0][0] else parts[0]
        (row,), (of_part,) = whole.at(np.array([start])), part.at(np.array([start]))
        assert (whole.stacks[row] if row >= 0 else None) == (part.stacks[of_part] if of_part >= 0 else None)


def test_what_is_joined_is_exact_only_where_all_of_it_is():
    assert joined([stands((1, 0)), stands((5, 0))]).is_exact
    assert not joined([stands((1, 0)), stands((5, 0), is_exact=False)]).is_exact
