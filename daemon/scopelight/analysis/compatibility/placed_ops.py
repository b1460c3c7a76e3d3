"""Ops of a predicted run with the line, function and scope that each is in."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

import attrs

from scopelight.analysis.compatibility.tallies import Tallies
from scopelight.analysis.ops.scopes import scope_of
from scopelight.analysis.records import PHASE_NAMES, Phase
from scopelight.analysis.totals.frames import UserFrames
from scopelight.model.run.compatibility import Compatibility, JudgedOp, UntracedCall
from scopelight.program.hlo.frames import Frame
from scopelight.program.phases.phase import Phase as ModelPhase
from scopelight.program.phases.phases import marked_phase

Scope = tuple[str, ...]
"""Levels of names, outermost first."""


@attrs.frozen(slots=True)
class PlacedOp:
    """``count`` ops that are alike, in a program by its number; a call that was not traced is in None.

    ``frame`` is the user's innermost, None where there is none. ``phase`` is what the transformations around it prove.
    """

    op: JudgedOp
    program: int | None
    frame: Frame | None
    scope: Scope
    phase: Phase | None
    count: int


def placed_ops(compatibility: Compatibility, frames: UserFrames) -> Iterator[PlacedOp]:
    """Every op, program by program, then calls that could not be traced.

    What a damaged file names wrongly is left out.
    """
    known = [Frame(each.path, each.line, each.function) for each in compatibility.frames]
    innermost: list[Frame | None] = []
    for rows in compatibility.stacks:
        stack = tuple(known[each] for each in rows if each < len(known))
        innermost.append(_innermost(stack, frames))
    for program in compatibility.programs:
        for row in program.rows:
            if row.op < len(compatibility.ops) and row.stack < len(innermost) and row.path < len(compatibility.paths):
                path = compatibility.paths[row.path]
                yield PlacedOp(
                    compatibility.ops[row.op],
                    program.number,
                    innermost[row.stack],
                    scope_of_path(path),
                    phase_of_path(path),
                    row.count,
                )
    for call in compatibility.untraced:
        stack = tuple(Frame(each.path, each.line, each.function) for each in call.stack)
        yield PlacedOp(_refused(call), None, _innermost(stack, frames), (), None, 1)


def counts_by_line(
    compatibility: Compatibility, frames: UserFrames, program: int | None = None
) -> Mapping[tuple[str | None, int], Mapping[str, int]]:
    """How many ops of each verdict are on lines, by the path of the record and the line; of one program by its number.

    The counts go by the names ``native``, ``emulated``, ``on_host``, ``refused`` and ``unjudged``.
    """
    tallies: Tallies[tuple[str | None, int]] = Tallies()
    for each in placed_ops(compatibility, frames):
        if each.frame is not None and program in (None, each.program):
            tallies.of((frames.file_of(each.frame).path, each.frame.line)).add(each.op.verdict, each.count)
    return {key: tally.counts for key, tally in tallies.by_key.items()}


def counts_by_scope(
    compatibility: Compatibility, frames: UserFrames, program: int | None = None
) -> Mapping[Scope, Mapping[str, int]]:
    """The same by scopes, what is in scopes within them included: by levels, as ``scope_of`` gives those of an op."""
    tallies: Tallies[Scope] = Tallies()
    for each in placed_ops(compatibility, frames):
        if program in (None, each.program):
            for depth in range(1, len(each.scope) + 1):
                tallies.of(each.scope[:depth]).add(each.op.verdict, each.count)
    return {key: tally.counts for key, tally in tallies.by_key.items()}


@lru_cache(maxsize=1 << 14)
def scope_of_path(path: str) -> Scope:
    """The levels of a path of names that is told without its program and primitive."""
    return scope_of(f"jit(program)/{path}/op") if path else ()


@lru_cache(maxsize=1 << 14)
def phase_of_path(path: str) -> Phase | None:
    """The phase that the transformations in a path prove; None where there are none."""
    phase = marked_phase(f"{path}/op")
    return None if phase is None else PHASE_NAMES[int(ModelPhase(phase))]


def _innermost(stack: tuple[Frame, ...], frames: UserFrames) -> Frame | None:
    users = frames.of(stack)
    return users[0] if users else None


def _refused(call: UntracedCall) -> JudgedOp:
    return JudgedOp("", call.primitive, "refused", "tracing", kind=call.kind, message=call.message)
