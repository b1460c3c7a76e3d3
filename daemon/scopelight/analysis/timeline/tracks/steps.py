"""The tracks of steps and of program runs, for a device whose profile does not record them."""

from typing import Final

import numpy as np

from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.timeline.timeline import Track
from scopelight.analysis.timeline.tracks.device import DeviceOfTimeline
from scopelight.findings import note
from scopelight.model.slices import lane_slices

_STEP: Final = note("track-steps")
_RUN: Final = note("track-program-runs")


def steps_track(of: DeviceOfTimeline, steps: Steps) -> Track:
    """The complete steps, numbered from 1 as the ruler numbers them."""
    name = np.array([of.names.add(f"step {number + 1}") for number in range(len(steps))], dtype=np.int32)
    slices = lane_slices(name, steps.start_ps, steps.duration_ps)
    return of.plain_track("Steps", "steps", len(slices), _STEP, lambda: slices, "other")


def modules_track(of: DeviceOfTimeline) -> Track:
    """The runs of programs on the device, named after the programs."""
    runs = of.profile.runs
    rows = np.flatnonzero(runs.device == of.device)
    programs = of.executions.programs
    name = np.array([of.names.add(each.name or each.program_id or "unknown program") for each in programs], np.int32)
    slices = lane_slices(name[runs.program[rows]], runs.start_ps[rows], runs.duration_ps[rows])
    return of.plain_track("Modules", "modules", len(slices), _RUN, lambda: slices, "other")
