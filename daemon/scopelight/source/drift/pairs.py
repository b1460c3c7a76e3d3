"""Pairs of lines: two texts without their blank lines, while it is found out which line became which."""

from collections import Counter
from collections.abc import Collection, Sequence
from functools import cached_property


class Pairs:
    """The recorded and the present text, and the pairs found so far.

    Rows count the lines that are not blank, from 0; white space at the end of a line does not count. Equal lines have
    equal numbers in ``recorded`` and ``present``. ``to_present`` and ``to_recorded`` hold the other row of a pair, -1
    where a row has none; ``is_current`` tells the pairs of unchanged lines from the others; ``moved`` are recorded rows
    that were found out of their order.
    """

    def __init__(self, recorded: Sequence[str], present: Sequence[str]) -> None:
        recorded_texts = [line.rstrip() for line in recorded]
        present_texts = [line.rstrip() for line in present]
        self.recorded_lines = [line for line, text in enumerate(recorded_texts) if text]
        self.present_lines = [line for line, text in enumerate(present_texts) if text]
        """Row to 0-based line."""
        self.recorded_texts = [recorded_texts[line] for line in self.recorded_lines]
        self.present_texts = [present_texts[line] for line in self.present_lines]
        numbers: dict[str, int] = {}
        self.recorded = [numbers.setdefault(text, len(numbers)) for text in self.recorded_texts]
        self.present = [numbers.setdefault(text, len(numbers)) for text in self.present_texts]
        self.to_present = [-1] * len(self.recorded)
        self.to_recorded = [-1] * len(self.present)
        self.is_current = [False] * len(self.recorded)
        self.moved: set[int] = set()

    @cached_property
    def unique(self) -> Collection[int]:
        """The numbers of lines that occur once in each text."""
        present = Counter(self.present)
        return {text for text, count in Counter(self.recorded).items() if count == 1 == present[text]}

    @cached_property
    def recorded_headers(self) -> Sequence[int]:
        """Row of the header of the block that each row is in: the nearest above with less indentation, -1 for none."""
        return _headers(self.recorded_texts)

    @cached_property
    def present_headers(self) -> Sequence[int]:
        """The same of the present text."""
        return _headers(self.present_texts)

    def pair(self, recorded: int, present: int, *, is_current: bool = True) -> None:
        """Make a pair of two rows that have none."""
        self.to_present[recorded] = present
        self.to_recorded[present] = recorded
        self.is_current[recorded] = is_current

    def are_free(self, recorded: int, present: int) -> bool:
        """Whether both rows exist and neither has its pair."""
        return (
            0 <= recorded < len(self.recorded)
            and 0 <= present < len(self.present)
            and self.to_present[recorded] < 0
            and self.to_recorded[present] < 0
        )


def _headers(texts: Sequence[str]) -> list[int]:
    headers = []
    indentations: list[int] = []
    rows: list[int] = []
    for row, text in enumerate(texts):
        indentation = len(text) - len(text.lstrip())
        while indentations and indentations[-1] >= indentation:
            indentations.pop()
            rows.pop()
        headers.append(rows[-1] if rows else -1)
        indentations.append(indentation)
        rows.append(row)
    return headers
