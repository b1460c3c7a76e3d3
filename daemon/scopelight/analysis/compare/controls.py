"""What happened to the rest of a run, round by round: rows that should not have changed, and did all the same."""

import math
from collections.abc import Sequence

import attrs

from scopelight.analysis.compare.records import JudgedBy
from scopelight.analysis.compare.statistics import MOST_FALSE_RATIO, Evidence, Machine, of_changes

LEAST_CONTROL_RATIO = 0.2
"""Of the whole that rows must have together, beside the one that is judged, to stand for the rest of the run."""
FEWEST_CONTROLS = 2
_FAR_RATIO = 0.03
"""A row that changed by more than this against most others is no control, whatever its code says."""


@attrs.frozen(eq=False)
class Control:
    """A row that should not have changed: the logarithms of it by round, and how much of the whole it is."""

    row: object
    by: JudgedBy
    weight: float
    before: Sequence[float]
    after: Sequence[float]

    @property
    def changes(self) -> list[float]:
        """By round."""
        return [later - earlier for earlier, later in zip(self.before, self.after, strict=True)]


class Controls:
    """The rows that stand for what the machine did. Of those that changed against most others nothing is taken."""

    def __init__(self, rows: Sequence[Control], whole: float) -> None:
        """``whole`` is the weight of all rows, controls or not."""
        self._least = whole * LEAST_CONTROL_RATIO
        self._rows = list(rows)
        while (far := self._farthest()) is not None:
            self._rows.remove(far)

    def beside(self, row: object, by: JudgedBy) -> Machine | None:
        """What all but ``row`` tell of the machine, in what it is judged by; None where too little is left."""
        others = [each for each in self._rows if each.row is not row and each.by == by]
        if not self._suffice(others):
            return None
        weights = [each.weight for each in others]
        return Machine(
            _weighted_means([each.before for each in others], weights),
            _weighted_means([each.after for each in others], weights),
        )

    def _farthest(self) -> Control | None:
        """The row that changed against the others beyond chance, the surest of them; None where none did.

        One at a time: what one alone did makes others stand out against it.
        """
        against = [(self._against_others(each), each) for each in self._rows]
        far = [
            (found.p_ratio, number, row)
            for number, (found, row) in enumerate(against)
            if found is not None and found.p_ratio < MOST_FALSE_RATIO and abs(found.change) > _FAR_RATIO
        ]
        return min(far)[2] if far else None

    def _against_others(self, row: Control) -> Evidence | None:
        """What a row did against the middle of the others, which a few that changed do not move."""
        others = [each for each in self._rows if each is not row and each.by == row.by]
        if not self._suffice(others):
            return None
        changes = [(each.changes, each.weight) for each in others]
        own = row.changes
        middle = [_weighted_median([(of[number], weight) for of, weight in changes]) for number in range(len(own))]
        return of_changes([change - common for change, common in zip(own, middle, strict=True)])

    def _suffice(self, others: Sequence[Control]) -> bool:
        return len(others) >= FEWEST_CONTROLS and math.fsum(each.weight for each in others) >= self._least


def _weighted_means(columns: Sequence[Sequence[float]], weights: Sequence[float]) -> list[float]:
    """The mean of the columns in each of their rows."""
    whole = math.fsum(weights)
    return [
        math.fsum(weight * value for weight, value in zip(weights, row, strict=True)) / whole
        for row in zip(*columns, strict=True)
    ]


def _weighted_median(values: Sequence[tuple[float, float]]) -> float:
    """The value that half of the weight lies on either side of; between two that share the middle, their mean."""
    ordered = sorted(values)
    half = math.fsum(weight for _, weight in ordered) / 2
    below = 0.0
    for number, (value, weight) in enumerate(ordered):
        below += weight
        if math.isclose(below, half):
            return (value + ordered[number + 1][0]) / 2
        if below > half:
            return value
    raise ValueError("no values")
