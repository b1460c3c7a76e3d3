"""XLA:CPU: op executions from the thunk events of the host's threads."""

from collections.abc import Sequence

import attrs
import numpy as np

from scopelight.formats.events import Events
from scopelight.formats.xspace import XLine, XPlane
from scopelight.model.backends.run_splitting import runs_once, split_runs
from scopelight.model.backends.tables import ExecutionColumns, Tables
from scopelight.model.backends.thunks import (
    END,
    LAUNCH,
    NO_FLOW,
    OP,
    OTHER,
    POOL_CONTEXT,
    RECORD,
    REGION,
    STOP,
    ThreadEvents,
    close_regions,
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


UNKNOWN = -1
"""Kind of a metadata row of which no event was looked at yet."""


@attrs.frozen(eq=False)
class _Thread:
    """Ops, records, regions and launches of one thread, in order; what the ops say of themselves; its twins."""

    lane: str
    kind: Int32
    start_ps: Int64
    end_ps: Int64
    flow: Int64
    launched_run: Int64
    """Run id of each launch, 0 where it names none."""
    metadata: Int32
    """Of each op, like the columns below."""
    program_id: Int64
    run_id: Int64
    device_ordinal: Int64
    twin_flow: Int64
    twin_ps: Int64


def _kinds_by_metadata(plane: XPlane) -> Int32:
    """What an event is to this reader, by its metadata row; UNKNOWN where its name does not tell."""
    names = plane.events_metadata.names
    kinds = np.full(len(names), UNKNOWN, dtype=np.int32)
    for row, name in enumerate(names):
        if name in _POOL_KINDS:
            kinds[row] = _POOL_KINDS[name]
        elif name.startswith("end: "):
            kinds[row] = END
        elif name.startswith(_LAUNCHES):
            kinds[row] = LAUNCH
    return kinds


def _learn_kinds(events: Events, kinds: Int32, names: Sequence[str]) -> None:
    """Tell ops from all else among the metadata rows that are new. Events of a row are alike.

    An op names its program and is named for its HLO op. Host events that launch a GPU kernel name the op too, but are
    not named for it.
    """
    new = np.flatnonzero(kinds[events.metadata] == UNKNOWN)
    metadata = events.metadata[new]
    for first in new[dense_ids(metadata)[1]].tolist():
        row = int(events.metadata[first])
        stats = events.own_stats(first)
        is_op = "program_id" in stats and stats.get("hlo_op") == names[row]
        kinds[row] = OP if is_op else OTHER


def _read_thread(events: Events, lane: str, kinds: Int32, names: Sequence[str]) -> _Thread | None:
    _learn_kinds(events, kinds, names)
    order = events.order()
    rows = order[kinds[events.metadata[order]] != OTHER]
    if not len(rows):
        return None
    kind = kinds[events.metadata[rows]]
    end_ps = events.start_ps[rows] + events.duration_ps[rows]
    close_regions(kind, end_ps)
    twins = rows[kind == END]
    kept = (kind != END) & (kind != STOP)
    rows, kind, end_ps = rows[kept], kind[kept], end_ps[kept]
    ops = np.flatnonzero(kind == OP)
    of_op = events.integer_stats(("program_id", "run_id", "device_ordinal", "_p"), rows[ops])
    flow = np.full(len(rows), NO_FLOW, dtype=np.int64)
    flow[ops] = _flow(of_op["_p"])
    for marker, name, context in ((RECORD, "_p", "_pt"), (REGION, "_c", "_ct")):
        markers = np.flatnonzero(kind == marker)
        stats = events.integer_stats((name, context), rows[markers])
        flow[markers] = _flow(stats[name], stats[context][0] == POOL_CONTEXT)
    return _Thread(
        lane=lane,
        kind=kind,
        start_ps=events.start_ps[rows],
        end_ps=end_ps,
        flow=flow,
        launched_run=events.integer_stats(("run_id",), rows[kind == LAUNCH])["run_id"][0],
        metadata=events.metadata[rows[ops]],
        program_id=of_op["program_id"][0],
        run_id=of_op["run_id"][0],
        device_ordinal=of_op["device_ordinal"][0],
        twin_flow=_flow(events.integer_stats(("_c",), twins)["_c"]),
        twin_ps=events.start_ps[twins],
    )


def _flow(stat: tuple[Int64, np.ndarray], fits: np.ndarray | bool = True) -> Int64:
    value, present = stat
    return np.where(present & fits, value, NO_FLOW)


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
    found = [row for row, op in enumerate(ops) if op.instruction is not None and op.instruction.opcode in CONTAINERS]
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


def _launches(events: ThreadEvents, descended: Int32, launched_run: Int64, run_id: Int64) -> Int64:
    """When each execution's run was launched; -1 where unknown.

    It is the launch that names the run where launches do so, else the one that the execution descends from.
    """
    launches = np.flatnonzero(events.kind == LAUNCH)[launched_run != 0]
    found = find_rows(launched_run[launched_run != 0], run_id)
    launch = np.where(found >= 0, launches[found], descended) if len(launches) else descended
    return np.where(launch >= 0, events.start_ps[launch], -1)


def _runs_without_ids(tables: Tables, op: Int32, start_ps: Int64) -> Int64:
    """Run ids of executions that name neither run nor device, as jax 0.6 writes them."""
    devices_of_op = np.array([each.module.device_count if each.module else 1 for each in tables.ops], dtype=np.int64)
    program_of_op = np.array([each.program for each in tables.ops], dtype=np.int64)
    devices = devices_of_op[op]
    if (devices > 1).any():
        tables.warnings.append(
            f"This version of jax does not record which of {int(devices.max())} devices ran an op: "
            "they are shown as one."
        )
    return split_runs(op, program_of_op[op] + 1, start_ps, runs_once(tables.ops), devices)


def _add_executions(plane: XPlane, tables: Tables, threads: Sequence[_Thread]) -> None:
    def gather(column: str) -> np.ndarray:
        return np.concatenate([getattr(thread, column) for thread in threads])

    events = ThreadEvents(
        kind=gather("kind"),
        start_ps=gather("start_ps"),
        end_ps=gather("end_ps"),
        flow=gather("flow"),
        thread_rows=np.cumsum([0, *(len(thread.kind) for thread in threads)], dtype=np.int64),
        twin_flow=gather("twin_flow"),
        twin_ps=gather("twin_ps"),
    )
    rows = np.flatnonzero(events.kind == OP)
    times = thunk_times(events)
    run_id, ordinals = gather("run_id"), gather("device_ordinal")
    op = _add_ops(tables, plane, gather("program_id"), gather("metadata"))
    lanes = np.array([tables.lane_row(thread.lane) for thread in threads], dtype=np.int32)
    lane = np.repeat(lanes, [len(thread.metadata) for thread in threads])
    start_ps, end_ps = events.start_ps[rows], times.end_ps[rows]
    if not run_id.any():
        run_id = _runs_without_ids(tables, op, start_ps)
    device_number, samples = dense_ids(ordinals)
    devices = [Device(f"/device:CPU:{each}", "cpu", tables.host, each) for each in ordinals[samples].tolist()]
    device = np.array([tables.device_row(each) for each in devices], dtype=np.int32)[device_number]
    container, inside = _containers(tables.ops)
    of_container = container[op] >= 0
    self_ps = times.event_ps[rows] + np.where(of_container, 0, times.helper_ps[rows])
    if of_container.any():
        group = dense_ids(run_id)[0].astype(np.int64) * (int(device.max()) + 1) + device
        order = np.argsort(start_ps, kind="stable")
        waited = waited_ps(
            start_ps[order],
            events.end_ps[rows][order],
            end_ps[order],
            lane[order],
            group[order],
            op[order],
            container,
            inside,
        )
        self_ps[order] = np.maximum(self_ps[order] - waited, 0)
    launch_ps = _launches(events, times.launch[rows], gather("launched_run"), run_id)
    tables.columns.append(ExecutionColumns(op, device, lane, run_id, start_ps, end_ps - start_ps, self_ps, launch_ps))


class CpuReader:
    """Adds the op executions that a host's threads ran. A host without XLA:CPU ops adds nothing."""

    def __init__(self, plane: XPlane, tables: Tables) -> None:
        self._plane = plane
        self._tables = tables
        self._kinds = _kinds_by_metadata(plane)
        self._threads: list[_Thread] = []

    def read_line(self, line: XLine, events: Events) -> _Thread | None:
        """The ops and markers of a thread. Several threads may be read at once."""
        return _read_thread(events, line.display_name or line.name, self._kinds, self._plane.events_metadata.names)

    def add(self, piece: _Thread | None) -> None:
        """Keep what was read of a thread."""
        if piece is not None:
            self._threads.append(piece)

    def finish(self) -> None:
        """Join the threads' markers and add what remains of them: executions."""
        if any((thread.kind == OP).any() for thread in self._threads):
            _add_executions(self._plane, self._tables, self._threads)
