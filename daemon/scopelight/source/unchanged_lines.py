"""Unchanged lines: of the lines with one text, which recorded one is which present one.

Pairs are sure, and so current, in one of four ways: every best alignment has them; their text occurs once in each text;
they stand beside such a line that moved; or of several equal lines they are the only ones inside the same block.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate

import attrs

from scopelight.source.alignment import Alignment, align
from scopelight.source.pairs import Pairs

MOST_CANDIDATES = 16
"""Equal lines among which the enclosing block is asked to decide."""


def pair_unchanged(pairs: Pairs) -> None:
    """Pair rows of equal text: as current where the pair is sure, otherwise not."""
    aligned = _align(pairs, without=())
    if len(aligned.unsure) == 0 == len(aligned.recorded) - len(pairs.recorded):
        _settle(pairs, aligned)
        return
    for rank, is_sure in enumerate(aligned.alignment.sure):
        if is_sure:
            pairs.pair(*aligned.first(rank))
    moved = _pair_moved(pairs, aligned)
    # Without the lines that moved it may be clear which one of several equal lines stayed.
    _settle(pairs, _align(pairs, without=moved) if moved and aligned.unsure else aligned)


@attrs.frozen(slots=True, eq=False)
class _Aligned:
    """The alignment of rows that have an equal one in the other text; ``recorded`` and ``present`` are those rows."""

    alignment: Alignment
    recorded: Sequence[int]
    present: Sequence[int]
    unsure: Sequence[int]

    def first(self, rank: int) -> tuple[int, int]:
        """Rows of the earliest pair that the rank may be."""
        return self.recorded[self.alignment.recorded[rank]], self.present[self.alignment.present[rank]]

    def last(self, rank: int) -> tuple[int, int]:
        """The latest rows that the rank may be, one by one."""
        return self.recorded[self.alignment.last_recorded[rank]], self.present[self.alignment.last_present[rank]]


def _align(pairs: Pairs, without: Iterable[int]) -> _Aligned:
    left_out = set(without)
    left_out_present = {pairs.to_present[row] for row in left_out}
    common = set(pairs.recorded) & set(pairs.present)
    recorded = [row for row, text in enumerate(pairs.recorded) if text in common and row not in left_out]
    present = [row for row, text in enumerate(pairs.present) if text in common and row not in left_out_present]
    alignment = align([pairs.recorded[row] for row in recorded], [pairs.present[row] for row in present])
    return _Aligned(alignment, recorded, present, [rank for rank, sure in enumerate(alignment.sure) if not sure])


def _pair_moved(pairs: Pairs, aligned: _Aligned) -> list[int]:
    """Pair what is unpaired and occurs once in each text, and the equal lines beside it; the recorded rows.

    A line beside it follows unless the alignment may have it, and may have its like, where they were.
    """
    recorded_counts, present_counts = Counter(pairs.recorded), Counter(pairs.present)
    once = {text: row for row, text in enumerate(pairs.present) if present_counts[text] == 1}
    starts = [
        (row, once[text])
        for row, text in enumerate(pairs.recorded)
        if pairs.to_present[row] < 0 and text in once and recorded_counts[text] == 1
    ]
    for recorded, present in starts:
        pairs.pair(recorded, present)
    moved = [recorded for recorded, _ in starts]
    if not starts:
        return moved
    firsts = [aligned.first(rank) for rank in aligned.unsure]
    lasts = [aligned.last(rank) for rank in aligned.unsure]
    may_stay = _covered([(one[0], other[0]) for one, other in zip(firsts, lasts, strict=True)], len(pairs.recorded))
    may_be_old = _covered([(one[1], other[1]) for one, other in zip(firsts, lasts, strict=True)], len(pairs.present))
    for start_recorded, start_present in starts:
        for step in (1, -1):
            recorded, present = start_recorded + step, start_present + step
            while (
                pairs.are_free(recorded, present)
                and pairs.recorded[recorded] == pairs.present[present]
                and not (may_stay[recorded] and may_be_old[present])
            ):
                pairs.pair(recorded, present)
                moved.append(recorded)
                recorded, present = recorded + step, present + step
    return moved


def _covered(spans: Iterable[tuple[int, int]], count: int) -> list[bool]:
    """Which of ``count`` rows lie within one of the spans, both ends included."""
    changes = [0] * (count + 1)
    for first, last in spans:
        changes[first] += 1
        changes[last + 1] -= 1
    return [depth > 0 for depth in accumulate(changes[:count])]


def _settle(pairs: Pairs, aligned: _Aligned) -> None:
    """Pair what the alignment has: sure pairs, then those that their block decides, the others as not current."""
    for rank, is_sure in enumerate(aligned.alignment.sure):
        if is_sure and pairs.are_free(*aligned.first(rank)):
            pairs.pair(*aligned.first(rank))
    blocks = _Blocks(pairs) if aligned.unsure else None
    undecided = []
    for rank in aligned.unsure:
        decided = blocks.decide(aligned.first(rank), aligned.last(rank)) if blocks else None
        if decided is not None:
            pairs.pair(*decided)
        else:
            undecided.append(rank)
    for rank in undecided:
        if pairs.are_free(*aligned.first(rank)):
            pairs.pair(*aligned.first(rank), is_current=False)


class _Blocks:
    """Decides among equal lines by the header of the block that they are in, which stands above with less indentation.

    A copied function leaves every line of its body twice, under two different headers.
    """

    def __init__(self, pairs: Pairs) -> None:
        self._pairs = pairs
        self._recorded_headers = _headers(pairs.recorded_texts)
        self._present_headers = _headers(pairs.present_texts)
        self._recorded_rows = _rows_of(pairs.recorded)
        self._present_rows = _rows_of(pairs.present)

    def decide(self, first: tuple[int, int], last: tuple[int, int]) -> tuple[int, int] | None:
        """The one pair within the given rows whose headers are a current pair; None where that does not decide."""
        pairs = self._pairs
        if first[0] == last[0]:
            header = self._recorded_headers[first[0]]
            wanted = pairs.to_present[header] if header >= 0 and pairs.is_current[header] else -1
            rows = _within(self._present_rows[pairs.recorded[first[0]]], first[1], last[1])
            found = [(first[0], row) for row in rows if wanted >= 0 and self._present_headers[row] == wanted]
        elif first[1] == last[1]:
            header = self._present_headers[first[1]]
            wanted = pairs.to_recorded[header] if header >= 0 else -1
            if wanted >= 0 and not pairs.is_current[wanted]:
                wanted = -1
            rows = _within(self._recorded_rows[pairs.present[first[1]]], first[0], last[0])
            found = [(row, first[1]) for row in rows if wanted >= 0 and self._recorded_headers[row] == wanted]
        else:
            return None
        if len(found) != 1 or found[0] not in (first, last) or not pairs.are_free(*found[0]):
            return None
        return found[0]


def _headers(texts: Sequence[str]) -> list[int]:
    """Row of the nearest line above with less indentation, -1 where there is none."""
    headers = []
    open_rows: list[tuple[int, int]] = []
    for row, text in enumerate(texts):
        indentation = len(text) - len(text.lstrip())
        while open_rows and open_rows[-1][0] >= indentation:
            open_rows.pop()
        headers.append(open_rows[-1][1] if open_rows else -1)
        open_rows.append((indentation, row))
    return headers


def _rows_of(texts: Sequence[int]) -> dict[int, list[int]]:
    rows: dict[int, list[int]] = {}
    for row, text in enumerate(texts):
        rows.setdefault(text, []).append(row)
    return rows


def _within(rows: Sequence[int], first: int, last: int) -> Sequence[int]:
    """The rows from ``first`` to ``last``; none where they are too many to look at."""
    found = rows[bisect_left(rows, first) : bisect_right(rows, last)]
    return found if len(found) <= MOST_CANDIDATES else ()
