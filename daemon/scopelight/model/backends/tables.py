"""Tables that every backend fills: ops, devices, programs and lanes by name, executions by column."""

from collections.abc import Callable, Mapping, Sequence

import attrs
import numpy as np

from scopelight.findings import Finding
from scopelight.formats.columns import Int32, Int64, distinct_values
from scopelight.formats.groups import greatest_by, least_by
from scopelight.formats.xspace.reader import LinePlace
from scopelight.model.backends.launch_order import least_known
from scopelight.model.executions import Device, Executions, Op, Program, ProgramRuns
from scopelight.model.host_launches import ThreadLaunches
from scopelight.model.joins import dense_ids
from scopelight.program.hlo.nouns import HloModule


@attrs.frozen(eq=False, repr=False)
class ExecutionColumns:
    """Executions of one plane or lane. ``run_id`` is the recorded id's bit pattern, or a number of ours; 0 for none."""

    op: Int32
    device: Int32
    lane: Int32
    run_id: Int64
    start_ps: Int64
    duration_ps: Int64
    self_ps: Int64
    launch_ps: Int64
    """When the host launched the run of each execution; -1 where unknown."""
    correlation_id: Int64 | None = None
    """What names the host event that launched each execution, where the backend says so; 0 for none."""
    kernel: Int32 | None = None
    """Which of its device's kernels ran, where each kernel is an execution: their runs are told apart by launches."""
    host: int = 0
    is_numbered: bool = False
    """Whether the file names no runs, and ``run_id`` only tells them apart."""


@attrs.define(eq=False, repr=False)
class Tables:
    """What has been read of a profile so far. Rows are handed out in order of appearance and never move."""

    host: int = 0
    """The host being read. Devices of different hosts are different rows, and programs unless their modules are one."""
    modules: Mapping[str, Callable[[], HloModule]] = attrs.field(factory=dict)
    """Builders of this host's modules by program id; each is built when the first op of it is seen."""
    ops: list[Op] = attrs.field(factory=list)
    devices: list[Device] = attrs.field(factory=list)
    programs: list[Program] = attrs.field(factory=list)
    lanes: list[str] = attrs.field(factory=list)
    lane_places: list[LinePlace] = attrs.field(factory=list)
    lane_threads: list[int | None] = attrs.field(factory=list)
    columns: list[ExecutionColumns] = attrs.field(factory=list)
    runs: list[ProgramRuns] = attrs.field(factory=list)
    """Those that a backend recorded as such (TPU module lines); their times count as those of the columns do."""
    launches: dict[int, list[ThreadLaunches]] = attrs.field(factory=dict)
    """Of each host, what its threads launched on GPUs."""
    findings: list[Finding] = attrs.field(factory=list)
    runs_told_apart: int = 0
    """The highest id that was given to a run that has none of its own: those of another file are higher."""
    _built: dict[tuple[int, str], HloModule | None] = attrs.field(factory=dict)
    _program_rows: dict[tuple[object, ...], int] = attrs.field(factory=dict)
    _op_rows: dict[tuple[int, int, str, str], int] = attrs.field(factory=dict)
    _device_rows: dict[Device, int] = attrs.field(factory=dict)

    def module(self, program_id: str) -> HloModule | None:
        """The HLO of a program, or None where the profile has none."""
        key = (self.host, program_id)
        if key not in self._built:
            build = self.modules.get(program_id)
            self._built[key] = build() if build else None
        return self._built[key]

    @property
    def built_modules(self) -> Sequence[HloModule]:
        """The modules of the programs that were seen to run, each once."""
        return list({id(module): module for module in self._built.values() if module is not None}.values())

    def program_row(self, program_id: str, name: str) -> int:
        """Row of a program, added when new."""
        module = self._built.get((self.host, program_id))
        key: tuple[object, ...] = (self.host, program_id, name) if module is None else (id(module),)
        if key not in self._program_rows:
            self._program_rows[key] = len(self.programs)
            self.programs.append(Program(program_id, name))
        return self._program_rows[key]

    def device_row(self, device: Device) -> int:
        """Row of a device, added when new."""
        if device not in self._device_rows:
            self._device_rows[device] = len(self.devices)
            self.devices.append(device)
        return self._device_rows[device]

    def lane_row(self, name: str, place: LinePlace, thread: int | None = None) -> int:
        """A new lane; names may repeat. ``thread`` is the id of its line where that is one of the host's."""
        self.lanes.append(name)
        self.lane_threads.append(thread)
        self.lane_places.append(place)
        return len(self.lanes) - 1

    def op_row(self, op: Op) -> int:
        """Row of an op, added when new: one instruction of a program is one op, on however many devices it ran."""
        key = (self.host if op.program < 0 or op.module is None else -1, op.program, op.name, op.op_name)
        if key not in self._op_rows:
            self._op_rows[key] = len(self.ops)
            self.ops.append(op)
        return self._op_rows[key]


def _joined(parts: Sequence[Int64] | Sequence[Int32], dtype: type) -> np.ndarray:
    return np.concatenate(parts).astype(dtype, copy=False) if parts else np.zeros(0, dtype=dtype)


def _runs_from_executions(executions: ProgramRuns) -> tuple[ProgramRuns, Int32]:
    """Group executions, one of each in the columns, by (device, program, run id).

    Returns the runs and the run of each execution; -1 where no id is known.
    """
    rows = np.flatnonzero((executions.run_id != 0) & (executions.program >= 0))
    known = _only(executions, rows)
    group, firsts = dense_ids(known.run_id.view(np.int64))
    programs = int(known.program.max(initial=0)) + 1
    devices = int(known.device.max(initial=0)) + 1
    if programs * devices > 1:
        group, firsts = dense_ids((group.astype(np.int64) * devices + known.device) * programs + known.program)
    run = group
    if known is not executions:
        run = np.full(len(executions.program), -1, dtype=np.int32)
        run[rows] = group
    start = least_by(group, len(firsts), known.start_ps)
    end = greatest_by(group, len(firsts), known.start_ps + known.duration_ps)
    launch = least_known(group, len(firsts), known.launch_ps)
    return attrs.evolve(_rows_of(known, firsts), start_ps=start, duration_ps=end - start, launch_ps=launch), run


def _only(runs: ProgramRuns, rows: Int64) -> ProgramRuns:
    """Those of the ascending ``rows``; all are not copied."""
    return runs if len(rows) == len(runs.program) else _rows_of(runs, rows)


def _rows_of(runs: ProgramRuns, rows: Int64 | Int32) -> ProgramRuns:
    return ProgramRuns(*(column[rows] for column in attrs.astuple(runs, recurse=False)))


def _runs_as_recorded(recorded: ProgramRuns, device: Int32, start_ps: Int64) -> Int32:
    """The recorded run in whose span each execution starts, on its device; -1 outside all of them."""
    run = np.full(len(device), -1, dtype=np.int32)
    for each in distinct_values(recorded.device):
        of_device = np.flatnonzero(recorded.device == each)
        of_device = of_device[np.argsort(recorded.start_ps[of_device], kind="stable")]
        rows = np.flatnonzero(device == each)
        at = np.searchsorted(recorded.start_ps[of_device], start_ps[rows], side="right") - 1
        inside = at >= 0
        found = of_device[at[inside]]
        held = start_ps[rows[inside]] < recorded.start_ps[found] + recorded.duration_ps[found]
        run[rows[inside][held]] = found[held]
    return run


def _join_runs(parts: Sequence[ProgramRuns]) -> ProgramRuns:
    kinds = {"program": np.int32, "device": np.int32, "run_id": np.uint64}
    names = attrs.fields_dict(ProgramRuns)
    return ProgramRuns(
        **{name: _joined([getattr(part, name) for part in parts], kinds.get(name, np.int64)) for name in names}
    )


class _Columns:
    """Execution columns of all parts, joined one at a time; the parts of a column are freed when it is taken."""

    def __init__(self, tables: Tables) -> None:
        names = ("op", "device", "lane", "run_id", "start_ps", "duration_ps", "self_ps", "launch_ps")
        self._parts = {name: [getattr(part, name) for part in tables.columns] for name in names}
        tables.columns.clear()

    def take(self, name: str, dtype: type) -> np.ndarray:
        """A column over all parts, once."""
        return _joined(self._parts.pop(name), dtype)


def _order(device: Int32, start_ps: Int64) -> Int64 | slice:
    """Rows by device and start; a slice of all where they are so already, as most are."""
    same = device[1:] == device[:-1]
    if bool(np.all((device[1:] > device[:-1]) | (same & (start_ps[1:] >= start_ps[:-1])))):
        return slice(None)
    order = np.argsort(start_ps, kind="stable")
    if same.all():
        return order
    return order[np.argsort(device[order], kind="stable")].astype(np.int64, copy=False)


def finish(tables: Tables, origin_ps: int) -> tuple[Executions, ProgramRuns]:
    """Join what the backends read into the two sorted tables of the model, counting time from ``origin_ps``."""
    numbered = distinct_values(_joined([part.device for part in tables.columns if part.is_numbered], np.int32))
    columns = _Columns(tables)
    device, start_ps = columns.take("device", np.int32), columns.take("start_ps", np.int64)
    op, duration_ps = columns.take("op", np.int32), columns.take("duration_ps", np.int64)
    program_of_op = np.array([op.program for op in tables.ops], dtype=np.int32)
    recorded = _join_runs(tables.runs)
    run = _runs_as_recorded(recorded, device, start_ps)
    without = np.flatnonzero(~np.isin(device, recorded.device))
    run_id, launch_ps = columns.take("run_id", np.int64), columns.take("launch_ps", np.int64)
    if len(without):
        of_each = ProgramRuns(program_of_op[op], device, run_id.view(np.uint64), start_ps, duration_ps, launch_ps)
        grouped, run_of_group = _runs_from_executions(_only(of_each, without))
        if len(recorded.program):
            run[without] = np.where(run_of_group >= 0, run_of_group + len(recorded.program), -1)
        else:
            run = run_of_group
        grouped.run_id[np.isin(grouped.device, numbered)] = 0
        recorded = _join_runs([recorded, grouped])
        del of_each
    del run_id, launch_ps, without

    run_order = np.lexsort((recorded.start_ps, recorded.device))
    run_place = np.full(len(run_order) + 1, -1, dtype=np.int32)
    run_place[run_order] = np.arange(len(run_order), dtype=np.int32)
    order = _order(device, start_ps)
    lane, self_ps = columns.take("lane", np.int32), columns.take("self_ps", np.int64)
    start_ps -= origin_ps
    executions = Executions(
        op=op[order],
        device=device[order],
        run=run_place[run[order]],
        lane=lane[order],
        start_ps=start_ps[order],
        duration_ps=duration_ps[order],
        self_ps=self_ps[order],
        ops=tuple(tables.ops),
        devices=tuple(tables.devices),
        programs=tuple(tables.programs),
        lanes=tuple(tables.lanes),
        lane_places=tuple(tables.lane_places),
        lane_threads=tuple(tables.lane_threads),
    )
    runs = _rows_of(recorded, run_order)
    launch_ps = np.where(runs.launch_ps >= 0, runs.launch_ps - origin_ps, -1)
    return executions, attrs.evolve(runs, start_ps=runs.start_ps - origin_ps, launch_ps=launch_ps)
