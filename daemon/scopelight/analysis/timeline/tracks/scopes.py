"""The track of framework scopes: what part of the program a device was in, one row per level."""

from collections.abc import Sequence

import numpy as np

from scopelight.analysis.ops.scopes import scope_of
from scopelight.analysis.timeline.colours import colour
from scopelight.analysis.timeline.track import Track
from scopelight.analysis.timeline.tracks.device import DeviceOfTimeline
from scopelight.analysis.timeline.tracks.scope_kernels import NO_SCOPE, scope_slices
from scopelight.analysis.timeline.tracks.span_colours import colours_of_spans
from scopelight.findings import note
from scopelight.formats.columns import Int32
from scopelight.model.executions import Op
from scopelight.model.op_work import Work, work_of
from scopelight.model.slices import LaneSlices

MOST_LEVELS = 16
"""Deeper scopes are part of those at this level."""
MOST_SLICES = 2
"""Of each execution: levels that would make more of them are left out."""

_MEANING = note("track-scopes")


def scopes_tracks(of: DeviceOfTimeline) -> Sequence[Track]:
    """The track of the scopes of a device's executions, if any op has one.

    At each level, executions that follow each other in one program run and have the same names down to that level are
    one slice, from the first's start to the last's end. Where executions overlap, a slice ends at the latest where the
    next one of its level begins, so that a row shows one scope at a time. Loops and ops without a name break nothing.
    """
    slices = _scopes(of)
    if not len(slices):
        return ()
    return (
        of.track("Scopes", "scopes", len(slices), _MEANING, lambda: slices, lambda each: colours_of_spans(of, each)),
    )


def _scopes(of: DeviceOfTimeline) -> LaneSlices:
    executions, span = of.executions, of.span
    codes, names = _codes(of)
    found = scope_slices(
        executions.start_ps[span],
        executions.duration_ps[span],
        executions.op[span],
        executions.run[span],
        codes,
        np.array([_counts(op) for op in executions.ops], dtype=np.bool_),
        MOST_SLICES * (span.stop - span.start),
    )
    depths = int(found.level.max(initial=-1)) + 1
    event = np.full(len(found.code), -1, dtype=np.int32)
    return LaneSlices(names[found.code], found.start_ps, found.duration_ps, found.level, event, depths)


def _codes(of: DeviceOfTimeline) -> tuple[Int32, Int32]:
    """By level and op what names the scope down to that level, and of each such scope the id of its name."""
    forward = of.op_colours == colour("forward")
    paths = [scope_of(op.op_name, computes_again=not forward[row]) for row, op in enumerate(of.executions.ops)]
    levels = min(MOST_LEVELS, max(map(len, paths), default=0))
    codes = np.full((levels, len(paths)), NO_SCOPE, dtype=np.int32)
    known: dict[tuple[str, ...], int] = {}
    for row, path in enumerate(paths):
        for level in range(min(levels, len(path))):
            codes[level, row] = known.setdefault(path[: level + 1], len(known))
    return codes, np.array([of.names.add(scope[-1]) for scope in known], dtype=np.int32)


def _counts(op: Op) -> bool:
    """Whether executions of an op say where in the program a device was: what has a name and holds no others."""
    return bool(op.op_name) and work_of(op) is not Work.CONTAINER
