"""Input bound: devices wait for data, on the line where the host makes it or waits for it."""

from collections.abc import Iterator
from typing import Final

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.analysis.advice.rules.dispatch_bound import dispatch_bound
from scopelight.analysis.advice.rules.holding import hidden_without_syncs
from scopelight.analysis.advice.rules.many_programs import in_small_programs
from scopelight.analysis.host.input.verdict import MODERATE
from scopelight.analysis.totals.waiting.classes import CLASSES
from scopelight.findings import show_view
from scopelight.formats.columns import Bool

CODE = "input-bound"
_DISPATCH: Final = CLASSES.index("dispatch")


def input_bound(observed: Observed) -> Iterator[Advice]:
    """Without the time that input takes a step is as much shorter, but for what a read result hides as well."""
    if observed.input.input_ratio is None:
        return
    steady = observed.steady
    chosen = steady.is_input & steady.in_steady & ~hidden_without_syncs(observed) & ~_is_launching(observed)
    waiting = observed.charged(chosen)
    if waiting.idle_ps < MODERATE * observed.wall_ps:
        return
    lines = observed.longest(waiting)
    at = lines[0] if lines else None
    place = None if at is None or not observed.names_lines else observed.centre.frames.place(at.frame)
    yield observed.advice(
        CODE,
        None if at is None else at.frame,
        saving_ps=waiting.idle_ps / observed.parts,
        basis="waiting",
        confidence="high" if at is not None and at.basis == "exact" and not observed.shares_cores else "medium",
        evidence=[observed.centre.line_key(each.frame) for each in lines[1:3]],
        action=show_view("input"),
        input_ratio=waiting.idle_ps / observed.wall_ps,
        per_step_ps=round(waiting.idle_ps / observed.parts),
        step_ps=observed.step_ps,
        file=None if place is None else place.path,
        line=None if place is None else place.line,
    )


def _is_launching(observed: Observed) -> Bool:
    """By row of the idle time of steps whether other advice has it, since the host launches what is on the device.

    The call of a step may be on the line that makes its data, and data may be made by small programs.
    """
    launching = in_small_programs(observed)
    if next(dispatch_bound(observed), None) is not None:
        launching = launching | (observed.steady.pieces.kind[observed.steady.rows] == _DISPATCH)
    return launching
