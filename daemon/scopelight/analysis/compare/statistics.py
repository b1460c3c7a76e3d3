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
PRIOR_DEGREES = 8
"""What the spreads of rows of about its size count beside that of a row."""
_OF_PRIOR_SLOPE = 0.01
"""What the slope of 1 counts beside the squares of the logarithms: as much as ten runs that differ by 3 %."""
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


@attrs.frozen(slots=True)
class Machine:
    """What happened to the rest of each run: the mean logarithm of what should not have changed, by round."""

    before: Sequence[float]
    after: Sequence[float]


def evidence(before: Sequence[float], after: Sequence[float], machine: Machine | None = None) -> Evidence | None:
    """What paired rounds tell of a quantity; None of too few, or where it was nothing in one of them.

    What ``machine`` tells of the rest of the runs is taken out.
    """
    rounds = min(len(before), len(after))
    if rounds < LEAST_ROUNDS or any(each <= 0 for each in (*before[:rounds], *after[:rounds])):
        return None
    earlier, later = ([math.log(each) for each in side[:rounds]] for side in (before, after))
    if machine is not None:
        return _beside(earlier, later, machine)
    return of_changes([after_it - before_it for before_it, after_it in zip(earlier, later, strict=True)])


def _beside(before: Sequence[float], after: Sequence[float], machine: Machine) -> Evidence:
    """The change of a quantity that follows the rest of its runs, as strongly as it does: an analysis of covariance.

    What slows a machine down slows some code more than other code. How strongly a quantity follows the rest is told by
    how both differ among the runs of one side; it leans on 1, for few runs tell it badly.
    """
    rounds = len(before)
    means = [math.fsum(each) / rounds for each in (before, after, machine.before, machine.after)]
    quantity, rest = (
        [value - mean for values, mean in sides for value in values]
        for sides in (
            ((before, means[0]), (after, means[1])),
            ((machine.before, means[2]), (machine.after, means[3])),
        )
    )
    squares = math.fsum(each * each for each in rest)
    together = math.fsum(one * other for one, other in zip(quantity, rest, strict=True))
    slope = (together + _OF_PRIOR_SLOPE) / (squares + _OF_PRIOR_SLOPE)
    left = math.fsum((one - slope * other) ** 2 for one, other in zip(quantity, rest, strict=True))
    degrees = 2 * rounds - 3
    shift = means[3] - means[2]
    # As of so many paired rounds: of a difference of two means, whose rest is not quite alike.
    spread = math.sqrt(left / degrees * (2 + rounds * shift * shift / (squares + _OF_PRIOR_SLOPE)))
    return Evidence.of(rounds, means[1] - means[0] - slope * shift, spread, degrees)


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
