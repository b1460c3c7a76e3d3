"""A glance of our agent at a job as one reading: a short trace, what it cost, and the steps since the last one."""

from typing import Final

import attrs

from scopelight.analysis.monitoring.reading import read_job
from scopelight.analysis.monitoring.records import JobReading
from scopelight.findings import note
from scopelight.model.profile import Profile

_PS: Final = 1e12


@attrs.frozen
class CountedSteps:
    """The steps that ended since the reading before, by the script's own count."""

    count: int
    seconds: float
    least_seconds: float
    most_seconds: float


def glanced_reading(
    profile: Profile,
    address: str,
    time_ns: int,
    counted: CountedSteps | None,
    *,
    traced_seconds: float,
    pause_seconds: float,
) -> JobReading:
    """The reading of a trace and of what was counted since the reading before."""
    traced = attrs.evolve(
        read_job(profile, address, time_ns, 2, round(traced_seconds * _PS)),
        traced_ps=round(traced_seconds * _PS),
        pause_ps=round(pause_seconds * _PS),
    )
    if counted is None:
        return traced
    reading = with_counted(traced, counted)
    average_seconds = counted.seconds / counted.count
    if reading.steps == 0 and average_seconds > traced_seconds:
        part = note("monitor-part-of-step", traced_ps=reading.traced_ps, step_ps=reading.step_avg_ps)
        # Why the trace has no step is said by that.
        return attrs.evolve(reading, findings=(part,))
    return reading


def with_counted(reading: JobReading, counted: CountedSteps) -> JobReading:
    """A reading whose average is of all steps since the last: of those that were traced more is known of each alone."""
    counts = attrs.evolve(
        reading,
        counted_steps=counted.count,
        counted_ps=round(counted.seconds * _PS),
        step_avg_ps=counted.seconds / counted.count * _PS,
        step_basis="counted",
    )
    if (reading.steps or 0) > 1:
        return counts
    least_ps, most_ps = counted.least_seconds * _PS, counted.most_seconds * _PS
    return attrs.evolve(counts, step_min_ps=least_ps, step_max_ps=most_ps, step_range_basis="counted")


def at_level_1(reading: JobReading) -> JobReading:
    """Without what level 2 tells, and what it has to say of that."""
    codes = ("monitor-without-infeed", "monitor-part-of-step", "no-steps", "no-program-runs")
    return JobReading(
        reading.address,
        reading.time_ns,
        span_ps=reading.span_ps,
        device_type=reading.device_type,
        utilisation_ratio=reading.utilisation_ratio,
        utilisation_basis=reading.utilisation_basis,
        traced_ps=reading.traced_ps,
        pause_ps=reading.pause_ps,
        findings=tuple(each for each in reading.findings if each.code not in codes),
    )
