"""What this machine has: cores, memory, and how much of them may be used here."""

import contextlib
import os
import platform
from collections.abc import Iterator
from pathlib import Path


def core_count() -> int:
    """Cores that this process, and so those that it starts, may run on."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def machine_name() -> str:
    """What the CPU is called."""
    for line in _lines(Path("/proc/cpuinfo")):
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.processor() or platform.machine()


def processor_quota() -> float | None:
    """Cores' worth of time that a container is limited to; None without a limit."""
    for line in _lines(Path("/sys/fs/cgroup/cpu.max")):
        limit, _, period = line.partition(" ")
        with contextlib.suppress(ValueError, ZeroDivisionError):
            return int(limit) / int(period)
    return None


def memory_bytes() -> tuple[int, int]:
    """Main memory that a process may use here, and how much of it is free now."""
    fields = {name: value.split() for name, _, value in (each.partition(":") for each in _lines(Path("/proc/meminfo")))}
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    available = total // 2
    with contextlib.suppress(KeyError, IndexError, ValueError):
        available = int(fields["MemAvailable"][0]) * 1024
    for line in _lines(Path("/sys/fs/cgroup/memory.max")):
        with contextlib.suppress(ValueError):
            total = min(total, int(line))
    return total, min(total, available)


def _lines(file: Path) -> Iterator[str]:
    with contextlib.suppress(OSError, UnicodeDecodeError):
        yield from file.read_text(encoding="utf-8").splitlines()
