"""How long the ops of XLA:CPU were on cores: what the clocks of its threads tell, divided among executions.

Between two readings of a thread's clock its time goes to the executions in proportion to their self time there, and to
no op beyond the time in which any was running. It is far steadier than the wall clock where others share the machine.
"""

from collections.abc import Callable, Mapping, Sequence

import attrs
import numpy as np

from scopelight.analysis.options import Scope
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.totals.instruction_totals import InstructionTotals, distinct_cells, executions_in_steps
from scopelight.formats.columns import Float64, Int64, distinct_values
from scopelight.model.executions import Executions
from scopelight.model.host.thread_cpu import CpuIntervals, HostCpu
from scopelight.model.profile import Profile

_COMPILING = ("tf_PjRtCompilerThreadPool", "tf_xla-cpu-codegen")
"""How threads are called that compile, and help no op."""


@attrs.frozen(eq=False, repr=False)
class CpuOfScope:
    """What ops of a scope and its devices had of cores, int64 by row of `Executions.ops`; ``unattributed_ps`` is what
    XLA's threads had beside ops, 0 where some of its devices alone are looked at.
    """

    of_op_ps: Int64
    unattributed_ps: int

    @property
    def whole_ps(self) -> int:
        """Both together."""
        return int(self.of_op_ps.sum()) + self.unattributed_ps


@attrs.frozen(eq=False, repr=False)
class CpuTime:
    """Of a whole profile, by op, device and step (-1 outside of them), in columns.

    ``unattributed_ps`` is by step, and last of what is outside, what XLA's threads had beside ops; ``process_ps`` by
    step what all threads of the processes had, spread evenly between two readings.
    """

    op: Int64
    device: Int64
    step: Int64
    cpu_ps: Int64
    unattributed_ps: Int64
    process_ps: Int64
    ops: int

    def of_scope(self, totals: InstructionTotals, scope: Scope, *, is_of_all: bool) -> CpuOfScope:
        """What of it is of the devices of ``totals`` and of a scope; ``is_of_all``: no device is left out."""
        rows = np.isin(self.device, list(totals.device_rows))
        if scope != "window":
            rows &= (self.step >= 0) if scope == "steps" else (self.step < 0)
        of_op_ps = np.zeros(self.ops, dtype=np.int64)
        np.add.at(of_op_ps, self.op[rows], self.cpu_ps[rows])
        chosen = {"steps": slice(0, -1), "outside": slice(-1, None), "window": slice(None)}[scope]
        unattributed_ps = int(self.unattributed_ps[chosen].sum()) if is_of_all else 0
        return CpuOfScope(of_op_ps, unattributed_ps)


def cpu_time(profile: Profile, steps: Steps) -> CpuTime | None:
    """Divide it; None where it is not known: of devices other than the CPU, and where no clocks were read."""
    executions = profile.executions
    ran = distinct_values(executions.device).tolist()
    if not ran or not all(executions.devices[row].is_on_the_host for row in ran):
        return None
    records = profile.host_records()
    hosts = {host: records[host].cpu for host in {executions.devices[row].host for row in ran} if host in records}
    if any(hosts.get(executions.devices[row].host) is None for row in ran):
        return None
    cpu_ps = np.zeros(len(executions), dtype=np.int64)
    unattributed_ps = np.zeros(len(steps) + 1, dtype=np.int64)
    process_ps = np.zeros(len(steps), dtype=np.int64)
    host_of = np.array([device.host for device in executions.devices], dtype=np.int64)[executions.device]
    for host, clocks in hosts.items():
        assert clocks is not None
        rows = np.flatnonzero(host_of == host)
        of_host = _OfHost(executions, rows, clocks, _threads(profile, host), records[host].threads)
        if not of_host.is_known:
            return None
        cpu_ps[rows] = of_host.of_executions_ps
        unattributed_ps += of_host.unattributed_ps(steps, profile.duration_ps)
        process_ps += _within(clocks.process.until, steps)
    step = executions_in_steps(executions, steps)
    devices, count = len(executions.devices), len(steps) + 1
    cell = (executions.op.astype(np.int64) * devices + executions.device) * count + step + 1
    cells, group = distinct_cells(cell, len(executions.ops) * devices * count)
    sums_ps = np.zeros(len(cells), dtype=np.int64)
    np.add.at(sums_ps, group, cpu_ps)
    of_device, step_after = np.divmod(cells, count)
    op, device = np.divmod(of_device, devices)
    return CpuTime(op, device, step_after - 1, sums_ps, unattributed_ps, process_ps, len(executions.ops))


def _threads(profile: Profile, host: int) -> Mapping[int, Sequence[int]]:
    """The lanes of a host that are threads of it, by the ids of their lines."""
    files = {trace.file for trace in profile.traces if trace.host == host}
    executions, lanes = profile.executions, dict[int, list[int]]()
    used = set(distinct_values(executions.lane).tolist())
    for lane, (place, thread) in enumerate(zip(executions.lane_places, executions.lane_threads, strict=True)):
        if thread is None or place.file not in files:
            continue
        if executions.lanes[lane].startswith(_COMPILING) and lane not in used:
            continue
        lanes.setdefault(thread, []).append(lane)
    return lanes


class _OfHost:
    """The executions of one host, at ``rows``, and the clocks of its threads.

    What a thread has goes to executions that it began itself, while it has any; threads of XLA's own work for those of
    the others as well, all that time or between their own. A thread of Python does other things between them, of which
    nothing is said.
    """

    def __init__(
        self,
        executions: Executions,
        rows: Int64,
        clocks: HostCpu,
        lanes_of: Mapping[int, Sequence[int]],
        of_python: Mapping[int, object],
    ) -> None:
        of_lane = np.full(len(executions.lanes), -1, dtype=np.int64)
        for thread, lanes in enumerate(lanes_of.values()):
            of_lane[list(lanes)] = thread
        number = of_lane[executions.lane[rows]]
        is_python = np.array([line_id in of_python for line_id in lanes_of], dtype=np.bool_)
        clocked = [clocks.threads.get(line_id) for line_id in lanes_of]
        is_clocked = np.array([each is not None for each in clocked], dtype=np.bool_)
        # Of threads that help, too: what one had that is not known would be missing without a sign.
        self.is_known = (
            bool(len(is_clocked))
            and bool((number >= 0).all())
            and bool((is_clocked | is_python).all())
            and bool(is_clocked[number].all())
        )
        self.of_executions_ps = np.zeros(len(rows), dtype=np.int64)
        self._of_xla: list[_Thread] = []
        if not self.is_known:
            return
        start_ps, self_ps = executions.start_ps[rows], executions.self_ps[rows]
        end_ps = start_ps + executions.duration_ps[rows]
        density = np.where(end_ps > start_ps, self_ps / np.maximum(end_ps - start_ps, 1), 0.0)
        of_all = _Work.of(start_ps, end_ps, density)
        found = np.zeros(len(rows))
        for thread, (clock, python) in enumerate(zip(clocked, is_python.tolist(), strict=True)):
            own = np.flatnonzero(number == thread)
            if clock is None or (python and not len(own)):
                continue
            own_density = np.minimum(density[own], 1.0)
            of = _Thread.of(clock, _Work.of(start_ps[own], end_ps[own], own_density), None if python else of_all)
            found[own] += own_density * (of.own_until(end_ps[own]) - of.own_until(start_ps[own]))
            if not python:
                self._of_xla.append(of)
        for_all = _sum_over_time([each for each in self._of_xla if each.all_ratio.any()])
        if for_all is not None:
            found += density * (np.interp(end_ps, *for_all) - np.interp(start_ps, *for_all))
        self.of_executions_ps = np.rint(found).astype(np.int64)

    def unattributed_ps(self, steps: Steps, duration_ps: int) -> Int64:
        """What XLA's threads had beside ops, by step and outside of them."""
        found = np.zeros(len(steps) + 1, dtype=np.int64)
        for thread in self._of_xla:
            inside = _within(thread.beside_until, steps)
            found[:-1] += inside
            whole = int(np.rint(thread.beside_until(np.array([duration_ps]))[0]))
            found[-1] += max(0, whole - int(inside.sum()))
        return found


def _within(until: Callable[[Int64], Float64], steps: Steps) -> Int64:
    """What of a growing sum each step has."""
    begins, ends = until(steps.start_ps), until(steps.start_ps + steps.duration_ps)
    return np.maximum(np.rint(ends - begins), 0).astype(np.int64)


@attrs.frozen(eq=False, repr=False)
class _Work:
    """When executions worked: the sum of their densities, and whether any did, as columns of moments in order.

    An execution works as densely as its self time over its duration, evenly: one that waits for its body hardly does.
    ``done_ps`` is before each moment the sum of self times, ``active_ps`` how long any worked.
    """

    moment_ps: Int64
    done_ps: Float64
    active_ps: Float64

    @classmethod
    def of(cls, start_ps: Int64, end_ps: Int64, density: Float64) -> "_Work":
        works = density > 0
        start_ps, end_ps, density = start_ps[works], end_ps[works], density[works]
        moment_ps = np.concatenate((start_ps, end_ps))
        order = np.argsort(moment_ps, kind="stable")
        moment_ps = moment_ps[order]
        one = np.ones(len(density), dtype=np.int32)
        number = np.cumsum(np.concatenate((one, -one))[order])
        # Where nothing works the sum is what rounding leaves of it.
        together = np.where(number > 0, np.cumsum(np.concatenate((density, -density))[order]), 0.0)
        lasts_ps = np.diff(moment_ps, append=moment_ps[-1:]).astype(np.float64)
        return cls(moment_ps, _before(together * lasts_ps), _before(np.where(number > 0, lasts_ps, 0.0)))

    def at(self, time_ps: Int64) -> tuple[Float64, Float64]:
        """Both before each time."""
        if not len(self.moment_ps):
            return np.zeros(len(time_ps)), np.zeros(len(time_ps))
        return np.interp(time_ps, self.moment_ps, self.done_ps), np.interp(time_ps, self.moment_ps, self.active_ps)


def _before(parts: Float64) -> Float64:
    return np.cumsum(parts) - parts


@attrs.frozen(eq=False, repr=False)
class _Thread:
    """What one thread had for executions, for each unit of their work, by interval between two readings; and beside
    them, spread over the time in which none that it could work for did."""

    intervals: CpuIntervals
    own_ratio: Float64
    all_ratio: Float64
    beside_ps: Float64
    own: "_Work"
    all: "_Work | None"

    @classmethod
    def of(cls, intervals: CpuIntervals, own: _Work, every: _Work | None) -> "_Thread":
        """``every``: the work of all, which it takes part in while it has none of its own."""
        own_ratio, had_ps, active_ps = _shared(intervals, own, intervals.cpu_ps.astype(np.float64))
        all_ratio = np.zeros(len(own_ratio))
        if every is not None:
            left_ps = np.where(active_ps > 0, 0.0, intervals.cpu_ps)
            all_ratio, for_all_ps, _ = _shared(intervals, every, left_ps)
            had_ps = had_ps + for_all_ps
        return cls(intervals, own_ratio, all_ratio, intervals.cpu_ps - had_ps, own, every)

    def own_until(self, time_ps: Int64) -> Float64:
        """The sum over time before each time of what it had for each unit of its own work."""
        return _spread(self.intervals, self.own_ratio, time_ps)

    def for_all_until(self, time_ps: Int64) -> Float64:
        """The same for the work of all."""
        return _spread(self.intervals, self.all_ratio, time_ps)

    def beside_until(self, time_ps: Int64) -> Float64:
        """What was beside ops before each time."""
        of = self.intervals
        if not len(of.start_ps):
            return np.zeros(len(time_ps))
        at = np.clip(np.searchsorted(of.start_ps, time_ps, side="right") - 1, 0, None)
        start_ps, end_ps = of.start_ps[at], of.end_ps[at]
        inside_ps = np.clip(time_ps, start_ps, end_ps)
        work = self.own if self.all is None else self.all
        before, now, after = (work.at(each)[1] for each in (start_ps, inside_ps, end_ps))
        idle_ps = np.maximum((end_ps - start_ps) - (after - before), 0.0)
        evenly = (inside_ps - start_ps) / (end_ps - start_ps)
        passed = np.divide(inside_ps - start_ps - (now - before), idle_ps, out=evenly, where=idle_ps > 0)
        found: Float64 = _before(self.beside_ps)[at] + self.beside_ps[at] * np.clip(passed, 0.0, 1.0)
        return found


def _sum_over_time(threads: Sequence[_Thread]) -> tuple[Int64, Float64] | None:
    """What threads had for each unit of the work of all, summed over them and over the time before each moment; the
    moments come first. None without threads."""
    if not threads:
        return None
    moments_ps = distinct_values(
        np.concatenate([each for of in threads for each in (of.intervals.start_ps, of.intervals.end_ps)])
    )
    return moments_ps, np.sum([each.for_all_until(moments_ps) for each in threads], axis=0)


def _shared(intervals: CpuIntervals, work: _Work, cpu_ps: Float64) -> tuple[Float64, Float64, Float64]:
    """By interval what of its time each unit of work gets, what all of it gets, and how long any was done."""
    (done_from, active_from), (done_to, active_to) = work.at(intervals.start_ps), work.at(intervals.end_ps)
    done_ps, active_ps = done_to - done_from, active_to - active_from
    had_ps = np.where(done_ps > 0, np.minimum(cpu_ps, active_ps), 0.0)
    return np.divide(had_ps, done_ps, out=np.zeros(len(had_ps)), where=done_ps > 0), had_ps, active_ps


def _spread(intervals: CpuIntervals, ratio: Float64, time_ps: Int64) -> Float64:
    """The sum before each time of a ratio that holds during each interval."""
    if not len(ratio):
        return np.zeros(len(time_ps))
    amount = ratio * (intervals.end_ps - intervals.start_ps)
    moments_ps = np.stack((intervals.start_ps, intervals.end_ps), axis=1).reshape(-1)
    before = _before(amount)
    return np.interp(time_ps, moments_ps, np.stack((before, before + amount), axis=1).reshape(-1))
