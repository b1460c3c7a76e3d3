"""Which row of one run is which of another.

Lines are the unit: what stands on a line is looked for on the line that it became. An op is only ever paired with one
of its own kind. What is left over has no counterpart: it is better to say so than to compare two things.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

import attrs

from scopelight.analysis.compare.entries import Entry, Rounds, nothing_of
from scopelight.analysis.compare.records import PairedBy

Place = tuple[str, int]
"""A file, as `LineRecord.file` names it, and a 1-based line of it."""


class OtherPlace(NamedTuple):
    """Where a line is on the other side, and whether it is unchanged (``text``) or at the place of a changed one."""

    file: str
    line: int
    by: PairedBy


@attrs.frozen(eq=False, repr=False)
class PairedLines:
    """Which line of the recorded sources before became which after.

    ``files`` maps the files of which both sides have the text. ``follow`` is where a line of them is; None where it is
    gone. ``follow_back`` is where a line of after was.
    """

    files: Mapping[str, str] = attrs.field(factory=dict)
    follow: Callable[[Place], OtherPlace | None] = lambda _: None
    follow_back: Callable[[Place], OtherPlace | None] = lambda _: None


class Pair(NamedTuple):
    """A row of both sides, or of one."""

    before: Rounds | None
    after: Rounds | None
    by: PairedBy | None


def pairs(before: Sequence[Rounds], after: Sequence[Rounds], lines: PairedLines) -> list[Pair]:
    """Every row of both sides, each once: those of ``after`` in their order, then what is only before.

    A line that has nothing on one side, and stands there unchanged, has a row of zeros there.
    """
    matching = _Matching(before, after, lines)
    rounds = [len(side[0].rounds) if side else 1 for side in (before, after)]
    found = []
    for row, each in enumerate(after):
        partner, by = matching.found.get(row, (None, None))
        was = None if partner is not None else _unchanged(each.entry, lines.follow_back)
        found.append(Pair(partner, each, by) if was is None else Pair(nothing_of(was, rounds[0]), each, "text"))
    for each in matching.left_before:
        now = _unchanged(each.entry, lines.follow)
        found.append(Pair(each, None, None) if now is None else Pair(each, nothing_of(now, rounds[1]), "text"))
    return found


def _unchanged(entry: Entry, follow: Callable[[Place], OtherPlace | None]) -> Entry | None:
    """A line as it stands on the other side; None where it does not, or was changed."""
    if not entry.is_of_place or entry.file is None or entry.line is None:
        return None
    place = follow((entry.file, entry.line))
    if place is None or place.by != "text":
        return None
    return attrs.evolve(entry, file=place.file, line=place.line)


class _Matching:
    """``found`` has the partner of each row of ``after`` that has one."""

    def __init__(self, before: Sequence[Rounds], after: Sequence[Rounds], lines: PairedLines) -> None:
        self._lines = lines
        self._files_after = frozenset(lines.files.values())
        self._after = after
        self.left_before = list(before)
        self.found: dict[int, tuple[Rounds, PairedBy]] = {}
        # What is surest comes first.
        for level in range(max((len(each.entry.identities) for each in (*before, *after)), default=0)):
            self._pair(
                ((each, *self._sought(each.entry, level)) for each in self.left_before),
                ((row, self._at(each.entry, level)) for row, each in enumerate(after)),
            )
        self._pair_functions()

    def _pair(
        self,
        before: Iterable[tuple[Rounds, Hashable, PairedBy]],
        after: Iterable[tuple[int, Hashable]],
    ) -> None:
        """Pair rows of one name, those of one key first and the others in their order; of None there is no partner."""
        waiting: dict[Hashable, dict[str, tuple[Rounds, PairedBy]]] = defaultdict(dict)
        for each, name, by in before:
            if name is not None:
                waiting[name][each.entry.key] = (each, by)
        rows = [(row, waiting[name]) for row, name in after if row not in self.found and name in waiting]
        for row, candidates in rows:
            if (same := candidates.pop(self._after[row].entry.key, None)) is not None:
                self.found[row] = same
        for row, candidates in rows:
            if row not in self.found and candidates:
                self.found[row] = candidates.pop(next(iter(candidates)))
        taken = {id(self.found[row][0]) for row, _ in rows if row in self.found}
        self.left_before = [each for each in self.left_before if id(each) not in taken]

    def _sought(self, entry: Entry, level: int) -> tuple[Hashable, PairedBy]:
        """What a row of before is called after, and what would pair it."""
        if entry.file is None or entry.line is None or entry.file not in self._lines.files:
            return self._without_text(entry, level), "name"
        place = self._lines.follow((entry.file, entry.line))
        if place is None or level >= len(entry.identities):
            return None, "place"
        return (entry.kind, place.file, place.line, entry.identities[level]), place.by

    def _at(self, entry: Entry, level: int) -> Hashable:
        if entry.file is None or entry.line is None or entry.file not in self._files_after:
            return self._without_text(entry, level)
        return None if level >= len(entry.identities) else (entry.kind, entry.file, entry.line, entry.identities[level])

    @staticmethod
    def _without_text(entry: Entry, level: int) -> Hashable:
        if level >= len(entry.identities):
            return None
        return (entry.kind, entry.key if entry.is_of_place else entry.line, entry.identities[level])

    def _pair_functions(self) -> None:
        """Pair the one line that is left over of a function on either side: one that is not there on the other."""
        before = [
            each
            for each in self.left_before
            if each.entry.is_of_place
            and each.entry.file in self._lines.files
            and _unchanged(each.entry, self._lines.follow) is None
        ]
        after = [
            row
            for row, each in enumerate(self._after)
            if row not in self.found
            and each.entry.is_of_place
            and each.entry.file in self._files_after
            and _unchanged(each.entry, self._lines.follow_back) is None
        ]
        names_before = _single((self._lines.files[each.entry.file or ""], each.entry.function) for each in before)
        names_after = _single((self._after[row].entry.file, self._after[row].entry.function) for row in after)
        self._pair(
            ((each, name, "function") for each, name in zip(before, names_before, strict=True)),
            zip(after, names_after, strict=True),
        )


def _single(names: Iterable[tuple[str | None, str]]) -> list[Hashable]:
    """The names that occur once, each of a function that is known; None in the place of others."""
    given = list(names)
    return [name if name[1] and given.count(name) == 1 else None for name in given]
