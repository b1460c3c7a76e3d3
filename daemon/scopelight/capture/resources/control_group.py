"""The control group of the script: how many cores it may use, and for how long it was held up for having used them."""

import os
from pathlib import Path
from typing import Any

from scopelight.capture.resources.kept_file import KeptFile

_GROUPS = Path("/sys/fs/cgroup")


class ControlGroup:
    """Reads the throttling of the group that a process is in. Raises `OSError` where it is in none that counts it."""

    def __init__(self, pid: int, root: Path = Path("/proc"), groups: Path = _GROUPS) -> None:
        folder = _folder(pid, root, groups)
        self._file = KeptFile(str(folder / "cpu.stat"))
        self.cores = _quota(folder)
        """What its limit is; None without one."""
        try:
            if self._throttled_ns() is None:
                raise OSError("nothing is counted")
        except OSError:
            self.close()
            raise

    def read(self) -> dict[str, Any]:
        """For how long its threads were held up, in ns since the group began."""
        throttled_ns = self._throttled_ns()
        return {"machine": {} if throttled_ns is None else {"throttled_ns": throttled_ns}}

    def close(self) -> None:
        """Close what was kept open."""
        self._file.close()

    def _throttled_ns(self) -> int | None:
        for line in self._file.read().splitlines():
            name, _, value = line.partition(b" ")
            # Version 2 counts in microseconds, version 1 in nanoseconds.
            if name == b"throttled_usec":
                return int(value) * 1000
            if name == b"throttled_time":
                return int(value)
        return None


def usable_cores(pid: int, quota: float | None) -> float:
    """How many cores a process may use: what it is bound to, and the limit of its control group."""
    try:
        bound = len(os.sched_getaffinity(pid)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    except OSError:
        bound = os.cpu_count() or 1
    return min(float(bound), quota) if quota is not None else float(bound)


def _folder(pid: int, root: Path, groups: Path) -> Path:
    """The folder of the group. In a container, its own group stands at the top."""
    lines = (root / str(pid) / "cgroup").read_text(encoding="utf-8", errors="replace").splitlines()
    places = []
    for line in lines:
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if number == "0" and not controllers:
            places += [groups / path.lstrip("/"), groups]
        elif "cpu" in controllers.split(","):
            places[:0] = [groups / name / path.lstrip("/") for name in (controllers, "cpu")] + [groups / "cpu"]
    found = next((each for each in places if (each / "cpu.stat").is_file()), None)
    if found is None:
        raise OSError("the process is in no control group of cores")
    return found


def _quota(folder: Path) -> float | None:
    try:
        if (folder / "cpu.max").is_file():
            limit, period = (folder / "cpu.max").read_text(encoding="ascii").split()
            return None if limit == "max" else int(limit) / int(period)
        limit = (folder / "cpu.cfs_quota_us").read_text(encoding="ascii")
        return int(limit) / int((folder / "cpu.cfs_period_us").read_text(encoding="ascii")) if int(limit) > 0 else None
    except (OSError, ValueError, ZeroDivisionError):
        return None
