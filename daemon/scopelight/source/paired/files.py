"""Which file of one run is which of another: by where they are, then by what their ends share, then by their text."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from scopelight.source.matching import path_parts, shared_suffix

LEAST_LIKENESS_RATIO = 0.5
"""Of the lines of two files that they must have in common to be one that was renamed."""

Texts = Mapping[str, Sequence[str]]
"""By file its lines."""


def paired_files(before: Texts, after: Texts) -> dict[str, str]:
    """The file after of each file before that has one; no two have the same."""
    found = {file: file for file in before if file in after}
    _pair_by(found, before, after, _shared)
    _pair_by(found, before, after, _likeness)
    return found


def _pair_by(
    found: dict[str, str], before: Texts, after: Texts, likeness: Callable[[str, str, Texts, Texts], float]
) -> None:
    taken = set(found.values())
    alike = [
        (likeness(one, other, before, after), one, other)
        for one in before
        if one not in found
        for other in after
        if other not in taken
    ]
    for ratio, one, other in sorted(alike, key=lambda each: (-each[0], each[1], each[2])):
        if ratio >= LEAST_LIKENESS_RATIO and one not in found and other not in taken:
            found[one] = other
            taken.add(other)


def _shared(one: str, other: str, _before: Texts, _after: Texts) -> float:
    """How many of their last parts two paths share; none where they have other names."""
    parts = path_parts(one), path_parts(other)
    return float(shared_suffix(*parts))


def _likeness(one: str, other: str, before: Texts, after: Texts) -> float:
    lines = [Counter(text for line in each if (text := line.strip())) for each in (before[one], after[other])]
    whole = max(sum(each.values()) for each in lines)
    return sum((lines[0] & lines[1]).values()) / whole if whole else 0.0
