"""From ops to their slices, and from a slice to its execution: what joins the timeline with everything else."""

from collections.abc import Mapping, Sequence

import numpy as np

from scopelight.analysis.timeline.timeline import Timeline
from scopelight.analysis.timeline.track import Track
from scopelight.formats.columns import Int32


def executions_of(timeline: Timeline, track: Track) -> Int32 | None:
    """For each slice of a track the row of the execution that it is, -1 where it is none.

    None while the profile is being read.
    """
    if timeline.derived is None:
        return None
    return track.lane().event if track.stored is None else timeline.derived.executions.of_lane(track.stored)


def execution_of(timeline: Timeline, track_id: str, event: int) -> int | None:
    """The row in ``Executions`` of the slice number ``event`` of a track, None where it is none or not known yet.

    Raises `LookupError` where the timeline has no such track.
    """
    executions = executions_of(timeline, timeline.track(track_id))
    if executions is None or not 0 <= event < len(executions) or executions[event] < 0:
        return None
    return int(executions[event])


def slices_of_ops(timeline: Timeline, ops: Sequence[int]) -> Mapping[str, Int32]:
    """Which slices are executions of the ops (rows of ``Executions.ops``): ascending numbers by the id of the track.

    Each execution is told once: on the track of its device's ops, where the streams' kernels of one op are one slice.
    Empty while the profile is being read.
    """
    if timeline.profile is None or not ops:
        return {}
    executions = timeline.profile.executions
    wanted = np.zeros(len(executions.ops), dtype=np.bool_)
    wanted[list(ops)] = True
    found: dict[str, Int32] = {}
    for track in timeline.tracks:
        execution = executions_of(timeline, track) if track.kind == "ops" else None
        if execution is not None:
            known = np.flatnonzero(execution >= 0)
            events = known[wanted[executions.op[execution[known]]]]
            if len(events):
                found[track.id] = events.astype(np.int32)
    return found


def slice_of_execution(timeline: Timeline, row: int) -> tuple[str, int] | None:
    """The track and number of the stored slice that an execution was read from: it has the arguments.

    None where it cannot be told, or while the profile is being read.
    """
    if timeline.profile is None or timeline.derived is None:
        return None
    executions = timeline.profile.executions
    place = executions.lane_places[int(executions.lane[row])]
    for track in timeline.tracks:
        if track.stored is not None and track.stored.place == place:
            numbers = np.flatnonzero(timeline.derived.executions.of_lane(track.stored) == row)
            return (track.id, int(numbers[0])) if len(numbers) else None
    return None
