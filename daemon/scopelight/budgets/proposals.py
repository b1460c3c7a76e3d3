"""Budgets that a run would hold: what it took, with headroom."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Final

import attrs

from scopelight.analysis.budgets.kinds import KINDS
from scopelight.analysis.budgets.measured import Measured, exact
from scopelight.analysis.budgets.measuring import Measuring, Taken
from scopelight.analysis.budgets.records import Budget
from scopelight.analysis.subject import Subject
from scopelight.budgets.values import limit_of, written_limit
from scopelight.findings import Finding

HEADROOM_RATIO: Final = Fraction(1, 10)
"""Added to what a run took, at least; of what differs from run to run so much that this run would hold the budget."""
_LEAST_SHARE: Final = Fraction(1, 100)
_OF_RUN: Final = ("step_ms", "peak_memory_gib", "compilations", "padding_ratio", "waiting_share", "flops_change")
_OF_FUNCTION: Final = ("step_ms", "share", "waiting_share", "compilations")
_FIRST_CHOICE: Final = ("step_ms", "peak_memory_gib", "compilations")


@attrs.frozen
class Proposal:
    """A budget, with the limit as it would be written, and what the run took of it.

    ``is_first_choice``: it is one that most projects want.
    """

    budget: Budget
    limit: str
    taken: Measured
    is_first_choice: bool


def proposals(subject: Subject, folder: Path, file: str | None = None, function: str | None = None) -> list[Proposal]:
    """Budgets of a run, before them those of a function where one is named. ``file`` is relative to ``folder``."""
    measuring = Measuring(subject, str(folder))
    found: list[Proposal] = []
    if file is not None and function is not None:
        place = f"{file}:{function}"
        found += _proposed(measuring, [Budget(name, Fraction(0), 1, place, file, function) for name in _OF_FUNCTION])
    return [*found, *_proposed(measuring, [Budget(name, Fraction(0), 1) for name in _OF_RUN])]


def _proposed(measuring: Measuring, budgets: list[Budget]) -> Iterator[Proposal]:
    for budget in budgets:
        # Of what has changed nothing is measured by one run.
        taken: Taken = exact(0, "counted") if budget.kind.compares else measuring.measure(budget)
        if isinstance(taken, Finding):
            continue
        limit = written_limit(budget.kind, _limit(budget, taken))
        written = limit_of(budget.kind, limit.strip('"') if limit.startswith('"') else float(limit))
        if budget.kind.is_share and written == 1:
            # More than all is nothing: it could not break.
            continue
        proposed = attrs.evolve(budget, limit=written if written is not None else Fraction(0))
        is_first = budget.name in _FIRST_CHOICE and (budget.function is None or budget.name == "step_ms")
        yield Proposal(proposed, limit, taken, is_first)


def _limit(budget: Budget, taken: Measured) -> Fraction:
    kind = KINDS[budget.name]
    if kind.compares or kind.unit == "count":
        return taken.value
    limit = max(taken.value * (1 + HEADROOM_RATIO), taken.greatest or taken.value)
    return min(Fraction(1), max(_LEAST_SHARE, limit)) if kind.is_share else limit
