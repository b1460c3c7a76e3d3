"""Unchanged lines: of the lines with one text, which recorded one is which present one.

Lines that occur more than once are told apart by the headers of the blocks that they are in. A pair is sure, and so
current, where every best alignment has it, where its line occurs once in each text, or beside a line that moved.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from itertools import accumulate

import attrs

from scopelight.source.drift.alignment import Alignment, align
from scopelight.source.drift.pairs import Pairs


def pair_unchanged(pairs: Pairs) -> bool:
    """Pair rows of equal text: as current where the pair is sure, otherwise not.

    Whether there was nothing to choose, because all lines that both texts have come in one order in them.
    """
    common = set(pairs.recorded) & set(pairs.present)
    recorded = [row for row, text in enumerate(pairs.recorded) if text in common]
    present = [row for row, text in enumerate(pairs.present) if text in common]
    if [pairs.recorded[row] for row in recorded] == [pairs.present[row] for row in present]:
        for row, partner in zip(recorded, present, strict=True):
            pairs.pair(row, partner)
        return True
    names = _names_in_blocks(pairs)
    aligned = _align(*names)
    _pair_aligned(pairs, aligned, sure=True)
    _pair_moved(pairs, aligned, *names)
    if aligned.unsure:
        # Without the lines that moved it may be clear which one of several equal lines stayed.
        aligned = (
            _align(*names, pairs.moved, {pairs.to_present[row] for row in pairs.moved}) if pairs.moved else aligned
        )
        _pair_aligned(pairs, aligned, sure=True)
        _pair_aligned(pairs, aligned, sure=False)
    rest = _align(*_names_in_gaps(pairs))
    _pair_aligned(pairs, rest, sure=True)
    _pair_aligned(pairs, rest, sure=False)
    _doubt_by_order(pairs)
    return False


@attrs.frozen(slots=True, eq=False)
class _Aligned:
    """The alignment of the rows that have an equal one in the other text; ``recorded``, ``present`` are those rows."""

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


_Names = Sequence[Hashable]
"""What a row must have in common with a row of the other text to be its equal; None for a row that has none."""


def _align(
    recorded: _Names, present: _Names, without: Collection[int] = (), without_present: Collection[int] = ()
) -> _Aligned:
    numbers = {name: number for number, name in enumerate(set(recorded) & set(present) - {None})}
    rows = [row for row, name in enumerate(recorded) if name in numbers and row not in without]
    columns = [row for row, name in enumerate(present) if name in numbers and row not in without_present]
    alignment = align([numbers[recorded[row]] for row in rows], [numbers[present[row]] for row in columns])
    return _Aligned(alignment, rows, columns, [rank for rank, sure in enumerate(alignment.sure) if not sure])


def _names_in_blocks(pairs: Pairs) -> tuple[_Names, _Names]:
    """The text of lines that occur once in each text; of others also the headers of the blocks that they are in."""
    numbers: dict[Hashable, int] = {}

    def names(texts: Sequence[int], above: Sequence[int]) -> _Names:
        paths: list[int] = []
        for text, header in zip(texts, above, strict=True):
            path = (text, paths[header] if header >= 0 else -1)
            paths.append(numbers.setdefault(path, len(numbers)))
        return [("once", text) if text in pairs.unique else path for text, path in zip(texts, paths, strict=True)]

    return names(pairs.recorded, pairs.recorded_headers), names(pairs.present, pairs.present_headers)


def _names_in_gaps(pairs: Pairs) -> tuple[_Names, _Names]:
    """The text of lines without their pair, and the last line before them that has its pair and did not move."""
    stays = [partner >= 0 and row not in pairs.moved for row, partner in enumerate(pairs.to_present)]

    def names(texts: Sequence[int], partners: Sequence[int], recorded: Sequence[int]) -> _Names:
        found: list[Hashable] = []
        last = -1
        for text, partner, row in zip(texts, partners, recorded, strict=True):
            last = row if partner >= 0 and stays[row] else last
            found.append((text, last) if partner < 0 else None)
        return found

    return (
        names(pairs.recorded, pairs.to_present, range(len(pairs.recorded))),
        names(pairs.present, pairs.to_recorded, pairs.to_recorded),
    )


def _pair_aligned(pairs: Pairs, aligned: _Aligned, *, sure: bool) -> None:
    """Make pairs of the ranks that are sure, or of those that are not."""
    for rank, is_sure in enumerate(aligned.alignment.sure):
        if is_sure == sure and pairs.are_free(*aligned.first(rank)):
            pairs.pair(*aligned.first(rank), is_current=sure)


def _pair_moved(pairs: Pairs, aligned: _Aligned, recorded: _Names, present: _Names) -> None:
    """Pair what is unpaired and occurs once in each text, and the equal lines beside it.

    A line beside it follows unless the alignment may have it, and may have its like, where they were.
    """
    recorded_counts, present_counts = Counter(recorded), Counter(present)
    once = {name: row for row, name in enumerate(present) if present_counts[name] == 1}
    starts = [
        (row, once[name])
        for row, name in enumerate(recorded)
        if pairs.to_present[row] < 0 and name in once and recorded_counts[name] == 1
    ]
    for start in starts:
        pairs.pair(*start)
        pairs.moved.add(start[0])
    firsts = [aligned.first(rank) for rank in aligned.unsure]
    lasts = [aligned.last(rank) for rank in aligned.unsure]
    may_stay = _covered([(one[0], other[0]) for one, other in zip(firsts, lasts, strict=True)], len(recorded))
    may_be_old = _covered([(one[1], other[1]) for one, other in zip(firsts, lasts, strict=True)], len(present))
    for start_row, start_partner in starts:
        for step in (1, -1):
            row, partner = start_row + step, start_partner + step
            while (
                pairs.are_free(row, partner)
                and pairs.recorded[row] == pairs.present[partner]
                and not (may_stay[row] and may_be_old[partner])
            ):
                pairs.pair(row, partner)
                pairs.moved.add(row)
                row, partner = row + step, partner + step


def _doubt_by_order(pairs: Pairs) -> None:
    """Make pairs of repeated lines stale that their order alone, blocks aside, would surely pair otherwise.

    Where a part of a block was cut or moved, its text can be read in two ways.
    """
    aligned = _align(pairs.recorded, pairs.present)
    for rank, is_sure in enumerate(aligned.alignment.sure):
        row, partner = aligned.first(rank)
        if is_sure and pairs.to_present[row] != partner and pairs.recorded[row] not in pairs.unique:
            pairs.is_current[row] = False
            if pairs.to_recorded[partner] >= 0:
                pairs.is_current[pairs.to_recorded[partner]] = False


def _covered(spans: Iterable[tuple[int, int]], count: int) -> list[bool]:
    """Which of ``count`` rows lie within one of the spans, both ends included."""
    changes = [0] * (count + 1)
    for first, last in spans:
        changes[first] += 1
        changes[last + 1] -= 1
    return [depth > 0 for depth in accumulate(changes[:count])]
