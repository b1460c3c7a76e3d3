"""What has changed since another run, for budgets of that."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Final

from scopelight.analysis.budgets.kinds import Steadiness
from scopelight.analysis.budgets.measured import Measured
from scopelight.analysis.budgets.measuring import Taken
from scopelight.analysis.budgets.records import Budget, BudgetBasis
from scopelight.analysis.compare.records import ComparedQuantity, ComparisonRecord, QuantityName
from scopelight.findings import Finding, note, warning

_QUANTITIES: Final[Mapping[str, QuantityName]] = {
    "flops_change": "flops",
    "step_change": "step",
    "peak_memory_change": "planned-peak",
    "compilations_change": "compilations",
}
_NO_EVIDENCE: Final = ("compared-with-prediction", "compared-unlike-devices")
"""Runs that differ so say nothing of what the code's change did."""


class Changes:
    """The quantities of whole runs in a comparison, which is made when a budget first asks for one."""

    def __init__(self, compare: Callable[[], ComparisonRecord]) -> None:
        self._compare = compare

    @cached_property
    def _record(self) -> ComparisonRecord:
        return self._compare()

    @cached_property
    def _quantities(self) -> Mapping[str, ComparedQuantity]:
        return {each.name: each for each in self._record.quantities}

    @property
    def findings(self) -> Sequence[Finding]:
        """What is to be known of the comparison before its figures, but for why it tells nothing."""
        found = self._record.findings
        return [each for each in found if each.severity == "warning" and each.code not in _NO_EVIDENCE]

    def taken(self, budget: Budget) -> Taken:
        """How much more of its quantity there is than before: of what there was or, of counts, as they are."""
        unlike = next((each for each in self._record.findings if each.code in _NO_EVIDENCE), None)
        if unlike is not None:
            return unlike
        quantity = self._quantities.get(_QUANTITIES[budget.name])
        if quantity is None or quantity.before is None or quantity.after is None:
            return warning("budget-not-compared")
        change = Fraction(quantity.after) - Fraction(quantity.before)
        whole = Fraction(1) if budget.kind.unit == "count" else Fraction(quantity.before)
        if not whole:
            return warning("budget-not-compared")
        return _measured(quantity, change, whole)


def _measured(quantity: ComparedQuantity, change: Fraction, whole: Fraction) -> Measured:
    steadiness: Steadiness = quantity.kind
    value = change / whole
    if quantity.interval is not None:
        least, greatest = (Fraction(each) / whole for each in quantity.interval)
        return Measured(value, least, greatest, steadiness, "measured", spread="interval")
    if steadiness == "noisy":
        why = _ONE_EACH if len(quantity.before_rounds) == 1 or len(quantity.after_rounds) == 1 else _OUT_OF_TURN
        return Measured(value, None, None, steadiness, "measured", (why,))
    # What is counted is the same in rounds that are alike: where it is not, any of them may be meant.
    before, after = _known(quantity.before_rounds), _known(quantity.after_rounds)
    least, greatest = value, value
    if len({*before}) > 1 or len({*after}) > 1:
        least, greatest = (min(after) - max(before)) / whole, (max(after) - min(before)) / whole
    basis: BudgetBasis = "counted" if steadiness == "exact" else "measured"
    return Measured(value, least, greatest, steadiness, basis, spread="rounds" if least != greatest else None)


def _known(rounds: Sequence[float | None]) -> Sequence[Fraction]:
    return [Fraction(each) for each in rounds if each is not None]


_ONE_EACH: Final = note("budget-one-run-each")
_OUT_OF_TURN: Final = note("budget-rounds-tell-nothing")
