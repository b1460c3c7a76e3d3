"""What of a timeline needs the whole profile: derived tracks, steps, overview, and the colours of stored lanes."""

from collections.abc import Sequence

import numpy as np

from scopelight.analysis.device_time.overlap import AsyncSpans, async_spans, overlap
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.timeline.colours import op_colours
from scopelight.analysis.timeline.timeline import Derived
from scopelight.analysis.timeline.track import Track
from scopelight.analysis.timeline.tracks.device import DeviceOfTimeline
from scopelight.analysis.timeline.tracks.in_jax import OpsInJax
from scopelight.analysis.timeline.tracks.lane_executions import LaneExecutions
from scopelight.analysis.timeline.tracks.lines import LinesOfThread, lines_tracks
from scopelight.analysis.timeline.tracks.ops import async_tracks, ops_of_streams_track, ops_track, thread_tracks
from scopelight.analysis.timeline.tracks.overview import busy_ratios, steps_record
from scopelight.analysis.timeline.tracks.scopes import scopes_tracks
from scopelight.analysis.timeline.tracks.spans import FREE_TIME, modules_track, overlap_tracks, steps_track
from scopelight.analysis.timeline.tracks.stored_lanes import StoredColours, works_of_slices
from scopelight.analysis.totals.centre import centre_of
from scopelight.analysis.totals.frames import LineOptions
from scopelight.model.executions import Device
from scopelight.model.profile import Profile
from scopelight.model.slices import Lane, Section, Slices

_SCOPES_LINES = "Name Scope"
"""How lines of nested scopes are called; those of framework ops and sources are flat."""


def derive(slices: Slices, profile: Profile, options: LineOptions | None = None) -> Derived:
    """Make what the profile does not store of what it means; ``options`` say which frames are the user's.

    A device that records its steps, program runs, ops, asynchronous ops or scopes keeps them as they are. Ops and
    threads are made when they are first asked for, all else at once.
    """
    centre = centre_of(profile, options)
    steps, executions = centre.steps, profile.executions
    of_lanes = LaneExecutions(executions, slices.names)
    colours = op_colours(centre)
    devices = [
        DeviceOfTimeline(profile, device, _section(slices, executions.devices[device]), slices.names, colours)
        for device in np.flatnonzero(np.bincount(executions.device, minlength=len(executions.devices))).tolist()
    ]
    tracks = {device.device: _tracks(device, slices, steps, of_lanes) for device in devices}
    lines: list[LinesOfThread] = []
    hosts: set[int] = set()
    for device in devices:
        # What a host did is shown once, beside the first of its devices: there one sees what that waited for.
        host = executions.devices[device.device].host
        lines.extend(lines_tracks(device, centre) if host not in hosts else ())
        hosts.add(host)
    return Derived(
        tracks=[*(track for each in tracks.values() for track in each), *(each.track for each in lines)],
        lines={each.track.id: each for each in lines},
        gaps={track.id: device for device, each in tracks.items() for track in each if track.name == FREE_TIME},
        steps=steps_record(steps),
        busy={device.section.id: busy_ratios(profile, device.device) for device in devices},
        colours=StoredColours(slices, devices, of_lanes).of_lane,
        executions=of_lanes,
        in_jax=OpsInJax(centre),
    )


def _section(slices: Slices, device: Device) -> Section:
    """The section of a device; a new one where no plane is its own, as of XLA:CPU."""
    for section in slices.sections:
        if section.kind == "device" and (section.host, section.plane) == (device.host, device.name):
            return section
    shown = device.name.removeprefix("/device:")
    host = next((each for each in slices.sections if each.kind == "host" and each.host == device.host), None)
    of_host = host.id.removeprefix("host:").removesuffix(host.plane) if host is not None else ""
    name = f"{shown} · {of_host}" if of_host else shown
    return Section(f"device:{of_host}{device.name}", name, "device", device.host, device.name)


def _tracks(of: DeviceOfTimeline, slices: Slices, steps: Steps, of_lanes: LaneExecutions) -> list[Track]:
    stored = [lane for lane in slices.lanes if slices.sections[lane.section] is of.section]
    kinds = {lane.kind for lane in stored if lane.kind != "scopes" or lane.name.endswith(_SCOPES_LINES)}
    tracks = overlap_tracks(of, overlap(of.executions, of.device, of.profile.duration_ps, _recorded(of, stored)))
    if "steps" not in kinds and len(steps):
        tracks.append(steps_track(of, steps))
    if "modules" not in kinds and (of.profile.runs.device == of.device).any():
        tracks.append(modules_track(of))
    if "scopes" not in kinds:
        tracks.extend(scopes_tracks(of))
    if "async" not in kinds:
        tracks.extend(async_tracks(of))
    if "ops" not in kinds:
        tracks.append(ops_of_streams_track(of) if "stream" in kinds else ops_track(of))
    if not stored:
        tracks.extend(thread_tracks(of, slices.lanes, of_lanes))
    return tracks


def _recorded(of: DeviceOfTimeline, stored: Sequence[Lane]) -> AsyncSpans | None:
    """When a device's asynchronous ops went on, None where it does not record them."""
    lanes = [lane.slices() for lane in stored if lane.kind == "async"]
    if not lanes:
        return None
    return async_spans(
        np.concatenate([works_of_slices(lane, of.names, of.executions) for lane in lanes]),
        np.concatenate([lane.start_ps for lane in lanes]),
        np.concatenate([lane.duration_ps for lane in lanes]),
    )
