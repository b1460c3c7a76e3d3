"""The ops that were executed, one row each, with times, costs, rates and place, and how many kernels each launches."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from scopelight.analysis.ops.elements import Elements
from scopelight.analysis.ops.notes import (
    bandwidth_unknown,
    kernels_warning,
    peak_notes,
    rates_above_peak,
    types_without_peak_warning,
)
from scopelight.analysis.ops.peaks import DevicePeaks, device_peaks
from scopelight.analysis.ops.records import OpRow, OpSide
from scopelight.analysis.ops.scopes import scope_of
from scopelight.analysis.ops.utilisation import Utilisation, goes_on_beside, utilisation
from scopelight.analysis.options import Scope
from scopelight.analysis.padding.matrix_unit import matrix_unit_of_devices
from scopelight.analysis.padding.records import MatrixUnitRecord
from scopelight.analysis.records import PHASE_NAMES, ExtentRecord
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.analysis.totals.charging import ChargedOp
from scopelight.analysis.totals.frames import LineOptions
from scopelight.analysis.totals.instruction_totals import InstructionTotals, Sums
from scopelight.analysis.totals.scoped import Scoped
from scopelight.findings import Finding, note
from scopelight.formats.columns import Int64, distinct_values
from scopelight.model.async_ops import async_pairs
from scopelight.model.backends.run_splitting import runs_once
from scopelight.model.cost.op_cost import OpCost, OpCosts
from scopelight.model.devices.device_model import DeviceModel
from scopelight.model.devices.peaks import OwnPeaks
from scopelight.model.executions import Executions, Op
from scopelight.model.profile import Profile
from scopelight.program.phases.phase import Phase as ModelPhase

_CALLBACKS = ("python_cpu_callback", "python_gpu_callback", "python_callback")
"""What the targets of custom calls into Python hold: ``xla_ffi_python_cpu_callback`` and its older and newer names."""
_HOST_OPCODES = frozenset(("infeed", "outfeed"))
_HOST_CATEGORIES = frozenset(("infeed", "outfeed", "host send", "host recv", "host compute"))


@attrs.frozen(eq=False, repr=False)
class OpEntry:
    """A row, and what it was made of."""

    row: OpRow
    op: Op
    ops: Sequence[int]
    """Rows in `Executions.ops`, more than one where several hosts ran it."""
    charged: Sequence[ChargedOp]
    device: int
    """A device that ran it."""
    utilisation: Utilisation
    kernels: int
    """That one run of it takes; more than 1 only where each of them is counted with the cost of the whole op."""
    runs: int
    """Its executions, or how often it would run in one run of a program that did not."""
    scope: tuple[str, ...]
    """Levels of names around it, as `scope_of` gives them."""
    repeated_flops: int | None
    """Of the row's FLOPs, those that were computed before."""


@attrs.frozen(eq=False, repr=False)
class OpTable:
    """Every op that was executed, longest self time first, and what their sums are held against."""

    profile: Profile
    device: str | None
    centre: Centre
    scoped: Scoped
    """What is looked at."""
    costs: OpCosts
    peaks: DevicePeaks
    matrix_unit: MatrixUnitRecord | None
    """What products are rounded up to; None where the devices have none."""
    entries: Sequence[OpEntry]
    elements: Elements

    @property
    def is_static(self) -> bool:
        """Whether no op was executed: then the entries have what one run of the programs would compute, in no time."""
        return self.centre.static is not None

    @property
    def totals(self) -> InstructionTotals:
        """Of the chosen device and scope."""
        return self.scoped.totals

    @property
    def op_time_ps(self) -> int:
        """Sum of all self times."""
        return self.totals.op_time_ps

    @property
    def extent(self) -> ExtentRecord:
        """What the sums of the rows are over."""
        return self.scoped.extent

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is missing and why."""
        several = [entry.row for entry in self.entries if entry.kernels > 1]
        rows = [(entry.row, entry.utilisation) for entry in self.entries]
        return (
            *self.centre.findings,
            *self.peaks.findings,
            *bandwidth_unknown(self.peaks.of_device.values()),
            *(types_without_peak_warning(rows) if self.peaks.records else ()),
            *self._above_peak(self.entries),
            *(
                [kernels_warning(several[0].name, len(several) - 1, sum(row.share_ratio for row in several))]
                if several
                else []
            ),
        )

    def findings_of(self, entry: OpEntry) -> tuple[Finding, ...]:
        """How the figures of one op alone are to be read."""
        return (*entry.row.findings, *self._above_peak([entry]))

    def _above_peak(self, entries: Iterable[OpEntry]) -> Iterator[Finding]:
        rows = [(entry.row, entry.utilisation) for entry in entries]
        found = rates_above_peak(rows, self.peaks.of_device.values(), self.op_time_ps)
        if found is not None:
            yield found


def op_table(
    profile: Profile,
    options: LineOptions | None = None,
    own_peaks: OwnPeaks | None = None,
    device: str | None = None,
    target: DeviceModel | None = None,
    scope: Scope = "steps",
) -> OpTable:
    """Make the table of one device, or of all together, in a scope.

    ``own_peaks`` are the user's own peaks of the device, ``target`` the TPU that a program was compiled for which does
    not say it. Raises `LookupError` with a sentence where no device of that name executed an op.
    """
    centre = centre_of(profile, options)
    scoped = centre.scoped(scope, device)
    totals = scoped.totals
    devices = [totals.devices[row] for row in totals.device_rows]
    unit = matrix_unit_of_devices(devices, profile.capture, target, is_tiled=any(each.has_tiles for each in devices))
    table = OpTable(
        profile=profile,
        centre=centre,
        device=device,
        scoped=scoped,
        costs=OpCosts(centre.executions, None if unit is None else (unit.rows, unit.columns)),
        peaks=device_peaks(profile, totals, own_peaks),
        matrix_unit=unit,
        entries=(),
        elements=Elements(centre),
    )
    return attrs.evolve(table, entries=_Maker(table).entries())


class _Maker:
    def __init__(self, table: OpTable) -> None:
        self._table = table
        self._executions = table.centre.executions
        self._totals = table.totals
        self._whole = table.totals.by_op()
        self._entries, of_op = _entries(table.totals, self._whole)
        self._sums = table.totals.by(of_op, len(self._entries))
        self._kernels = kernels_per_run(self._executions)
        self._device = table.totals.device_of_op
        self._start_of = {done: start for start, done in async_pairs(self._executions.ops)}

    def entries(self) -> Sequence[OpEntry]:
        entries = [self._entry(position) for position in np.argsort(-self._sums.self_ps, kind="stable").tolist()]
        if self._table.is_static:
            entries.sort(key=lambda entry: (-(entry.row.flops or 0), -(entry.row.bytes or 0)))
        return entries

    def _entry(self, position: int) -> OpEntry:
        table, sums = self._table, self._sums
        rows = self._entries[position]
        row = rows[0]
        op = self._executions.ops[row]
        charged = [table.scoped.charges.ops[each] for each in rows]
        executions, self_ps = int(sums.executions[position]), int(sums.self_ps[position])
        span_ps = int(sums.span_ps[position])
        cost = table.costs.of(row)
        runs = executions
        if table.centre.static is not None:
            runs = sum(table.centre.static.runs[each] for each in rows)
        total = cost.times(runs)
        device = int(self._device[row])
        peaks = table.peaks.of_device.get(device)
        start = self._start_of.get(row)
        awaited = table.costs.of(start).bytes_by_space if start is not None else None
        used = utilisation(total.flops, total.bytes_by_space, cost.element_type, span_ps, peaks, awaited)
        opcode = op.instruction.opcode if op.instruction is not None else ""
        used = attrs.evolve(used, is_beside=goes_on_beside(opcode, used, total.bytes, peaks))
        kernels = self._kernels.get(row, 1) if total.flops or total.bytes else 1
        names = charged[0].names
        program = self._executions.programs[op.program] if op.program >= 0 else None
        phase = charged[0].phase
        scope = scope_of(op.op_name, computes_again=phase is not ModelPhase.FORWARD)
        place = charged[0].parts[0].frame if charged[0].parts else None
        step_count = table.scoped.step_count
        cpu_ps = None if table.scoped.cpu is None else sum(each.cpu_ps for each in charged)
        return OpEntry(
            row=OpRow(
                key=table.centre.op_keys[row],
                program_key=table.centre.program_key(names.program_id, program.name if program is not None else ""),
                program=program.name if program is not None else "",
                opcode=opcode,
                op_name=op.op_name,
                **(names.fields | {"scope": "/".join(scope)}),
                phase=PHASE_NAMES[phase],
                side=op_side(op, names.category),
                **table.centre.frames.place_fields(place),
                function=place.function if place is not None else "",
                shared=any(each.shared for each in charged),
                executions=0 if table.is_static else executions,
                executions_per_step=executions / step_count if step_count else None,
                self_ps=self_ps,
                wall_ps=span_ps,
                mean_ps=self_ps / executions,
                least_ps=int(sums.least_ps[position]),
                greatest_ps=int(sums.greatest_ps[position]),
                per_step_ps=table.scoped.per_step_ps(self_ps),
                share_ratio=self_ps / self._totals.op_time_ps if self._totals.op_time_ps else 0.0,
                **(_in_row(total) | {"bytes": total.bytes, "bytes_by_space": total.bytes_by_space or {}}),
                flop_utilisation_ratio=used.flop_ratio,
                bandwidth_utilisation_ratio=used.bandwidth_ratio,
                bound_by=used.bound_by,
                wasted_ps=used.wasted_ps(self_ps),
                asynchronous=used.is_beside,
                has_estimate=op.has_estimate,
                cpu_ps=cpu_ps,
                cpu_per_step_ps=None if cpu_ps is None else table.scoped.per_step_ps(cpu_ps),
                findings=(
                    *peak_notes(used),
                    *([note("several-kernels", kernels=kernels)] if kernels > 1 else []),
                    *([note("in-loop", runs=runs)] if table.is_static and runs != 1 else []),
                ),
            ),
            op=op,
            ops=rows,
            charged=charged,
            device=device,
            utilisation=used,
            kernels=kernels,
            runs=runs,
            scope=scope,
            repeated_flops=total.repeated_flops,
        )


def _in_row(cost: OpCost) -> dict[str, Any]:
    return {name: each for name, each in cost.fields.items() if name != "repeated_flops"}


def _entries(totals: InstructionTotals, whole: Sums) -> tuple[Sequence[Sequence[int]], Int64]:
    """The rows of each op that ran, which on several hosts is several, the longest first; and by row the op, else -1.

    Ops are in the order in which the profile names them.
    """
    places: dict[tuple[str, str, str, str], int] = {}
    of_op = np.full(len(totals.ops), -1, dtype=np.int64)
    for row in totals.op_rows:
        of_op[row] = places.setdefault(totals.ops[row].of_any_host, len(places))
    rows: list[list[int]] = [[] for _ in places]
    for row in totals.op_rows:
        rows[of_op[row]].append(row)
    for each in rows:
        each.sort(key=lambda row: -int(whole.self_ps[row]))
    return rows, of_op


def op_side(op: Op, category: str) -> OpSide:
    """Where the work of an op is done."""
    instruction = op.instruction
    if instruction is not None:
        if any(callback in instruction.custom_call_target for callback in _CALLBACKS):
            return "callback"
        if instruction.opcode in _HOST_OPCODES:
            return "host"
    return "host" if category in _HOST_CATEGORIES else "device"


def kernels_per_run(executions: Executions) -> Mapping[int, int]:
    """By row of `Executions.ops`, the kernels of one run of it; absent where it is one, or cannot be told.

    A library call may launch several. Each is an execution of its instruction, so an instruction that runs at most once
    in a run of its program has as many kernels as it has executions there: on average, for a capture may cut off some.
    """
    is_gpu = np.array([device.executes_kernels for device in executions.devices], dtype=np.bool_)
    if not is_gpu.any() or not len(executions):
        return {}
    chosen = is_gpu[executions.device] & runs_once(executions.ops)[executions.op] & (executions.run >= 0)
    op, run = executions.op[chosen].astype(np.int64), executions.run[chosen].astype(np.int64)
    kernels = np.bincount(op, minlength=len(executions.ops))
    width = int(run.max(initial=0)) + 1
    runs = np.bincount(distinct_values(op * width + run) // width, minlength=len(executions.ops))
    per_run = np.rint(kernels / np.maximum(1, runs)).astype(np.int64)
    return {row: int(per_run[row]) for row in np.flatnonzero(per_run > 1).tolist()}
