"""The flame graph: op time, wall clock, FLOPs or bytes by the stack of Python calls that traced each op."""

from collections.abc import Iterator
from typing import Final

from scopelight.analysis.flame.measures import OpValues, op_values
from scopelight.analysis.flame.memory import add_memory
from scopelight.analysis.flame.options import FlameMeasure, FlameOptions
from scopelight.analysis.flame.parts import StackParts, op_parts
from scopelight.analysis.flame.records import FlameRecord, FlameRow, FlameUnit
from scopelight.analysis.flame.rows import LIBRARY, WITHOUT_SOURCE, flame_rows
from scopelight.analysis.flame.tree import callers_first, tree
from scopelight.analysis.missing_programs import nothing_in_scope, nothing_ran, unsaid
from scopelight.analysis.ops.notes import kernels_warning
from scopelight.analysis.ops.table import kernels_per_run
from scopelight.analysis.options import Scope
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.analysis.totals.frames import UserFrames
from scopelight.analysis.totals.repeats import without_repeats
from scopelight.findings import Finding, empty, warning
from scopelight.model.profile import Profile
from scopelight.program.hlo.frames import Stack

_UNITS: Final[dict[FlameMeasure, FlameUnit]] = {"op-time": "ps", "wall-time": "ps", "flops": "flops", "memory": "bytes"}


def flame(subject: Subject, options: FlameOptions) -> FlameRecord:
    """The flame graph of a run.

    Ops are divided among stacks as Hot Lines divides them among lines, so that the inclusive time of a line is the sum
    over the stacks that hold it. Raises `OptionError` where no device of the chosen name ran anything.
    """
    profile = subject.profile
    centre = centre_of(profile, subject.line_options)
    scope = options.scope or subject.scope
    scoped = centre.scoped(scope, options.device)
    values = op_values(centre, scoped.totals, options.measure)
    parts = op_parts(centre, values)
    why_empty = add_memory(parts, subject) if options.measure == "memory" else None
    total = sum(sums.value for _, sums in parts.sums.values())
    why_none = tuple(_why_empty(profile, values, why_empty, scope)) if not total else ()
    return FlameRecord(
        op_time_ps=scoped.totals.op_time_ps,
        measure=options.measure,
        unit=_UNITS[options.measure],
        total=total,
        extent=scoped.extent,
        rows=tuple(rows_of(centre, parts, libraries=options.libraries)),
        findings=(
            *why_none,
            *unsaid(centre.findings_of_steps if scope != "window" and total else centre.findings, why_none),
            *(_several_kernels(centre, values, scoped.totals.op_time_ps) if options.measure == "flops" else ()),
            *([warning("some-flops-unknown", unknown_ps=values.unknown_ps)] if total and values.unknown_ps else ()),
        ),
    )


def rows_of(centre: Centre, parts: StackParts, *, libraries: bool) -> Iterator[FlameRow]:
    """The rows of the parts of ops: as many, and of the same keys, whatever is measured of the ops."""
    stacks = [(_path(stack, centre.frames, libraries=libraries), sums) for stack, sums in parts.sums.values()]
    return flame_rows(centre, callers_first(tree(stacks)))


def _several_kernels(centre: Centre, values: OpValues, op_time_ps: int) -> Iterator[Finding]:
    """That FLOPs of ops of several kernels are counted for each of these, as every view counts them."""
    per_run = kernels_per_run(centre.executions)
    several = sorted((row for row in per_run if values.value[row]), key=lambda row: -int(values.self_ps[row]))
    if several:
        self_ps = int(values.self_ps[several].sum())
        yield kernels_warning(
            centre.executions.ops[several[0]].name, len(several) - 1, self_ps / op_time_ps if op_time_ps else 0.0
        )


def _path(stack: Stack, frames: UserFrames, *, libraries: bool) -> Stack:
    """The frames that are shown of a stack, outermost first, one at least."""
    if not stack:
        return (WITHOUT_SOURCE,)
    return stack[::-1] if libraries else without_repeats(frames.every(stack)[::-1]) or (LIBRARY,)


def _why_empty(profile: Profile, values: OpValues, of_memory: Finding | None, scope: Scope) -> Iterator[Finding]:
    if of_memory is not None:
        yield of_memory
    elif values.unknown_ps:
        yield empty("flops-unknown", unknown_ps=values.unknown_ps)
    elif len(profile.executions):
        yield nothing_in_scope(profile, scope)
    else:
        yield nothing_ran(profile)
