"""A short trace of a job as one reading of it."""

import re
from typing import Final, Literal

import attrs
import numpy as np

from scopelight.analysis.device_time.busy import busy_spans, covered_ps
from scopelight.analysis.monitoring.records import JobReading
from scopelight.analysis.steps.steps import Steps, find_steps
from scopelight.findings import note
from scopelight.formats.columns import Float64
from scopelight.model.profile import Profile
from scopelight.model.spans import Spans, merge_spans

MonitorLevel = Literal[1, 2]

_INFEED: Final = re.compile(r"infeed(?![a-z])", re.IGNORECASE)


def read_job(profile: Profile, address: str, time_ns: int, level: MonitorLevel) -> JobReading:
    """The reading of a trace that holds no programs: what ran, and when."""
    executions = profile.executions
    if not len(executions):
        return JobReading(address, time_ns, findings=(note("monitor-nothing-ran"),))
    steps = find_steps(profile)
    first_ps, last_ps = _span(profile, steps)
    devices = range(len(executions.devices))
    bounds = np.array([first_ps]), np.array([last_ps])
    busy_ps = sum(int(covered_ps(busy_spans(executions, each), *bounds)[0]) for each in devices)
    utilisation_ratio = busy_ps / ((last_ps - first_ps) * len(devices))
    plain = JobReading(
        address,
        time_ns,
        span_ps=last_ps - first_ps,
        device_type=executions.devices[0].kind,
        utilisation_ratio=utilisation_ratio,
        utilisation_basis="device-busy",
    )
    if level == 1:
        return plain
    plain = attrs.evolve(plain, idle_ratio=1 - utilisation_ratio, cores=len(devices), steps=len(steps))
    if not len(steps):
        return attrs.evolve(plain, findings=(steps.why_none,) if steps.why_none is not None else ())
    durations_ps = np.diff(steps.start_ps) if len(steps) > 1 else steps.duration_ps
    timed = attrs.evolve(
        plain,
        step_avg_ps=float(durations_ps.mean()),
        step_min_ps=float(durations_ps.min()),
        step_max_ps=float(durations_ps.max()),
    )
    infeed = _infeed_ratios(profile, steps)
    if infeed is None:
        return attrs.evolve(timed, findings=(note("monitor-without-infeed"),))
    return attrs.evolve(
        timed,
        infeed_avg_ratio=float(infeed.mean()),
        infeed_min_ratio=float(infeed.min()),
        infeed_max_ratio=float(infeed.max()),
    )


def _span(profile: Profile, steps: Steps) -> tuple[int, int]:
    """From the first complete step to the end of the last; without steps all that was traced."""
    if not len(steps):
        return 0, max(1, profile.duration_ps)
    return int(steps.start_ps[0]), int(steps.start_ps[-1] + steps.duration_ps[-1])


def _infeed_ratios(profile: Profile, steps: Steps) -> Float64 | None:
    """By step; None where no device has an infeed: how it is fed is then not seen on it."""
    executions = profile.executions
    feeding = [row for row, op in enumerate(executions.ops) if _INFEED.match(op.name) or op.category == "infeed"]
    if not feeding:
        return None
    rows = np.flatnonzero(np.isin(executions.op, feeding))
    waited_ps = np.zeros(len(steps), dtype=np.int64)
    for device in range(len(executions.devices)):
        own = rows[executions.device[rows] == device]
        spans: Spans = merge_spans(executions.start_ps[own], executions.start_ps[own] + executions.duration_ps[own])
        waited_ps += covered_ps(spans, steps.start_ps, steps.start_ps + steps.duration_ps)
    return waited_ps / (steps.duration_ps * len(executions.devices))
