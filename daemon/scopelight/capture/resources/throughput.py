"""Bytes that the machine's disks and networks moved, as Linux counts them."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

from scopelight.capture.resources.kept_file import KeptFile

_SECTOR_BYTES = 512
"""The kernel counts in these whatever the disk has."""
_NO_DISKS = ("loop", "ram", "zram", "fd", "sr")


class Disks:
    """Reads ``/proc/diskstats``: whole disks alone, for partitions and what is made of disks move the same bytes."""

    def __init__(self, root: str = "/proc", devices: Path = Path("/sys/block")) -> None:
        self._file = KeptFile(f"{root}/diskstats")
        self._names = _whole_disks(devices)

    def read(self) -> dict[str, Any]:
        """Bytes that were read and written since the machine began."""
        read = written = 0
        for line in self._file.read().splitlines():
            columns = line.split()
            if len(columns) > 9 and columns[2] in self._names:
                read += int(columns[5])
                written += int(columns[9])
        said = {"disk_read_bytes": read * _SECTOR_BYTES, "disk_written_bytes": written * _SECTOR_BYTES}
        return {"machine": said if self._names else {}}

    def close(self) -> None:
        """Close what was kept open."""
        self._file.close()


class Networks:
    """Reads ``/proc/net/dev``: network cards where there are any, otherwise all but the loop back to this machine."""

    def __init__(self, root: str = "/proc", devices: Path = Path("/sys/class/net")) -> None:
        self._file = KeptFile(f"{root}/net/dev")
        self._cards = frozenset(each.name.encode() for each in _entries(devices) if (each / "device").exists())

    def read(self) -> dict[str, Any]:
        """Bytes that were received and sent since the machine began."""
        received = sent = 0
        for line in self._file.read().splitlines()[2:]:
            name, _, rest = line.partition(b":")
            columns = rest.split()
            if len(columns) > 8 and self._counts(name.strip()):
                received += int(columns[0])
                sent += int(columns[8])
        return {"machine": {"network_received_bytes": received, "network_sent_bytes": sent}}

    def close(self) -> None:
        """Close what was kept open."""
        self._file.close()

    def _counts(self, name: bytes) -> bool:
        return name in self._cards if self._cards else name != b"lo"


def _whole_disks(devices: Path) -> Collection[bytes]:
    found = set()
    for each in _entries(devices):
        # What is made of other disks, such as a RAID, has them as its slaves.
        if not each.name.startswith(_NO_DISKS) and not any(True for _ in _entries(each / "slaves")):
            found.add(each.name.replace("!", "/").encode())
    return frozenset(found)


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []
