"""What the line analysis needs of the executions: sums by op and by device, and the step of each."""

import attrs
import numpy as np

from scopelight.analysis.records import DeviceRecord
from scopelight.analysis.steps.steps import Steps
from scopelight.formats.columns import Bool, Int64
from scopelight.model.executions import Executions


@attrs.frozen(eq=False)
class Totals:
    """Columns by op, and sums by device. What is inside complete steps is None where there are none."""

    self_ps: Int64
    executions: Int64
    inside_ps: Int64 | None
    inside_executions: Int64 | None
    step: Int64 | None
    """By execution, the complete step that it began in, in order of time; -1 outside of them."""
    device: Int64
    """A device that ran the op, for the kind of its backend."""
    op_time_ps: int
    devices: tuple[DeviceRecord, ...]
    steps: int
    """Complete steps."""

    @property
    def steps_times_devices(self) -> int:
        """What a time inside complete steps is divided by to be a time per step; 0 without steps."""
        return self.steps * len(self.devices)

    def per_step_ps(self, inside_ps: int) -> int | None:
        """A time inside complete steps as a time per step and device; None without steps."""
        return round(inside_ps / self.steps_times_devices) if self.steps_times_devices else None


def find_totals(executions: Executions, steps: Steps) -> Totals:
    """Add up the executions."""
    count = len(executions.ops)
    device_ps = np.zeros(len(executions.devices), dtype=np.int64)
    np.add.at(device_ps, executions.device, executions.self_ps)
    busy = np.bincount(executions.device, minlength=len(executions.devices)) > 0
    device = np.zeros(count, dtype=np.int64)
    device[executions.op] = executions.device
    inside_ps = inside_executions = step = None
    has_steps = steps.source is not None and len(steps) > 0
    if has_steps:
        step = _step_of(executions.start_ps, steps)
        inside = step >= 0
        inside_ps = _sum_by_op(executions, inside)
        inside_executions = np.bincount(executions.op[inside], minlength=count).astype(np.int64)
    return Totals(
        self_ps=_sum_by_op(executions, slice(None)),
        executions=np.bincount(executions.op, minlength=count).astype(np.int64),
        inside_ps=inside_ps,
        inside_executions=inside_executions,
        step=step,
        device=device,
        op_time_ps=int(executions.self_ps.sum()),
        devices=tuple(
            DeviceRecord(each.name, each.kind, each.host, each.ordinal, int(device_ps[row]))
            for row, each in enumerate(executions.devices)
            if busy[row]
        ),
        steps=len(steps) if has_steps else 0,
    )


def _sum_by_op(executions: Executions, rows: slice | Bool) -> Int64:
    # Not bincount with weights: it adds in floating point, and sums are exact here.
    sums = np.zeros(len(executions.ops), dtype=np.int64)
    np.add.at(sums, executions.op[rows], executions.self_ps[rows])
    return sums


def _step_of(start_ps: Int64, steps: Steps) -> Int64:
    order = np.argsort(steps.start_ps, kind="stable")
    starts = steps.start_ps[order]
    ends = starts + steps.duration_ps[order]
    step = np.searchsorted(starts, start_ps, side="right") - 1
    return np.where((step >= 0) & (start_ps < ends[step]), step, -1)
