"""Recompilation: a function is compiled again while the script trains, since something that it is given has changed."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import attrs
import numpy as np

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.analysis.programs.compiled import Compiled, compiled_programs
from scopelight.analysis.programs.reasons import Reason
from scopelight.analysis.programs.variants import Variant, families, nearest
from scopelight.analysis.totals.instruction_totals import step_of
from scopelight.analysis.totals.waiting.classes import CLASSES, COMPILE
from scopelight.analysis.totals.waiting.launching import as_program, function_of_program
from scopelight.analysis.totals.waiting.pieces import NONE
from scopelight.findings import show_view
from scopelight.formats.columns import Int64
from scopelight.program.hlo.frames import Frame, Stack

_OF_A_CALL: Final = [
    CLASSES.index(each) for each in ("compile", "dispatch", "garbage-collection", "release", "transfer")
]
"""What a call that compiles is in: jax traces and lowers the function beside what is marked as compiling."""
_LEAST: Final = 0.01
"""Of the wall clock."""


@attrs.frozen(eq=False, repr=False)
class _Again:
    """A function that was compiled again in complete steps: why each time, the line that calls it, its programs."""

    function: str
    reasons: Sequence[Reason]
    call: Frame | None
    programs: Sequence[Variant]
    steps: frozenset[int]
    is_users: bool = True
    duration_ps: int = 0


def recompilation(observed: Observed) -> Iterator[Advice]:
    """Compiled once, a function is compiled in none of the steps: what its call takes beyond that of other steps.

    Where each was compiled again a single time, as for the last batch of an epoch, nothing says that it goes on.
    """
    again = [each for each in _compiled_again(observed) if _is_in_the_course(each)]
    if not again:
        return
    per_step_ps = _of_class(observed, _OF_A_CALL)
    compiling = np.flatnonzero(_of_class(observed, [COMPILE]))
    usual_ps = np.delete(per_step_ps, compiling)
    excess_ps = per_step_ps[compiling] - (float(np.median(usual_ps)) if len(usual_ps) else 0.0)
    whole_ps = max(0.0, float(excess_ps.sum()))
    if whole_ps < _LEAST * float(observed.steps.duration_ps.sum()):
        return
    # What jax computes with, such as a constant, is compiled anew for the sake of the user's functions.
    first = max(again, key=lambda each: (each.is_users, each.duration_ps, len(each.reasons)))
    usual, _ = Counter(each.cause for each in first.reasons).most_common(1)[0]
    reason = next(each for each in reversed(first.reasons) if each.cause == usual)
    goes_on = any(len(each.reasons) > 1 for each in again)
    yield observed.advice(
        "recompilation",
        first.call,
        saving_ps=whole_ps / len(observed.steps) if goes_on else None,
        basis="compiling" if goes_on else None,
        confidence="medium" if goes_on else "low",
        of_ps=round(float(observed.steps.duration_ps.mean())),
        evidence=[observed.centre.program_key(each.program_id, each.name) for each in first.programs],
        action=show_view("programs"),
        function=first.function,
        compiles=len(first.reasons),
        per_compile_ps=round(whole_ps / sum(len(each.reasons) for each in again)),
        cause=reason.cause,
        arguments=tuple(each.name for each in reason.changed),
        before=tuple(each.before or "" for each in reason.changed),
        after=tuple(each.after or "" for each in reason.changed),
    )


def _is_in_the_course(again: _Again) -> bool:
    """Whether it goes on while the script trains: in the first of the steps much is compiled for the first time, as
    ops of jax are that run by themselves, for each shape that they meet."""
    return again.steps != {0} and (again.is_users or len(again.steps) > 1)


def _compiled_again(observed: Observed) -> Sequence[_Again]:
    """The functions of which a variant was compiled in a complete step, and was not the first."""
    told: dict[str, list[Compiled]] = {}
    for each in compiled_programs(observed.profile):
        if each.is_again and _is_in_step(observed, each.end_ps):
            told.setdefault(as_program(each.function), []).append(each)
    named = {function_of_program(name): variants for name, variants in families(observed.profile).items()}
    if told:
        return [
            _Again(
                each[-1].function,
                [_known(one.reason, named.get(function, ())) for one in each],
                _called_at(observed, [one.stack for one in each]),
                named.get(function, ()),
                frozenset(_step_of(observed, one.end_ps) for one in each),
                any(one.is_users for one in each),
                sum(one.duration_ps for one in each),
            )
            for function, each in told.items()
        ]
    found = []
    for function, variants in named.items():
        rows = [row for row, each in enumerate(variants) if row and _is_in_step(observed, each.first_ps)]
        if rows:
            reasons = [Reason("argument", tuple(nearest(variants[row], variants[:row]))) for row in rows]
            steps = frozenset(_step_of(observed, variants[row].first_ps) for row in rows)
            found.append(_Again(function, reasons, _call_of(observed, function), variants, steps))
    return found


def _known(reason: Reason, variants: Sequence[Variant]) -> Reason:
    """What jax says; where that is nothing, what the arrays of its programs differ in."""
    if reason.changed or reason.cause not in ("unexplained", "structure") or len(variants) < 2:
        return reason
    changed = tuple(nearest(variants[-1], variants[:-1]))
    return Reason("argument", changed) if changed else reason


def _is_in_step(observed: Observed, moment_ps: int) -> bool:
    return _step_of(observed, moment_ps) >= 0


def _step_of(observed: Observed, moment_ps: int) -> int:
    return int(step_of(np.array([moment_ps]), observed.steps)[0])


def _of_class(observed: Observed, kinds: Sequence[int]) -> Int64:
    """By step the idle time of classes, a mean over devices."""
    pieces, rows = observed.steady.pieces, observed.steady.rows
    rows = rows[np.isin(pieces.kind[rows], kinds)]
    sums = np.zeros(len(observed.steps), dtype=np.int64)
    np.add.at(sums, pieces.step[rows], pieces.duration_ps[rows])
    return sums // max(1, len(observed.steady.devices))


def _called_at(observed: Observed, stacks: Sequence[Stack]) -> Frame | None:
    """The line that calls most often."""
    user = (observed.centre.frames.of(stack) for stack in stacks)
    return _most(Counter(frames[0] for frames in user if frames))


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
    return _most(times)


def _most(times: Mapping[Frame, int]) -> Frame | None:
    return max(times, key=lambda frame: (times[frame], frame.path, -frame.line), default=None)
