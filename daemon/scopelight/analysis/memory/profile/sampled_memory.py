"""Memories over time from samples of a running script: its process, and devices whose backend tells what is in use."""

from collections.abc import Sequence

import attrs
import numpy as np

from scopelight.analysis.memory.profile.allocator_memory import last_greatest, step_at
from scopelight.analysis.memory.profile.box_filter import greatest_of_boxes
from scopelight.analysis.memory.profile.records import MemoryKind, MemoryRecord, MemorySample, MemoryStep
from scopelight.formats.columns import Bool
from scopelight.model.memory.recorded import MemoryReadings

PROCESS = "process"


def sampled_memories(
    readings: MemoryReadings,
    origin_ns: int,
    steps: Sequence[MemoryStep],
    window_ns: tuple[int, int | None] | None = None,
) -> list[MemoryRecord]:
    """A record for each device that told, and one for the process.

    Times count from ``origin_ns``. Peaks are those of all samples, and those of the window are of ``window_ns``, from
    its first nanosecond to its last, which may be open.
    """
    names = dict.fromkeys(name for reading in readings.readings for name in reading.devices)
    clock = _Clock(origin_ns, steps, window_ns)
    found = [_of_device(readings, name, clock) for name in names]
    process = _of_process(readings, clock)
    return [*found, *([process] if process is not None else [])]


@attrs.frozen(eq=False, repr=False)
class _Clock:
    """What times count from and are compared with."""

    origin_ns: int
    steps: Sequence[MemoryStep]
    window_ns: tuple[int, int | None] | None

    def time_ps(self, time_ns: int) -> int:
        return (time_ns - self.origin_ns) * 1000

    def sample(
        self, time_ns: int, used_bytes: int, limit_bytes: int | None, largest_free_bytes: int | None = None
    ) -> MemorySample:
        """What a memory of ``limit_bytes`` held at a time."""
        time_ps = self.time_ps(time_ns)
        free_bytes = None if limit_bytes is None else max(0, limit_bytes - used_bytes)
        ratio = None
        if free_bytes and largest_free_bytes is not None:
            ratio = min(1.0, max(0.0, 1 - largest_free_bytes / free_bytes))
        return MemorySample(time_ps, None, used_bytes, free_bytes, ratio, step=step_at(self.steps, time_ps))

    def in_window(self, samples: Sequence[MemorySample]) -> Bool:
        """Which samples were taken in the window, bool[n]; none where no window is known."""
        if self.window_ns is None:
            return np.zeros(len(samples), np.bool_)
        first_ns, last_ns = self.window_ns
        times = np.array([sample.time_ps for sample in samples], dtype=np.int64)
        found = times >= self.time_ps(first_ns)
        if last_ns is not None:
            found &= times <= self.time_ps(last_ns)
        return found


def _of_device(readings: MemoryReadings, name: str, clock: _Clock) -> MemoryRecord:
    told = [(reading.time_ns, reading.devices[name]) for reading in readings.readings if name in reading.devices]
    samples = [
        clock.sample(time_ns, memory.bytes_in_use, memory.bytes_limit, memory.largest_free_block_bytes)
        for time_ns, memory in told
    ]
    last = told[-1][1]
    platform, _, ordinal = name.partition(":")
    shown = f"{platform.upper()} {ordinal}"
    return _record(name, shown, "accelerator", samples, clock, last.bytes_limit, last.peak_bytes_in_use)


def _of_process(readings: MemoryReadings, clock: _Clock) -> MemoryRecord | None:
    total = readings.machine_bytes
    samples = [
        clock.sample(reading.time_ns, reading.resident_bytes, total)
        for reading in readings.readings
        if reading.resident_bytes is not None
    ]
    return _record(PROCESS, "Process", "process", samples, clock, total, None) if samples else None


def _record(
    identifier: str,
    name: str,
    kind: MemoryKind,
    samples: Sequence[MemorySample],
    clock: _Clock,
    capacity_bytes: int | None,
    told_peak_bytes: int | None,
) -> MemoryRecord:
    usage = np.array([sample.heap_bytes for sample in samples], dtype=np.int64)
    row = last_greatest(usage)
    counted = np.where(clock.in_window(samples), usage, -1)
    in_window = last_greatest(counted)
    is_in_window = bool(counted[in_window] >= 0)
    return MemoryRecord(
        id=identifier,
        name=name,
        kind=kind,
        source="samples",
        capacity_bytes=capacity_bytes,
        peak_bytes=int(usage[row]),
        peak_ps=samples[row].time_ps,
        window_peak_bytes=int(usage[in_window]) if is_in_window else None,
        window_peak_ps=samples[in_window].time_ps if is_in_window else None,
        lifetime_peak_bytes=max(told_peak_bytes or 0, int(usage.max())),
        samples=tuple(samples[each] for each in greatest_of_boxes(usage).tolist()),
        breakdown=(),
        steps=tuple(clock.steps),
        sample_count=len(samples),
    )
