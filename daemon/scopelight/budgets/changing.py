"""What has changed since another run, for budgets of that."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from scopelight.analysis.budgets.kinds import Steadiness
from scopelight.analysis.budgets.measured import Measured
from scopelight.analysis.budgets.measuring import Taken
from scopelight.analysis.budgets.records import Budget
from scopelight.analysis.compare.records import ComparedQuantity, ComparisonRecord, QuantityName
from scopelight.findings import note, warning

_QUANTITIES: Final[Mapping[str, QuantityName]] = {
    "flops_change": "flops",
    "step_change": "step",
    "peak_memory_change": "planned-peak",
    "compilations_change": "compilations",
}


class Changes:
    """The quantities of whole runs in a comparison, which is made when a budget first asks for one."""

    def __init__(self, compare: Callable[[], ComparisonRecord]) -> None:
        self._compare = compare
        self._quantities: Mapping[str, ComparedQuantity] | None = None

    def taken(self, budget: Budget) -> Taken:
        """How much more of its quantity there is than before: of what there was or, of counts, as they are."""
        if self._quantities is None:
            self._quantities = {each.name: each for each in self._compare().quantities}
        quantity = self._quantities.get(_QUANTITIES[budget.name])
        if quantity is None or quantity.before is None or quantity.after is None:
            return warning("budget-not-compared")
        change = Fraction(quantity.after) - Fraction(quantity.before)
        whole = Fraction(1) if budget.kind.unit == "count" else Fraction(quantity.before)
        if not whole:
            return warning("budget-not-compared")
        return _measured(quantity, change, whole)


def _measured(quantity: ComparedQuantity, change: Fraction, whole: Fraction) -> Measured:
    least, greatest = (change, change)
    steadiness: Steadiness = quantity.kind
    if quantity.interval is not None:
        least, greatest = (Fraction(each) for each in quantity.interval)
    elif quantity.kind == "noisy":
        # One run each tells nothing of it.
        least, greatest = min(change, -whole), max(change, whole)
        return Measured(change / whole, least / whole, greatest / whole, steadiness, "measured", (_ONE_EACH,))
    return Measured(
        change / whole, least / whole, greatest / whole, steadiness, "counted" if steadiness == "exact" else "measured"
    )


_ONE_EACH: Final = note("budget-one-run-each")
