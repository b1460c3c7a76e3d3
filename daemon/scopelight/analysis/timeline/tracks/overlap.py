"""The rows of overlap of a device: computation, communication, pure communication, transfers and free time."""

from typing import Final

import numpy as np

from scopelight.analysis.device_time.overlap import Overlap
from scopelight.analysis.timeline.records import SliceColour
from scopelight.analysis.timeline.timeline import Track
from scopelight.analysis.timeline.tracks.device import DeviceOfTimeline
from scopelight.findings import Finding, note
from scopelight.model.profile import Spans
from scopelight.model.slices import LaneSlices, lane_slices

_COMPUTATION: Final = note("track-computation")
_COMMUNICATION: Final = note("track-communication")
_PURE: Final = note("track-pure-communication")
_TRANSFERS: Final = note("track-transfers")
_FREE: Final = note("track-free-time")


def overlap_tracks(of: DeviceOfTimeline, found: Overlap) -> list[Track]:
    """The rows, without those of communication and transfers where there were none.

    The row of communication says which share of it computation hid.
    """
    tracks = [_track(of, "Computation", _COMPUTATION, found.computation, "other")]
    if found.overlap_ratio is not None:
        hidden = f"{round(100 * found.overlap_ratio, 1):g} % hidden"
        tracks.append(_track(of, "Communication", _COMMUNICATION, found.communication, "communication", hidden))
        tracks.append(_track(of, "Pure communication", _PURE, found.pure_communication, "communication"))
    if len(found.transfer.start_ps):
        tracks.append(_track(of, "Transfers", _TRANSFERS, found.transfer, "transfer"))
    tracks.append(_track(of, "Free time", _FREE, found.free, "idle"))
    return tracks


def _track(
    of: DeviceOfTimeline, name: str, meaning: Finding, spans: Spans, hue: SliceColour, remark: str = ""
) -> Track:
    named = of.names.add(name.lower())

    def make() -> LaneSlices:
        ids = np.full(len(spans.start_ps), named, dtype=np.int32)
        return lane_slices(ids, spans.start_ps, spans.duration_ps)

    return of.plain_track(name, "overlap", len(spans.start_ps), meaning, make, hue, remark)
