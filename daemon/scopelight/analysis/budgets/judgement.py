"""Whether what a run took is within a budget."""

from fractions import Fraction

from scopelight.analysis.budgets.measured import Measured
from scopelight.analysis.budgets.measuring import Taken
from scopelight.analysis.budgets.records import Budget, BudgetRow, Verdict
from scopelight.analysis.totals.keys import digest


def judged(budget: Budget, taken: Taken) -> BudgetRow:
    """The row of a budget. It says where the budget itself stands: who knows the files of today moves it."""
    measured = taken if isinstance(taken, Measured) else None
    over = measured.value - budget.limit if measured is not None else None
    return BudgetRow(
        key=digest("budget", budget.place or "", budget.name),
        name=budget.name,
        place=budget.place,
        function=budget.function,
        place_kind=budget.place_kind,
        unit=budget.kind.unit,
        limit=float(budget.limit),
        value=float(measured.value) if measured is not None else None,
        least=float(measured.least) if measured is not None and measured.least is not None else None,
        greatest=float(measured.greatest) if measured is not None and measured.greatest is not None else None,
        over=float(over) if over is not None else None,
        over_ratio=float(over / budget.limit) if over is not None and budget.limit > 0 else None,
        verdict="not-measured" if measured is None else verdict(measured, budget.limit),
        steadiness=measured.steadiness if measured is not None else budget.kind.steadiness,
        basis=measured.basis if measured is not None else None,
        spread=measured.spread if measured is not None else None,
        path=None,
        file=None,
        line=budget.line,
        config_line=budget.line,
        findings=taken.findings if isinstance(taken, Measured) else (taken,),
    )


def verdict(measured: Measured, limit: Fraction) -> Verdict:
    """Whether all that the code may take is within a limit, none of it, or some; or nothing says what it may take."""
    if measured.least is None or measured.greatest is None:
        return "cannot-tell"
    if measured.greatest <= limit:
        return "held"
    return "broken" if measured.least > limit else "cannot-tell"
