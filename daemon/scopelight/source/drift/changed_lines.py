"""Changed lines: what a line that is no longer there has become, judged by what stands between the same neighbours."""

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from scopelight.source.drift.alignment import align
from scopelight.source.drift.pairs import Pairs

SIMILAR_RATIO = 0.6
"""Share of the characters that two lines have in common, in order, when one became the other."""
REPLACED_RATIO = 0.4
"""The same where one line stands in the place of one: less is asked of it."""
MOST_COMPARISONS = 400
"""Lines of one gap compared with each other; in a larger gap a line is compared with the one at its place."""
MOST_COMPARISONS_IN_ALL = 1000
"""Lines compared character by character for one text; of further ones only the beginnings and ends are."""
MOST_CHARACTERS = 300
"""Characters of a line that are compared."""
MOST_DIVIDED_LINES = 12
"""Lines that one line is divided into, or joined from."""

_Found = Iterator[tuple[int, int]]
_Finder = Callable[[Sequence[str], Sequence[str]], _Found]


def pair_changed(pairs: Pairs) -> None:
    """Pair rows that have no equal one with what they became, none as current."""
    finder = _Comparisons()
    row = 0
    while row < len(pairs.recorded):
        end = row
        while end < len(pairs.recorded) and pairs.to_present[end] < 0:
            end += 1
        if end > row:
            above = pairs.to_present[row - 1] + 1 if row else 0
            below = pairs.to_present[end] if end < len(pairs.recorded) else len(pairs.present)
            # The same rows, unless the neighbours have moved apart.
            for free in dict.fromkeys((_free_after(pairs, above), _free_before(pairs, below))):
                left = [each for each in range(row, end) if pairs.to_present[each] < 0]
                recorded = [pairs.recorded_texts[each].strip() for each in left]
                present = [pairs.present_texts[each].strip() for each in free]
                for one, other in finder.became(recorded, present):
                    pairs.pair(left[one], free[other], is_current=False)
        row = end + 1


def _free_after(pairs: Pairs, row: int) -> range:
    end = row
    while end < len(pairs.present) and pairs.to_recorded[end] < 0:
        end += 1
    return range(row, end)


def _free_before(pairs: Pairs, row: int) -> range:
    start = row
    while start > 0 and pairs.to_recorded[start - 1] < 0:
        start -= 1
    return range(start, row)


class _Comparisons:
    """Compares the lines of gaps, as many as one text may cost."""

    def __init__(self) -> None:
        self._left = MOST_COMPARISONS_IN_ALL

    def became(self, recorded: Sequence[str], present: Sequence[str]) -> _Found:
        """Which recorded lines became which present ones, in order.

        First those that differ in white space alone; between these what is similar enough; at last lines that
        were divided or joined.
        """
        finders = (_equal_but_for_space, self._similar, self._divided)
        return _found_between(recorded, present, finders)

    def _similar(self, recorded: Sequence[str], present: Sequence[str]) -> _Found:
        if len(recorded) == len(present) == 1:
            if self._ratio(recorded[0], present[0]) >= REPLACED_RATIO:
                yield 0, 0
        elif len(recorded) * len(present) <= MOST_COMPARISONS:
            yield from _best_in_order([[self._ratio(one, other) for other in present] for one in recorded])
        else:
            last = -1
            for row, text in enumerate(recorded):
                column = row * len(present) // len(recorded)
                if column > last and self._ratio(text, present[column]) >= SIMILAR_RATIO:
                    last = column
                    yield row, column

    def _divided(self, recorded: Sequence[str], present: Sequence[str]) -> _Found:
        if min(len(recorded), len(present)) != 1 or not 2 <= max(len(recorded), len(present)) <= MOST_DIVIDED_LINES:
            return
        if self._ratio(_without_space("".join(recorded)), _without_space("".join(present))) >= SIMILAR_RATIO:
            yield 0, 0

    def _ratio(self, one: str, other: str) -> float:
        one, other = one[:MOST_CHARACTERS], other[:MOST_CHARACTERS]
        start = _common_start(one, other)
        ends = start + _common_start(one[start:][::-1], other[start:][::-1])
        ratio = 2 * ends / (len(one) + len(other))
        if ratio >= SIMILAR_RATIO or self._left <= 0:
            return ratio
        self._left -= 1
        return _ratio_in_order(one, other)


def _found_between(recorded: Sequence[str], present: Sequence[str], finders: Sequence[_Finder]) -> _Found:
    """What the first finder finds, and what the others find in the gaps that it leaves."""
    if not recorded or not present or not finders:
        return
    row = column = 0
    for next_row, next_column in (*finders[0](recorded, present), (len(recorded), len(present))):
        part = _found_between(recorded[row:next_row], present[column:next_column], finders[1:])
        yield from ((row + one, column + other) for one, other in part)
        if next_row < len(recorded):
            yield next_row, next_column
        row, column = next_row + 1, next_column + 1


def _equal_but_for_space(recorded: Sequence[str], present: Sequence[str]) -> _Found:
    one, other = ([_without_space(text) for text in texts] for texts in (recorded, present))
    numbers = {text: number for number, text in enumerate(set(one) & set(other))}
    rows = [row for row, text in enumerate(one) if text in numbers]
    columns = [column for column, text in enumerate(other) if text in numbers]
    alignment = align([numbers[one[row]] for row in rows], [numbers[other[column]] for column in columns])
    for row, column in zip(alignment.recorded, alignment.present, strict=True):
        yield rows[row], columns[column]


def _best_in_order(ratios: Sequence[Sequence[float]]) -> _Found:
    """The pairs of rows and columns, rising in both, whose ratios are similar enough and have the greatest sum."""
    rows, columns = len(ratios), len(ratios[0])
    # From the end, so that reading from the start prefers early pairs.
    sums = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            ratio = ratios[row][column]
            paired = sums[row + 1][column + 1] + ratio if ratio >= SIMILAR_RATIO else 0.0
            sums[row][column] = max(paired, sums[row + 1][column], sums[row][column + 1])
    row = column = 0
    while row < rows and column < columns and sums[row][column] > 0:
        if sums[row][column] == sums[row + 1][column]:
            row += 1
        elif sums[row][column] == sums[row][column + 1]:
            column += 1
        else:
            yield row, column
            row, column = row + 1, column + 1


def _without_space(text: str) -> str:
    return "".join(text.split())


def _common_start(one: str, other: str) -> int:
    return next(
        (at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right),
        min(len(one), len(other)),
    )


@lru_cache(maxsize=16384)
def _ratio_in_order(one: str, other: str) -> float:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    if matcher.real_quick_ratio() < REPLACED_RATIO or matcher.quick_ratio() < REPLACED_RATIO:
        return 0.0
    return matcher.ratio()
