"""Step time: how long a step takes, and what the wall clock of it went to."""

import numpy as np

from scopelight.analysis.device_time.busy import busy_spans, covered_ps, without
from scopelight.analysis.records import StepTimeRecord
from scopelight.analysis.steps.steps import Steps
from scopelight.model.profile import Profile, Spans


def step_time(profile: Profile, steps: Steps) -> StepTimeRecord:
    """Split the wall clock of the steps, or of the whole window where there are none."""
    start_ps, end_ps = steps.start_ps, steps.start_ps + steps.duration_ps
    if not len(steps):
        start_ps, end_ps = np.zeros(1, dtype=np.int64), np.full(1, profile.duration_ps, dtype=np.int64)
    nothing = Spans(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    busy_ps = compiling_ps = 0
    devices = np.flatnonzero(np.bincount(profile.executions.device)).tolist()
    for device in devices:
        busy = busy_spans(profile, device)
        compiling = without(profile.compiling or nothing, busy)
        busy_ps += int(covered_ps(busy, start_ps, end_ps).sum())
        compiling_ps += int(covered_ps(compiling, start_ps, end_ps).sum())
    windows = len(start_ps)
    mean_ps = int((end_ps - start_ps).sum()) // windows
    busy_ps //= windows * max(1, len(devices))
    compiling_ps //= windows * max(1, len(devices))
    return StepTimeRecord(
        steps=len(steps),
        median_ps=steps.median_ps,
        least_ps=int(steps.duration_ps.min()) if len(steps) else None,
        greatest_ps=int(steps.duration_ps.max()) if len(steps) else None,
        mean_ps=mean_ps,
        busy_ps=busy_ps,
        compiling_ps=compiling_ps,
        waiting_ps=max(0, mean_ps - busy_ps - compiling_ps),
    )
