"""What was alive at a snapshot of one run, as rows that can be compared."""

from collections.abc import Sequence

from scopelight.analysis.compare.entries import Entry
from scopelight.analysis.compare.trees.side import TreeEntry
from scopelight.analysis.memory.profile.records import MemorySnapshot, MemorySnapshotRow
from scopelight.analysis.memory.profile.snapshot_lines import snapshot_records
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import centre_of


def snapshot_entries(subject: Subject, name: str | None) -> list[TreeEntry]:
    """The rows of the snapshot of that name, together its bytes; of the largest without a name."""
    centre = centre_of(subject.profile, subject.line_options)
    snapshots, _ = snapshot_records(subject.profile, centre, subject.profile.started_ns)
    snapshot = _meant(snapshots, name)
    return [
        TreeEntry(key=row.key, parent=None, kind="alive", found_by=_found_by(row), own=row.bytes)
        for row in (snapshot.rows if snapshot is not None else ())
    ]


def _meant(snapshots: Sequence[MemorySnapshot], name: str | None) -> MemorySnapshot | None:
    if name is None:
        return max(snapshots, key=lambda each: each.bytes, default=None)
    return next((each for each in snapshots if each.name == name), None)


def _found_by(row: MemorySnapshotRow) -> Entry:
    """Of one line first the same way to it, then any."""
    callers = tuple((each.path, each.function) for each in row.stack[1:])
    return Entry(
        key=row.key,
        kind="op",
        label=" ".join(each for each in (row.kind, row.function) if each),
        identities=((row.kind, row.device, callers), (row.kind, row.device), (row.kind,)),
        path=row.path,
        file=row.file,
        line=row.line,
        function=row.function,
    )
