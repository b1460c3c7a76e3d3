"""Dispatch bound: steps are so short that devices wait for each to be launched."""

from collections.abc import Iterator
from typing import Final

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.findings import show_view

_LEAST: Final = 0.15
"""Of the wall clock."""
_LONGEST_STEP_PS: Final = 10**9
MOST_PROGRAMS: Final = 5
"""Of more in a step it is their number that matters."""


def dispatch_bound(observed: Observed) -> Iterator[Advice]:
    """Several steps in one program are launched once."""
    launching_ps = observed.waiting.classes_ps.get("dispatch", 0)
    if launching_ps < _LEAST * observed.wall_ps or observed.step_ps >= _LONGEST_STEP_PS:
        return
    if observed.runs_per_step > MOST_PROGRAMS:
        return
    lines = observed.longest(observed.waiting, "dispatch")
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
