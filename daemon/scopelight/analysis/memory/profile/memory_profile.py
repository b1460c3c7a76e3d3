"""Memory while the script ran: every memory over time and at its peak, snapshots by line, and how it ran out."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from scopelight.analysis.memory.profile.allocator_memory import allocator_memory
from scopelight.analysis.memory.profile.joined_breakdown import PeakJoin
from scopelight.analysis.memory.profile.program_at_peak import ProgramsAtPeaks
from scopelight.analysis.memory.profile.records import (
    MemoryProfileRecord,
    MemoryRecord,
    MemorySample,
    MemorySnapshot,
    MemoryStep,
    OutOfMemoryRecord,
)
from scopelight.analysis.memory.profile.sampled_memory import sampled_memories
from scopelight.analysis.memory.profile.snapshot_lines import snapshot_records
from scopelight.analysis.steps.steps import find_steps
from scopelight.analysis.totals.centre import centre_of
from scopelight.analysis.totals.frames import LineOptions
from scopelight.findings import PROFILE_SCRIPT, Finding, empty, show_view
from scopelight.model.memory.recorded import AllocatorEvents, MemoryReadings
from scopelight.model.profile import Profile
from scopelight.model.run.information import CaptureWindow


def memory_profile(profile: Profile, line_options: LineOptions | None = None) -> MemoryProfileRecord:
    """The memories of ``profile``: those whose allocator recorded every allocation, then those that were sampled.

    A device whose allocator did both is shown by what its allocator recorded. What allocators leave without a name is
    joined with the snapshots and programs of that moment, and says so. Raises `FormatError` where a file of the profile
    cannot be read any more.
    """
    options = line_options or LineOptions()
    centre = centre_of(profile, options)
    steps = _steps(profile)
    readings = profile.memory.readings()
    origin_ns = _origin_ns(profile, readings)
    snapshots, said_of_snapshots = snapshot_records(profile, centre, origin_ns)
    join = PeakJoin(snapshots, ProgramsAtPeaks(profile, options))
    memories: list[MemoryRecord] = []
    findings: list[Finding] = []
    recorded = set()
    kinds = {(device.host, device.ordinal): device.kind.upper() for device in profile.executions.devices}
    for events in profile.memory.allocators():
        record, said = allocator_memory(events, steps, _name(events, kinds))
        memories.append(join.of_allocator(record, events))
        findings.extend(said)
        recorded.add((events.kind, events.ordinal))
    for sampled in sampled_memories(readings, origin_ns or 0, steps, _window_ns(profile)):
        _, _, ordinal = sampled.id.partition(":")
        is_recorded = sampled.kind == "accelerator" and (sampled.kind, _number(ordinal)) in recorded
        if not is_recorded:
            memories.append(join.of_samples(sampled))
    is_empty = not memories and not snapshots
    first_ps = 0 if origin_ns is None or not readings.readings else (readings.readings[0].time_ns - origin_ns) * 1000
    profile_record = MemoryProfileRecord(
        memories=tuple(memories),
        snapshots=snapshots,
        trace_ps=None if profile.started_ns is None else 0,
        out_of_memory=_out_of_memory(profile, options),
        findings=(
            *((_why_empty(profile),) if is_empty else ()),
            *profile.findings,
            *said_of_snapshots,
            *readings.findings,
            *findings,
        ),
    )
    return counted_from_the_first(profile_record, first_ps)


def _out_of_memory(profile: Profile, options: LineOptions) -> OutOfMemoryRecord | None:
    if profile.capture is None or profile.capture.out_of_memory is None:
        return None
    # Few scripts run out of memory, and much is read where one does.
    from scopelight.analysis.memory.out_of_memory.exhaustion import out_of_memory  # noqa: PLC0415

    return out_of_memory(profile, options)


def _origin_ns(profile: Profile, readings: MemoryReadings) -> int | None:
    """What times count from while they are joined, in ns since the epoch: the profile's first event, as its runs do.

    Without a trace the first sample, without samples the first snapshot; None where no time is known.
    """
    if profile.started_ns is not None:
        return profile.started_ns
    taken = [each.taken_ns for each in profile.memory.snapshots if each.taken_ns is not None]
    return readings.readings[0].time_ns if readings.readings else min(taken, default=None)


def _steps(profile: Profile) -> Sequence[MemoryStep]:
    steps = find_steps(profile)
    return tuple(
        MemoryStep(str(number), start, start + duration)
        for number, (start, duration) in enumerate(
            zip(steps.start_ps.tolist(), steps.duration_ps.tolist(), strict=True), 1
        )
    )


def _window_ns(profile: Profile) -> tuple[int, int | None] | None:
    """The time that was captured, in ns since the epoch: the run's window and all events of its trace.

    Without an end where the script's own end closed it, or the script ran out of memory: what came last belongs to it.
    None where nothing says it.
    """
    capture = profile.capture
    window = (capture.window if capture is not None else None) or CaptureWindow()
    starts = [window.started_ns, profile.started_ns]
    events_end = None if profile.started_ns is None else profile.started_ns + -(-profile.duration_ps // 1000)
    first = min((each for each in starts if each is not None), default=None)
    if first is None:
        return None
    ends = [each for each in (window.closed_ns, events_end) if each is not None]
    ran_out = capture is not None and capture.out_of_memory is not None
    is_open = ran_out or window.kind in ("probe", "whole")
    return first, None if is_open else max(ends, default=None)


def _name(events: AllocatorEvents, kinds: Mapping[tuple[int, int], str]) -> str:
    if events.kind == "host":
        return f"Host memory ({events.id})"
    if events.ordinal is None:
        return events.id
    kind = kinds.get((events.host, events.ordinal), "Device")
    of_host = f" of host {events.host}" if events.host else ""
    return f"{kind} {events.ordinal}{of_host}"


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() else None


def _why_empty(profile: Profile) -> Finding:
    if profile.modules and not len(profile.executions):
        return empty("programs-never-ran-no-memory", show_view("memory-viewer"))
    return empty("memory-not-recorded", PROFILE_SCRIPT)


def counted_from_the_first(record: MemoryProfileRecord, first_ps: int) -> MemoryProfileRecord:
    """A record whose times count from the profile's first event, counted from what came first of all.

    ``first_ps`` is the first sample. Without one, and without a snapshot before the profile's first event, nothing
    changes.
    """
    traced = () if record.trace_ps is None else (record.trace_ps,)
    taken = (each.time_ps for each in record.snapshots if each.time_ps is not None)
    told = (sample.time_ps for memory in record.memories for sample in memory.samples[:1])
    origin_ps = min([first_ps, *traced, *taken, *told])
    return _moved(record, origin_ps) if origin_ps else record


def _moved(value: Any, origin_ps: int, name: str = "") -> Any:  # noqa: ANN401 (a record, or what one has in a field)
    """A record with all its times (they are in picoseconds) counted from another origin."""
    if isinstance(value, tuple):
        return tuple(_moved(each, origin_ps) for each in value)
    if isinstance(value, (MemoryProfileRecord, MemoryRecord, MemorySample, MemorySnapshot, MemoryStep)):
        fields = attrs.fields_dict(type(value))
        return attrs.evolve(value, **{each: _moved(getattr(value, each), origin_ps, each) for each in fields})
    return value - origin_ps if name.endswith("_ps") and value is not None else value
