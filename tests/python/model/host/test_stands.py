"""Looking up where a thread stood, and joining what several recordings have of it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from made.profiles import spans
from scopelight.model.host.stands import UNKNOWN, Stands, ended, joined, known_outside
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


def test_what_is_joined_is_exact_where_it_was():
    assert joined([stands((1, 0)), stands((5, 0))]).is_exact
    assert not joined([stands((1, 0), is_exact=False), stands((5, 0), is_exact=False)]).is_exact
    # As a script ends, nothing of it runs that the interpreter would tell of.
    for lasts, most in ((20, True), (90, False)):
        told, ending = stands((0, 1), (50, 0)), stands((100, 0), (100 + lasts, 1), stacks=(C, A), is_exact=False)
        whole = joined([told, ending])
        assert whole.is_exact == most
        stood = whole.at(np.array([-5, 10, 60, 105, 200]))
        assert whole.is_exact_on(stood).tolist() == [most, True, True, False, False]
    assert stands((1, 0)).is_exact_on(np.array([0, UNKNOWN])).tolist() == [True, True]


def test_a_recording_says_nothing_from_where_the_next_one_begins():
    whole = joined([stands((10, 0), (30, 1)), stands(stacks=()), stands((20, 0), stacks=(C,)), stands((40, 1))])
    assert (np.diff(whole.start_ps) >= 0).all()
    assert [whole.stacks[row] for row in whole.at(np.array([15, 35, 45]))] == [A, C, B]


def test_of_a_thread_that_ended_it_is_known_no_more_where_it_stands():
    assert ended(stands((10, 0), (20, 1), (30, 0)), 25).at(np.array([9, 15, 24, 25, 35])).tolist() == [-1, 0, 1, -1, -1]


@given(ROWS, st.lists(st.tuples(st.integers(0, 50), st.integers(1, 9)), max_size=4))
def test_during_spans_nothing_is_known(rows, gaps):
    disjoint: list[tuple[int, int]] = []
    for start, lasts in sorted(gaps):
        if not disjoint or start > disjoint[-1][1]:
            disjoint.append((start, start + lasts))
    before = stands(*rows)
    found = known_outside(before, spans(*disjoint))
    assert (np.diff(found.start_ps) >= 0).all()
    moments = np.arange(-1, 70)
    is_gap = [any(start <= each < end for start, end in disjoint) for each in moments.tolist()]
    assert found.at(moments).tolist() == np.where(is_gap, UNKNOWN, before.at(moments)).tolist()
