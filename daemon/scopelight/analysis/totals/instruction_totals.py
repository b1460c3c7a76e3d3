"""Totals of instructions: the executions added up by op, device and step, in whole picoseconds."""

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import attrs
import numpy as np

from scopelight.analysis.device_time.busy import span_at
from scopelight.analysis.device_time.division import Division
from scopelight.analysis.options import Scope
from scopelight.analysis.records import DeviceRecord
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.totals.step_sums import COLUMNS, NONE_GREATEST, NONE_LEAST, step_sums
from scopelight.formats.columns import Bool, Int64, distinct_values
from scopelight.legible import Legible
from scopelight.model.devices.names import full_name
from scopelight.model.executions import Device, Executions
from scopelight.model.spans import Spans

if TYPE_CHECKING:
    # Most files are of no capture of ours.
    from scopelight.model.run.information import RunInformation

SPARSE = 4
"""Times as many cells as rows may be looked at one by one; of more, the rows are sorted."""


@attrs.frozen(slots=True, repr=False)
class OpIdentity(Legible):
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


@attrs.frozen(eq=False, repr=False)
class Sums:
    """Columns int64[n] of groups of rows: executions, sums of their times, the least and the greatest self time.

    ``span_ps`` is the self time with no execution longer than from its start to its end, which is what rates are over;
    ``wall_ps`` the part of the wall clock of the devices that is theirs, in equal parts where several ran at once.
    """

    executions: Int64
    self_ps: Int64
    span_ps: Int64
    wall_ps: Int64
    least_ps: Int64
    greatest_ps: Int64


@attrs.frozen(eq=False, repr=False)
class InstructionTotals(Sums):
    """One row for each op, device and step that something ran of and in, sorted by these.

    ``op`` is a row of ``ops``, ``device`` of ``devices``, ``step`` the number of a complete step in order of time,
    -1 outside of them. An execution is of the step that it began in; ``wall_ps`` is of the step that it lies in.
    """

    op: Int64
    device: Int64
    step: Int64
    ops: Sequence[OpIdentity]
    devices: Sequence[Device]
    steps: int
    """Complete steps that they are of; 0 where they are of anything else."""
    device_rows: Sequence[int]
    """Rows of the devices that ran anything in the whole window, of complete steps those that did in any of them."""

    @property
    def op_time_ps(self) -> int:
        """The sum of all self times."""
        return int(self.self_ps.sum())

    def device_records(self, capture: "RunInformation | None") -> tuple[DeviceRecord, ...]:
        """The devices that ran anything, each with its op time."""
        devices = ((self.devices[row], int(self.self_ps[self.device == row].sum())) for row in self.device_rows)
        return tuple(
            DeviceRecord(each.name, each.kind, each.host, each.ordinal, ps, full_name(each, capture))
            for each, ps in devices
        )

    @cached_property
    def op_rows(self) -> Sequence[int]:
        """Rows of the ops that began; others may only reach into a step or out of it."""
        rows: list[int] = distinct_values(self.op[self.executions > 0]).tolist()
        return rows

    @property
    def device_of_op(self) -> Int64:
        """By op a device that ran it; -1 where none did."""
        device = np.full(len(self.ops), -1, dtype=np.int64)
        device[self.op] = self.device
        return device

    def of_devices(self, rows: tuple[int, ...]) -> "InstructionTotals":
        """Those of some devices, by their rows."""
        return attrs.evolve(self._where(np.isin(self.device, rows)), device_rows=rows)

    def of_scope(self, scope: Scope) -> "InstructionTotals":
        """Those of the complete steps, of the window, or of what lies outside of the steps.

        A device that ran nothing in any step is none of theirs, as one that ran nothing is none of the window's.
        """
        if scope == "steps":
            inside = self._where(self.step >= 0)
            ran = set(distinct_values(inside.device).tolist())
            rows = tuple(row for row in self.device_rows if row in ran)
            return attrs.evolve(inside, device_rows=rows or self.device_rows)
        return attrs.evolve(self if scope == "window" else self._where(self.step < 0), steps=0)

    def by_op(self) -> Sums:
        """Sums by row of ``ops``; the least and greatest of an op that did not run mean nothing."""
        return self.by(np.arange(len(self.ops)), len(self.ops))

    def by(self, group_of_op: Int64, count: int) -> Sums:
        """Sums by group of ops, int64[count]; ops of the group -1 are left out."""
        group = group_of_op[self.op]
        columns: Sequence[Int64] = [getattr(self, name) for name in COLUMNS]
        rows = np.flatnonzero(group >= 0)
        if len(rows) < len(group):
            group, columns = group[rows], [each[rows] for each in columns]
        return _sums(group, count, columns)

    def _where(self, rows: Bool) -> "InstructionTotals":
        columns = {name: getattr(self, name)[rows] for name in ("op", "device", "step", *COLUMNS)}
        return attrs.evolve(self, **columns)


def instruction_totals(executions: Executions, steps: Steps, division: Division) -> InstructionTotals:
    """Add up executions, of which ``division`` is how the wall clock of the devices and ``steps`` is divided."""
    step = executions_in_steps(executions, steps)
    op, device, began_in, *sums = step_sums(executions, step, division)
    columns = _each_counted(executions, op, sums)
    # What reaches into another step than it began in has a part of that one's wall clock too.
    others = np.flatnonzero((division.step != step) & (division.wall_ps > 0))
    reaching = np.concatenate([others, division.more_execution])
    reached = np.concatenate([division.step[others], division.more_step])
    parts_ps = np.concatenate([division.wall_ps[others], division.more_wall_ps])
    none, least, greatest = (np.full(len(reaching), value, np.int64) for value in (0, NONE_LEAST, NONE_GREATEST))
    of_parts = (none, none, none, parts_ps, least, greatest)
    host = np.zeros(len(executions.ops), dtype=np.int64)
    host[op] = np.array([each.host for each in executions.devices], dtype=np.int64)[device]
    return _grouped(
        np.concatenate([op, executions.op[reaching]]),
        np.concatenate([device, executions.device[reaching]]),
        np.concatenate([began_in, reached]),
        [np.concatenate(both) for both in zip(columns, of_parts, strict=True)],
        tuple(_identity(executions, row, of_host) for row, of_host in enumerate(host.tolist())),
        executions.devices,
        len(steps),
    )


def _each_counted(executions: Executions, op: Int64, columns: Sequence[Int64]) -> Sequence[Int64]:
    """``columns`` where some executions stand for several: all of them counted, least and greatest of their means."""
    repetitions = np.array([each.repetitions for each in executions.ops], dtype=np.int64)
    if (repetitions == 1).all():
        return columns
    of_row, by_name = repetitions[op], dict(zip(COLUMNS, columns, strict=True))
    by_name["executions"] = by_name["executions"] * of_row
    for name in ("least_ps", "greatest_ps"):
        by_name[name] = by_name[name] // of_row
    return [by_name[name] for name in COLUMNS]


def merge(first: InstructionTotals, second: InstructionTotals) -> InstructionTotals:
    """The totals of both; what they have in common is added up. Steps of one number are one step."""
    ops = {identity: row for row, identity in enumerate(dict.fromkeys((*first.ops, *second.ops)))}
    devices = {device: row for row, device in enumerate(dict.fromkeys((*first.devices, *second.devices)))}
    both = (first, second)
    return _grouped(
        np.concatenate([np.array([ops[op] for op in each.ops], np.int64)[each.op] for each in both]),
        np.concatenate([np.array([devices[one] for one in each.devices], np.int64)[each.device] for each in both]),
        np.concatenate([each.step for each in both]),
        [np.concatenate([getattr(each, name) for each in both]) for name in COLUMNS],
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
    """Sums of ``columns`` by op, device and step."""
    cells, group = distinct_cells(
        (op * len(devices) + device) * (steps + 1) + step + 1, len(ops) * len(devices) * (steps + 1)
    )
    sums = _sums(group, len(cells), columns)
    of_devices, step_after = np.divmod(cells, steps + 1)
    of_op, of_device = np.divmod(of_devices, max(1, len(devices)))
    return InstructionTotals(
        **{name: getattr(sums, name) for name in COLUMNS},
        op=of_op,
        device=of_device,
        step=step_after - 1,
        ops=ops,
        devices=devices,
        steps=steps,
        device_rows=distinct_values(of_device).tolist(),
    )


def distinct_cells(cell: Int64, cells: int) -> tuple[Int64, Int64]:
    """The cells below ``cells`` that occur, ascending, and by row of ``cell`` which of them it is."""
    if cells <= SPARSE * len(cell):
        occurs = np.zeros(cells, dtype=np.bool_)
        occurs[cell] = True
        return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[cell]
    distinct, group = np.unique(cell, return_inverse=True)
    return distinct, group


def _sums(group: Int64, count: int, columns: Sequence[Int64]) -> Sums:
    *added, least_ps, greatest_ps = columns
    least, greatest = np.full(count, NONE_LEAST), np.full(count, NONE_GREATEST)
    np.minimum.at(least, group, least_ps)
    np.maximum.at(greatest, group, greatest_ps)
    sums = [np.zeros(count, dtype=np.int64) for _ in added]
    for each, values in zip(sums, added, strict=True):
        # Not bincount with weights: it adds in floating point, and sums are exact here.
        np.add.at(each, group, values)
    return Sums(**dict(zip(COLUMNS, (*sums, least, greatest), strict=True)))


def _identity(executions: Executions, row: int, host: int) -> OpIdentity:
    op = executions.ops[row]
    program = executions.programs[op.program] if op.program >= 0 else None
    return OpIdentity(host, program.program_id if program else "", program.name if program else "", op.name, op.op_name)


def executions_in_steps(executions: Executions, steps: Steps) -> Int64:
    """The number of the complete step that each execution began in, -1 outside of them.

    It is `step_of` of all starts: where a step begins and ends among those of a device is soon found.
    """
    number = np.full(2 * len(steps) + 1, -1, dtype=np.int64)
    number[1::2] = np.arange(len(steps))
    bounds_ps = np.stack((steps.start_ps, steps.start_ps + steps.duration_ps), axis=1).reshape(-1)
    parts = [np.zeros(0, dtype=np.int64)]
    for first, beyond in pairwise(executions.rows_of_devices):
        at = np.searchsorted(executions.start_ps[first:beyond], bounds_ps)
        parts.append(np.repeat(number, np.diff(at, prepend=0, append=beyond - first)))
    return np.concatenate(parts)


def step_of(start_ps: Int64, steps: Steps) -> Int64:
    """The number of the complete step that each time lies in, in order of time; -1 outside of them."""
    return span_at(Spans(steps.start_ps, steps.duration_ps), start_ps)
