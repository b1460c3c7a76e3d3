"""One memory over time and at its peak, from what its allocator recorded of every allocation.

The figures are those of XProf's memory profile: usage is stack and heap, the peak the last of the greatest usages, the
capacity what is used and free there. A deallocation is of the last allocation at its address.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

import attrs
import numpy as np

from scopelight.analysis.memory.profile.box_filter import greatest_of_boxes
from scopelight.analysis.memory.profile.records import (
    MemoryBreakdownRow,
    MemoryRecord,
    MemorySample,
    MemoryStep,
)
from scopelight.findings import Finding, note, warning
from scopelight.formats.columns import Int64
from scopelight.model.memory.recorded import AllocatorEvents

OTHERS = note("other-allocations")
"""What was in the heap at the peak and not seen being allocated: it was there before the profile began."""
STACK = note("stack-of-programs")
"""What programs had reserved at the peak."""


@attrs.frozen(eq=False, repr=False)
class AtThePeak:
    """The last of the greatest usages of an allocator: its row, time and bytes."""

    row: int
    time_ps: int
    stack_bytes: int
    heap_bytes: int
    capacity_bytes: int | None

    @property
    def usage_bytes(self) -> int:
        """All that is in use."""
        return self.stack_bytes + self.heap_bytes


def allocator_memory(
    events: AllocatorEvents, steps: Sequence[MemoryStep], name: str
) -> tuple[MemoryRecord, Sequence[Finding]]:
    """The record of a memory whose allocator recorded at least one event, and findings about it."""
    usage = usage_bytes(events)
    peak = at_the_peak(events, usage)
    cause = _causes(events)
    kept = greatest_of_boxes(usage)
    breakdown, findings = _breakdown(events, peak, name)
    reported = int(events.peak_bytes.max())
    record = MemoryRecord(
        id=events.id,
        name=name,
        kind=events.kind,
        source="allocator events",
        capacity_bytes=peak.capacity_bytes,
        peak_bytes=peak.usage_bytes,
        peak_ps=peak.time_ps,
        window_peak_bytes=peak.usage_bytes,
        window_peak_ps=peak.time_ps,
        # A TPU's allocator leaves the stack out of the peak that it reports.
        lifetime_peak_bytes=max(reported, peak.usage_bytes) if reported >= 0 else None,
        samples=_samples(events, kept, cause, steps),
        breakdown=breakdown,
        steps=tuple(steps),
        sample_count=len(events),
    )
    return record, findings


def usage_bytes(events: AllocatorEvents) -> Int64:
    """What is in use after each event, int64[n]."""
    return np.maximum(events.stack_bytes, 0) + np.maximum(events.heap_bytes, 0)


def last_greatest(usage: Int64) -> int:
    """The row of the peak: of equal ones the last."""
    return len(usage) - 1 - int(np.argmax(usage[::-1]))


def at_the_peak(events: AllocatorEvents, usage: Int64) -> AtThePeak:
    """The peak of events, of which there is at least one."""
    row = last_greatest(usage)
    free = int(events.free_bytes[row])
    return AtThePeak(
        row=row,
        time_ps=int(events.time_ps[row]),
        stack_bytes=max(0, int(events.stack_bytes[row])),
        heap_bytes=max(0, int(events.heap_bytes[row])),
        capacity_bytes=int(usage[row]) + free if free >= 0 else None,
    )


def _causes(events: AllocatorEvents) -> Int64:
    """By event the row of the allocation that it is of: its own, or of a deallocation the one before at its address.

    -1 for a deallocation of what was allocated before the profile began.
    """
    rows = np.arange(len(events), dtype=np.int64)
    cause = np.where(events.is_allocation, rows, -1)
    order = np.lexsort((rows, events.address))
    before, after = order[:-1], order[1:]
    freed = (
        (events.address[before] == events.address[after]) & events.is_allocation[before] & ~events.is_allocation[after]
    )
    cause[after[freed]] = before[freed]
    return cause


def _alive(events: AllocatorEvents, peak: AtThePeak) -> Int64:
    """Rows of the allocations that were seen and lived at the peak; of several at one address the last."""
    until = int(np.searchsorted(events.time_ps, peak.time_ps, side="right"))
    order = np.lexsort((np.arange(until), events.address[:until]))
    address = events.address[:until][order]
    is_last = np.append(address[1:] != address[:-1], True) if until else np.zeros(0, np.bool_)
    last = order[is_last]
    return np.sort(last[events.is_allocation[last]])


def _breakdown(
    events: AllocatorEvents, peak: AtThePeak, name: str
) -> tuple[tuple[MemoryBreakdownRow, ...], Sequence[Finding]]:
    merged: dict[tuple[object, ...], MemoryBreakdownRow] = {}
    for row in _alive(events, peak).tolist():
        each = _row(events, row)
        key = (each.op, each.bytes, each.requested_bytes, each.region, each.data_type, each.shape)
        known = merged.get(key)
        merged[key] = each if known is None else attrs.evolve(known, count=known.count + 1)
    rows = [_times(row, row.count) for row in merged.values()]
    left = peak.heap_bytes - sum(row.bytes for row in rows)
    findings = []
    if left < 0:
        findings.append(warning("allocations-not-told-apart", memory=name))
        rows, left = [], peak.heap_bytes
    if left:
        rows.append(MemoryBreakdownRow("", left, region="persist/dynamic", findings=(OTHERS,)))
    if peak.stack_bytes:
        rows.append(MemoryBreakdownRow("", peak.stack_bytes, region="stack", findings=(STACK,)))
    return tuple(sorted(rows, key=most_bytes_first)), findings


def most_bytes_first(row: MemoryBreakdownRow) -> tuple[object, ...]:
    """Orders the rows of a breakdown."""
    return (
        -row.bytes,
        -(row.requested_bytes or 0),
        row.op,
        row.region or "",
        row.data_type or "",
        row.shape or "",
        row.path or "",
        row.line or 0,
    )


def _row(events: AllocatorEvents, row: int) -> MemoryBreakdownRow:
    requested = int(events.requested_bytes[row])
    return MemoryBreakdownRow(
        op=events.op[row] or "",
        bytes=max(0, int(events.allocated_bytes[row])),
        requested_bytes=requested if requested >= 0 else None,
        region=events.region[row] or None,
        data_type=data_type_name(int(events.data_type[row])),
        shape=events.shape[row] or None,
    )


def _times(row: MemoryBreakdownRow, count: int) -> MemoryBreakdownRow:
    requested = None if row.requested_bytes is None else row.requested_bytes * count
    return attrs.evolve(row, bytes=row.bytes * count, requested_bytes=requested)


def _samples(
    events: AllocatorEvents, kept: Int64, cause: Int64, steps: Sequence[MemoryStep]
) -> tuple[MemorySample, ...]:
    samples = []
    for row in kept.tolist():
        ratio = float(events.fragmentation_ratio[row])
        of = int(cause[row])
        time_ps = int(events.time_ps[row])
        samples.append(
            MemorySample(
                time_ps=time_ps,
                stack_bytes=_known(events.stack_bytes, row),
                heap_bytes=max(0, int(events.heap_bytes[row])),
                free_bytes=_known(events.free_bytes, row),
                fragmentation_ratio=ratio if ratio == ratio and 0 <= ratio <= 1 else None,  # noqa: PLR0124 (not NaN)
                activity="allocation" if events.is_allocation[row] else "deallocation",
                requested_bytes=_known(events.requested_bytes, row if of < 0 else of),
                allocated_bytes=_known(events.allocated_bytes, row if of < 0 else of),
                step=step_at(steps, time_ps),
                op=(events.op[of if of >= 0 else row]) or None,
                region=(events.region[of] or None) if of >= 0 else None,
                data_type=data_type_name(int(events.data_type[of])) if of >= 0 else None,
                shape=(events.shape[of] or None) if of >= 0 else None,
            )
        )
    return tuple(samples)


def _known(column: Int64, row: int) -> int | None:
    value = int(column[row])
    return value if value >= 0 else None


def step_at(steps: Sequence[MemoryStep], time_ps: int) -> str | None:
    """The name of the step that goes on at a time; None outside of them. ``steps`` are in the order of time."""
    at = bisect_right(steps, time_ps, key=lambda step: step.start_ps)
    return steps[at - 1].name if at and time_ps < steps[at - 1].end_ps else None


_FROM_ONE: Final = (
    *("float", "double", "int32", "uint8", "int16", "int8", "string", "complex64", "int64", "bool", "qint8", "quint8"),
    *("qint32", "bfloat16", "qint16", "quint16", "uint16", "complex128", "half", "resource", "variant", "uint32"),
    *("uint64", "float8_e5m2", "float8_e4m3fn"),
)
_NAMES: Final = {**dict(enumerate(_FROM_ONE, 1)), 29: "int4", 30: "uint4"}
"""Of the data types of TensorFlow (``types.proto``), whose numbers profiles have."""
_REFERENCE: Final = 100
"""Added to the number of a type for a reference to it."""


def data_type_name(number: int) -> str | None:
    """The name of a data type; None for 0 or less, which say nothing, and for numbers that are not known."""
    if number > _REFERENCE:
        name = _NAMES.get(number - _REFERENCE)
        return f"{name}_ref" if name else None
    return _NAMES.get(number)
