"""Which lines of source made what was alive at a snapshot: memory by the Python stack that allocated it."""

from collections.abc import Sequence

import attrs

from scopelight.analysis.memory.plan.records import MemoryLine, MemoryLinesRecord
from scopelight.analysis.memory.profile.records import MemorySnapshot, MemorySnapshotRow
from scopelight.analysis.memory.profile.snapshot_limits import SnapshotLimits, snapshot_limits
from scopelight.analysis.records import place_fields
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.analysis.totals.frames import LineOptions
from scopelight.analysis.totals.keys import digest
from scopelight.findings import Finding, warning
from scopelight.formats.errors import FormatError
from scopelight.model.memory.recorded import LiveMemory, SnapshotFile
from scopelight.model.profile import Profile
from scopelight.program.hlo.frames import Stack

MOST_ROWS = 2_000
"""Of a snapshot, most bytes first; a person reads no more. The rest becomes one row without a line."""


def snapshot_record(
    snapshot: SnapshotFile, centre: Centre, origin_ns: int | None, limits: SnapshotLimits
) -> MemorySnapshot:
    """A snapshot by lines: its rows' bytes sum to the snapshot's. Its time counts from ``origin_ns``.

    Raises `FormatError` if unreadable.
    """
    live = limits.without_the_impossible(snapshot.read())
    time_ps = None
    if snapshot.taken_ns is not None and origin_ns is not None:
        time_ps = (snapshot.taken_ns - origin_ns) * 1000
    return MemorySnapshot(
        name=snapshot.name,
        time_ps=time_ps,
        bytes=sum(each.bytes or 0 for each in live),
        cost_ms=None if snapshot.cost_seconds is None else snapshot.cost_seconds * 1000,
        rows=snapshot_rows(live, centre),
    )


def snapshot_records(
    profile: Profile, centre: Centre, origin_ns: int | None
) -> tuple[tuple[MemorySnapshot, ...], tuple[Finding, ...]]:
    """All snapshots of a profile that can be read, their times from ``origin_ns``.

    With findings about those that cannot, and about what cannot be in memory.
    """
    records, problems = [], []
    limits = snapshot_limits(profile.memory)
    for snapshot in profile.memory.snapshots:
        try:
            records.append(snapshot_record(snapshot, centre, origin_ns, limits))
        except FormatError as error:
            problems.append(warning("snapshot-unreadable", problem=error.sentence))
    return tuple(records), (*problems, *limits.findings(records))


def snapshot_rows(live: Sequence[LiveMemory], centre: Centre) -> tuple[MemorySnapshotRow, ...]:
    """What is alive, merged by line, user stack, kind and device; most bytes first."""
    sums: dict[tuple[Stack, str, str], list[int]] = {}
    for each in live:
        # Every frame of the user's, recursion included: two calls of one line are two ways to it.
        key = (centre.frames.of(each.stack), each.kind, each.device)
        known = sums.setdefault(key, [0, 0, 0])
        known[0] += each.bytes or 0
        known[1] += each.count
        known[2] += each.count if each.bytes is None else 0
    rows = [_row(stack, kind, device, counts, centre) for (stack, kind, device), counts in sums.items()]
    rows.sort(key=lambda row: (-row.bytes, -row.count, row.path or "", row.line or 0, row.kind, row.device))
    if len(rows) > MOST_ROWS:
        rest = rows[MOST_ROWS - 1 :]
        rows[MOST_ROWS - 1 :] = [
            MemorySnapshotRow(
                key=digest("rest"),
                bytes=sum(row.bytes for row in rest),
                count=sum(row.count for row in rest),
                unknown_count=sum(row.unknown_count for row in rest),
            )
        ]
    return tuple(rows)


def snapshot_lines(snapshot: MemorySnapshot) -> tuple[MemoryLine, ...]:
    """The lines of a snapshot, all their stacks, kinds and devices together.

    What has no line is left out, and so is what is of unknown size, such as most programs: it is not 0.
    """
    lines: dict[tuple[str | None, str | None, int], MemoryLine] = {}
    for row in snapshot.rows:
        # No program is of 0 bytes: some backends do not tell how large their code is.
        number = row.count - row.unknown_count if row.bytes or row.kind != "executable" else 0
        if row.line is None or not number:
            continue
        place = (row.file, row.path, row.line)
        line = lines.get(place) or MemoryLine(
            key=row.line_key or "",
            path=row.path,
            file=row.file,
            line=row.line,
            function=row.function,
            basis="snapshot",
        )
        lines[place] = attrs.evolve(
            line,
            count=line.count + number,
            bytes=line.bytes + row.bytes,
            unpadded_bytes=line.unpadded_bytes + row.bytes,
        )
    return tuple(sorted(lines.values(), key=lambda line: (-line.bytes, line.path or "", line.line)))


def snapshot_memory_lines(profile: Profile, line_options: LineOptions | None = None) -> MemoryLinesRecord | None:
    """The lines of the largest snapshot as those of a program are told; None where no snapshot can be read."""
    centre = centre_of(profile, line_options)
    snapshots, problems = snapshot_records(profile, centre, profile.started_ns)
    if not snapshots:
        return None
    largest = max(snapshots, key=lambda snapshot: snapshot.bytes)
    lines = snapshot_lines(largest)
    return MemoryLinesRecord(
        peak_bytes=largest.bytes,
        unattributed_bytes=largest.bytes - sum(line.bytes for line in lines),
        lines=lines,
        findings=(*profile.findings, *problems),
    )


def _row(stack: Stack, kind: str, device: str, counts: Sequence[int], centre: Centre) -> MemorySnapshotRow:
    size_bytes, count, unknown = counts
    places = tuple(centre.frames.place(frame) for frame in stack)
    innermost = places[0] if places else None
    lines = [centre.line_key(frame) for frame in stack]
    return MemorySnapshotRow(
        key=digest("alive", *lines, kind, device),
        line_key=lines[0] if lines else None,
        **place_fields(innermost),
        function=innermost.function if innermost else "",
        bytes=size_bytes,
        count=count,
        unknown_count=unknown,
        kind=kind,
        device=device,
        stack=places,
    )
