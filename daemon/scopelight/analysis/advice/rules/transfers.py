"""Transfers: devices wait in the steps for data that is being moved to them."""

from collections.abc import Iterator
from typing import Final

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.findings import show_view

_LEAST: Final = 0.05
"""Of the wall clock."""


def transfers(observed: Observed) -> Iterator[Advice]:
    """Moved ahead of time, or once, data is there when a step needs it."""
    moving_ps = observed.waiting.classes_ps.get("transfer", 0)
    if moving_ps < _LEAST * observed.wall_ps:
        return
    lines = observed.longest(observed.waiting, "transfer")
    yield observed.advice(
        "transfers",
        lines[0].frame if lines else None,
        saving_ps=moving_ps / observed.parts,
        basis="waiting",
        evidence=[observed.centre.line_key(each.frame) for each in lines[1:3]],
        action=show_view("timeline"),
        transfer_ratio=moving_ps / observed.wall_ps,
        per_step_ps=round(moving_ps / observed.parts),
        step_ps=observed.step_ps,
    )
