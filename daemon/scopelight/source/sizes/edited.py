"""Which sizes the sources held when they were recorded and do not hold any more, proven to be sizes or not."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

_NUMBERS = re.compile(r""""[^"\n]*"|'[^'\n]*'|\#.*|(?<![\w.])(\d[\d_]*)(?![\w.])""")
"""Whole numbers outside of comments and of strings in one line."""


def edited_sizes(files: Iterable[tuple[Sequence[str], Sequence[str]]]) -> frozenset[int]:
    """Numbers that are written fewer times in the present lines of ``files`` than in their recorded ones.

    What was measured with such a number may be otherwise now. A number that moved is not edited.
    """
    missing: Counter[int] = Counter()
    for recorded, present in files:
        # Most lines are as they were: only the others are looked into.
        lines = Counter(recorded)
        lines.subtract(present)
        for line, times in lines.items():
            if times:
                for number in _numbers(line):
                    missing[number] += times
    return frozenset(number for number, times in missing.items() if times > 0)


def _numbers(line: str) -> Iterable[int]:
    for found in _NUMBERS.finditer(line):
        digits = found[1]
        # No size has more digits, and to read very many takes long.
        if digits is not None and len(digits) <= _MOST_DIGITS:
            yield int(digits.replace("_", ""))


_MOST_DIGITS = 20
