"""A short trace of a job as one reading of it."""

from typing import Literal

import attrs
import numpy as np

from scopelight.analysis.device_time.busy import busy_spans, covered_ps
from scopelight.analysis.monitoring.infeed import infeed_shares
from scopelight.analysis.monitoring.records import JobReading
from scopelight.analysis.steps.steps import Steps, find_steps
from scopelight.findings import note
from scopelight.model.profile import Profile

MonitorLevel = Literal[1, 2]


def read_job(
    profile: Profile, address: str, time_ns: int, level: MonitorLevel, traced_ps: int | None = None
) -> JobReading:
    """The reading of a trace, which need hold no programs: what ran, and when.

    ``traced_ps`` is how long was traced, where that is known: a trace itself begins and ends with what it saw.
    """
    executions = profile.executions
    if not len(executions):
        return JobReading(address, time_ns, findings=(note("monitor-nothing-ran"),))
    steps = find_steps(profile)
    first_ps, last_ps = _span(profile, steps, traced_ps)
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
        step_basis="traced",
        step_range_basis="traced",
    )
    waits = infeed_shares(profile, steps)
    if waits is None:
        return attrs.evolve(timed, findings=(note("monitor-without-infeed"),))
    return attrs.evolve(
        timed,
        infeed_avg_ratio=float(waits.ratios.mean()),
        infeed_min_ratio=float(waits.ratios.min()),
        infeed_max_ratio=float(waits.ratios.max()),
        infeed_basis=waits.basis,
    )


def _span(profile: Profile, steps: Steps, traced_ps: int | None) -> tuple[int, int]:
    """From the first complete step to the end of the last; without steps all that was traced."""
    if not len(steps):
        return 0, max(1, profile.duration_ps, traced_ps or 0)
    return int(steps.start_ps[0]), int(steps.start_ps[-1] + steps.duration_ps[-1])
