"""The machine as a whole, as Linux counts it: cores, run queue, context switches, memory, pressure."""

import os
from typing import Any

from scopelight.capture.resources.kept_file import KeptFile

TICK_NS = 1_000_000_000 // (os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100)
_CPU_COLUMNS = 8
"""User, nice, system, idle, waiting for a disk, interrupts, soft interrupts, stolen by the hypervisor."""


class Machine:
    """Reads ``/proc/stat``. ``forks`` counts the processes and threads that were ever made: where it is unchanged there
    are no new ones."""

    def __init__(self, root: str = "/proc") -> None:
        self._file = KeptFile(f"{root}/stat")
        self.forks = -1

    def read(self) -> dict[str, Any]:
        """Time of all cores in ns by what they did, how many threads run or are blocked, and context switches."""
        data = self._file.read()
        end = data.index(b"\n")
        said: dict[str, Any] = {"cpu_ns": [int(each) * TICK_NS for each in data[:end].split()[1 : 1 + _CPU_COLUMNS]]}
        # The line of interrupts, which may be long, stands before these.
        for line in data[data.rindex(b"\nctxt") :].split(b"\n"):
            name, _, value = line.partition(b" ")
            if name == b"ctxt":
                said["switches"] = int(value)
            elif name == b"processes":
                self.forks = int(value)
            elif name == b"procs_running":
                said["running"] = int(value)
            elif name == b"procs_blocked":
                said["blocked"] = int(value)
        return {"machine": said}

    def close(self) -> None:
        """Close what was kept open."""
        self._file.close()


class Memory:
    """Reads how much of the machine's memory programs could still have."""

    def __init__(self, root: str = "/proc") -> None:
        self._file = KeptFile(f"{root}/meminfo")

    def read(self) -> dict[str, Any]:
        """Bytes that are available."""
        data = self._file.read()
        begin = data.index(b"MemAvailable:")
        return {"machine": {"available_bytes": int(data[begin : begin + 64].split()[1]) * 1024}}

    def close(self) -> None:
        """Close what was kept open."""
        self._file.close()


class Pressure:
    """Reads for how long some thread of the machine could not go on for want of a core, a disk or memory."""

    def __init__(self, root: str = "/proc") -> None:
        self._files = {name: KeptFile(f"{root}/pressure/{name}") for name in ("cpu", "io", "memory")}

    def read(self) -> dict[str, Any]:
        """Nanoseconds since the machine began, by what was lacking."""
        said = {}
        for name, file in self._files.items():
            first, _, _ = file.read().partition(b"\n")
            said[f"{name}_pressure_ns"] = int(first.rpartition(b"total=")[2]) * 1000
        return {"machine": said}

    def close(self) -> None:
        """Close what was kept open."""
        for file in self._files.values():
            file.close()


def memory_bytes(root: str = "/proc") -> int | None:
    """All memory of the machine; None where nothing says it."""
    try:
        data = KeptFile(f"{root}/meminfo")
    except OSError:
        return None
    try:
        text = data.read()
        return int(text[text.index(b"MemTotal:") :][:64].split()[1]) * 1024
    except (ValueError, IndexError):
        return None
    finally:
        data.close()
