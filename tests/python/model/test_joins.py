"""Joins agree with dictionaries."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from scopelight.model.joins import dense_ids, find_rows

keys = npst.arrays(np.int64, st.integers(0, 60), elements=st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3))


@given(keys)
def test_dense_ids_number_keys_in_order_of_appearance(column):
    ids, firsts = dense_ids(column)
    seen = {}
    for row, key in enumerate(column.tolist()):
        assert ids[row] == seen.setdefault(key, len(seen))
    assert column[firsts].tolist() == list(seen)


@given(keys, keys)
def test_find_rows_gives_the_first_row_that_holds_the_key(column, wanted):
    rows = find_rows(column, wanted)
    listed = column.tolist()
    for key, row in zip(wanted.tolist(), rows.tolist(), strict=True):
        assert row == (listed.index(key) if key in listed else -1)


def test_many_distinct_keys_are_told_apart_whatever_came_first():
    """Few have a small table, which the others outgrow."""
    column = np.concatenate([np.zeros(5_000, np.int64), np.arange(5_000) * 7, np.arange(5_000)[::-1] * 7])
    ids, firsts = dense_ids(column)
    assert ids.tolist() == [0] * 5_000 + list(range(5_000)) + list(range(4_999, -1, -1))
    assert firsts.tolist() == [0, *range(5_001, 10_000)]
    assert find_rows(column, np.array([7, 6, 0, 34_993])).tolist() == [5_001, -1, 0, 9_999]
