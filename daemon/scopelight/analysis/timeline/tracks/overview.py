"""What the ruler of steps and the minimap show: complete steps, and how busy each device was over the whole run."""

import numpy as np

from scopelight.analysis.device_time.busy import busy_spans, covered_ps
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.timeline.records import TimelineStepsRecord
from scopelight.model.profile import Profile

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
    busy_ps = covered_ps(busy_spans(profile.executions, device), edges_ps[:-1], edges_ps[1:])
    return tuple((busy_ps / np.diff(edges_ps)).round(6).tolist())
