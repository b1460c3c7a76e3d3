"""Drift: where the lines of a recorded text are in the present one.

A line is current when it is sure which present line it is; everything else is stale at the likeliest place, or gone. It
is better to doubt a line than to point at the wrong one.
"""

from collections.abc import Collection, Sequence
from typing import Literal

import attrs

from scopelight.source.drift.changed_lines import pair_changed
from scopelight.source.drift.pairs import Pairs
from scopelight.source.drift.unchanged_lines import pair_unchanged

State = Literal["current", "stale", "gone"]
"""``current``: this very line, unchanged. ``stale``: changed, or perhaps another one with the same text."""


@attrs.frozen(slots=True)
class Place:
    """Where a recorded line is, 1-based; for one that is ``gone`` the line to go to instead."""

    line: int
    state: State


@attrs.frozen(slots=True, eq=False)
class Drift:
    """The way from the lines of a recorded text to those of the present one, and back; one to one."""

    _to_present: Sequence[int]
    """0-based present line of every recorded line, -1 where it is gone."""
    _beside: Sequence[int]
    """0-based present line that is at the place of every recorded line."""
    _is_current: Sequence[bool]
    _to_recorded: Sequence[int]
    """0-based recorded line of every present line, -1 where it is new."""

    def place(self, line: int) -> Place:
        """Where the 1-based recorded ``line`` is now. A line that the recorded text does not have is gone."""
        if not 1 <= line <= len(self._to_present):
            return Place(self._within(line), "gone")
        present = self._to_present[line - 1]
        if present < 0:
            return Place(self._within(self._beside[line - 1] + 1), "gone")
        return Place(present + 1, "current" if self._is_current[line - 1] else "stale")

    def recorded(self, line: int) -> int | None:
        """The recorded line that the 1-based present ``line`` was, changed or not; None where it is a new one."""
        if not 1 <= line <= len(self._to_recorded) or self._to_recorded[line - 1] < 0:
            return None
        return self._to_recorded[line - 1] + 1

    def doubting(self, lines: Collection[int]) -> "Drift":
        """The same with these 1-based recorded lines stale where they would be current."""
        if not lines:
            return self
        is_current = [current and line not in lines for line, current in enumerate(self._is_current, 1)]
        return attrs.evolve(self, is_current=is_current)

    def _within(self, line: int) -> int:
        return max(1, min(line, len(self._to_recorded)))


def follow(recorded: Sequence[str], present: Sequence[str]) -> Drift:
    """Where every line of ``recorded`` is in ``present``. Line ends and white space at the end do not count."""
    pairs = Pairs(recorded, present)
    had_no_choice = pair_unchanged(pairs)
    pair_changed(pairs)
    if not had_no_choice:
        doubt_other_blocks(pairs)
    to_present, is_current, to_recorded = [-1] * len(recorded), [False] * len(recorded), [-1] * len(present)
    for row, partner in enumerate(pairs.to_present):
        if partner >= 0:
            line, present_line = pairs.recorded_lines[row], pairs.present_lines[partner]
            to_present[line], is_current[line] = present_line, pairs.is_current[row]
            to_recorded[present_line] = line
    # Blank lines go with the line above them, or else with the line below.
    blank = sorted(set(range(len(recorded))).difference(pairs.recorded_lines))
    blank_present = set(range(len(present))).difference(pairs.present_lines)
    for line, beside in (*((line, line - 1) for line in blank), *((line, line + 1) for line in reversed(blank))):
        if to_present[line] < 0 and 0 <= beside < len(recorded) and to_present[beside] >= 0:
            place = to_present[beside] + line - beside
            if place in blank_present and to_recorded[place] < 0:
                to_present[line], is_current[line], to_recorded[place] = place, True, line
    return Drift(to_present, _beside(to_present), is_current, to_recorded)


def _beside(to_present: Sequence[int]) -> list[int]:
    """For a line that is gone what follows the nearest one above that is left; at the beginning, the first one left."""
    place = next((present for present in to_present if present >= 0), 0)
    beside = []
    for present in to_present:
        place = present if present >= 0 else place
        beside.append(place)
        place = present + 1 if present >= 0 else place
    return beside


def doubt_other_blocks(pairs: Pairs) -> None:
    """Make lines stale that stand in a block now which was there before and was not theirs.

    The best alignment takes the line of another block for one that was cut, where both had it. A line with a
    text of its own, or one that moved together with such a line, may change its block.
    """
    for row, partner in enumerate(pairs.to_present):
        if not pairs.is_current[row] or row in pairs.moved or pairs.recorded[row] in pairs.unique:
            continue
        header, present_header = pairs.recorded_headers[row], pairs.present_headers[partner]
        before = pairs.to_recorded[present_header] if present_header >= 0 else -1
        if before >= 0 and before != header:
            pairs.is_current[row] = False
