"""Quantities over time, in the steps, and on average: machine, processes, threads by name, accelerators."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import attrs
import numpy as np

from scopelight.analysis.host.resources.records import ResourceQuantity, ResourceSeries
from scopelight.analysis.host.resources.spans import MOST_STEPS, Moments, Spans, grown_by
from scopelight.formats.columns import Float64
from scopelight.model.host.resources import Counter, HostResources, HostThread, Level

MOST_OF_A_KIND = 8
"""Processes, and names of threads, that have a series of their own; as many as there are colours. Others are summed."""
_DIGITS = 6
_STATES: Mapping[ResourceQuantity, Sequence[str]] = {
    "cpu_user_ratio": ("user", "nice"),
    "cpu_system_ratio": ("system", "irq", "softirq"),
    "cpu_iowait_ratio": ("iowait",),
    "cpu_stolen_ratio": ("steal",),
    "cpu_idle_ratio": ("idle",),
}
_PER_SECOND: Mapping[ResourceQuantity, str] = {
    "switches_per_s": "switches",
    "disk_read_bytes_per_s": "disk_read_bytes",
    "disk_written_bytes_per_s": "disk_written_bytes",
    "network_received_bytes_per_s": "network_received_bytes",
    "network_sent_bytes_per_s": "network_sent_bytes",
}
_OF_TIME: Mapping[ResourceQuantity, str] = {
    "cpu_pressure_ratio": "cpu_pressure_ns",
    "io_pressure_ratio": "io_pressure_ns",
    "memory_pressure_ratio": "memory_pressure_ns",
    "throttled_ratio": "throttled_ns",
}
_LEVELS: Mapping[ResourceQuantity, str] = {
    "running_threads": "running",
    "blocked_threads": "blocked",
    "available_bytes": "available_bytes",
}
Mean = Callable[[Moments], Float64]
"""The mean of a quantity in each span; NaN where it is not known."""


@attrs.frozen
class _Group:
    """Processes or threads that are one series."""

    key: str
    name: str
    number: int = 1
    is_rest: bool = False
    pid: int | None = None
    is_main: bool = False


def all_series(resources: HostResources, spans: Spans) -> tuple[ResourceSeries, ...]:
    """Every series of what was read, the machine's first."""
    means = (
        *_of_machine(resources),
        *_of_processes(resources, spans),
        *_of_threads(resources, spans),
        *_of_devices(resources),
    )
    return tuple(_series(quantity, group, mean, spans) for quantity, group, mean in means)


def mean_over(mean: Mean, parts: Moments) -> float | None:
    """The mean over several spans by their length; None where nothing of it is known."""
    values, weights = mean(parts), parts.duration_ns
    known = ~np.isnan(values)
    return float(np.average(values[known], weights=weights[known])) if weights[known].sum() > 0 else None


def share_of_cores(resources: HostResources, states: Sequence[str]) -> Mean:
    """The share of all cores' time that went to some of what they can do."""
    counters = {name: resources.counters[name] for name in _ALL_STATES if name in resources.counters}
    chosen = [counters[name] for name in states if name in counters]

    def mean(parts: Moments) -> Float64:
        covered, known = parts.covered_by(list(counters.values()))
        whole = grown_by(list(counters.values()), covered)
        known &= whole > 0
        return np.where(known, grown_by(chosen, covered) / np.where(known, whole, 1.0), np.nan)

    return mean


_ALL_STATES = tuple(each for states in _STATES.values() for each in states)
_MACHINE = _Group("", "")
_Measured = tuple[ResourceQuantity, _Group, Mean]


def rate(counters: Sequence[Counter], per_ns: float, *, is_always_known: bool = False) -> Mean:
    """Growth of counters together over time, as so much in a nanosecond.

    What only grew while it was there, as the time of a process, ``is_always_known``.
    """

    def mean(parts: Moments) -> Float64:
        if is_always_known:
            return grown_by(counters, parts) * per_ns / np.maximum(parts.duration_ns, 1.0)
        covered, known = parts.covered_by(counters)
        grown = grown_by(counters, covered) * per_ns / np.maximum(covered.duration_ns, 1.0)
        return np.where(known, grown, np.nan)

    return mean


def _level(level: Level) -> Mean:
    return lambda parts: level.mean(parts.from_ns, parts.to_ns)


def _of_machine(resources: HostResources) -> Iterator[_Measured]:
    if all(name in resources.counters for name in _ALL_STATES):
        for quantity, states in _STATES.items():
            yield quantity, _MACHINE, share_of_cores(resources, states)
    for names, per_ns in ((_PER_SECOND, 1e9), (_OF_TIME, 1.0)):
        for quantity, name in names.items():
            if name in resources.counters:
                yield quantity, _MACHINE, rate([resources.counters[name]], per_ns)
    for quantity, name in _LEVELS.items():
        if name in resources.levels:
            yield quantity, _MACHINE, _level(resources.levels[name])


def _of_processes(resources: HostResources, spans: Spans) -> Iterator[_Measured]:
    parts = spans.of(spans.chosen)
    by_time = sorted(resources.processes, key=lambda each: -float(grown_by([each.cpu], parts).sum()))
    for each in by_time[:MOST_OF_A_KIND]:
        group = _Group(f"process {each.id}", each.name, pid=each.pid)
        yield "process_core_ratio", group, rate([each.cpu], 1.0, is_always_known=True)
    rest = by_time[MOST_OF_A_KIND:]
    if rest:
        group = _Group("processes", "", len(rest), is_rest=True)
        yield "process_core_ratio", group, rate([each.cpu for each in rest], 1.0, is_always_known=True)
    for each in by_time[:MOST_OF_A_KIND]:
        if len(each.resident):
            level, ended_ns = _level(each.resident), each.ended_ns
            group = _Group(f"process {each.id}", each.name, pid=each.pid)
            yield "process_resident_bytes", group, level if ended_ns is None else _until(level, ended_ns)


def _until(mean: Mean, ended_ns: int) -> Mean:
    """What is not any more is not known, rather than as it was last."""
    return lambda parts: np.where(parts.to_ns <= ended_ns, mean(parts), np.nan)


def common_name(name: str) -> str:
    """What threads of one pool have in common: ``llvm-worker-3`` is one of ``llvm-worker``."""
    return re.sub(r"[-_ /:.#]*\d+$", "", name) or name


def _of_threads(resources: HostResources, spans: Spans) -> Iterator[_Measured]:
    pids = {each.id: each.pid for each in resources.processes}
    by_name: dict[_Group, list[HostThread]] = {}
    for each in resources.threads:
        pid, is_main = pids[each.process], each.tid == pids[each.process]
        name = each.name if is_main else common_name(each.name)
        key = f"{'main thread' if is_main else 'threads'} {name} of process {each.process}"
        group = _Group(key, name, pid=pid if len(pids) > 1 else None, is_main=is_main)
        by_name.setdefault(group, []).append(each)
    parts = spans.of(spans.chosen)

    def taken(threads: Sequence[HostThread]) -> float:
        return float(grown_by([each.cpu for each in threads] + [each.waiting for each in threads], parts).sum())

    by_time = sorted(by_name.items(), key=lambda row: (-taken(row[1]), row[0].key))
    groups = [(attrs.evolve(group, number=len(threads)), threads) for group, threads in by_time]
    rest = [thread for _, threads in groups[MOST_OF_A_KIND:] for thread in threads]
    del groups[MOST_OF_A_KIND:]
    if rest:
        groups.append((_Group("threads", "", len(rest), is_rest=True), rest))
    for group, threads in groups:
        yield "thread_core_ratio", group, rate([each.cpu for each in threads], 1.0, is_always_known=True)
    for group, threads in groups:
        if any(len(each.waiting) for each in threads):
            waiting = [each.waiting for each in threads]
            yield "thread_waiting_ratio", group, rate(waiting, 1.0, is_always_known=True)


def _of_devices(resources: HostResources) -> Iterator[_Measured]:
    for each in resources.devices:
        group = _Group(f"{each.kind} {each.index}", f"{each.kind.upper()} {each.index}")
        if len(each.busy):
            yield "device_busy_ratio", group, _level(each.busy)
        if len(each.used):
            yield "device_used_bytes", group, _level(each.used)


def _series(quantity: ResourceQuantity, group: _Group, mean: Mean, spans: Spans) -> ResourceSeries:
    return ResourceSeries(
        key=f"{quantity} {group.key}".rstrip(),
        quantity=quantity,
        name=group.name,
        number=group.number,
        is_rest=group.is_rest,
        pid=group.pid,
        is_main=group.is_main,
        values=_told(mean(spans.intervals)),
        step_values=_told(_in_steps(mean, spans)) if len(spans.all_steps) <= MOST_STEPS else (),
        steps_mean=mean_over(mean, spans.steps),
        window_mean=mean_over(mean, spans.window),
        run_mean=mean_over(mean, spans.run),
    )


def _in_steps(mean: Mean, spans: Spans) -> Float64:
    """The mean in each step; nothing is known of those that were not read from their begin to their end."""
    first_ns, last_ns = spans.edges_ns[0], spans.edges_ns[-1]
    is_read = (spans.all_steps.from_ns >= first_ns) & (spans.all_steps.to_ns <= last_ns)
    return np.where(is_read, mean(spans.all_steps), np.nan)


def _told(values: Float64) -> tuple[float | None, ...]:
    """Values with as many digits as any screen shows; None where they are not known."""
    return tuple(None if np.isnan(each) else float(f"{each:.{_DIGITS}g}") for each in values.tolist())
