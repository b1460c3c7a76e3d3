"""What was read of a host's resources, told over the steps of a profile."""

from collections.abc import Iterator

import attrs
import numpy as np

from scopelight.analysis.host.resources.advice import advice_for
from scopelight.analysis.host.resources.names import with_names_of_python
from scopelight.analysis.host.resources.records import ResourcesRecord, ResourceStep
from scopelight.analysis.host.resources.rows import Rows
from scopelight.analysis.host.resources.series import all_series
from scopelight.analysis.host.resources.spans import Spans, spans_of
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.analysis.totals.frames import LineOptions
from scopelight.findings import PROFILE_SCRIPT, Action, Finding, empty, note
from scopelight.formats.columns import distinct_values
from scopelight.model.host.resources import HostResources
from scopelight.model.profile import Profile

_SET_PERIOD = Action("set-resources-period")
_LEAST_PERIODS = 2
"""Readings in a step, or in all of them, below which means over it say little."""


def resources_record(
    profile: Profile,
    line_options: LineOptions | None = None,
    *,
    empty_gets_ratio: float | None = None,
    input_ratio: float | None = None,
) -> ResourcesRecord:
    """What the machine, the script's processes and threads, and accelerators did.

    ``empty_gets_ratio`` is the share of the gets from the queues of its input that found them empty, ``input_ratio``
    that of the steps for which devices wait for it, where that is known: advice on workers rests on them.
    """
    read = profile.resources()
    if read is None:
        return ResourcesRecord(findings=(_why_none(profile), *profile.findings))
    centre = centre_of(profile, line_options)
    if len(distinct_values(read.readings_ns)) < 2:
        return ResourcesRecord(findings=(empty("resources-too-few", PROFILE_SCRIPT), *read.findings, *profile.findings))
    read = with_names_of_python(read, profile)
    spans = spans_of(profile, centre.steps, read.readings_ns)
    rows = Rows(read, spans)
    whole_ns = int(read.readings_ns[-1] - read.readings_ns[0])
    record = ResourcesRecord(
        cores=read.cores,
        usable_cores=read.usable_cores,
        memory_bytes=read.memory_bytes,
        readings=len(read),
        period_ps=_period_ps(read, spans),
        reading_ratio=read.cost_ns / whole_ns if whole_ns and read.cost_ns else None,
        span=spans.chosen,
        span_ps=rows.span_ps,
        window_ps=profile.duration_ps if len(spans.window) else None,
        edges_ps=tuple(map(spans.relative_ps, spans.edges_ns.tolist())),
        series=all_series(read, spans),
        steps=_steps(spans),
        processes=rows.processes(),
        threads=rows.threads(),
        devices=rows.devices(),
    )
    findings = (
        *_how_to_read(profile, read, spans, record),
        *read.findings,
        *profile.findings,
        *advice_for(record, empty_gets_ratio, _idle_device_ratio(centre), input_ratio),
    )
    return attrs.evolve(record, findings=findings)


def _why_none(profile: Profile) -> Finding:
    capture = profile.capture
    if capture is None:
        return empty("resources-of-another", PROFILE_SCRIPT)
    if capture.source is not None and capture.source.kind == "server":
        return empty("resources-of-server", PROFILE_SCRIPT)
    return empty("resources-not-read" if not capture.reads_resources else "resources-older-run", PROFILE_SCRIPT)


def _period_ps(read: HostResources, spans: Spans) -> int | None:
    """The median between two readings, of those in the window where there are enough."""
    times_ns = read.readings_ns
    if len(spans.window):
        first, last = np.searchsorted(times_ns, [spans.window.from_ns[0], spans.window.to_ns[0]])
        inside = times_ns[max(0, int(first) - 1) : int(last) + 1]
        times_ns = inside if len(inside) > 1 else times_ns
    return int(np.median(np.diff(times_ns))) * 1000


def _steps(spans: Spans) -> tuple[ResourceStep, ...]:
    ends = zip(spans.all_steps.from_ns.tolist(), spans.all_steps.to_ns.tolist(), strict=True)
    return tuple(
        ResourceStep(str(number), spans.relative_ps(from_ns), spans.relative_ps(to_ns))
        for number, (from_ns, to_ns) in enumerate(ends, 1)
    )


def _how_to_read(profile: Profile, read: HostResources, spans: Spans, record: ResourcesRecord) -> Iterator[Finding]:
    if profile.started_ns is None:
        yield note("resources-without-clock")
    elif not len(spans.window):
        yield note("resources-outside-window")
    least_ps = _LEAST_PERIODS * (record.period_ps or 0)
    if record.span == "steps" and record.span_ps < least_ps:
        yield note("resources-short-span", _SET_PERIOD, period_ps=record.period_ps, span_ps=record.span_ps)
    elif record.steps and any(each.step_values for each in record.series):
        durations_ps = [each.end_ps - each.start_ps for each in record.steps]
        if int(np.median(durations_ps)) < least_ps:
            # The mean, which is what a step takes wherever else it is told.
            yield note("resources-coarse", _SET_PERIOD, period_ps=record.period_ps, step_ps=int(np.mean(durations_ps)))
    if not read.threads:
        yield note("resources-threads-unknown")
    backend = profile.capture.backend if profile.capture is not None else None
    if backend == "tpu" and not any(each.kind == "tpu" for each in read.devices):
        yield note("resources-tpu-unknown")
    if backend in ("gpu", "cuda", "rocm") and not any(each.kind == "gpu" for each in read.devices):
        yield note("resources-gpu-unknown")


def _idle_device_ratio(centre: Centre) -> float | None:
    """The share of the wall clock that devices were idle; None where that is not known."""
    wall = centre.scoped("steps").wall
    return wall.idle_ps / wall.wall_ps if wall is not None and wall.wall_ps else None
