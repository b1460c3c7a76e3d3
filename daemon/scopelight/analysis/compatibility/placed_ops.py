"""Ops of a predicted run with the line, function and scope that each is in."""

from collections.abc import Iterator
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


@attrs.frozen(slots=True)
class CountedOps:
    """Ops of a run, or of one of its programs, by whatever a graph draws: each a tally of verdicts.

    Lines go by the path of the record and their number; with a phase where transformations prove one, else None.
    Scopes are levels as ``scope_of`` gives those of an op; what is in scopes within them is included.
    """

    by_line: Tallies[tuple[str | None, int]]
    by_line_and_phase: Tallies[tuple[str | None, int, Phase | None]]
    by_primitive: Tallies[tuple[str | None, int, str]]
    """Of lines and the primitive on them."""
    by_scope: Tallies[Scope]


def counted_ops(compatibility: Compatibility, frames: UserFrames, program: int | None = None) -> CountedOps:
    """Count the ops of all programs, or of the one of a number."""
    counted = CountedOps(Tallies(), Tallies(), Tallies(), Tallies())
    for each in placed_ops(compatibility, frames):
        if program not in (None, each.program):
            continue
        verdict, count = each.op.verdict, each.count
        if each.frame is not None:
            place = (frames.file_of(each.frame).path, each.frame.line)
            counted.by_line.of(place).add(verdict, count)
            counted.by_line_and_phase.of((*place, each.phase)).add(verdict, count)
            counted.by_primitive.of((*place, each.op.primitive)).add(verdict, count)
        for depth in range(1, len(each.scope) + 1):
            counted.by_scope.of(each.scope[:depth]).add(verdict, count)
    return counted


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
