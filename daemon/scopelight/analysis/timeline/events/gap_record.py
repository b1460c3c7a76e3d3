"""The record of a gap: its parts with their places, and what ended it as events."""

from collections.abc import Sequence

import attrs
import numpy as np

from scopelight.analysis.timeline.events.executions import executions_of, slice_of_execution
from scopelight.analysis.timeline.events.gaps import Gap, gap_of, gaps_of_track
from scopelight.analysis.timeline.events.places import event_place, shown_name
from scopelight.analysis.timeline.lookups import Lookups
from scopelight.analysis.timeline.records import FlowRecord, GapRecord
from scopelight.analysis.timeline.track import Track
from scopelight.analysis.totals.waiting.launching import LaunchingThread
from scopelight.formats.columns import Int64
from scopelight.model.profile import Profile


def gap_at(lookups: Lookups, track: Track, event: int) -> Gap | None:
    """Why the gap of a number was; None where the event is no gap."""
    derived, centre = lookups.timeline.derived, lookups.centre
    if derived is None or centre is None or event not in gaps_of_track(lookups.timeline, track):
        return None
    lane = track.lane()
    return gap_of(centre, derived.gaps[track.id], int(lane.start_ps[event]), int(lane.duration_ps[event]))


def gap_record(lookups: Lookups, track: Track, event: int, gap: Gap) -> GapRecord:
    """What is known of a gap, which is the event of a number."""
    frames = lookups.frames
    exposed_by = gap.exposed_by
    ended_by, launched_by = _ends(lookups, track, event)
    return GapRecord(
        parts=tuple(
            part if frame is None else attrs.evolve(part, place=frames.place(frame)) for part, frame in gap.parts
        ),
        exposed_by=None if exposed_by is None else frames.place(exposed_by),
        ended_by=ended_by,
        launched_by=launched_by,
    )


def _ends(lookups: Lookups, track: Track, event: int) -> tuple[FlowRecord | None, FlowRecord | None]:
    """The execution that ended a gap, and the event in which the host launched its run."""
    profile, derived = lookups.timeline.profile, lookups.timeline.derived
    assert profile is not None
    assert derived is not None
    device, executions, lane = derived.gaps[track.id], profile.executions, track.lane()
    rows, start_ps = executions.rows_of(device), int(lane.start_ps[event])
    row = rows.start + int(np.searchsorted(executions.start_ps[rows], start_ps + int(lane.duration_ps[event])))
    if row >= rows.stop:
        return None, None
    found = _slice_of(lookups, track, row)
    ended_by = None if found is None else _flow(lookups, *found, outgoing=True)
    host = executions.devices[device].host
    moment_ps = _launch_ps(profile, device, row, start_ps, lookups.launching.get(host, ()))
    launch = None if moment_ps is None else _launch_at(lookups, host, moment_ps)
    return ended_by, None if launch is None else _flow(lookups, *launch, outgoing=False)


def _flow(lookups: Lookups, track: Track, event: int, *, outgoing: bool) -> FlowRecord:
    place, name = event_place(lookups.timeline, track, event), shown_name(lookups.timeline, track, event)
    return FlowRecord(outgoing, place, name, lookups.op_of_event(track, event))


def _slice_of(lookups: Lookups, gap_track: Track, row: int) -> tuple[Track, int] | None:
    """The slice of an execution among the ops of its device, which stand beside the gap; else the stored one."""
    timeline = lookups.timeline
    for track in timeline.tracks:
        if track.kind == "ops" and track.section is gap_track.section:
            execution = executions_of(timeline, track)
            numbers: Int64 = np.flatnonzero(execution == row if execution is not None else ())
            if len(numbers):
                return track, int(numbers[0])
    found = slice_of_execution(timeline, row)
    return (timeline.track(found[0]), found[1]) if found is not None else None


def _launch_ps(
    profile: Profile, device: int, row: int, gap_start_ps: int, threads: Sequence[LaunchingThread]
) -> int | None:
    """When the host launched the run of an execution; None where that is not known, or the run had begun before."""
    executions, run = profile.executions, int(profile.executions.run[row])
    began_ps, launch_ps = int(executions.start_ps[row]), -1
    if run >= 0:
        rows = executions.rows_of(device)
        began_ps = int(executions.start_ps[rows][executions.run[rows] == run].min())
        launch_ps = int(profile.runs.launch_ps[run])
    if began_ps < gap_start_ps:
        return None
    if launch_ps < 0:
        # It was launched last before it began.
        before = [
            int(each.launches_ps[place - 1])
            for each in threads
            if (place := int(np.searchsorted(each.launches_ps, began_ps, side="right")))
        ]
        launch_ps = max(before, default=-1)
    return launch_ps if launch_ps >= 0 else None


def _launch_at(lookups: Lookups, host: int, moment_ps: int) -> tuple[Track, int] | None:
    """The outermost event of a thread that launches that begins at a moment."""
    launching = {each.line_id for each in lookups.launching.get(host, ())}
    for track in lookups.timeline.tracks:
        stored = track.stored
        if stored is not None and track.section.host == host and stored.line.id in launching:
            start_ps = track.lane().start_ps
            number = int(np.searchsorted(start_ps, moment_ps))
            if number < len(start_ps) and start_ps[number] == moment_ps:
                return track, number
    return None
