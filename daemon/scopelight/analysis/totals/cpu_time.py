"""How long the ops of XLA:CPU were on cores: what the clocks of its threads tell, divided among executions.

Between two readings of a thread's clock its time goes to the executions in proportion to their self time there, and to
no op beyond the time in which any was running. It is far steadier than the wall clock where others share the machine.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import attrs
import numpy as np

from scopelight.analysis.options import Scope
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.totals.instruction_totals import InstructionTotals, executions_in_steps
from scopelight.formats.columns import Float64, Int64, distinct_values
from scopelight.model.executions import Executions
from scopelight.model.host.thread_cpu import CpuIntervals, HostCpu
from scopelight.model.profile import Profile


@attrs.frozen(eq=False, repr=False)
class CpuOfScope:
    """What ops of a scope and its devices had of cores, int64 by row of `Executions.ops`; ``unattributed_ps`` is what
    XLA's threads had beside ops, 0 where some of its devices alone are looked at."""

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
        return CpuOfScope(of_op_ps, int(self.unattributed_ps[chosen].sum()) if is_of_all else 0)


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
    cells, group = np.unique(cell, return_inverse=True)
    sums_ps = np.zeros(len(cells), dtype=np.int64)
    np.add.at(sums_ps, group, cpu_ps)
    of_device, step_after = np.divmod(cells, count)
    op, device = np.divmod(of_device, devices)
    return CpuTime(op, device, step_after - 1, sums_ps, unattributed_ps, process_ps, len(executions.ops))


def _threads(profile: Profile, host: int) -> Mapping[int, Sequence[int]]:
    """The lanes of a host that are threads of it, by the ids of their lines."""
    files = {trace.file for trace in profile.traces if trace.host == host}
    executions, lanes = profile.executions, dict[int, list[int]]()
    for lane, (place, thread) in enumerate(zip(executions.lane_places, executions.lane_threads, strict=True)):
        if thread is not None and place.file in files:
            lanes.setdefault(thread, []).append(lane)
    return lanes


class _OfHost:
    """The executions of one host, at ``rows``, and the clocks of its threads.

    Threads of XLA's own help each other, so what they have is divided among the executions of all of them; a thread of
    Python that runs ops itself does other things as well, so only its own executions have a part of its time.
    """

    def __init__(
        self,
        executions: Executions,
        rows: Int64,
        clocks: HostCpu,
        lanes_of: Mapping[int, Sequence[int]],
        of_python: Mapping[int, object],
    ) -> None:
        lane = executions.lane[rows]
        of_lane = np.full(len(executions.lanes), -1, dtype=np.int64)
        for thread, lanes in enumerate(lanes_of.values()):
            of_lane[list(lanes)] = thread
        is_python = np.array([line_id in of_python for line_id in lanes_of], dtype=np.bool_)
        number = of_lane[lane]
        clocked = [clocks.threads.get(line_id) for line_id in lanes_of]
        is_clocked = np.array([each is not None for each in clocked], dtype=np.bool_)
        # Of threads that help, too: what one had that is not known would be missing without a sign.
        self.is_known = (
            bool(len(is_clocked))
            and bool((number >= 0).all())
            and bool((is_clocked | is_python).all())
            and bool(is_clocked[number].all())
        )
        self._parts: list[_Part] = []
        self.of_executions_ps = np.zeros(len(rows), dtype=np.int64)
        if not self.is_known:
            return
        workers = [each for each, python in zip(clocked, is_python.tolist(), strict=True) if each and not python]
        self._add(executions, rows, np.flatnonzero(~is_python[number]), workers)
        for each in np.flatnonzero(is_python).tolist():
            own = np.flatnonzero(number == each)
            clock = clocked[each]
            if len(own) and clock is not None:
                self._add(executions, rows, own, [clock], is_of_xla=False)

    def _add(
        self,
        executions: Executions,
        rows: Int64,
        chosen: Int64,
        threads: Sequence[CpuIntervals],
        *,
        is_of_xla: bool = True,
    ) -> None:
        of = rows[chosen]
        part = _Part(executions.start_ps[of], executions.duration_ps[of], executions.self_ps[of], threads)
        self.of_executions_ps[chosen] = part.of_executions_ps
        if is_of_xla:
            self._parts.append(part)

    def unattributed_ps(self, steps: Steps, duration_ps: int) -> Int64:
        """What XLA's threads had beside ops, by step and outside of them."""
        found = np.zeros(len(steps) + 1, dtype=np.int64)
        for part in self._parts:
            inside = _within(part.beside_until, steps)
            found[:-1] += inside
            whole = int(np.rint(part.beside_until(np.array([duration_ps]))[0]))
            found[-1] += max(0, whole - int(inside.sum()))
        return found


def _within(until: Callable[[Int64], Float64], steps: Steps) -> Int64:
    """What of a growing sum each step has."""
    begins, ends = until(steps.start_ps), until(steps.start_ps + steps.duration_ps)
    return np.maximum(np.rint(ends - begins), 0).astype(np.int64)


@attrs.frozen(eq=False, repr=False)
class _Part:
    """Executions, and the threads that worked for them.

    An execution works as densely as its self time over its duration, evenly: one that waits for its body hardly does.
    """

    _start_ps: Int64
    _duration_ps: Int64
    _self_ps: Int64
    _threads: Sequence[CpuIntervals]

    @cached_property
    def _density(self) -> Float64:
        return np.where(self._duration_ps > 0, self._self_ps / np.maximum(self._duration_ps, 1), 0.0)

    @cached_property
    def _work(self) -> "_Work":
        return _Work.of(self._start_ps, self._duration_ps, self._density)

    @cached_property
    def _shares(self) -> Sequence["_Shares"]:
        return [_Shares.of(each, self._work) for each in self._threads]

    @property
    def of_executions_ps(self) -> Int64:
        """What each had of the threads."""
        found = np.zeros(len(self._start_ps))
        for each in self._shares:
            found += each.ratio_until(self._start_ps + self._duration_ps) - each.ratio_until(self._start_ps)
        return np.rint(found * self._density).astype(np.int64)

    def beside_until(self, time_ps: Int64) -> Float64:
        """What the threads had before each time while no execution worked."""
        found = np.zeros(len(time_ps))
        for each in self._shares:
            found += each.beside_until(time_ps, self._work)
        return found


@attrs.frozen(eq=False, repr=False)
class _Work:
    """When executions worked: the sum of their densities, and whether any did, as columns of moments in order.

    ``done_ps`` is before each moment the sum of self times, ``active_ps`` how long any worked.
    """

    moment_ps: Int64
    done_ps: Float64
    active_ps: Float64

    @classmethod
    def of(cls, start_ps: Int64, duration_ps: Int64, density: Float64) -> "_Work":
        works = density > 0
        start_ps, end_ps, density = start_ps[works], (start_ps + duration_ps)[works], density[works]
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
class _Shares:
    """One thread's intervals: how much of it ops had for each unit of their work, and how much was beside them."""

    intervals: CpuIntervals
    ratio: Float64
    beside_ps: Float64
    idle_ps: Float64
    """How long no execution worked in it."""

    @classmethod
    def of(cls, intervals: CpuIntervals, work: _Work) -> "_Shares":
        (done_from, active_from), (done_to, active_to) = work.at(intervals.start_ps), work.at(intervals.end_ps)
        done_ps, active_ps = done_to - done_from, active_to - active_from
        used_ps = np.where(done_ps > 0, np.minimum(intervals.cpu_ps, active_ps), 0.0)
        ratio = np.divide(used_ps, done_ps, out=np.zeros(len(used_ps)), where=done_ps > 0)
        idle_ps = intervals.end_ps - intervals.start_ps - active_ps
        beside_ps = intervals.cpu_ps.astype(np.float64) - used_ps
        return cls(intervals, ratio, beside_ps, np.maximum(idle_ps, 0.0))

    def ratio_until(self, time_ps: Int64) -> Float64:
        """The sum of the ratio over time before each time."""
        of = self.intervals
        return _spread(of, self.ratio * (of.end_ps - of.start_ps), time_ps)

    def beside_until(self, time_ps: Int64, work: _Work) -> Float64:
        """What was beside ops before each time, spread evenly over the time when none worked."""
        of = self.intervals
        if not len(of.start_ps):
            return np.zeros(len(time_ps))
        at = np.clip(np.searchsorted(of.start_ps, time_ps, side="right") - 1, 0, None)
        start_ps, end_ps = of.start_ps[at], of.end_ps[at]
        inside_ps = np.clip(time_ps, start_ps, end_ps)
        active_ps = work.at(inside_ps)[1] - work.at(start_ps)[1]
        whole_ps = end_ps - start_ps
        evenly = (inside_ps - start_ps) / whole_ps
        idle_ps = self.idle_ps[at]
        passed = np.divide(inside_ps - start_ps - active_ps, idle_ps, out=evenly, where=idle_ps > 0)
        found: Float64 = _before(self.beside_ps)[at] + self.beside_ps[at] * np.clip(passed, 0.0, 1.0)
        return found


def _spread(intervals: CpuIntervals, amount: Float64, time_ps: Int64) -> Float64:
    if not len(amount):
        return np.zeros(len(time_ps))
    moments_ps = np.stack((intervals.start_ps, intervals.end_ps), axis=1).reshape(-1)
    before = _before(amount)
    return np.interp(time_ps, moments_ps, np.stack((before, before + amount), axis=1).reshape(-1))
