"""What a line of source means on a timeline: executions of its ops, gaps in which devices waited for it, or the spans
in which a thread stood on it."""

from collections.abc import Callable, Mapping, Sequence

import attrs
import numpy as np

from scopelight.analysis.device_time.busy import covered_ps
from scopelight.analysis.ops.table import OpTable
from scopelight.analysis.timeline.events.executions import slices_of_ops
from scopelight.analysis.timeline.events.gaps import gaps_of_track, least_gap_ps
from scopelight.analysis.timeline.events.ops_of_line import called_ops, is_of_line, own_ops
from scopelight.analysis.timeline.records import HitKind, TimelineStepsRecord
from scopelight.analysis.timeline.timeline import Timeline
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.waiting.pieces import NONE
from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.model.spans import Spans
from scopelight.program.hlo.frames import Frame, Stack

IsNamed = Callable[[Frame], bool]


@attrs.frozen(eq=False, repr=False)
class Meant:
    """The numbers of events by track, ascending; ``lead`` is the track and number of the one to look at first."""

    kind: HitKind
    numbers: Mapping[str, Int32]
    lead: tuple[str, int] | None = None


def meant_by_line(timeline: Timeline, table: OpTable, file: str, line: int) -> Meant:
    """What a line means that ``file`` and number name, as hot lines have them.

    Where devices waited for it longer than its own ops ran these are the gaps, else the executions of its ops; of a
    line that has neither the same of what it called, else where a thread stood on it.
    """
    centre, is_named = table.centre, is_of_line(table, file, line)
    for ops, is_waiting in (
        (own_ops(table, is_named), lambda stack: any(map(is_named, centre.frames.of(stack)[:1]))),
        (called_ops(table, is_named), lambda stack: any(map(is_named, centre.frames.of(stack)))),
    ):
        gaps, waiting_ps = _gaps(timeline, centre, is_waiting)
        if gaps is not None and waiting_ps > _wall_ps(centre, ops):
            return gaps
        if ops:
            return Meant("executions", slices_of_ops(timeline, ops))
    stood = _stood(timeline, is_named)
    return Meant("events", stood) if stood else Meant("executions", {})


def _wall_ps(centre: Centre, ops: Sequence[int]) -> int:
    """The wall clock of executions of ops."""
    of_op = np.bincount(centre.executions.op, weights=centre.division.wall_ps, minlength=len(centre.executions.ops))
    more = np.isin(centre.executions.op[centre.division.more_execution], list(ops))
    return int(of_op[list(ops)].sum() + centre.division.more_wall_ps[more].sum())


def _gaps(timeline: Timeline, centre: Centre, is_waiting: Callable[[Stack], bool]) -> tuple[Meant | None, int]:
    """The gaps in which devices waited on stacks, led by a typical one; and how long that was in all.

    Short ones are left out where there are others.
    """
    pieces = centre.pieces
    on_line: Bool = np.array([is_waiting(stack) for stack in pieces.stacks], dtype=np.bool_)
    # What waits inside a run is on the lines of its op.
    chosen = (pieces.stack != NONE) & (pieces.op == NONE)
    chosen[chosen] = on_line[pieces.stack[chosen]]
    if not chosen.any() or timeline.derived is None:
        return None, 0
    least_ps, waiting_ps = least_gap_ps(timeline), 0
    steps = timeline.derived.steps
    every: dict[str, Int32] = {}
    longer: dict[str, Int32] = {}
    waits: list[_Wait] = []
    for track_id, device in timeline.derived.gaps.items():
        track = timeline.track(track_id)
        gaps, lane = gaps_of_track(timeline, track), track.lane()
        rows = np.flatnonzero(chosen & (pieces.device == device))
        start_ps = lane.start_ps[gaps]
        spans = Spans(pieces.start_ps[rows], pieces.duration_ps[rows])
        inside_ps = covered_ps(spans, start_ps, start_ps + lane.duration_ps[gaps])
        waiting_ps += int(inside_ps.sum())
        if inside_ps.any():
            every[track_id] = gaps[inside_ps > 0]
            long = gaps[(inside_ps > 0) & (lane.duration_ps[gaps] >= least_ps)]
            longer.update({track_id: long} if len(long) else {})
            in_steps = _are_in_steps(steps, start_ps, start_ps + lane.duration_ps[gaps])
            for at in np.flatnonzero(inside_ps):
                waits.append(_Wait(int(inside_ps[at]), bool(in_steps[at]), (track_id, int(gaps[at]))))
    lead = _typical(waits)
    numbers = longer if lead is not None and lead[0] in longer and lead[1] in longer[lead[0]] else every
    return (Meant("gaps", numbers, lead), waiting_ps) if every else (None, 0)


@attrs.frozen
class _Wait:
    time_ps: int
    in_steps: bool
    gap: tuple[str, int]


def _typical(waits: Sequence[_Wait]) -> tuple[str, int] | None:
    """The gap that those which are longer hold half of the waiting with, of those within complete steps.

    Where none of them is within a step it is the longest. Short ones, however many, and a single long one among many
    are no picture of what a step waits for.
    """
    if not waits:
        return None
    within = [wait for wait in waits if wait.in_steps]
    ordered = sorted(within or waits, key=lambda wait: -wait.time_ps)
    if not within:
        return ordered[0].gap
    until_ps = np.cumsum([wait.time_ps for wait in ordered])
    return ordered[int(np.searchsorted(until_ps, until_ps[-1] / 2))].gap


def _are_in_steps(steps: TimelineStepsRecord | None, start_ps: Int64, end_ps: Int64) -> Bool:
    """Which spans of time are at least for the most part within one complete step."""
    if steps is None or not steps.start_ps:
        return np.zeros(len(start_ps), dtype=np.bool_)
    middle_ps = start_ps + (end_ps - start_ps) // 2
    starts_ps = np.array(steps.start_ps, dtype=np.int64)
    ends_ps = starts_ps + np.array(steps.duration_ps, dtype=np.int64)
    at = np.searchsorted(starts_ps, middle_ps, side="right") - 1
    return (at >= 0) & (middle_ps < ends_ps[at])


def _stood(timeline: Timeline, is_named: IsNamed) -> Mapping[str, Int32]:
    found: dict[str, Int32] = {}
    for track_id, lines in (timeline.derived.lines if timeline.derived is not None else {}).items():
        wanted = np.array([is_named(frame) for frame in lines.frames], dtype=np.bool_)
        numbers = np.flatnonzero(wanted[lines.frame]).astype(np.int32)
        found.update({track_id: numbers} if len(numbers) else {})
    return found
