"""TPU: op executions from the ``XLA Ops`` line of a core, program runs from its ``XLA Modules`` line."""

import re

import attrs
import numpy as np

from scopelight.formats.columns import Int32, Int64, distinct_values
from scopelight.formats.xspace.events import Events
from scopelight.formats.xspace.reader import LinePlace, XLine, XPlane
from scopelight.model.backends.core_details import core_details
from scopelight.model.backends.tables import ExecutionColumns, Tables
from scopelight.model.executions import Device, Op, ProgramRuns
from scopelight.model.joins import dense_ids
from scopelight.model.nesting import nest
from scopelight.model.recorded_cost import GREATEST, RecordedCost, recorded_cost
from scopelight.model.stated_peaks import stated_peaks, text_of
from scopelight.program.hlo.category import category_of
from scopelight.program.hlo.stacks import stack_from_stats

OP_LINES = frozenset({"XLA Ops", "Sparse Core Ops"})
"""Lines whose events occupy the core. ``Async XLA Ops`` overlap them and are never added to busy time."""
MODULE_LINES = frozenset({"XLA Modules", "Sparse Core Modules"})

_MODULE_NAME = re.compile(r"(.*?)\((\d+)\)$")


def _instruction_name(text: str) -> str:
    """``fusion.3`` of ``%fusion.3 = bf16[8,128] fusion(...)``."""
    return text.partition(" = ")[0].strip().removeprefix("%")


def _add_op(tables: Tables, plane: XPlane, metadata: int, program_of_run: str, mean_flops: int) -> int:
    table = plane.events_metadata
    stats = table.stats(metadata)
    recorded_program = stats.get("program_id")
    program = str(recorded_program) if recorded_program is not None else program_of_run
    name = table.display_names[metadata] or _instruction_name(table.names[metadata])
    module = tables.module(program) if program else None
    instruction = module.by_name.get(name) if module else None
    category = text_of(stats.get("hlo_category"))
    if not category and module and instruction:
        category = category_of(module, instruction)
    stack = instruction.stack if instruction else ()
    if not stack:
        stack = stack_from_stats(text_of(stats.get("source")), text_of(stats.get("source_stack")))
    return tables.op_row(
        Op(
            name=name,
            category=category,
            program=tables.program_row(program, module.name if module else "") if program else -1,
            module=module,
            instruction=instruction,
            op_name=(instruction.op_name if instruction else "") or text_of(stats.get("tf_op")).rpartition(":")[0],
            stack=stack,
            recorded=_recorded(recorded_cost(stats), mean_flops),
        )
    )


def _recorded(stated: RecordedCost | None, mean_flops: int) -> RecordedCost | None:
    """The op's costs: FLOPs of its executions, which custom calls state of each, before those of the op."""
    if not mean_flops or mean_flops > GREATEST:
        return stated
    return attrs.evolve(stated or RecordedCost(), flops=mean_flops, model_flops=None)


@attrs.frozen(eq=False, repr=False)
class _Sorted:
    """A line's events, sorted by (start ascending, end descending)."""

    line: str
    place: LinePlace
    metadata: Int32
    start_ps: Int64
    duration_ps: Int64
    run_id: Int64
    self_ps: Int64
    flops: Int64
    """FLOPs recorded on each execution, int64[n]; 0 where none are recorded."""


def _self_ps(events: Events) -> Int64:
    """Self time of each event, by the core's own clock where it is recorded.

    Offsets and durations have been mapped onto the host's clock, which can change a duration by a third;
    ``device_offset_ps`` and ``device_duration_ps`` are what the core measured.
    """
    stats = events.integer_stats(("device_offset_ps", "device_duration_ps"))
    start_ps, has_start = stats["device_offset_ps"]
    duration_ps, has_duration = stats["device_duration_ps"]
    if not (has_start.all() and has_duration.all()) or (duration_ps < 0).any():
        start_ps, duration_ps = events.start_ps, events.duration_ps
    rows = np.lexsort((-duration_ps, start_ps))
    self_ps = np.empty_like(duration_ps)
    self_ps[rows] = nest(start_ps[rows], duration_ps[rows])[1]
    return self_ps


def _read_runs(plane: XPlane, events: _Sorted, tables: Tables, device: int) -> ProgramRuns:
    program = np.empty(len(events.metadata), dtype=np.int32)
    for row in distinct_values(events.metadata).tolist():
        found = _MODULE_NAME.match(plane.events_metadata.names[row])
        name, program_id = found.groups() if found else (plane.events_metadata.names[row], "")
        module = tables.module(program_id) if program_id else None
        program[events.metadata == row] = tables.program_row(program_id, module.name if module else name)
    count = len(events.metadata)
    return ProgramRuns(
        program,
        np.full(count, device, dtype=np.int32),
        events.run_id.view(np.uint64),
        events.start_ps,
        events.duration_ps,
        np.full(count, -1, dtype=np.int64),
    )


def _program_of_each(runs: ProgramRuns | None, start_ps: Int64) -> Int32:
    """Program whose run each event starts in; -1 outside all runs."""
    if runs is None or not len(runs.start_ps):
        return np.full(len(start_ps), -1, dtype=np.int32)
    at = np.searchsorted(runs.start_ps, start_ps, side="right") - 1
    inside = (at >= 0) & (start_ps < runs.start_ps[at] + runs.duration_ps[at])
    return np.where(inside, runs.program[at], -1).astype(np.int32)


class TpuReader:
    """Reads one core (TensorCore or SparseCore): its op executions and program runs."""

    def __init__(self, plane: XPlane, tables: Tables) -> None:
        self._plane = plane
        self._tables = tables

    def read_line(self, line: XLine, events: Events) -> _Sorted | None:
        """The core's ops or module runs; the other lines tell the same or overlap them."""
        if not len(events) or line.name not in OP_LINES | MODULE_LINES:
            return None
        rows = events.order()
        stats = events.integer_stats(("run_id", "flops"), rows)
        return _Sorted(
            line.name,
            line.place,
            events.metadata[rows],
            events.start_ps[rows],
            events.duration_ps[rows],
            stats["run_id"][0],
            _self_ps(events)[rows],
            stats["flops"][0],
        )

    def finish(self, lines: list[_Sorted]) -> None:
        """Place every op in the run of a module that it started in."""
        ops = [each for each in lines if each.line in OP_LINES]
        if not ops:
            return
        plane, tables = self._plane, self._tables
        ordinal = re.search(r"TPU:(\d+)", plane.name)
        number = int(ordinal.group(1)) if ordinal else 0
        stated = stated_peaks(plane.stats)
        core, of_job = core_details(plane.stats.get("core_details"))
        device = tables.device_row(Device(plane.name, "tpu", tables.host, number, stated, of_job, core))
        modules = [each for each in lines if each.line in MODULE_LINES]
        runs = _read_runs(plane, modules[-1], tables, device) if modules else None
        if runs is not None:
            tables.runs.append(runs)
        known: dict[tuple[int, int], int] = {}
        for events in ops:
            program = _program_of_each(runs, events.start_ps)
            keys = (program.astype(np.int64) + 1) * len(plane.events_metadata) + events.metadata
            ids, firsts = dense_ids(keys)
            rows = np.empty(len(firsts), dtype=np.int32)
            flops = np.bincount(ids, np.maximum(events.flops, 0), len(firsts)) / np.bincount(ids, minlength=len(firsts))
            for place, first in enumerate(firsts.tolist()):
                key = (int(events.metadata[first]), int(program[first]))
                if key not in known:
                    program_id = tables.programs[key[1]].program_id if key[1] >= 0 else ""
                    known[key] = _add_op(tables, plane, key[0], program_id, round(flops[place]))
                rows[place] = known[key]
            count = len(events.metadata)
            tables.columns.append(
                ExecutionColumns(
                    op=rows[ids],
                    device=np.full(count, device, dtype=np.int32),
                    lane=np.full(count, tables.lane_row(events.line, events.place), dtype=np.int32),
                    run_id=events.run_id,
                    start_ps=events.start_ps,
                    duration_ps=events.duration_ps,
                    self_ps=events.self_ps,
                    launch_ps=np.broadcast_to(np.int64(-1), count),
                )
            )
