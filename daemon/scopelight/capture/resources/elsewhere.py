"""Resources where there is no ``/proc``: what psutil, which is installed on such systems alone, tells of them."""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from typing import Any

import psutil

_LIST_SECONDS = 1.0
"""Between two looks for new processes, which are the dearest part."""
_SLOWLY_SECONDS = 0.24
"""Between two readings of the threads, memory and bytes of processes."""


class _Process:
    def __init__(self, process: psutil.Process, number: int, looked_ns: int) -> None:
        self.process = process
        self.id = number
        self.looked_ns = looked_ns
        self.threads: dict[int, tuple[int, int, int]] = {}
        """By the system's number of a thread: our own, its ns on a core, and when they were read."""


class Elsewhere:
    """The machine, the process ``pid`` and its descendants. What a system does not tell, or only an administrator, is
    left out: unknown."""

    def __init__(self, pid: int) -> None:
        self._ids = count(1)
        self._first = psutil.Process(pid)
        self._processes: dict[int, _Process] = {}
        self._list_at = self._slowly_at = 0.0

    def read(self) -> Mapping[str, Any]:
        """One reading."""
        now, now_ns = time.monotonic(), time.time_ns()
        line: dict[str, Any] = {"machine": _machine()}
        if now >= self._list_at:
            self._list_at = now + _LIST_SECONDS
            line["new_processes"] = self._list()
        is_slow = now >= self._slowly_at
        if is_slow:
            self._slowly_at = now + _SLOWLY_SECONDS
        processes, details, threads, new_threads, ended = [], [], [], [], []
        for pid, each in list(self._processes.items()):
            try:
                times = each.process.cpu_times()
                if is_slow:
                    details.append([each.id, _ns(times.user), _ns(times.system), *_details(each.process)])
                    new, rows = self._threads(each, now_ns)
                    new_threads += new
                    threads += rows
            except psutil.Error:
                ended.append(each.id)
                del self._processes[pid]
                continue
            processes.append([each.id, _ns(times.user) + _ns(times.system), now_ns - each.looked_ns])
            each.looked_ns = now_ns
        rows_by_name = {
            "processes": processes,
            "details": details,
            "new_threads": new_threads,
            "threads": threads,
            "ended": ended,
        }
        return {**line, **{name: rows for name, rows in rows_by_name.items() if rows}}

    def close(self) -> None:
        """Nothing is kept open."""

    def _list(self) -> list[dict[str, Any]]:
        told: list[dict[str, Any]] = []
        found = [self._first]
        with suppress(psutil.Error):
            found += self._first.children(recursive=True)
        for each in found:
            if each.pid in self._processes:
                continue
            with suppress(psutil.Error):
                started_ns = _ns(each.create_time())
                parent = self._processes.get(each.ppid() if each is not self._first else -1)
                self._processes[each.pid] = made = _Process(each, next(self._ids), started_ns)
                said = {"id": made.id, "pid": each.pid, "parent": None if parent is None else parent.id}
                told.append({**said, "name": each.name(), "started_ns": started_ns})
        return told

    def _threads(self, of: _Process, now_ns: int) -> tuple[list[dict[str, Any]], list[list[int | None]]]:
        """New threads, and of those that did something their ns on a core: for how long they waited is not told."""
        new: list[dict[str, Any]] = []
        rows: list[list[int | None]] = []
        try:
            listed = of.process.threads()
        except psutil.AccessDenied:
            return new, rows
        for each in listed:
            number, before_ns, looked_ns = of.threads.get(each.id, (0, 0, of.looked_ns))
            if number == 0:
                number = next(self._ids)
                new.append({"process": of.id, "id": number, "tid": each.id, "name": ""})
            cpu_ns = _ns(each.user_time) + _ns(each.system_time)
            if cpu_ns > before_ns:
                rows.append([number, cpu_ns, None, None, now_ns - looked_ns])
            of.threads[each.id] = number, max(cpu_ns, before_ns), now_ns
        return new, rows


def memory_bytes() -> int:
    """All memory of the machine."""
    return int(psutil.virtual_memory().total)


def _machine() -> dict[str, Any]:
    times = psutil.cpu_times()
    names = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
    said: dict[str, Any] = {
        "cpu_ns": [_ns(getattr(times, name, 0.0)) for name in names],
        "switches": psutil.cpu_stats().ctx_switches,
        "available_bytes": psutil.virtual_memory().available,
    }
    disks, networks = _told(psutil.disk_io_counters), _told(psutil.net_io_counters)
    if disks is not None:
        said |= {"disk_read_bytes": disks.read_bytes, "disk_written_bytes": disks.write_bytes}
    if networks is not None:
        said |= {"network_received_bytes": networks.bytes_recv, "network_sent_bytes": networks.bytes_sent}
    return said


def _details(process: psutil.Process) -> list[int | None]:
    """Resident bytes, and bytes read and written, which some systems do not count."""
    with suppress(AttributeError, psutil.AccessDenied, OSError):
        moved = process.io_counters()
        return [process.memory_info().rss, moved.read_bytes, moved.write_bytes]
    return [process.memory_info().rss, None, None]


def _told(ask: Callable[[], Any]) -> Any:  # noqa: ANN401 (a tuple of psutil's, or None)
    try:
        return ask()
    except (OSError, RuntimeError, psutil.Error):
        return None


def _ns(seconds: float) -> int:
    return int(seconds * 1e9)
