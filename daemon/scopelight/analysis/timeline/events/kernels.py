"""Loops over the events of a lane that the questions of the timeline need."""

from typing import Final

import numpy as np

from scopelight.formats.columns import Bool, Int16, Int32, Int64, UInt64
from scopelight.formats.kernels import kernel

DEEPEST: Final = 2_048
"""Slices in each other on one strand."""


@kernel
def named_events(name: Int32, wanted: Bool, numbers: Int64) -> int:
    """Write the numbers of the events whose name is ``wanted``: how many there are."""
    count = 0
    for row in range(len(name)):
        if wanted[name[row]]:
            numbers[count] = row
            count += 1
    return count


@kernel
def count_parts(start: Int64, numbers: Int64, parts_per_ps: float, marks: Int64) -> None:
    """Add to ``marks`` how many of the numbered events start in each of its equal parts of the whole duration."""
    last = len(marks) - 1
    for number in numbers:
        marks[min(max(int(start[number] * parts_per_ps), 0), last)] += 1


@kernel
def reaching(start: Int64, duration: Int64, beyond: int, at: int, numbers: Int64) -> int:
    """How many of the events before the number ``beyond`` end after ``at``; writes their numbers where they fit."""
    count = 0
    for row in range(beyond):
        if start[row] + duration[row] > at:
            if count < len(numbers):
                numbers[count] = row
            count += 1
    return count


@kernel
def nearest_in_depth(start: Int64, duration: Int64, depth: Int16, wanted: int, at: int, position: int) -> int:
    """The number of the event of a depth that holds ``at`` or is nearest to it, -1 where the depth has none.

    ``position`` is the number of the first event that starts after ``at``.
    """
    before = position - 1
    while before >= 0 and depth[before] != wanted:
        before -= 1
    after = position
    while after < len(start) and depth[after] != wanted:
        after += 1
    if after == len(start):
        return before
    if before < 0:
        return after
    behind = at - (start[before] + duration[before])
    return before if behind <= start[after] - at else after


@kernel
def add_by_name(
    text: Int32,
    name: Int32,
    duration: Int64,
    own: Int64,
    count: Int64,
    total: Int64,
    self_sum: Int64,
    least: Int64,
    greatest: Int64,
) -> None:
    """Add events to the sums of their names' texts: ``text`` gives the row of the sums by the id of a name."""
    for row in range(len(name)):
        place = text[name[row]]
        count[place] += 1
        total[place] += duration[row]
        self_sum[place] += own[row]
        least[place] = min(least[place], duration[row])
        greatest[place] = max(greatest[place], duration[row])


@kernel
def strands(start: Int64, duration: Int64, most: int) -> np.ndarray:
    """A strand for each event such that those of one strand nest: 0 for all where the lane nests as it is.

    Events are sorted by start, longest first. Beyond ``most`` strands they are put on the last one as they are.
    """
    count = len(start)
    strand = np.zeros(count, np.int32)
    stack = np.empty((most, DEEPEST), np.int64)
    height = np.zeros(most, np.int64)
    for row in range(count):
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
