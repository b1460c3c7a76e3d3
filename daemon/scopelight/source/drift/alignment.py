"""Alignment: which lines of two texts surely belong together, and which may be any of several equal ones.

Texts come as numbers, equal numbers for equal lines. All longest common subsequences are looked at, not one of them:
the n-th pair of lines belongs together surely when it is the same in every one of them. That is so when the alignments
whose lines come as early and as late as possible, in either text, agree on it.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

import attrs

MOST_CELLS = 1 << 27
"""Recorded lines x present lines compared at once (a bit each); a larger part is first divided at unique lines."""
PASSING_REACH = 64
"""Lines looked ahead for an equal one where a part is too large and has no unique lines to divide it."""


@attrs.frozen(slots=True, eq=False)
class Alignment:
    """Pairs of equal lines in their order, by 0-based rows, one entry of every list for each pair.

    ``recorded`` and ``present`` are the earliest rows, ``last_recorded`` and ``last_present`` the latest rows that
    the pair has in any alignment; ``sure`` where every alignment has this pair.
    """

    recorded: list[int] = attrs.Factory(list)
    present: list[int] = attrs.Factory(list)
    last_recorded: list[int] = attrs.Factory(list)
    last_present: list[int] = attrs.Factory(list)
    sure: list[bool] = attrs.Factory(list)

    def append(self, part: "Alignment", row: int, column: int) -> None:
        """Take over the pairs of a part that begins at ``row`` and ``column``."""
        self.recorded.extend(row + each for each in part.recorded)
        self.present.extend(column + each for each in part.present)
        self.last_recorded.extend(row + each for each in part.last_recorded)
        self.last_present.extend(column + each for each in part.last_present)
        self.sure.extend(part.sure)


def align(recorded: Sequence[int], present: Sequence[int]) -> Alignment:
    """As many pairs of equal lines as there can be.

    Where the part of the texts between their common ends exceeds `MOST_CELLS`, it is divided at lines that
    occur once in both, and a pair is sure as seen from inside its part.
    """
    if recorded == present:
        return _same(len(recorded))
    head = common_head(recorded, present)
    tail = common_head(recorded[head:][::-1], present[head:][::-1])
    if (len(recorded) - head - tail) * (len(present) - head - tail) <= MOST_CELLS:
        return _align_exactly(recorded, present)
    alignment = Alignment()
    row = column = 0
    for next_row, next_column in (*_anchors(recorded, present), (len(recorded), len(present))):
        part = recorded[row:next_row], present[column:next_column]
        is_small = len(part[0]) * len(part[1]) <= MOST_CELLS
        alignment.append(_align_exactly(*part) if is_small else _align_in_passing(*part), row, column)
        if next_row < len(recorded):
            alignment.append(_same(1), next_row, next_column)
        row, column = next_row + 1, next_column + 1
    return alignment


def longest_rise(values: Sequence[int]) -> list[int]:
    """Positions of a longest rising series within ``values``."""
    ends: list[int] = []
    before: list[int] = []
    for at, value in enumerate(values):
        low = bisect_left(ends, value, key=values.__getitem__)
        before.append(ends[low - 1] if low else -1)
        ends[low : low + 1] = [at]
    series: list[int] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        series.append(at)
        at = before[at]
    return series[::-1]


def _same(count: int) -> Alignment:
    rows = list(range(count))
    return Alignment(rows, rows, rows, rows, [True] * count)


def _align_exactly(recorded: Sequence[int], present: Sequence[int]) -> Alignment:
    rows, columns = _earliest(recorded, present)
    first_columns, _ = _earliest(present, recorded)
    last_rows, _ = _latest(recorded, present)
    last_columns, _ = _latest(present, recorded)
    sure = [
        row == last_row and first_column == last_column
        for row, last_row, first_column, last_column in zip(rows, last_rows, first_columns, last_columns, strict=True)
    ]
    return Alignment(rows, columns, last_rows, last_columns, sure)


def _earliest(one: Sequence[int], other: Sequence[int]) -> tuple[list[int], list[int]]:
    """Rows of the longest alignment whose rows in ``one`` are the least there are, each of them."""
    rows, columns = _latest(one[::-1], other[::-1])
    last_row, last_column = len(one) - 1, len(other) - 1
    return [last_row - row for row in reversed(rows)], [last_column - column for column in reversed(columns)]


def _latest(one: Sequence[int], other: Sequence[int]) -> tuple[list[int], list[int]]:
    """Rows of the longest alignment whose rows in ``one`` are the greatest there are, each of them."""
    tail = common_head(one[::-1], other[::-1])
    row, column = len(one) - tail, len(other) - tail
    rows, columns = list(range(len(one) - 1, row - 1, -1)), list(range(len(other) - 1, column - 1, -1))
    head = common_head(one[:row], other[:column])
    masks: dict[int, int] = {}
    for position, text in enumerate(other[head:column]):
        masks[text] = masks.get(text, 0) | 1 << position
    table = _lengths(one[head:row], masks, column - head)
    row, column = row - head, column - head
    while row and column:
        # A bit of the table is clear where the length grows: the nearest place to the left to pair or to go up.
        stops = (~table[row - 1] | masks.get(one[head + row - 1], 0)) & ((1 << column) - 1)
        column = stops.bit_length()
        if not column:
            break
        row -= 1
        if one[head + row] == other[head + column - 1]:
            column -= 1
            rows.append(head + row)
            columns.append(head + column)
    # The common head has partners all of it; they are later ones as far as lines of the core are left for it.
    row, column = row + head, column + head
    for position in range(head - 1, -1, -1):
        if row == column == position + 1:
            rows.extend(range(position, -1, -1))
            columns.extend(range(position, -1, -1))
            break
        row, column = row - 1, column - 1
        while one[row] != other[position]:
            row -= 1
        while other[column] != one[row]:
            column -= 1
        rows.append(row)
        columns.append(column)
    return rows[::-1], columns[::-1]


def _lengths(rows: Sequence[int], masks: dict[int, int], columns: int) -> list[int]:
    """Rows of the table of the lengths of common subsequences, as their differences in bits (after Hyyrö)."""
    full = (1 << columns) - 1
    bits = full
    table = []
    for text in rows:
        matches = bits & masks.get(text, 0)
        bits = ((bits + matches) | (bits - matches)) & full
        table.append(bits)
    return table


def common_head(one: Sequence[object], other: Sequence[object]) -> int:
    """Lines, from the first on, that two texts have in common."""
    shorter = min(len(one), len(other))
    if one[:shorter] == other[:shorter]:
        return shorter
    return next(row for row in range(shorter) if one[row] != other[row])


def _anchors(recorded: Sequence[int], present: Sequence[int]) -> list[tuple[int, int]]:
    """The longest series of lines that occur once in both texts and come in the same order."""
    rows = _unique_rows(recorded)
    columns = _unique_rows(present)
    pairs = [(row, columns[text]) for text, row in rows.items() if text in columns]
    return [pairs[at] for at in longest_rise([column for _, column in pairs])]


def _unique_rows(texts: Sequence[int]) -> dict[int, int]:
    counts = Counter(texts)
    return {text: row for row, text in enumerate(texts) if counts[text] == 1}


def _align_in_passing(recorded: Sequence[int], present: Sequence[int]) -> Alignment:
    """Some pairs, none of them sure, in time that grows with the lines alone."""
    rows: list[int] = []
    columns: list[int] = []
    column = 0
    for row, text in enumerate(recorded):
        ahead = present[column : column + PASSING_REACH]
        if text in ahead:
            column += ahead.index(text)
            rows.append(row)
            columns.append(column)
            column += 1
    return Alignment(rows, columns, rows, columns, [False] * len(rows))
