"""Totals of instructions: the executions added up by op, device and step, in whole picoseconds."""

from collections.abc import Sequence
from functools import cached_property

import attrs
import numpy as np

from scopelight.analysis.records import DeviceRecord
from scopelight.analysis.steps.steps import Steps
from scopelight.formats.columns import Bool, Int64
from scopelight.model.executions import Device, Executions
from scopelight.model.joins import dense_ids

_COLUMNS = ("executions", "self_ps", "wall_ps", "least_ps", "greatest_ps")


@attrs.frozen(slots=True)
class OpIdentity:
    """What names an op among those of all hosts: programs of different hosts have ops of their own."""

    host: int
    program_id: str
    program: str
    name: str
    op_name: str

    @property
    def of_any_host(self) -> tuple[str, str, str, str]:
        """Equal for what several hosts run of one program, which is one op to who looks at it."""
        return self.program_id, self.program, self.name, self.op_name


@attrs.frozen(eq=False)
class Sums:
    """Columns int64[n] of groups of rows: executions, their self time and its wall clock, the least and greatest."""

    executions: Int64
    self_ps: Int64
    wall_ps: Int64
    least_ps: Int64
    greatest_ps: Int64


@attrs.frozen(eq=False)
class InstructionTotals(Sums):
    """One row for each op, device and step that something ran of and in, sorted by these.

    ``op`` is a row of ``ops``, ``device`` of ``devices``, ``step`` the number of a complete step in order of time,
    -1 outside of them. ``wall_ps`` is the self time with no execution longer than from its start to its end.
    """

    op: Int64
    device: Int64
    step: Int64
    ops: Sequence[OpIdentity]
    devices: Sequence[Device]
    steps: int
    """Complete steps."""

    @property
    def op_time_ps(self) -> int:
        """The sum of all self times."""
        return int(self.self_ps.sum())

    @cached_property
    def device_rows(self) -> Sequence[int]:
        """Rows of the devices that ran anything."""
        rows: list[int] = np.unique(self.device).tolist()
        return rows

    @property
    def device_records(self) -> tuple[DeviceRecord, ...]:
        """The devices that ran anything, each with its op time."""
        devices = ((self.devices[row], int(self.self_ps[self.device == row].sum())) for row in self.device_rows)
        return tuple(DeviceRecord(each.name, each.kind, each.host, each.ordinal, ps) for each, ps in devices)

    @property
    def steps_times_devices(self) -> int:
        """What a time inside complete steps is divided by to be a time per step; 0 without steps."""
        return self.steps * len(self.device_rows)

    @cached_property
    def op_rows(self) -> Sequence[int]:
        """Rows of the ops that ran."""
        rows: list[int] = np.unique(self.op).tolist()
        return rows

    @property
    def device_of_op(self) -> Int64:
        """By op a device that ran it; -1 where none did."""
        device = np.full(len(self.ops), -1, dtype=np.int64)
        device[self.op] = self.device
        return device

    def per_step_ps(self, inside_ps: int) -> int | None:
        """A time inside complete steps as a time per step and device; None without steps."""
        return round(inside_ps / self.steps_times_devices) if self.steps_times_devices else None

    def of_device(self, row: int) -> "InstructionTotals":
        """Those of one device."""
        return self._where(self.device == row)

    def inside_steps(self) -> "InstructionTotals":
        """Those inside complete steps."""
        return self._where(self.step >= 0)

    def by_op(self) -> Sums:
        """Sums by row of ``ops``; the least and greatest of an op that did not run mean nothing."""
        return self.by(np.arange(len(self.ops)), len(self.ops))

    def by(self, group_of_op: Int64, count: int) -> Sums:
        """Sums by group of ops, int64[count]; ops of the group -1 are left out."""
        group = group_of_op[self.op]
        rows = np.flatnonzero(group >= 0)
        return _sums(group[rows], count, *(getattr(self, name)[rows] for name in _COLUMNS))

    def _where(self, rows: Bool) -> "InstructionTotals":
        columns = {name: getattr(self, name)[rows] for name in ("op", "device", "step", *_COLUMNS)}
        return attrs.evolve(self, **columns)


def instruction_totals(executions: Executions, steps: Steps) -> InstructionTotals:
    """Add up executions. A step has what began in it."""
    has_steps = steps.source is not None and len(steps) > 0
    step = step_of(executions.start_ps, steps) if has_steps else np.full(len(executions), -1, dtype=np.int64)
    threaded = np.array([device.has_helper_threads for device in executions.devices], dtype=np.bool_)
    # Where threads do not share an execution, self time and duration may be told by different clocks.
    at_most_ps = np.minimum(executions.self_ps, executions.duration_ps)
    wall_ps = np.where(threaded[executions.device], at_most_ps, executions.self_ps)
    host = np.zeros(len(executions.ops), dtype=np.int64)
    host[executions.op] = np.array([device.host for device in executions.devices], dtype=np.int64)[executions.device]
    return _grouped(
        executions.op.astype(np.int64),
        executions.device.astype(np.int64),
        step,
        (np.ones(len(executions), np.int64), executions.self_ps, wall_ps, executions.self_ps, executions.self_ps),
        tuple(_identity(executions, row, of_host) for row, of_host in enumerate(host.tolist())),
        executions.devices,
        len(steps) if has_steps else 0,
    )


def merge(first: InstructionTotals, second: InstructionTotals) -> InstructionTotals:
    """The totals of both; what they have in common is added up. Steps of one number are one step."""
    ops = {identity: row for row, identity in enumerate(dict.fromkeys((*first.ops, *second.ops)))}
    devices = {device: row for row, device in enumerate(dict.fromkeys((*first.devices, *second.devices)))}
    both = (first, second)
    return _grouped(
        np.concatenate([np.array([ops[op] for op in each.ops], np.int64)[each.op] for each in both]),
        np.concatenate([np.array([devices[one] for one in each.devices], np.int64)[each.device] for each in both]),
        np.concatenate([each.step for each in both]),
        [np.concatenate([getattr(each, name) for each in both]) for name in _COLUMNS],
        tuple(ops),
        tuple(devices),
        max(first.steps, second.steps),
    )


def _grouped(
    op: Int64,
    device: Int64,
    step: Int64,
    columns: Sequence[Int64],
    ops: Sequence[OpIdentity],
    devices: Sequence[Device],
    steps: int,
) -> InstructionTotals:
    group, firsts = dense_ids((op * max(1, len(devices)) + device) * (steps + 1) + step)
    order = np.lexsort((step[firsts], device[firsts], op[firsts]))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    sums = _sums(place[group], len(firsts), *columns)
    rows = firsts[order]
    return InstructionTotals(
        **{name: getattr(sums, name) for name in _COLUMNS},
        op=op[rows],
        device=device[rows],
        step=step[rows],
        ops=ops,
        devices=devices,
        steps=steps,
    )


def _sums(
    group: Int64, count: int, executions: Int64, self_ps: Int64, wall_ps: Int64, least_ps: Int64, greatest_ps: Int64
) -> Sums:
    least, greatest = np.full(count, np.iinfo(np.int64).max), np.full(count, np.iinfo(np.int64).min)
    np.minimum.at(least, group, least_ps)
    np.maximum.at(greatest, group, greatest_ps)
    added = [np.zeros(count, dtype=np.int64) for _ in range(3)]
    for sums, values in zip(added, (executions, self_ps, wall_ps), strict=True):
        # Not bincount with weights: it adds in floating point, and sums are exact here.
        np.add.at(sums, group, values)
    return Sums(added[0], added[1], added[2], least, greatest)


def _identity(executions: Executions, row: int, host: int) -> OpIdentity:
    op = executions.ops[row]
    program = executions.programs[op.program] if op.program >= 0 else None
    return OpIdentity(host, program.program_id if program else "", program.name if program else "", op.name, op.op_name)


def step_of(start_ps: Int64, steps: Steps) -> Int64:
    """The number of the complete step that each time lies in, in order of time; -1 outside of them."""
    order = np.argsort(steps.start_ps, kind="stable")
    starts = steps.start_ps[order]
    ends = starts + steps.duration_ps[order]
    step = np.searchsorted(starts, start_ps, side="right") - 1
    return np.where((step >= 0) & (start_ps < ends[step]), step, -1)
