"""A device of a timeline, made by hand."""

from scopelight.analysis.timeline.colours import op_colours
from scopelight.analysis.timeline.tracks.device import DeviceOfTimeline
from scopelight.analysis.totals.centre import centre_of
from scopelight.model.slices import Section, SliceNames


def device_of(profile, device=0):
    """The device of a made profile in a timeline."""
    name = profile.executions.devices[device].name
    section = Section(f"device:{name}", name.removeprefix("/device:"), "device", 0, name)
    return DeviceOfTimeline(profile, device, section, SliceNames(), op_colours(centre_of(profile)))


def slices_of(of, track):
    """The slices of a track as (name, start_ps, end_ps, depth), in their order."""
    slices = track.lane()
    columns = (slices.name, slices.start_ps, slices.end_ps, slices.depth)
    return [
        (of.names.text(name), start, end, depth)
        for name, start, end, depth in zip(*(column.tolist() for column in columns), strict=True)
    ]
