"""Reads ``host_samples.jsonl``. Its lines may be of anyone: what is not as it should be is left out, and said."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeGuard

import attrs
import numpy as np

from scopelight.findings import Finding, each_once, note, warning
from scopelight.model.host.resources import (
    CPU_STATES,
    Counter,
    DeviceKind,
    HostDevice,
    HostProcess,
    HostResources,
    HostThread,
    Level,
)

MOST_BYTES = 256 << 20
"""Of the file: a hundred times what a day of readings takes. What lies beyond is not read."""
_MOST_LOST = 100_000
"""Lines: a file that has more of them that cannot be used is none of ours."""
_MOST_OF_A_KIND = 20_000
"""Processes, threads or devices; more were made by no script that a person profiles."""
_LONGEST_NS = 100 * 24 * 3600 * 1_000_000_000
"""Between two readings of one file, which must fit into 63 bits of picoseconds."""
_LARGEST = 1 << 62
_COUNTERS = (
    *("switches", "cpu_pressure_ns", "io_pressure_ns", "memory_pressure_ns", "throttled_ns"),
    *("disk_read_bytes", "disk_written_bytes", "network_received_bytes", "network_sent_bytes"),
)
_LEVELS = ("running", "blocked", "available_bytes")
_DETAILS = ("user", "system", "resident", "read", "written")


class _Points:
    """Moments and values, to be made columns of."""

    def __init__(self) -> None:
        self.time_ns: list[int] = []
        self.value: list[float] = []

    def add(self, time_ns: int, value: object) -> None:
        if _is_count(value):
            self.time_ns.append(time_ns)
            self.value.append(value)

    def grow(self, time_ns: int, value: object, since_ns: int) -> None:
        """A count that stood still until ``since_ns`` ago, at first at 0."""
        if _is_count(value):
            self.add(time_ns - since_ns, self.value[-1] if self.value else 0)
            self.add(time_ns, value)

    def counter(self) -> Counter:
        order = np.argsort(np.array(self.time_ns, dtype=np.int64), kind="stable")
        value = np.array(self.value, dtype=np.int64)[order]
        # Some of the kernel's counts step back now and then.
        return Counter(np.array(self.time_ns, dtype=np.int64)[order], np.maximum.accumulate(value))

    def level(self) -> Level:
        order = np.argsort(np.array(self.time_ns, dtype=np.int64), kind="stable")
        return Level(np.array(self.time_ns, dtype=np.int64)[order], np.array(self.value, dtype=np.float64)[order])


@attrs.define(eq=False)
class _Process:
    pid: int
    parent: int | None
    name: str
    started_ns: int
    ended_ns: int | None = None
    cpu: _Points = attrs.field(factory=_Points)
    details: Mapping[str, _Points] = attrs.field(factory=lambda: {name: _Points() for name in _DETAILS})


@attrs.define(eq=False)
class _Thread:
    process: int
    tid: int
    name: str
    counts: Sequence[_Points] = attrs.field(factory=lambda: [_Points() for _ in range(3)])


@attrs.define(eq=False)
class _Device:
    name: str = ""
    total_bytes: int | None = None
    busy: _Points = attrs.field(factory=_Points)
    used: _Points = attrs.field(factory=_Points)


def read_resources(file: Path) -> HostResources:
    """All readings in a file that can be used. One that cannot be read at all has none, and a finding."""
    try:
        with file.open("rb") as stream:
            data = stream.read(MOST_BYTES)
    except OSError as error:
        problem = error.strerror or str(error)
        return HostResources(
            np.zeros(0, np.int64), findings=(warning("readings-unreadable", file=file.name, problem=problem),)
        )
    found = _Lines()
    begin = 0
    while (end := data.find(b"\n", begin)) >= 0 and found.lost < _MOST_LOST:
        found.hear(data[begin:end])
        begin = end + 1
    if begin < len(data) < MOST_BYTES:
        found.findings.append(note("readings-cut-off", file=file.name))
    if found.lost:
        found.findings.append(warning("readings-damaged", lines=found.lost, file=file.name))
    return found.resources()


class _Lines:
    """Hears line after line."""

    def __init__(self) -> None:
        self.lost = 0
        self.findings: list[Finding] = []
        self._head: Mapping[str, Any] = {}
        self._first_ns: int | None = None
        self._readings_ns: list[int] = []
        self._cost_ns = 0
        self._counters = {name: _Points() for name in (*CPU_STATES, *_COUNTERS)}
        self._levels = {name: _Points() for name in _LEVELS}
        self._processes: dict[int, _Process] = {}
        self._threads: dict[int, _Thread] = {}
        self._devices: dict[tuple[DeviceKind, int], _Device] = {}

    def hear(self, text: bytes) -> None:
        try:
            line = json.loads(text)
        except (ValueError, RecursionError):
            line = None
        if not isinstance(line, dict):
            self.lost += 1
        elif "format" in line:
            self._head = line
        elif not self._is_time(line.get("time_ns")):
            self.lost += 1
        elif "problem" in line:
            self._hear_problem(line["problem"])
        elif "devices" in line:
            for each in _objects(line["devices"]):
                self._hear_device(line["time_ns"], each)
        else:
            self._hear_reading(line["time_ns"], line)

    def resources(self) -> HostResources:
        head = self._head
        usable = head.get("usable_cores")
        return HostResources(
            readings_ns=np.sort(np.array(self._readings_ns, dtype=np.int64)),
            cost_ns=self._cost_ns,
            cores=_count_or_none(head.get("cores")) or None,
            usable_cores=float(usable) if isinstance(usable, int | float) and 0 < usable < _LARGEST else None,
            memory_bytes=_count_or_none(head.get("memory_bytes")) or None,
            counters={name: points.counter() for name, points in self._counters.items() if points.value},
            levels={name: points.level() for name, points in self._levels.items() if points.value},
            processes=tuple(
                HostProcess(
                    id=number,
                    pid=each.pid,
                    parent=each.parent,
                    name=each.name,
                    started_ns=each.started_ns,
                    ended_ns=each.ended_ns,
                    cpu=each.cpu.counter(),
                    resident=each.details["resident"].level(),
                    **{name: each.details[name].counter() for name in ("user", "system", "read", "written")},
                )
                for number, each in self._processes.items()
            ),
            threads=tuple(
                HostThread(number, each.process, each.tid, each.name, *(points.counter() for points in each.counts))
                for number, each in self._threads.items()
            ),
            devices=tuple(
                HostDevice(kind, index, each.name, each.busy.level(), each.used.level(), each.total_bytes)
                for (kind, index), each in sorted(self._devices.items())
            ),
            findings=each_once(self.findings),
        )

    def _is_time(self, value: object) -> TypeGuard[int]:
        if not _is_count(value):
            return False
        if self._first_ns is None:
            self._first_ns = value
        return abs(value - self._first_ns) < _LONGEST_NS

    def _hear_problem(self, problem: object) -> None:
        if isinstance(problem, dict):
            part, text = (str(problem.get(name, ""))[:1000] for name in ("part", "text"))
            self.findings.append(warning("resources-part-failed", part=part, problem=text.rstrip(".")))

    def _hear_device(self, time_ns: int, said: Mapping[str, Any]) -> None:
        kind, index = said.get("kind"), said.get("index")
        if kind not in ("gpu", "tpu") or not _is_count(index) or len(self._devices) >= _MOST_OF_A_KIND:
            return
        device = self._devices.setdefault((kind, index), _Device())
        device.name = _text(said.get("name"))
        device.total_bytes = _count_or_none(said.get("total_bytes")) or device.total_bytes
        device.used.add(time_ns, said.get("used_bytes"))
        busy = said.get("busy_ratio")
        if isinstance(busy, int | float) and 0 <= busy <= 1:
            device.busy.time_ns.append(time_ns)
            device.busy.value.append(busy)

    def _hear_reading(self, time_ns: int, line: Mapping[str, Any]) -> None:
        self._readings_ns.append(time_ns)
        self._cost_ns += min(_count_or_none(line.get("cost_ns")) or 0, _LONGEST_NS)
        machine = line.get("machine")
        if isinstance(machine, dict):
            states = machine.get("cpu_ns")
            if isinstance(states, list) and len(states) == len(CPU_STATES) and all(map(_is_count, states)):
                for name, value in zip(CPU_STATES, states, strict=True):
                    self._counters[name].add(time_ns, value)
            for name in _COUNTERS:
                self._counters[name].add(time_ns, machine.get(name))
            for name in _LEVELS:
                self._levels[name].add(time_ns, machine.get(name))
        for said in _objects(line.get("new_processes")):
            self._hear_process(time_ns, said)
        for said in _objects(line.get("new_threads")):
            self._hear_thread(said)
        self._hear_rows(time_ns, line)

    def _hear_process(self, time_ns: int, said: Mapping[str, Any]) -> None:
        number, pid, parent, started_ns = (said.get(name) for name in ("id", "pid", "parent", "started_ns"))
        if _is_count(number) and _is_count(pid) and number not in self._processes and self._has_room(self._processes):
            known_ns = started_ns if self._is_time(started_ns) and started_ns <= time_ns else time_ns
            self._processes[number] = _Process(pid, _count_or_none(parent), _text(said.get("name")), known_ns)

    def _hear_thread(self, said: Mapping[str, Any]) -> None:
        number, process, tid = (said.get(name) for name in ("id", "process", "tid"))
        if not (_is_count(number) and _is_count(process) and _is_count(tid)) or process not in self._processes:
            return
        if tid == self._processes[process].pid:
            # A process is called as its main thread, which may be named late.
            self._processes[process].name = _text(said.get("name"))
        known = self._threads.get(number)
        if known is not None:
            # It was given another name.
            known.name = _text(said.get("name"))
        elif self._has_room(self._threads):
            self._threads[number] = _Thread(process, tid, _text(said.get("name")))

    def _hear_rows(self, time_ns: int, line: Mapping[str, Any]) -> None:
        for number, cpu_ns, since_ns in _rows(line.get("processes"), 3):
            if number in self._processes and _is_count(since_ns):
                self._processes[number].cpu.grow(time_ns, cpu_ns, min(since_ns, _LONGEST_NS))
        for number, *values in _rows(line.get("details"), 1 + len(_DETAILS)):
            if number in self._processes:
                for name, value in zip(_DETAILS, values, strict=True):
                    self._processes[number].details[name].add(time_ns, value)
        for number, *values, since_ns in _rows(line.get("threads"), 5):
            if number in self._threads and _is_count(since_ns):
                for points, value in zip(self._threads[number].counts, values, strict=True):
                    points.grow(time_ns, value, min(since_ns, _LONGEST_NS))
        ended = line.get("ended")
        for number in ended if isinstance(ended, list) else ():
            if _is_count(number) and number in self._processes and self._processes[number].ended_ns is None:
                self._processes[number].ended_ns = time_ns

    @staticmethod
    def _has_room(known: Mapping[int, Any]) -> bool:
        return len(known) < _MOST_OF_A_KIND


def _is_count(value: Any) -> TypeGuard[int]:  # noqa: ANN401 (whatever JSON has)
    return type(value) is int and 0 <= value < _LARGEST


def _count_or_none(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < _LARGEST else None


def _text(value: object) -> str:
    return value[:1000] if isinstance(value, str) else ""


def _objects(value: object) -> Iterator[Mapping[str, Any]]:
    return (each for each in value if isinstance(each, dict)) if isinstance(value, list) else iter(())


def _rows(value: object, length: int) -> Iterator[Sequence[Any]]:
    """Rows of a table, whose first column is a number."""
    for each in value if isinstance(value, list) else ():
        if isinstance(each, list) and len(each) == length and _is_count(each[0]):
            yield each
