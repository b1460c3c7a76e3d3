"""What is recorded of memory: what allocators did, samples of a running script, and snapshots of what was alive."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import attrs

from scopelight.findings import Finding
from scopelight.formats.columns import Bool, Float64, Int32, Int64
from scopelight.program.hlo.frames import Stack

AllocatorKind = Literal["accelerator", "host"]
"""Whether an allocator manages memory of a device, or host memory that devices read and write."""


@attrs.frozen(eq=False, repr=False)
class TextColumn:
    """A text for each row: codes into ``texts``, -1 where a row has none."""

    codes: Int32
    texts: Sequence[str]

    def __getitem__(self, row: int) -> str | None:
        code = int(self.codes[row])
        return self.texts[code] if code >= 0 else None


@attrs.frozen(eq=False, repr=False)
class AllocatorEvents:
    """What one allocator did, in the order of time; columns of one length. Bytes are -1 where they are not recorded.

    ``time_ps`` counts from the profile's first event. ``stack_bytes``, ``heap_bytes`` and ``free_bytes`` are those
    right after the event, ``peak_bytes`` the most in use since the process began. ``is_allocation`` is False for a
    deallocation; ``requested_bytes`` and ``allocated_bytes`` are of the piece at ``address``. ``fragmentation_ratio``
    is NaN where it is not recorded. ``data_type`` is TensorFlow's number of it, 0 where nothing is said.
    """

    id: str
    """What the profile calls the allocator, or the number of its device on the host."""
    host: int
    ordinal: int | None
    """Of the device on its host; None for memory of no one device."""
    kind: AllocatorKind
    time_ps: Int64
    stack_bytes: Int64
    heap_bytes: Int64
    free_bytes: Int64
    peak_bytes: Int64
    fragmentation_ratio: Float64
    is_allocation: Bool
    requested_bytes: Int64
    allocated_bytes: Int64
    address: Int64
    op: TextColumn
    region: TextColumn
    shape: TextColumn
    data_type: Int64

    def __len__(self) -> int:
        return len(self.time_ps)


@attrs.frozen(slots=True)
class DeviceMemory:
    """`Device.memory_stats` of jax at a sample, by its own names; None where the backend does not say."""

    bytes_in_use: int
    peak_bytes_in_use: int | None = None
    bytes_limit: int | None = None
    largest_free_block_bytes: int | None = None


@attrs.frozen(slots=True)
class MemoryReading:
    """One sample of a running script: ``time_ns`` of the epoch, the bytes that its process has in main memory (None
    where the system does not say), and the memory of its devices by their name."""

    time_ns: int
    resident_bytes: int | None = None
    devices: Mapping[str, DeviceMemory] = attrs.Factory(dict)


@attrs.frozen(slots=True)
class MemoryReadings:
    """All samples of a run in the order of time. ``findings`` say what could not be sampled."""

    readings: Sequence[MemoryReading] = ()
    machine_bytes: int | None = None
    """What the process that was sampled could have at most; None where it is not known."""
    findings: Sequence[Finding] = ()


@attrs.frozen(slots=True)
class LiveMemory:
    """Things alive at a snapshot that were made at one stack; see `scopelight.formats.pprof.reader.PprofSample`."""

    stack: Stack
    count: int
    bytes: int | None
    kind: str
    device: str


@attrs.frozen(eq=False, repr=False)
class SnapshotFile:
    """A snapshot that can be read. ``taken_ns`` is of the epoch; ``cost_seconds`` may have held up the script."""

    name: str
    file: Path
    taken_ns: int | None
    cost_seconds: float | None
    read: Callable[[], Sequence[LiveMemory]]
    """Raises `FormatError` where the file cannot be read."""
