"""The script's process and all that come of it, as Linux counts them: time on cores, memory, bytes, threads."""

import os
import time
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import attrs

from scopelight.capture.resources.kept_file import KeptFile, read_once
from scopelight.capture.resources.machine import TICK_NS
from scopelight.capture.resources.threads import YOUNG_NS, Threads

DETAILS_EVERY_NS = 450_000_000
"""Memory, bytes and the split of the time change slowly, or are counted coarsely."""
LEAST_BETWEEN_LISTS_NS = 100_000_000
_NAMES_EVERY_NS = 500_000_000
"""How often it is looked for the names of what is young."""
_LIST_RATIO = 0.0005
"""Of one core, that looking for new processes and threads may take: it is the dearest part of a reading."""
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_OF_A_PROCESS = 2
"""Of the clocks of the system: that of the time that all threads of a process, ended ones too, were on a core."""


@attrs.define(slots=True, eq=False)
class _Process:
    id: int
    pid: int
    threads: Threads
    stat: KeptFile
    """It says no more once the process has ended, whoever has its number then."""
    seen_ns: int
    looked_ns: int
    cpu_ns: int = 0


class Processes:
    """A process and its descendants. ``forks`` counts what was ever made on the machine, -1 where nothing says it."""

    def __init__(self, pid: int, forks: Callable[[], int], root: str = "/proc") -> None:
        self._root = root
        self._forks = forks
        self._ids = count(1)
        self._processes: dict[int, _Process] = {}
        self._has_children_files = os.path.exists(f"{root}/{pid}/task/{pid}/children")  # noqa: PTH110
        self._has_threads = _counts_threads(root)
        self._booted_ns = time.time_ns() - time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        self._listed_ns = self._list_again_ns = self._details_ns = self._young_until_ns = 0
        self._listed_forks = -2
        self._first = pid

    def read(self) -> dict[str, Any]:
        """What changed since the reading before; new processes and threads ahead of their first figures."""
        now_ns = time.time_ns()
        told = self._list(now_ns) if self._is_list_due(now_ns) else {}
        new = {each["id"] for each in told.get("new_processes", ())}
        are_details_due = now_ns - self._details_ns >= DETAILS_EVERY_NS
        processes, details, threads, ended = [], [], [], []
        for process in list(self._processes.values()):
            try:
                # Of a process that ends before they are due again they are read once all the same.
                if are_details_due or process.id in new:
                    details.append([process.id, *self._details(process)])
                cpu_ns = time.clock_gettime_ns((~process.pid << 3) | _OF_A_PROCESS)
            except OSError:
                ended.append(process.id)
                self._forget(process)
                continue
            if cpu_ns > process.cpu_ns:
                processes.append([process.id, cpu_ns, now_ns - process.looked_ns])
                process.cpu_ns = cpu_ns
            process.looked_ns = now_ns
            if self._has_threads:
                threads += process.threads.read(now_ns)
        if are_details_due:
            self._details_ns = now_ns
        rows = {"processes": processes, "details": details, "threads": threads, "ended": ended}
        return {**told, **{name: each for name, each in rows.items() if each}}

    def close(self) -> None:
        """Close what was kept open."""
        for process in list(self._processes.values()):
            self._forget(process)

    def _is_list_due(self, now_ns: int) -> bool:
        if now_ns < self._list_again_ns:
            return False
        forks = self._forks()
        has_new = forks != self._listed_forks or forks < 0
        self._listed_forks = forks
        return has_new or self._listed_ns + _NAMES_EVERY_NS <= now_ns < self._young_until_ns

    def _list(self, now_ns: int) -> dict[str, Any]:
        """Look for new processes and threads."""
        began_ns = time.thread_time_ns()
        new_processes: list[dict[str, Any]] = []
        new_threads: list[dict[str, Any]] = []
        known = [pid for pid in self._processes if pid != self._first]
        queue: list[tuple[int, int | None]] = [(pid, None) for pid in (self._first, *known)]
        seen = {pid for pid, _ in queue}
        of_all = None if self._has_children_files else _children_of_all(self._root)
        for pid, parent in queue:
            try:
                process = self._processes.get(pid) or self._meet(pid, parent, new_processes)
                kept = sum(len(each.threads) for each in self._processes.values() if each is not process)
                since_ns = max(self._listed_ns, process.seen_ns)
                named = process.threads.meet(now_ns, since_ns, kept)
                new_threads += [{"process": process.id, **each} for each in named] if self._has_threads else []
                for child in process.threads.children() if of_all is None else of_all(pid):
                    if child not in seen:
                        seen.add(child)
                        queue.append((child, process.id))
            except OSError:
                # It has ended meanwhile, which its next reading tells.
                continue
        self._listed_ns = now_ns
        if new_processes or new_threads:
            self._young_until_ns = now_ns + YOUNG_NS
        cost_ns = time.thread_time_ns() - began_ns
        self._list_again_ns = now_ns + max(LEAST_BETWEEN_LISTS_NS, int(cost_ns / _LIST_RATIO))
        rows = {"new_processes": new_processes, "new_threads": new_threads}
        return {name: each for name, each in rows.items() if each}

    def _meet(self, pid: int, parent: int | None, told: list[dict[str, Any]]) -> _Process:
        stat = KeptFile(f"{self._root}/{pid}/stat")
        columns = _columns(stat.read())
        # It was made between two looks, or with the script: what it did until now, it did since then.
        started_ns = self._booted_ns + int(columns[19]) * TICK_NS
        threads = Threads(pid, lambda: next(self._ids), self._root)
        process = _Process(next(self._ids), pid, threads, stat, started_ns, started_ns)
        self._processes[pid] = process
        name = read_once(f"{self._root}/{pid}/comm").decode("utf-8", "replace").strip()
        told.append({"id": process.id, "pid": pid, "parent": parent, "name": name, "started_ns": started_ns})
        return process

    def _details(self, process: _Process) -> list[int | None]:
        """User and system time in ns (counted in ticks), resident bytes, bytes read from and written to disks."""
        columns = _columns(process.stat.read())
        read: int | None = None
        written: int | None = None
        try:
            lines = read_once(f"{self._root}/{process.pid}/io").splitlines()
            said = {name: int(value) for name, _, value in (line.partition(b":") for line in lines)}
            read, written = said[b"read_bytes"], said[b"write_bytes"]
        except (OSError, KeyError, ValueError):
            # Only the user who started a process may see this of it.
            pass
        user, system, pages = int(columns[11]) * TICK_NS, int(columns[12]) * TICK_NS, int(columns[21])
        return [user, system, pages * _PAGE_BYTES, read, written]

    def _forget(self, process: _Process) -> None:
        process.threads.close()
        process.stat.close()
        del self._processes[process.pid]


def _columns(stat: bytes) -> Sequence[bytes]:
    """What stands behind the name of a process, which may hold spaces and brackets."""
    return stat[stat.rindex(b")") + 2 :].split()


def _counts_threads(root: str) -> bool:
    """Whether the kernel counts the time of threads in nanoseconds: one that was built without says 0."""
    try:
        return int(read_once(f"{root}/self/schedstat").split()[0]) > 0
    except (OSError, ValueError, IndexError):
        return False


def _children_of_all(root: str) -> Callable[[int], Sequence[int]]:
    """Children by parent, where the kernel lists them of no process: all processes say who their parent is."""
    found: dict[int, list[int]] = {}
    for name in os.listdir(root):  # noqa: PTH208
        if name.isdecimal():
            try:
                found.setdefault(int(_columns(read_once(f"{root}/{name}/stat"))[1]), []).append(int(name))
            except (OSError, ValueError, IndexError):
                continue
    return lambda pid: found.get(pid, ())
