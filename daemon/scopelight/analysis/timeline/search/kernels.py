"""Loops over all events of a lane that a search needs: it is typed while one waits."""

import numpy as np

from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.formats.kernels import kernel


def occurrences_of(name: Int32) -> Int64:
    """By id of a name how many events have it; as long as the greatest id."""
    occurrences = np.zeros(int(name.max(initial=-1)) + 1, dtype=np.int64)
    _count_names(name, occurrences)
    return occurrences


@kernel
def _count_names(name: Int32, occurrences: Int64) -> None:
    for row in range(len(name)):
        occurrences[name[row]] += 1


@kernel
def named_events(name: Int32, wanted: Bool, numbers: Int32) -> None:
    """Write the numbers of the events whose name is ``wanted``, for which there is just room."""
    count, row = 0, 0
    while count < len(numbers):
        if wanted[name[row]]:
            numbers[count] = row
            count += 1
        row += 1


@kernel
def count_parts(start_ps: Int64, numbers: Int32, parts_per_ps: float, marks: Int64) -> None:
    """Add to ``marks`` how many of the numbered events start in each of its equal parts of the whole duration."""
    last = len(marks) - 1
    for number in numbers:
        marks[min(max(int(start_ps[number] * parts_per_ps), 0), last)] += 1
