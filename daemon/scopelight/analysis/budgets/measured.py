"""What a run took of one quantity, with how far another run of the same code may be from it."""

import statistics
from collections.abc import Sequence
from fractions import Fraction

import attrs

from scopelight.analysis.budgets.kinds import Steadiness
from scopelight.analysis.budgets.records import BudgetBasis, BudgetSpread
from scopelight.findings import Finding

_SPREADS = 2.0
"""How many standard deviations an interval reaches to each side: all but a twentieth."""
_MAD_TO_DEVIATION = 1.4826
"""Of values that are spread normally, the standard deviation over the median distance from the median."""
_CPU_RUN_SPREAD_RATIO = 0.1
"""Standard deviation of the wall clock of runs of one script on XLA:CPU where little else runs, over its median. On a
busy machine it is up to four times as much, which the spread of the steps then shows."""
_DEVICE_RUN_SPREAD_RATIO = 0.01
"""The same where the device has clocks and memory of its own."""
_MANY = 3
"""So many steps have a spread."""
_MANY_ROUNDS = 5
"""So many runs have one that is known."""


@attrs.frozen
class Measured:
    """A quantity in the unit of its kind of budget.

    ``least`` and ``greatest`` are what the code may take, as ``spread`` says; None where nothing tells that.
    """

    value: Fraction
    least: Fraction | None
    greatest: Fraction | None
    steadiness: Steadiness
    basis: BudgetBasis
    findings: tuple[Finding, ...] = ()
    spread: BudgetSpread | None = None


def exact(value: Fraction | int, basis: BudgetBasis, *findings: Finding) -> Measured:
    """A quantity that every run of the code has."""
    whole = Fraction(value)
    return Measured(whole, whole, whole, "exact", basis, findings)


def steady(value: Fraction | int, basis: BudgetBasis, *findings: Finding) -> Measured:
    """A quantity that runs have nearly the same of, so that one is taken at its word."""
    return attrs.evolve(exact(value, basis, *findings), steadiness="steady")


def noisy(
    value: Fraction, steps_ps: Sequence[int], *, on_cpu: bool, is_mean: bool = False, most: int | None = None
) -> Measured:
    """A quantity of the wall clock, from one run whose steps took ``steps_ps``.

    Steps of a run share its luck, so their number makes nothing surer: it is as unsure as one step is, and at least as
    runs are among each other. What ``is_mean`` over the steps is also unsure by how far a few long ones, which may have
    compiled, move that from the median. ``most`` is the greatest value that there can be.
    """
    spread_ratio = max(
        _CPU_RUN_SPREAD_RATIO if on_cpu else _DEVICE_RUN_SPREAD_RATIO,
        _moved_ratio(steps_ps) if is_mean else _spread_ratio(steps_ps),
    )
    # Runs are so many times slower or faster than others: what is twice as slow at times is half as fast at others.
    times = 1 + Fraction(_SPREADS * spread_ratio)
    greatest = value * times
    return Measured(
        value,
        value / times,
        greatest if most is None else max(value, min(Fraction(most), greatest)),
        "noisy",
        "measured",
        spread="expected",
    )


def over_rounds(rounds: Sequence[Measured]) -> Measured:
    """A quantity of several runs of the same code: the median of what differs by chance, the most of what is counted.

    So many rounds that all would be on one side of a limit by chance once in sixteen tell by themselves what the code
    takes; fewer no more than each does alone.
    """
    first = rounds[0]
    if len(rounds) == 1:
        return first
    if first.steadiness != "noisy":
        most = max(rounds, key=lambda each: each.value)
        least = min(each.value for each in rounds)
        return most if least == most.value else attrs.evolve(most, least=least, spread="rounds")
    values = [each.value for each in rounds]
    is_measured = len(rounds) >= _MANY_ROUNDS
    lows = values if is_measured else [each.least for each in rounds if each.least is not None]
    highs = values if is_measured else [each.greatest for each in rounds if each.greatest is not None]
    return attrs.evolve(
        first,
        value=statistics.median(values),
        least=min(lows),
        greatest=max(highs),
        spread="rounds" if is_measured else "expected",
    )


def _moved_ratio(steps_ps: Sequence[int]) -> float:
    """How far the mean of steps is from their median, over the mean."""
    mean = statistics.fmean(steps_ps) if steps_ps else 0.0
    return abs(mean - statistics.median(steps_ps)) / mean if mean else 0.0


def _spread_ratio(steps_ps: Sequence[int]) -> float:
    """The spread of steps over their median: a single slow one, which may have compiled, does not count."""
    if len(steps_ps) < _MANY:
        return 0.0
    median = statistics.median(steps_ps)
    return _MAD_TO_DEVIATION * statistics.median(abs(each - median) for each in steps_ps) / median if median else 0.0
