"""Recompilation: a function is compiled again while the script trains, since something that it is given has changed."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.analysis.programs.variants import ParameterChange, Variant, families, nearest
from scopelight.analysis.totals.instruction_totals import step_of
from scopelight.analysis.totals.waiting.classes import CLASSES, COMPILE
from scopelight.analysis.totals.waiting.launching import as_program, function_of_program
from scopelight.analysis.totals.waiting.pieces import NONE
from scopelight.findings import show_view
from scopelight.formats.columns import Int64
from scopelight.program.hlo.frames import Frame

_OF_A_CALL: Final = [
    CLASSES.index(each) for each in ("compile", "dispatch", "garbage-collection", "release", "transfer")
]
"""What a call that compiles is in: jax traces and lowers the function beside what is marked as compiling."""
_LEAST: Final = 0.01
"""Of the wall clock."""


def recompilation(observed: Observed) -> Iterator[Advice]:
    """Compiled once, a function is compiled in none of the steps: what its call takes beyond that of other steps."""
    again = _compiled_again(observed)
    if not again:
        return
    per_step_ps = _of_calls(observed)
    compiling = np.flatnonzero(_of_class(observed, [COMPILE]))
    usual_ps = np.delete(per_step_ps, compiling)
    excess_ps = per_step_ps[compiling] - (float(np.median(usual_ps)) if len(usual_ps) else 0.0)
    saving_ps = max(0.0, float(excess_ps.sum())) / len(observed.steps)
    step_ps = float(observed.steps.duration_ps.mean())
    if saving_ps < _LEAST * step_ps:
        return
    name, (first, changes) = max(again.items(), key=lambda each: len(each[1][1]))
    changed = changes[-1]
    frame = _call_of(observed, function_of_program(name))
    yield observed.advice(
        "recompilation",
        frame,
        saving_ps=saving_ps,
        basis="compiling",
        confidence="medium",
        evidence=[observed.centre.program_key(each.program_id, each.name) for each in first],
        action=show_view("programs"),
        function=function_of_program(name),
        compiles=len(changes),
        per_compile_ps=round(saving_ps * len(observed.steps) / max(1, sum(len(each[1]) for each in again.values()))),
        arguments=tuple(each.name for each in changed),
        before=tuple(each.before or "" for each in changed),
        after=tuple(each.after or "" for each in changed),
    )


_Again = tuple[Sequence[Variant], Sequence[Sequence[ParameterChange]]]


def _compiled_again(observed: Observed) -> Mapping[str, _Again]:
    """By program name its variants and, of each that first ran in a complete step and was not the first, what had
    changed."""
    found: dict[str, _Again] = {}
    for name, variants in families(observed.profile).items():
        again = [
            nearest(each, variants[:row])
            for row, each in enumerate(variants)
            if row and step_of(np.array([each.first_ps]), observed.steps)[0] >= 0
        ]
        if again:
            found[name] = (variants, again)
    return found


def _of_class(observed: Observed, kinds: Sequence[int]) -> Int64:
    """By step the idle time of classes, over all devices."""
    pieces, rows = observed.steady.pieces, observed.steady.rows
    rows = rows[np.isin(pieces.kind[rows], kinds)]
    sums = np.zeros(len(observed.steps), dtype=np.int64)
    np.add.at(sums, pieces.step[rows], pieces.duration_ps[rows])
    return sums // max(1, len(observed.steady.devices))


def _of_calls(observed: Observed) -> Int64:
    return _of_class(observed, _OF_A_CALL)


def _call_of(observed: Observed, function: str) -> Frame | None:
    """The line that calls the function while it is compiled: what is inside of it is being traced."""
    pieces, rows = observed.steady.pieces, observed.steady.rows
    rows = rows[(pieces.kind[rows] == COMPILE) & (pieces.stack[rows] != NONE)]
    times: Counter[Frame] = Counter()
    for stack, duration_ps in zip(pieces.stack[rows].tolist(), pieces.duration_ps[rows].tolist(), strict=True):
        user = observed.centre.frames.of(pieces.stacks[stack])
        inside = [place for place, frame in enumerate(user) if as_program(frame.function) == function]
        outer = user[inside[-1] + 1 :] if inside else user
        if outer:
            times[outer[0]] += duration_ps
    return max(times, key=lambda frame: (times[frame], frame.path, -frame.line), default=None)
