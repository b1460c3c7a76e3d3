"""Dispatch bound: steps are so short that devices wait for each to be launched."""

from collections.abc import Iterator
from typing import Final

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.analysis.advice.rules.many_programs import MOST_PROGRAMS, in_small_programs
from scopelight.analysis.totals.waiting.classes import CLASSES
from scopelight.findings import show_view

_LEAST: Final = 0.15
"""Of the wall clock."""
_LONGEST_STEP_PS: Final = 10**9
_DISPATCH: Final = CLASSES.index("dispatch")


def dispatch_bound(observed: Observed) -> Iterator[Advice]:
    """Several steps in one program are launched once. What small programs beside it wait is said of those."""
    pieces, rows = observed.steady.pieces, observed.steady.rows
    chosen = observed.steady.in_steady & (pieces.kind[rows] == _DISPATCH) & ~in_small_programs(observed)
    waiting = observed.charged(chosen)
    launching_ps = waiting.idle_ps
    if launching_ps < _LEAST * observed.wall_ps or observed.step_ps >= _LONGEST_STEP_PS:
        return
    if observed.runs_per_step > MOST_PROGRAMS:
        return
    lines = observed.longest(waiting)
    yield observed.advice(
        "dispatch-bound",
        lines[0].frame if lines else None,
        saving_ps=launching_ps / observed.parts,
        basis="waiting",
        action=show_view("timeline"),
        launching_ratio=launching_ps / observed.wall_ps,
        per_step_ps=round(launching_ps / observed.parts),
        step_ps=observed.step_ps,
    )
