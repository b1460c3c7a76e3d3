"""Tracks of lines: on which lines of Python the threads stood that launch programs."""

import posixpath
from collections.abc import Sequence

import attrs
import numpy as np

from scopelight.analysis.timeline.colours import Colours, colour
from scopelight.analysis.timeline.track import Track
from scopelight.analysis.timeline.tracks.device import DeviceOfTimeline
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.waiting.feeding import feeding_of, loop_of
from scopelight.analysis.totals.waiting.launching import LaunchingThread, launching_threads
from scopelight.findings import note
from scopelight.formats.columns import Int32, Int64, distinct_values
from scopelight.model.host.stands import UNKNOWN, Stands
from scopelight.model.slices import LaneSlices, SliceNames, lane_slices
from scopelight.program.hlo.frames import Frame, Stack

_EXACT = note("track-lines")
_ESTIMATED = note("track-lines-estimated")
ESTIMATED_MARK = "≈ "


@attrs.frozen(eq=False, repr=False)
class LinesOfThread:
    """A track of the lines of a thread.

    ``frame`` is by slice a row of ``frames``, its line; ``stack`` one of ``stacks``, on which the thread stood when the
    slice began; ``inner`` is by stack its innermost line of the user's, among ``frames``.
    """

    track: Track
    frame: Int32
    frames: Sequence[Frame]
    stack: Int32
    stacks: Sequence[Stack]
    inner: Int64

    def stack_of(self, event: int) -> Stack:
        """The stack of a slice from its line on outwards, with what that had called of libraries.

        The slice of the loop's line may begin where one of a line begins that it calls.
        """
        row, frame = int(self.stack[event]), int(self.frame[event])
        stack, line = self.stacks[row], self.frames[frame]
        return stack if self.inner[row] == frame or line not in stack else stack[stack.index(line) :]


def lines_tracks(of: DeviceOfTimeline, centre: Centre) -> Sequence[LinesOfThread]:
    """A track for each thread that launched programs on the host of a device; none where nothing was recorded of it.

    The first row has the line of the loop over steps, the second the innermost line of the user's where it is another;
    outside of the loop the first has the innermost.
    """
    host = of.executions.devices[of.device].host
    record = of.profile.host_records().get(host)
    if record is None:
        return ()
    threads = launching_threads(of.profile).get(host, ())
    loop = loop_of(of.profile, threads, centre.frames, centre.indented_text)
    named: dict[str, int] = {}
    found = []
    for thread in threads:
        if thread.stands is not None and len(thread.stands.start_ps):
            name = record.threads[thread.line_id].name if thread.line_id in record.threads else str(thread.line_id)
            named[name] = named.get(name, 0) + 1
            shown = name if named[name] == 1 else f"{name}#{named[name]}"
            found.append(_lines_of_thread(of, centre, thread, thread.stands, loop, shown))
    return found


def _lines_of_thread(
    of: DeviceOfTimeline, centre: Centre, thread: LaunchingThread, stands: Stands, loop: Frame | None, name: str
) -> LinesOfThread:
    inner, outer, frames = _frames_of(centre, stands.stacks, loop)
    start_ps, end_ps, stack = _stood(stands, of.profile.duration_ps)
    first = np.where(outer[stack] >= 0, outer[stack], inner[stack])
    second = np.where((outer[stack] >= 0) & (outer[stack] != inner[stack]), inner[stack], UNKNOWN)
    # What is called from another line of the loop is another slice, also where it is the same line again.
    calls = np.where(second >= 0, first * np.int64(len(frames) + 1) + second, UNKNOWN)
    rows = [_begins(first, end_ps, start_ps), _begins(calls, end_ps, start_ps)]
    begin = np.concatenate([each[0] for each in rows])
    last = np.concatenate([each[1] for each in rows])
    frame = np.concatenate([first[rows[0][0]], second[rows[1][0]]]).astype(np.int32)
    ids = _names(of.names, frames, is_exact=stands.is_exact)
    order = np.arange(len(begin), dtype=np.int32)
    slices = lane_slices(ids[frame], start_ps[begin], end_ps[last] - start_ps[begin], order)
    frame, of_slice = frame[slices.event], stack[begin][slices.event].astype(np.int32)
    # Rows of derived slices are those of executions, which these are not.
    lane = attrs.evolve(slices, event=np.full(len(slices), -1, dtype=np.int32))

    def colours(of_lane: LaneSlices) -> Colours:
        host = of.executions.devices[of.device].host
        feeding = feeding_of(of.profile, host, [thread], stands.stacks, centre.frames, centre.indented_text)
        hues = np.full(len(of_lane), colour("host"), dtype=np.uint8)
        hues[feeding[of_slice]] = colour("transfer")
        return hues

    meaning = _EXACT if stands.is_exact else _ESTIMATED
    track = of.track(f"Lines of {name}", "lines", len(lane), meaning, lambda: lane, colours)
    return LinesOfThread(track, frame, frames, of_slice, stands.stacks, inner)


def _frames_of(centre: Centre, stacks: Sequence[Stack], loop: Frame | None) -> tuple[Int64, Int64, Sequence[Frame]]:
    """By stack the innermost frame of the user's and that of the loop, as rows of frames that are all different."""
    known: dict[Frame, int] = {}
    inner, outer = np.full((2, len(stacks)), UNKNOWN, dtype=np.int64)
    for row, stack in enumerate(stacks):
        user = centre.frames.of(stack)
        if user:
            inner[row] = known.setdefault(user[0], len(known))
            of_loop = (
                each for each in reversed(user) if loop and (each.path, each.function) == (loop.path, loop.function)
            )
            frame = next(of_loop, None)
            outer[row] = UNKNOWN if frame is None else known.setdefault(frame, len(known))
    return inner, outer, list(known)


def _stood(stands: Stands, duration_ps: int) -> tuple[Int64, Int64, Int64]:
    """From when to when the thread stood on which stack, without what is not known; no span is empty."""
    times = np.clip(stands.start_ps, 0, None)
    start_ps: Int64 = distinct_values(times[times < duration_ps])
    end_ps = np.append(start_ps[1:], duration_ps)[: len(start_ps)]
    stack = stands.at(start_ps)
    known = np.flatnonzero(stack != UNKNOWN)
    return start_ps[known], end_ps[known], stack[known]


def _begins(value: Int64, end_ps: Int64, start_ps: Int64) -> tuple[Int64, Int64]:
    """The first and the last row of each run of a value that is known, without a pause in it."""
    if not len(value):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    begins = np.append(True, (value[1:] != value[:-1]) | (start_ps[1:] != end_ps[:-1]))
    first = np.flatnonzero(begins)
    last = np.append(first[1:], len(value)) - 1
    known = value[first] != UNKNOWN
    return first[known], last[known]


def _names(names: SliceNames, frames: Sequence[Frame], *, is_exact: bool) -> Int32:
    mark = "" if is_exact else ESTIMATED_MARK
    return np.array([names.add(f"{mark}{line_name(frame)}") for frame in frames], dtype=np.int32)


def line_name(frame: Frame) -> str:
    """``train.py:41 train``."""
    return f"{posixpath.basename(frame.path.replace(chr(92), '/'))}:{frame.line} {frame.function}"
