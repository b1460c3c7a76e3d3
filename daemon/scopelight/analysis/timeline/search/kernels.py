"""Loops over all events of a lane that a search needs: it is typed while one waits."""

from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.formats.kernels import kernel


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
def count_parts(start_ps: Int64, numbers: Int64, parts_per_ps: float, marks: Int64) -> None:
    """Add to ``marks`` how many of the numbered events start in each of its equal parts of the whole duration."""
    last = len(marks) - 1
    for number in numbers:
        marks[min(max(int(start_ps[number] * parts_per_ps), 0), last)] += 1
