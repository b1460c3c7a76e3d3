"""XLA:CPU: op executions from the thunk events of the host's threads."""

from collections.abc import Sequence

import attrs
import numpy as np

from scopelight.formats.events import Events
from scopelight.formats.xspace import XLine, XPlane
from scopelight.model.backends.run_splitting import runs_once, split_runs, spread_over_devices
from scopelight.model.backends.tables import ExecutionColumns, Tables
from scopelight.model.backends.thunks import (
    END,
    LAUNCH,
    OP,
    OTHER,
    POOL_CONTEXT,
    RECORD,
    REGION,
    STOP,
    ThreadEvents,
    thunk_times,
    waited_ps,
)
from scopelight.model.category import category_of
from scopelight.model.executions import Device, Int32, Int64, Op
from scopelight.model.hlo import HloModule, Instruction
from scopelight.model.joins import dense_ids, find_rows

CONTAINERS = frozenset({"while", "call", "conditional"})
"""Opcodes whose event spans the ops of the computations that they call."""

_POOL = "ThreadpoolListener::"
_POOL_KINDS = {_POOL + "Record": RECORD, _POOL + "StartRegion": REGION, _POOL + "StopRegion": STOP}
_LAUNCHES = (
    "CommonPjRtLoadedExecutable::Execute",
    "PjRtCpuExecutable::Execute",
    "TfrtCpuExecutable::Execute",
)
"""Host events in which a program is handed to the device's threads (names of jax 0.6 and since)."""
_IDS = ("_p", "_c", "_pt", "_ct", "run_id", "program_id", "device_ordinal")


@attrs.frozen(eq=False)
class _Thread:
    """Ops and markers of one thread, in order; all columns of equal length."""

    lane: str
    kind: Int32
    metadata: Int32
    start_ps: Int64
    end_ps: Int64
    produced: Int64
    consumed: Int64
    run_id: Int64
    program_id: Int64
    device_ordinal: Int64


def _kinds_by_metadata(plane: XPlane) -> Int32:
    """What an event is to this reader, by its metadata row. Ops are learnt from the events themselves."""
    names = plane.events_metadata.names
    kinds = np.full(len(names), OTHER, dtype=np.int32)
    for row, name in enumerate(names):
        if name in _POOL_KINDS:
            kinds[row] = _POOL_KINDS[name]
        elif name.startswith("end: "):
            kinds[row] = END
        elif name.startswith(_LAUNCHES):
            kinds[row] = LAUNCH
    return kinds


def _learn_ops(events: Events, has_program: np.ndarray, kinds: Int32, names: Sequence[str]) -> None:
    """Mark the metadata rows of ops: those whose events name a program and are named for their HLO op.

    Events of a row are alike. (Host events that launch a GPU kernel name the op too, but are not named for it.)
    """
    _, firsts = dense_ids(np.where(has_program, events.metadata, -1))
    for first in firsts.tolist():
        row = int(events.metadata[first])
        if has_program[first] and kinds[row] == OTHER and events.stats(first).get("hlo_op") == names[row]:
            kinds[row] = OP


def _read_thread(events: Events, lane: str, kinds: Int32, names: Sequence[str]) -> _Thread | None:
    stats = events.integer_stats(_IDS)
    program_id, has_program = stats["program_id"]
    _learn_ops(events, has_program, kinds, names)
    kind = kinds[events.metadata]
    kind = np.where((kind == OP) & ~has_program, np.int32(OTHER), kind)
    order = events.order()
    rows = order[(kind != OTHER)[order]]
    if not len(rows):
        return None

    def flow(name: str, context: str) -> Int64:
        value, present = stats[name]
        context_type = stats[context][0][rows]
        pool = (kind[rows] == RECORD) | (kind[rows] == REGION)
        fits = np.where(pool, context_type == POOL_CONTEXT, True) & present[rows]
        return np.where(fits, value[rows], -1)

    return _Thread(
        lane=lane,
        kind=kind[rows],
        metadata=events.metadata[rows],
        start_ps=events.start_ps[rows],
        end_ps=events.start_ps[rows] + events.duration_ps[rows],
        produced=flow("_p", "_pt"),
        consumed=flow("_c", "_ct"),
        run_id=stats["run_id"][0][rows],
        program_id=program_id[rows],
        device_ordinal=stats["device_ordinal"][0][rows],
    )


def _bodies(module: HloModule, instruction: Instruction) -> set[int]:
    """Rows of all instructions that run inside a container, loops in loops included."""
    seen: set[int] = set()
    waiting = list(instruction.called)
    rows: set[int] = set()
    while waiting:
        computation = waiting.pop()
        if computation in seen:
            continue
        seen.add(computation)
        rows.update(module.computations[computation].instructions)
        for row in module.computations[computation].instructions:
            waiting.extend(module.instructions[row].called)
    return rows


def _containers(ops: Sequence[Op]) -> tuple[Int32, np.ndarray]:
    """For each op its row in the second table or -1; for each container and op whether the op is in its bodies."""
    container = np.full(len(ops), -1, dtype=np.int32)
    found = [
        row
        for row, op in enumerate(ops)
        if op.instruction is not None and op.instruction.opcode in CONTAINERS
    ]
    inside = np.zeros((len(found), len(ops)), dtype=np.bool_)
    for place, row in enumerate(found):
        container[row] = place
        module, instruction = ops[row].module, ops[row].instruction
        if module is not None and instruction is not None:
            names = {module.instructions[each].name for each in _bodies(module, instruction)}
            inside[place] = [op.module is module and op.name in names for op in ops]
    return container, inside


def _add_ops(tables: Tables, plane: XPlane, program_id: Int64, metadata: Int32) -> Int32:
    """Row of the op of each execution, by its program and event name."""
    names = plane.events_metadata.names
    keys = dense_ids(program_id)[0].astype(np.int64) * len(names) + metadata
    ids, firsts = dense_ids(keys)
    rows = np.empty(len(firsts), dtype=np.int32)
    for number, first in enumerate(firsts.tolist()):
        program = str(int(program_id[first]))
        name = names[int(metadata[first])]
        module = tables.module(program)
        instruction = module.by_name.get(name) if module else None
        rows[number] = tables.op_row(
            Op(
                name=name,
                category=category_of(module, instruction) if module and instruction else "",
                program=tables.program_row(program, module.name if module else ""),
                module=module,
                instruction=instruction,
                op_name=instruction.op_name if instruction else "",
                stack=instruction.stack if instruction else (),
            )
        )
    return rows[ids]


def _launches(events: ThreadEvents, descended: Int32, recorded_ids: Int64, run_id: Int64) -> Int32:
    """Row of each execution's launch: the one that names its run where launches do, else the one it descends from."""
    named = np.flatnonzero((events.kind == LAUNCH) & (recorded_ids != 0))
    found = find_rows(recorded_ids[named], run_id)
    return np.where(found >= 0, named[found] if len(named) else -1, descended).astype(np.int32)


def _add_executions(plane: XPlane, tables: Tables, threads: Sequence[_Thread]) -> None:
    def gather(column: str) -> np.ndarray:
        return np.concatenate([getattr(thread, column) for thread in threads])

    sizes = np.array([0, *(len(thread.kind) for thread in threads)], dtype=np.int64)
    events = ThreadEvents(
        kind=gather("kind"),
        start_ps=gather("start_ps"),
        end_ps=gather("end_ps"),
        produced=gather("produced"),
        consumed=gather("consumed"),
        thread_rows=np.cumsum(sizes),
    )
    event_end_ps = events.end_ps.copy()
    times = thunk_times(events)
    rows = np.flatnonzero(events.kind == OP)
    op = _add_ops(tables, plane, gather("program_id")[rows], gather("metadata")[rows])
    lanes = np.array([tables.lane_row(thread.lane) for thread in threads], dtype=np.int32)
    lane = np.repeat(lanes, sizes[1:])[rows]
    start_ps, end_ps = events.start_ps[rows], times.end_ps[rows]
    program_id, run_id, ordinals = (
        gather("program_id")[rows],
        gather("run_id")[rows],
        gather("device_ordinal")[rows],
    )
    if not run_id.any():
        # jax 0.6 names neither run nor device.
        programs = dense_ids(program_id)[0].astype(np.int64)
        ordinals = spread_over_devices(times.launch[rows], programs, start_ps, end_ps).astype(np.int64)
        on_device = programs * (int(ordinals.max()) + 1) + ordinals
        run_id = split_runs(op, on_device, start_ps, runs_once(tables.ops))
    device_number, samples = dense_ids(ordinals)
    devices = np.array(
        [
            tables.device_row(Device(f"/device:CPU:{each}", "cpu", tables.host, each))
            for each in ordinals[samples].tolist()
        ],
        dtype=np.int32,
    )
    device = devices[device_number]
    container, inside = _containers(tables.ops)
    of_container = container[op] >= 0
    self_ps = times.event_ps[rows] + np.where(of_container, 0, times.helper_ps[rows])
    if of_container.any():
        group = dense_ids(run_id)[0].astype(np.int64) * (int(device.max()) + 1) + device
        order = np.lexsort((start_ps, group))
        waited = waited_ps(
            start_ps[order],
            event_end_ps[rows][order],
            end_ps[order],
            lane[order],
            group[order],
            op[order],
            container,
            inside,
        )
        self_ps[order] = np.maximum(self_ps[order] - waited, 0)
    launch = _launches(events, times.launch[rows], gather("run_id"), run_id)
    launch_ps = np.where(launch >= 0, events.start_ps[launch], -1)
    tables.columns.append(
        ExecutionColumns(op, device, lane, run_id, start_ps, end_ps - start_ps, self_ps, launch_ps)
    )


class CpuReader:
    """Adds the op executions that a host's threads ran. A host without XLA:CPU ops adds nothing."""

    def __init__(self, plane: XPlane, tables: Tables) -> None:
        self._plane = plane
        self._tables = tables
        self._kinds = _kinds_by_metadata(plane)
        self._threads: list[_Thread] = []

    def read_line(self, line: XLine, events: Events) -> None:
        """Keep the ops and markers of a thread."""
        thread = _read_thread(
            events, line.display_name or line.name, self._kinds, self._plane.events_metadata.names
        )
        if thread is not None:
            self._threads.append(thread)

    def finish(self) -> None:
        """Join the threads' markers and add what remains of them: executions."""
        if any((thread.kind == OP).any() for thread in self._threads):
            _add_executions(self._plane, self._tables, self._threads)
