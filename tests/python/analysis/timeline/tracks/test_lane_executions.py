"""Slices and executions of a lane find each other."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scopelight.analysis.timeline.tracks.lane_executions import ANY, match_executions

LANES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5), st.integers(0, 3), st.booleans()), max_size=60).map(
    lambda rows: sorted(rows, key=lambda row: (row[0], -row[1]))
)


def matched(slices, executions, ends=None):
    """``slices`` are (start, name), ``executions`` are (start, name), which end at once unless ``ends`` says when."""
    starts, names = (np.array(column) for column in zip(*slices, strict=True)) if slices else ([], [])
    of_starts, of_names = (np.array(column) for column in zip(*executions, strict=True)) if executions else ([], [])
    return match_executions(
        np.array(starts, np.int64),
        np.array(names, np.int32),
        np.array(of_starts, np.int64),
        np.array(ends if ends is not None else of_starts, np.int64),
        np.array(of_names, np.int32),
    ).tolist()


@given(LANES)
def test_where_every_slice_is_an_execution_they_are_told_in_their_order(rows):
    slices = [(start, name) for start, _, name, _ in rows]
    assert matched(slices, [(start, ANY) for start, _ in slices]) == list(range(len(rows)))
    assert matched(slices, slices) == list(range(len(rows)))


@given(LANES)
def test_slices_of_other_names_are_passed_over(rows):
    # Of ops the name is below 10, of all else that a thread records above.
    slices = [(start, name if is_op else name + 10) for start, _, name, is_op in rows]
    executions = [each for each in slices if each[1] < 10]
    found = matched(slices, executions)
    assert [row for row in found if row >= 0] == list(range(len(executions)))
    assert all((row >= 0) == (name < 10) for row, (_, name) in zip(found, slices, strict=True))


def test_an_execution_that_no_slice_starts_with_is_nowhere():
    assert matched([(5, 1), (9, 1)], [(4, ANY), (9, 1), (9, 2)]) == [-1, 1]


def test_an_execution_that_is_on_record_in_parts_has_them_all_until_it_is_over():
    slices = [(0, 1), (0, 2), (4, 1), (9, 1), (12, 1)]
    assert matched(slices, [(0, 1), (9, 1)], ends=[8, 10]) == [0, -1, 0, 1, -1]


def test_many_slices_at_once_take_linear_time():
    count = 300_000
    zeros = np.zeros(count, np.int64)
    found = match_executions(zeros, np.zeros(count, np.int32), zeros, zeros, np.ones(count, np.int32))
    assert (found == -1).all()
