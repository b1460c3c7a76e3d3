"""What was in memory at a peak where nothing recorded names it: joined with the plans of programs and snapshots."""

from collections.abc import Iterable, Sequence

import attrs

from scopelight.analysis.memory.profile.allocator_memory import OTHERS, STACK, most_bytes_first
from scopelight.analysis.memory.profile.program_at_peak import ProgramPlan, ProgramsAtPeaks, row_of_buffer
from scopelight.analysis.memory.profile.records import (
    MemoryBreakdownRow,
    MemoryRecord,
    MemorySnapshot,
    MemorySnapshotRow,
)
from scopelight.analysis.records import place_fields
from scopelight.findings import Finding, note
from scopelight.model.memory.in_use import is_in_main_memory, ordinal_of
from scopelight.model.memory.recorded import AllocatorEvents

REST_OF_PROCESS = note("rest-of-process")
"""What a process has besides the arrays of a snapshot, which does not hold those that were donated."""
REST_WITHOUT_ARGUMENTS = note("rest-of-process-without-arguments")
"""The same where the arguments of the program that ran have rows of their own."""
ALL_WITHOUT_SNAPSHOT = note("all-of-process-without-snapshot")
ALL_OF_LESS = note("all-of-process-of-less")
"""Of the arrays of such a snapshot not all can have been in memory; which were is not known."""
HIGH_WITHIN_PS = 10_000_000_000
"""A sample that tells a new high has its snapshot right after it: so much later it is still of that moment."""
MOST_JOINED = 200
"""Rows that one row is divided into; the rest stays with what nothing names."""


class PeakJoin:
    """Names what it can of the peaks of memories. The bytes of a breakdown keep their sum."""

    def __init__(self, snapshots: Sequence[MemorySnapshot], programs: ProgramsAtPeaks) -> None:
        self._snapshots = snapshots
        self._programs = programs

    def of_allocator(self, record: MemoryRecord, events: AllocatorEvents) -> MemoryRecord:
        """A device's record: by the plan of the program that ran, and what was there before by the snapshot of then."""
        if events.ordinal is None:
            return record
        plan = self._programs.at(events.host, events.ordinal, record.peak_ps)
        rows = list(record.breakdown)
        if plan is not None:
            rows = [part for row in rows for part in _by_plan(row, plan)]
        snapshot = self._latest(int(events.time_ps[0]))
        if snapshot is not None:
            alive = _lines(row for row in snapshot.rows if ordinal_of(row.device) == events.ordinal)
            rows = [part for row in rows for part in (_divided(row, alive) if OTHERS in row.findings else (row,))]
        return attrs.evolve(record, breakdown=tuple(sorted(rows, key=most_bytes_first)))

    def of_samples(self, record: MemoryRecord) -> MemoryRecord:
        """A record of samples with what is known of its peak, and the rest of it as a row of its own.

        Known are the arrays that were alive at the snapshot of then, and the arguments of the program that was running
        which that snapshot does not hold: it has none that were donated.
        """
        snapshot = self._latest(record.peak_ps + HIGH_WITHIN_PS)
        held = [row for row in snapshot.rows if _is_in(record, row.device)] if snapshot is not None else []
        # An array that is larger than all there was never got its memory.
        arrays = _lines(row for row in held if row.bytes <= record.peak_bytes * row.count)
        arguments = [row for plan in self._running(record) for row in arguments_not_held(plan, held)]
        known = [*arrays, *sorted(arguments, key=most_bytes_first)[:MOST_JOINED]]
        whole = _row_of_rest(record, ALL_WITHOUT_SNAPSHOT if snapshot is None else ALL_OF_LESS)
        if sum(row.bytes for row in known) > record.peak_bytes:
            known = arrays
        if sum(row.bytes for row in known) <= record.peak_bytes and snapshot is not None:
            whole = _row_of_rest(record, REST_WITHOUT_ARGUMENTS if len(known) > len(arrays) else REST_OF_PROCESS)
        return attrs.evolve(record, breakdown=tuple(sorted(_divided(whole, known), key=most_bytes_first)))

    def _running(self, record: MemoryRecord) -> list[ProgramPlan]:
        """The plans of the programs that ran at the peak on the devices whose arrays a memory holds."""
        found = self._programs.running(record.peak_ps)
        return [plan for kind, ordinal, plan in found if _is_in(record, f"{kind}:{ordinal}")]

    def _latest(self, time_ps: int) -> MemorySnapshot | None:
        """The last snapshot that was taken by a time."""
        taken = [each for each in self._snapshots if each.time_ps is not None and each.time_ps <= time_ps]
        return max(taken, key=lambda each: each.time_ps or 0, default=None)


def _is_in(record: MemoryRecord, device: str) -> bool:
    """Whether the arrays of a device are in a memory: those of accelerators are not in that of the process."""
    is_main = is_in_main_memory(device)
    return is_main if record.kind == "process" else not is_main and ordinal_of(device) == ordinal_of(record.id)


def _row_of_rest(record: MemoryRecord, what: Finding) -> MemoryBreakdownRow:
    """A row of all bytes of a peak; ``what`` it is once all that is known was taken from it."""
    return MemoryBreakdownRow("", record.peak_bytes, findings=(what if record.kind == "process" else OTHERS,))


def arguments_not_held(plan: ProgramPlan, held: Sequence[MemorySnapshotRow]) -> list[MemoryBreakdownRow]:
    """The arguments of a program that cannot be among the arrays of a snapshot, by what they are.

    A row of one array holds an argument of its very size, a row of several one that is no larger: an argument for which
    any row has room may be in it, and counts as held.
    """
    arrays = [row for row in held if row.kind == "buffer"]

    def may_hold(row: MemorySnapshotRow, size_bytes: int) -> bool:
        return row.unknown_count > 0 or (row.bytes == size_bytes if row.count == 1 else row.bytes >= size_bytes)

    merged: dict[MemoryBreakdownRow, int] = {}
    for buffer in plan.arguments:
        if not any(may_hold(row, buffer.bytes) for row in arrays):
            # Every layer has an argument of the same name, size and line.
            row = row_of_buffer(buffer, buffer.bytes, 1)
            merged[row] = merged.get(row, 0) + 1
    return [attrs.evolve(row, bytes=row.bytes * number, count=number) for row, number in merged.items()]


def _by_plan(row: MemoryBreakdownRow, plan: ProgramPlan) -> Sequence[MemoryBreakdownRow]:
    """A row without a name as the parts of the plan that it stands for; any other as it is."""
    if STACK in row.findings:
        return _divided(row, _temporaries(plan))
    if row.op or row.findings:
        return (row,)
    size_bytes = row.bytes // row.count
    if plan.is_heap(size_bytes):
        temporaries = note("temporaries", program=plan.name)
        heap = attrs.evolve(row, region="temporary", basis="joined", findings=(temporaries,))
        return _divided(heap, _temporaries(plan)) if row.count == 1 else (heap,)
    buffer = plan.fixed(size_bytes)
    if buffer is None:
        return (row,)
    return (attrs.evolve(row_of_buffer(buffer, row.bytes, row.count), requested_bytes=row.requested_bytes),)


def _temporaries(plan: ProgramPlan) -> list[MemoryBreakdownRow]:
    rows = [row_of_buffer(buffer, buffer.bytes, buffer.count) for buffer in plan.temporaries]
    return sorted(rows, key=most_bytes_first)[:MOST_JOINED]


def _divided(whole: MemoryBreakdownRow, parts: Sequence[MemoryBreakdownRow]) -> Sequence[MemoryBreakdownRow]:
    """A row as its parts and what is left of it; as it is where the parts are more than it.

    Then some of them were gone by the peak, or it stands for something else.
    """
    left = whole.bytes - sum(row.bytes for row in parts)
    if not parts or left < 0:
        return (whole,)
    # What was requested was requested for all of it.
    return (*parts, attrs.evolve(whole, bytes=left, requested_bytes=None)) if left else parts


def _lines(alive: Iterable[MemorySnapshotRow]) -> list[MemoryBreakdownRow]:
    """Live arrays by the line that made them, most bytes first."""
    sums: dict[tuple[str | None, int | None], list[MemorySnapshotRow]] = {}
    for row in alive:
        if row.kind == "buffer" and row.bytes and row.line is not None:
            sums.setdefault((row.file, row.line), []).append(row)
    rows = [
        MemoryBreakdownRow(
            op=rows[0].function,
            bytes=sum(row.bytes for row in rows),
            basis="joined",
            count=sum(row.count for row in rows),
            line_key=rows[0].key,
            **place_fields(rows[0]),
            findings=() if rows[0].function else (note("array"),),
        )
        for rows in sums.values()
    ]
    return sorted(rows, key=most_bytes_first)[:MOST_JOINED]
