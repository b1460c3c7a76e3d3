"""The tracks of ops: executions of a device, its asynchronous ops, and the threads that ran the executions."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from scopelight.analysis.timeline.track import Track
from scopelight.analysis.timeline.tracks.device import DeviceOfTimeline
from scopelight.analysis.timeline.tracks.lane_executions import LaneExecutions
from scopelight.findings import note
from scopelight.formats.columns import Bool, Int32, Int64, distinct_values
from scopelight.model.async_ops import async_ops
from scopelight.model.executions import Executions
from scopelight.model.joins import dense_ids
from scopelight.model.slices import Lane, LaneSlices, lane_slices

_OP_OF_KERNELS: Final = note("track-ops-of-kernels")
_ASYNC: Final = note("track-async-ops")


def ops_track(of: DeviceOfTimeline) -> Track:
    """The executions of a device, each from its start to its end on whichever thread that was."""
    durations = of.executions.duration_ps[of.span]
    return of.track_of_ops("Ops", "ops", len(durations), None, lambda: _slices(of, of.rows, durations))


def ops_of_streams_track(of: DeviceOfTimeline) -> Track:
    """The ops of a device whose streams record kernels: kernels of one op that follow each other are one slice.

    They are of one op where instruction, program run and stream are the same; what is in no program run is not merged.
    Their slice reaches from the start of the first to the end of the last, and stands for the first.
    """
    executions = of.executions
    rows = of.rows[np.argsort(executions.lane[of.span], kind="stable")]
    firsts = np.flatnonzero(_begins_op(executions, rows))

    def merge() -> LaneSlices:
        end_ps = np.maximum.reduceat(executions.start_ps[rows] + executions.duration_ps[rows], firsts)
        return _slices(of, rows[firsts], end_ps - executions.start_ps[rows[firsts]])

    return of.track_of_ops("Ops", "ops", len(firsts), _OP_OF_KERNELS, merge)


def async_tracks(of: DeviceOfTimeline) -> Sequence[Track]:
    """Asynchronous ops, each from the execution that starts it to the end of the one that waits for it, if any."""
    found = async_ops(of.executions, of.device)
    if not len(found):
        return ()
    started = of.executions.op[found.start]
    ids = {op: of.names.add(_without_start(of.executions.ops[op].name)) for op in distinct_values(started).tolist()}
    name = np.array([ids[op] for op in started.tolist()], dtype=np.int32)
    slices = lane_slices(name, found.start_ps, found.duration_ps, found.start.astype(np.int32))
    return (of.track_of_ops("Async ops", "async", len(slices), _ASYNC, lambda: slices),)


def thread_tracks(of: DeviceOfTimeline, lanes: Sequence[Lane], of_lanes: LaneExecutions) -> Sequence[Track]:
    """Of each thread that ran ops of the device the events of those ops: what the thread itself did of them."""
    executions = of.executions
    if not executions.lane_places:
        # Those of a prediction are no events of a thread.
        return ()
    count = np.bincount(executions.lane[of.span], minlength=len(executions.lanes))
    by_place = {lane.place: lane for lane in lanes}
    threads = [(by_place.get(executions.lane_places[row]), row) for row in np.flatnonzero(count).tolist()]
    named: dict[str, int] = {}
    tracks = []
    for lane, row in threads:
        if lane is not None:
            named[lane.name] = named.get(lane.name, 0) + 1
            name = lane.name if named[lane.name] == 1 else f"{lane.name}#{named[lane.name]}"
            tracks.append(_thread_track(of, name, lane, of_lanes, int(count[row])))
    return tracks


def _thread_track(of: DeviceOfTimeline, name: str, lane: Lane, of_lanes: LaneExecutions, count: int) -> Track:
    def pick() -> LaneSlices:
        slices, execution = lane.slices(), of_lanes.of_lane(lane)
        ours = np.flatnonzero(execution >= 0)
        ours = ours[of.executions.device[execution[ours]] == of.device]
        # What is on record in parts is one.
        part, firsts = dense_ids(execution[ours])
        end_ps = slices.end_ps[ours[firsts]]
        np.maximum.at(end_ps, part, slices.end_ps[ours])
        ours = ours[firsts]
        start_ps = slices.start_ps[ours]
        return lane_slices(slices.name[ours], start_ps, end_ps - start_ps, execution[ours])

    return of.track_of_ops(name, "thread", count, None, pick)


def _begins_op(executions: Executions, rows: Int32) -> Bool:
    """Whether a kernel is of another op than the one before it on its stream."""
    begins = np.ones(len(rows), dtype=np.bool_)
    begins[1:] = executions.run[rows[1:]] < 0
    for column in (executions.op, executions.run, executions.lane):
        begins[1:] |= column[rows[1:]] != column[rows[:-1]]
    return begins


def _slices(of: DeviceOfTimeline, rows: Int32, duration_ps: Int64) -> LaneSlices:
    name = np.array([of.names.add(op.name) for op in of.executions.ops], dtype=np.int32)
    start_ps = of.executions.start_ps[rows]
    return lane_slices(name[of.executions.op[rows]], start_ps, duration_ps, rows)


def _without_start(name: str) -> str:
    """``all-reduce.3`` for ``all-reduce-start.3``."""
    return name.replace("-start", "", 1)
