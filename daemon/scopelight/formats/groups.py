"""Whole numbers added up, and the least and the greatest of them, by group: exactly, and in one pass.

`numpy.bincount` adds weights in floating point; numpy's ``at`` takes three times as long where rows stand by group.
"""

import numpy as np

from scopelight.formats.columns import Int32, Int64
from scopelight.formats.kernels import kernel


@kernel
def _add(group: Int32, values: Int64, sums: Int64) -> None:
    # Rows of one group mostly follow each other: what they have so far is kept at hand, not looked up for each.
    at, so_far = np.int64(0), sums[0]
    for row in range(len(group)):
        if group[row] != at:
            sums[at] = so_far
            at = np.int64(group[row])
            so_far = sums[at]
        so_far += values[row]
    sums[at] = so_far


@kernel
def _least(group: Int32, values: Int64, least: Int64) -> None:
    at, so_far = np.int64(0), least[0]
    for row in range(len(group)):
        if group[row] != at:
            least[at] = so_far
            at = np.int64(group[row])
            so_far = least[at]
        so_far = min(so_far, values[row])
    least[at] = so_far


def sums_by(group: Int32, count: int, values: Int64) -> Int64:
    """The sum of each group's values, int64[count]; a group is in ``range(count)``, or counts from the end."""
    sums = np.zeros(count, dtype=np.int64)
    if len(group):
        _add(group, values, sums)
    return sums


def counts_by(group: Int32, count: int) -> Int64:
    """How many rows each group has, int64[count]."""
    return sums_by(group, count, np.ones(len(group), dtype=np.int64))


def least_by(group: Int32, count: int, values: Int64) -> Int64:
    """The least of each group's values, int64[count]; the greatest number that there is where it has none."""
    least = np.full(count, np.iinfo(np.int64).max, dtype=np.int64)
    if len(group):
        _least(group, values, least)
    return least


def greatest_by(group: Int32, count: int, values: Int64) -> Int64:
    """The greatest of each group's values, int64[count]; the least number that there is where it has none."""
    # Turned over, without a kernel that would have to be compiled for it.
    return ~least_by(group, count, ~values)
