"""What rounds of two runs tell: the change of a quantity, how sure it is, and what would have been seen.

The run is the unit: steps of one run share its luck, and pooled they cry wolf however many they are. Rounds are paired,
since what a machine does to one run of a round it mostly does to the other. Logarithms make ratios of differences.
"""

import math
from collections.abc import Sequence

import attrs

from scopelight.analysis.compare.student import quantile, within_ratio

LEAST_ROUNDS = 2
"""Of fewer no spread is known."""
CONFIDENCE = 0.95
MOST_FALSE_RATIO = 0.03
"""Of the changes that are told of many rows together, what may be chance."""
PRIOR_DEGREES = 4
"""What the spreads of rows of about its size count beside that of a row."""
POWER = 0.8
"""How often the smallest change that is called visible would be seen."""


@attrs.frozen(slots=True)
class Evidence:
    """The paired change of a quantity: all are of its logarithm but ``p_ratio``.

    ``spread`` is the standard deviation of one round's change, of so many ``degrees`` of freedom. ``p_ratio`` is how
    probable a change as large as ``change`` is where there is none.
    """

    rounds: int
    change: float
    spread: float
    degrees: int
    p_ratio: float

    @classmethod
    def of(cls, rounds: int, change: float, spread: float, degrees: int) -> "Evidence":
        """The same with the probability that follows."""
        if not spread:
            return cls(rounds, change, spread, degrees, p_ratio=0.0 if change else 1.0)
        return cls(rounds, change, spread, degrees, 1 - within_ratio(change / spread * math.sqrt(rounds), degrees))

    @property
    def half_interval(self) -> float:
        """Half of the interval that holds the change with `CONFIDENCE`."""
        return quantile((1 + CONFIDENCE) / 2, self.degrees) * self.spread / math.sqrt(self.rounds)

    @property
    def interval(self) -> tuple[float, float]:
        """The interval that holds the change with `CONFIDENCE`, as ratios: -0.1 is a tenth less."""
        return math.expm1(self.change - self.half_interval), math.expm1(self.change + self.half_interval)

    @property
    def visible_ratio(self) -> float:
        """The smallest change that would be seen, `POWER` of the times, with as many rounds of this spread."""
        return visible_ratio(self.spread, self.rounds, self.degrees)


def evidence(
    before: Sequence[float], after: Sequence[float], control: Sequence[float] | None = None
) -> Evidence | None:
    """What paired rounds tell of a quantity; None of too few, or where it was nothing in one of them.

    ``control`` is, by round, the logarithm of the change of what should not have changed: it is taken out.
    """
    rounds = min(len(before), len(after))
    if rounds < LEAST_ROUNDS or any(each <= 0 for each in (*before[:rounds], *after[:rounds])):
        return None
    changes = [math.log(later / earlier) for earlier, later in zip(before, after, strict=False)]
    if control is not None:
        changes = [change - common for change, common in zip(changes, control, strict=False)]
    return of_changes(changes)


def of_changes(changes: Sequence[float]) -> Evidence:
    """What the logarithms of the changes of at least `LEAST_ROUNDS` rounds tell."""
    rounds = len(changes)
    mean = math.fsum(changes) / rounds
    spread = math.sqrt(math.fsum((each - mean) ** 2 for each in changes) / (rounds - 1))
    return Evidence.of(rounds, mean, spread, rounds - 1)


def moderated(found: Evidence, others: Sequence[Evidence]) -> Evidence:
    """The same with a spread that leans on those of others of its kind, as if these were `PRIOR_DEGREES` more rounds.

    A few rounds tell a spread badly: of one that is small by chance anything seems a change, of one that is large
    nothing (Smyth 2004, with a prior of its own weight).
    """
    if not others:
        return found
    prior = math.fsum(each.spread**2 for each in others) / len(others)
    degrees = found.degrees + PRIOR_DEGREES
    spread = math.sqrt((found.degrees * found.spread**2 + PRIOR_DEGREES * prior) / degrees)
    return Evidence.of(found.rounds, found.change, spread, degrees)


def visible_ratio(spread: float, rounds: int, degrees: int | None = None) -> float:
    """The smallest change that ``rounds`` of this spread would show, `POWER` of the times."""
    degrees = degrees or rounds - 1
    reach = quantile((1 + CONFIDENCE) / 2, degrees) + quantile(POWER, degrees)
    return math.expm1(reach * spread / math.sqrt(rounds))


def rounds_needed(spread: float, ratio: float, most: int) -> int | None:
    """How many rounds would show a change of ``ratio``; None where ``most`` would not."""
    return next((each for each in range(LEAST_ROUNDS, most + 1) if visible_ratio(spread, each) <= ratio), None)


def significant(p_ratios: Sequence[float]) -> list[bool]:
    """Which of many tests are significant when false ones may be few among those found (Benjamini and Hochberg)."""
    ordered = sorted(p_ratios)
    count = len(ordered)
    limit = max((p for rank, p in enumerate(ordered, 1) if p <= MOST_FALSE_RATIO * rank / count), default=-1.0)
    return [p <= limit for p in p_ratios]
