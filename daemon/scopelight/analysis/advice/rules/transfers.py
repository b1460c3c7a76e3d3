"""Transfers: devices wait in the steps for data that is being moved to them."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.analysis.advice.rules.input_bound import input_bound
from scopelight.analysis.advice.rules.many_programs import in_small_programs
from scopelight.analysis.device_time.stalls import STALLS
from scopelight.findings import show_view
from scopelight.program.hlo.frames import Frame

_COPY: Final = STALLS.index("copy")
_LEAST: Final = 0.05
"""Of the wall clock."""


def transfers(observed: Observed) -> Iterator[Advice]:
    """Moved ahead of time, or once, data is there when a step needs it; copies that ops wait for are moved as well.

    What is said of the input or of small programs already, some of which is being moved, is not said again.
    """
    chosen = observed.steady.in_steady & ~in_small_programs(observed)
    if next(input_bound(observed), None) is not None:
        chosen &= ~observed.steady.is_input
    waiting = observed.charged(chosen)
    waiting_ps = waiting.classes_ps.get("transfer", 0)
    rows = np.flatnonzero(observed.steady.is_steady)
    copying_ps = int(observed.centre.division.stalled_ps[observed.steady.devices][:, rows, _COPY].sum())
    moving_ps = waiting_ps + copying_ps
    if moving_ps < _LEAST * observed.wall_ps:
        return
    lines = observed.longest(waiting, "transfer")
    at = lines[0].frame if lines and waiting_ps >= copying_ps else _longest_copy(observed)
    yield observed.advice(
        "transfers",
        at,
        saving_ps=moving_ps / observed.parts,
        basis="waiting",
        evidence=[observed.centre.line_key(each.frame) for each in lines[1:3]],
        action=show_view("timeline"),
        transfer_ratio=moving_ps / observed.wall_ps,
        per_step_ps=round(moving_ps / observed.parts),
        step_ps=observed.step_ps,
    )


def _longest_copy(observed: Observed) -> Frame | None:
    """The line of the copy that devices wait for longest."""
    stall = observed.centre.division.stall_of_op
    waited = (each for each in observed.ops.entries if any(int(stall[row]) == _COPY for row in each.ops))
    first = next(waited, None)
    return first.charged[0].parts[0].frame if first is not None and first.charged[0].parts else None
