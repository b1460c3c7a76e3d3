"""Sums, least and greatest numbers by group are those that numpy finds row by row."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from scopelight.formats.groups import counts_by, greatest_by, least_by, sums_by

LARGE = 1 << 61
COUNT = 5


@st.composite
def grouped(draw):
    group = draw(arrays.arrays(np.int32, st.integers(0, 30), elements=st.integers(0, COUNT - 1)))
    # In runs, as most are, or in any order.
    group = np.sort(group) if draw(st.booleans()) else group
    return group, draw(arrays.arrays(np.int64, len(group), elements=st.integers(-LARGE // 30, LARGE // 30)))


@given(grouped())
def test_each_group_has_what_its_rows_have(columns):
    group, values = columns
    sums, least, greatest = (of(group, COUNT, values) for of in (sums_by, least_by, greatest_by))
    assert counts_by(group, COUNT).tolist() == np.bincount(group, minlength=COUNT).tolist()
    for each in range(COUNT):
        of_group = values[group == each].tolist()
        assert sums[each] == sum(of_group)
        assert least[each] == min(of_group, default=np.iinfo(np.int64).max)
        assert greatest[each] == max(of_group, default=np.iinfo(np.int64).min)


def test_a_group_may_count_from_the_end():
    assert counts_by(np.array([-1, 0, -1], np.int32), 3).tolist() == [1, 0, 2]
    assert sums_by(np.array([-1, 0, -1], np.int32), 3, np.array([1, 2, 4])).tolist() == [2, 0, 5]
