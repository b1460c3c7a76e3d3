"""Tracks of spans: steps, program runs, and the rows of overlap (computation, communication, transfers, free time)."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from scopelight.analysis.device_time.free_time import FreeTime, free_parts
from scopelight.analysis.device_time.overlap import Overlap
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.timeline.colours import Colours, colour
from scopelight.analysis.timeline.records import SliceColour, TrackKind
from scopelight.analysis.timeline.track import Track
from scopelight.analysis.timeline.tracks.device import DeviceOfTimeline
from scopelight.findings import Finding, note
from scopelight.formats.columns import Int32, Int64
from scopelight.model.slices import LaneSlices, lane_slices
from scopelight.model.spans import Spans

_COMPUTATION: Final = note("track-computation")
_COMMUNICATION: Final = note("track-communication")
_PURE: Final = note("track-pure-communication")
_TRANSFERS: Final = note("track-transfers")
_FREE: Final = note("track-free-time")
_FREE_TIME: Final[Mapping[FreeTime, tuple[str, SliceColour]]] = {
    "copy": ("stalled on copies", "transfer"),
    "host": ("stalled on input from the host", "host"),
    "container": ("in a loop, branch or call", "other"),
    "untraced": ("not captured", "idle"),
    "compiling": ("idle while compiling", "idle"),
    "idle": ("idle", "idle"),
}
"""What its kinds are called, and coloured by."""
FREE_TIME: Final = "Free time"
GAPS: Final = tuple(_FREE_TIME[kind][0] for kind in ("idle", "compiling"))
"""What slices of free time are called in which nothing ran at all."""
_STEP: Final = note("track-steps")
_RUN: Final = note("track-program-runs")


def overlap_tracks(of: DeviceOfTimeline, found: Overlap) -> list[Track]:
    """The rows, without those of communication and transfers where there were none.

    The row of communication says which share of it computation hid.
    """
    tracks = [_row(of, "Computation", _COMPUTATION, found.computation, "other")]
    if found.overlap_ratio is not None:
        hidden = f"{round(100 * found.overlap_ratio, 1):g} % hidden"
        tracks.append(_row(of, "Communication", _COMMUNICATION, found.communication, "communication", hidden))
        tracks.append(_row(of, "Pure communication", _PURE, found.pure_communication, "communication"))
    if len(found.transfer.start_ps):
        tracks.append(_row(of, "Transfers", _TRANSFERS, found.transfer, "transfer"))
    tracks.append(_free_time(of, found.free))
    return tracks


def _free_time(of: DeviceOfTimeline, free: Spans) -> Track:
    """The row of free time, whose slices are named after what the device did in it."""
    parts = free_parts(of.profile, of.device, free)
    names = {of.names.add(_FREE_TIME[kind][0]): colour(_FREE_TIME[kind][1]) for kind in parts}
    sizes = [len(spans.start_ps) for spans in parts.values()]
    start_ps = np.concatenate([spans.start_ps for spans in parts.values()])
    order = np.argsort(start_ps, kind="stable")
    start_ps = start_ps[order]
    duration_ps = np.concatenate([spans.duration_ps for spans in parts.values()])[order]
    named = np.repeat(np.array(list(names), dtype=np.int32), sizes)[order]
    del parts, order

    def make() -> LaneSlices:
        return lane_slices(named, start_ps, duration_ps)

    def colours(slices: LaneSlices) -> Colours:
        hues = np.zeros(len(slices), dtype=np.uint8)
        for name, hue in names.items():
            hues[slices.name == name] = hue
        return hues

    return of.track(FREE_TIME, "overlap", len(start_ps), _FREE, make, colours)


def steps_track(of: DeviceOfTimeline, steps: Steps) -> Track:
    """The complete steps, numbered from 1 as the ruler numbers them."""
    name = np.array([of.names.add(f"step {number + 1}") for number in range(len(steps))], dtype=np.int32)
    return _of_spans(of, "Steps", "steps", _STEP, "other", name, steps.start_ps, steps.duration_ps)


def modules_track(of: DeviceOfTimeline) -> Track:
    """The runs of programs on the device, named after the programs."""
    runs, programs = of.profile.runs, of.executions.programs
    rows = np.flatnonzero(runs.device == of.device)
    name = np.array([of.names.add(each.name or each.program_id or "unknown program") for each in programs], np.int32)
    columns = (name[runs.program[rows]], runs.start_ps[rows], runs.duration_ps[rows])
    return _of_spans(of, "Modules", "modules", _RUN, "other", *columns)


def _row(of: DeviceOfTimeline, name: str, meaning: Finding, spans: Spans, hue: SliceColour, remark: str = "") -> Track:
    named = np.full(len(spans.start_ps), of.names.add(name.lower()), dtype=np.int32)
    return _of_spans(of, name, "overlap", meaning, hue, named, spans.start_ps, spans.duration_ps, remark)


def _of_spans(
    of: DeviceOfTimeline,
    name: str,
    kind: TrackKind,
    meaning: Finding,
    hue: SliceColour,
    names: Int32,
    start_ps: Int64,
    duration_ps: Int64,
    remark: str = "",
) -> Track:
    """A track of one colour whose slices are spans; ``names`` are their ids in ``Slices.names``."""

    def colours(slices: LaneSlices) -> Colours:
        return np.full(len(slices), colour(hue), dtype=np.uint8)

    def make() -> LaneSlices:
        return lane_slices(names, start_ps, duration_ps)

    return of.track(name, kind, len(start_ps), meaning, make, colours, remark)
