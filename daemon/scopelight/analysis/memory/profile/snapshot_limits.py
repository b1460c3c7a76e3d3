"""What could be in memory at most: a snapshot also counts arrays that are not computed yet, or never got memory."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from scopelight.analysis.memory.profile.records import MemorySnapshot, MemorySnapshotRow
from scopelight.findings import Finding, warning
from scopelight.model.memory.in_use import MemoryInUse, is_in_main_memory
from scopelight.model.memory.recorded import LiveMemory

SLACK_RATIO = 1.25
SLACK_BYTES = 256 << 20
"""The process may have had so much more between two samples, or when none was taken."""


@attrs.frozen(eq=False, repr=False)
class SnapshotLimits:
    """``devices`` are bytes of devices by their name, ``main_bytes`` those of the machine's main memory.

    ``resident_bytes`` is the most that the script's process had in main memory at a sample; None where not known.
    """

    main_bytes: int | None = None
    resident_bytes: int | None = None
    devices: Mapping[str, int] = attrs.Factory(dict)

    def without_the_impossible(self, live: Sequence[LiveMemory]) -> list[LiveMemory]:
        """What is alive; that of which each is larger than all memory there is has no size, since it got none."""
        return [attrs.evolve(each, bytes=None) if self._is_impossible(each) else each for each in live]

    def is_beyond(self, snapshot: MemorySnapshot) -> bool:
        """Whether the arrays in main memory are far more than the process ever had there."""
        if self.resident_bytes is None:
            return False
        return _main_bytes(snapshot.rows) > self.resident_bytes * SLACK_RATIO + SLACK_BYTES

    def findings(self, snapshots: Sequence[MemorySnapshot]) -> Iterator[Finding]:
        """Which snapshots count what cannot all be in memory."""
        impossible = [each.name for each in snapshots if any(_is_array_without_size(row) for row in each.rows)]
        if impossible:
            yield warning("snapshots-count-the-impossible", snapshots=tuple(impossible))
        beyond = [each for each in snapshots if self.is_beyond(each)]
        if beyond and self.resident_bytes is not None:
            yield warning(
                "snapshots-count-more-than-was",
                snapshots=tuple(each.name for each in beyond),
                counted_bytes=max(_main_bytes(each.rows) for each in beyond),
                resident_bytes=self.resident_bytes,
            )

    def _is_impossible(self, each: LiveMemory) -> bool:
        limit = self.main_bytes if is_in_main_memory(each.device) else self.devices.get(each.device)
        return limit is not None and each.bytes is not None and each.bytes > limit * max(1, each.count)


def snapshot_limits(memory: MemoryInUse) -> SnapshotLimits:
    """The limits that the samples of a run tell of; where it has no snapshot, none are read."""
    if not memory.snapshots:
        return SnapshotLimits()
    readings = memory.readings()
    resident = [each.resident_bytes for each in readings.readings if each.resident_bytes is not None]
    devices: dict[str, int] = {}
    for reading in readings.readings:
        for name, device in reading.devices.items():
            if device.bytes_limit is not None:
                devices[name] = device.bytes_limit
    return SnapshotLimits(readings.machine_bytes, max(resident, default=None), devices)


def _main_bytes(rows: Iterable[MemorySnapshotRow]) -> int:
    return sum(row.bytes for row in rows if row.kind != "executable" and is_in_main_memory(row.device))


def _is_array_without_size(row: MemorySnapshotRow) -> bool:
    return row.unknown_count > 0 and row.kind == "buffer"
