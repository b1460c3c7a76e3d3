"""Loops over the events of a lane that flows and the export need."""

from typing import Final

import numpy as np

from scopelight.formats.columns import Int32, Int64, UInt64
from scopelight.formats.kernels import kernel

DEEPEST: Final = 2_048
"""Slices in each other on one strand."""


@kernel
def _put_on_strands(start: Int64, duration: Int64, strand: Int32, stack: Int64, height: Int64) -> None:
    """Write the strand of each event; ``stack`` and ``height`` have one row for each strand."""
    most = len(height)
    for row in range(len(start)):
        begin, end = start[row], start[row] + duration[row]
        for each in range(most):
            while height[each] and stack[each, height[each] - 1] <= begin:
                height[each] -= 1
            fits = height[each] < stack.shape[1] and (height[each] == 0 or stack[each, height[each] - 1] >= end)
            if fits or each == most - 1:
                strand[row] = each
                if fits and end > begin:
                    stack[each, height[each]] = end
                    height[each] += 1
                break


def strands(start_ps: Int64, duration_ps: Int64, most: int) -> Int32:
    """A strand for each event such that those of one strand nest: 0 for all where the lane nests as it is.

    Events are sorted by start, longest first. Beyond ``most`` strands they are put on the last one as they are.
    """
    strand = np.zeros(len(start_ps), np.int32)
    stack = np.empty((most, DEEPEST), np.int64)
    _put_on_strands(start_ps, duration_ps, strand, stack, np.zeros(most, np.int64))
    return strand


@kernel
def keep_shared(one: UInt64, other: UInt64, bits: np.uint64) -> tuple[int, int]:
    """Move to the front of two sorted columns what has a key that the other has too: how many each then begins with.

    A key is what is above the lowest ``bits``.
    """
    at, of_other = 0, 0
    kept, kept_of_other = 0, 0
    while at < len(one) and of_other < len(other):
        key, key_of_other = one[at] >> bits, other[of_other] >> bits
        if key < key_of_other:
            at += 1
        elif key_of_other < key:
            of_other += 1
        else:
            while at < len(one) and one[at] >> bits == key:
                one[kept] = one[at]
                kept += 1
                at += 1
            while of_other < len(other) and other[of_other] >> bits == key:
                other[kept_of_other] = other[of_other]
                kept_of_other += 1
                of_other += 1
    return kept, kept_of_other
