"""Memory in use: what a profile has recorded of it, read when it is asked for; and which device a name in it is of."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    # A capture, and most views, ask for nothing of this.
    from scopelight.model.memory.recorded import AllocatorEvents, MemoryReadings, SnapshotFile
    from scopelight.program.stored import StoredProgram


def _no_readings() -> MemoryReadings:
    from scopelight.model.memory.recorded import MemoryReadings  # noqa: PLC0415

    return MemoryReadings()


@attrs.frozen(eq=False, repr=False)
class MemoryInUse:
    """Recorded memory of a profile: allocator events, samples and snapshots, each read on first access."""

    allocators: Callable[[], Sequence[AllocatorEvents]] = lambda: ()
    readings: Callable[[], MemoryReadings] = _no_readings
    snapshots: Sequence[SnapshotFile] = ()
    """In the order in which they were taken."""
    without_room: StoredProgram | None = None
    """The program for which the compiler found no room, where its plan was kept."""


_ORDINAL = re.compile(r"\d+")


def is_in_main_memory(device: str) -> bool:
    """Whether the arrays of a device lie in the machine's main memory, which the script's process has them in."""
    return device.lower().startswith("cpu")


def ordinal_of(device: str) -> int | None:
    """The number of a device: ``gpu:0``, ``TPU_3(process=0,(0,1,0,0))``; None where the name has none."""
    found = _ORDINAL.search(device)
    return int(found.group()) if found else None
