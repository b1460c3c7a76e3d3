"""What the ruler of steps and the minimap show: complete steps, and how busy each device was over the whole run."""

import numpy as np

from scopelight.analysis.device_time.busy import covered_ps
from scopelight.analysis.device_time.overlap import merged
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.timeline.records import TimelineStepsRecord
from scopelight.model.profile import Profile, Spans

PARTS = 1_000
"""Equal parts of the duration that the overview tells apart."""


def steps_record(steps: Steps) -> TimelineStepsRecord | None:
    """The complete steps, None where there are none."""
    if not len(steps):
        return None
    return TimelineStepsRecord(steps.name, tuple(steps.start_ps.tolist()), tuple(steps.duration_ps.tolist()))


def busy_ratios(profile: Profile, device: int) -> tuple[float, ...]:
    """The busy ratio of a device (a row of ``executions.devices``) in each of `PARTS` equal parts of the profile.

    A profile of fewer picoseconds has fewer parts.
    """
    parts = min(PARTS, profile.duration_ps)
    if parts <= 0:
        return ()
    # In whole picoseconds without the product of two large numbers.
    width, rest = divmod(profile.duration_ps, parts)
    numbers = np.arange(parts + 1, dtype=np.int64)
    edges_ps = numbers * width + numbers * rest // parts
    busy_ps = covered_ps(_busy(profile, device), edges_ps[:-1], edges_ps[1:])
    return tuple((busy_ps / np.diff(edges_ps)).round(6).tolist())


def _busy(profile: Profile, device: int) -> Spans:
    """The same as `busy_spans`, in one pass without copies: the executions may be millions."""
    executions = profile.executions
    rows = slice(*np.searchsorted(executions.device, [device, device + 1]).tolist())
    start_ps, duration_ps, op = executions.start_ps[rows], executions.duration_ps[rows], executions.op[rows]
    every = np.ones(len(executions.ops), dtype=np.bool_)
    return merged(start_ps, duration_ps, op, every, np.zeros(len(op), dtype=np.bool_), profile.duration_ps)
