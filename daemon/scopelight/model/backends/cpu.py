"""XLA:CPU: op executions from the thunk events of the host's threads, and the copies that a sort makes."""

import functools
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import attrs
import numpy as np

from scopelight.findings import warning
from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.formats.xspace.events import Events
from scopelight.formats.xspace.reader import XLine, XPlane
from scopelight.model.backends.begun import OfExecutions, in_order
from scopelight.model.backends.launch_order import launches_in_order, outermost
from scopelight.model.backends.local_devices import devices_here
from scopelight.model.backends.run_splitting import LaunchHints, runs_once, split_runs
from scopelight.model.backends.tables import ExecutionColumns, Tables
from scopelight.model.backends.threads import Thread, kinds_by_metadata, read_thread
from scopelight.model.backends.thunks import LAUNCH, OP, ThreadEvents, thunk_times, waited_ps
from scopelight.model.executions import Device, Op
from scopelight.model.joins import dense_ids, find_rows
from scopelight.program.hlo.category import category_of

MOST_WITNESSES = 16
"""Ops of a computation that are asked how often it ran: all of them ran as often, but for those cut off."""


def _is_sort(op: Op) -> bool:
    return op.instruction is not None and op.instruction.opcode == "sort"


def _computation(op: Op) -> tuple[int, int]:
    return id(op.module), op.instruction.computation if op.instruction is not None else -1


def _times_run(op: Int32, run: Int32, others: Sequence[int]) -> Int64:
    """How often a computation ran in each run (one entry per run), by the ``others`` of its ops; 0 where none ran."""
    times = np.zeros(int(run.max()) + 1, dtype=np.int64)
    for other in others:
        of_run, counts = np.unique(run[op == other], return_counts=True)
        np.maximum.at(times, of_run, counts)
    return times


def first_records(ops: Sequence[Op], op: Int32, run: Int64, start_ps: Int64) -> Int64:
    """For each execution on record the row of the first record of the same execution: its own, but for sorts.

    ``op``, ``run`` (a program run on a device) and ``start_ps`` have one entry per record. A sort of the entry
    computation runs once in a run; one in a loop runs as often as the other ops of its body. Where nothing else of
    its computation is on record, each of its records stands for itself.
    """
    first = np.arange(len(op), dtype=np.int64)
    sorts = [row for row, each in enumerate(ops) if _is_sort(each)]
    if not sorts or not len(op):
        return first
    runs = dense_ids(run)[0]
    wanted = {_computation(ops[row]) for row in sorts}
    others: dict[tuple[int, int], list[int]] = {key: [] for key in wanted}
    for row, each in enumerate(ops):
        if _computation(each) in wanted and not _is_sort(each):
            others[_computation(each)].append(row)
    times_run: dict[tuple[int, int], Int64] = {}
    for key, rows in others.items():
        times_run[key] = _times_run(op, runs, rows[:MOST_WITNESSES])
    order = np.lexsort((start_ps, runs, op))
    order = order[np.isin(op[order], sorts)]
    if not len(order):
        return first
    for records in np.split(order, np.flatnonzero(np.diff(op[order])) + 1):
        sort = ops[int(op[records[0]])]
        of_run, firsts, sizes = np.unique(runs[records], return_index=True, return_counts=True)
        times = times_run[_computation(sort)][of_run]
        if sort.module is not None and _computation(sort)[1] == sort.module.entry:
            times = np.ones_like(times)
        # A capture that begins or ends within a run may lack a record of the first or last sort.
        each_sort = np.where(times > 0, np.ceil(sizes / np.maximum(times, 1)), 1).astype(np.int64)
        place = np.arange(len(records)) - np.repeat(firsts, sizes)
        first[records] = records[np.arange(len(records)) - place % np.repeat(each_sort, sizes)]
    return first


CONTAINERS = frozenset({"while", "call", "conditional"})
"""Opcodes whose event spans the ops of the computations that they call."""


def _containers(ops: Sequence[Op]) -> tuple[Int32, np.ndarray]:
    """For each op its row in the second table or -1; for each container and op whether the op is in its bodies."""
    container = np.full(len(ops), -1, dtype=np.int32)
    found = [row for row, op in enumerate(ops) if op.instruction is not None and op.instruction.opcode in CONTAINERS]
    inside = np.zeros((len(found), len(ops)), dtype=np.bool_)
    for place, row in enumerate(found):
        container[row] = place
        module, instruction = ops[row].module, ops[row].instruction
        if module is not None and instruction is not None:
            bodies = (module.computations[each] for each in module.reached(instruction.called))
            names = {module.instructions[each].name for body in bodies for each in body.instructions}
            inside[place] = [op.module is module and op.name in names for op in ops]
    return container, inside


@attrs.frozen(eq=False, repr=False)
class _OpColumns:
    """Row of the op of each execution, what of the ops are containers and hold, and which executions are of those."""

    op: Int32
    container: Int32
    inside: Bool
    of_container: Bool


def _contains(rows: Int64, count: int, adding: Future[_OpColumns]) -> Bool:
    """Of ``count`` rows whether each is a container, once the ops are known; executions are at ``rows``."""
    contains = np.zeros(count, dtype=np.bool_)
    contains[rows] = adding.result().of_container
    return contains


def _add_ops(tables: Tables, plane: XPlane, program_id: Int64, metadata: Int32) -> _OpColumns:
    """Add the ops of executions, each by its program and event name."""
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
            )
        )
    container, inside = _containers(tables.ops)
    op = rows[ids]
    return _OpColumns(op, container, inside, (container >= 0)[op])


def _launches(kind: Int32, start_ps: Int64, descended: Int32, launched_run: Int64, run_id: Int64) -> Int64:
    """When each execution's run was launched; -1 where unknown.

    It is the launch that names the run where launches do so, else the one that the execution descends from.
    """
    launches = np.flatnonzero(kind == LAUNCH)[launched_run != 0]
    found = find_rows(launched_run[launched_run != 0], run_id)
    launch = np.where(found >= 0, launches[found], descended) if len(launches) else descended
    return np.where(launch >= 0, start_ps[launch], -1)


def _runs_without_ids(tables: Tables, op: Int32, start_ps: Int64, is_of_device: Bool | None = None) -> Int64:
    """Run ids of executions that name neither run nor device, as jax 0.6 writes them.

    ``is_of_device`` is of each launch; see `Thread`.
    """
    devices_of_op = devices_here(tables.ops, op, is_of_device)
    program_of_op = np.array([each.program for each in tables.ops], dtype=np.int64)
    devices = devices_of_op[op]
    if (devices > 1).any():
        tables.findings.append(warning("devices-not-told-apart", devices=int(devices.max())))
    # An op that is all of its program runs once for each record of it, but for sorts: these have several.
    nothing = np.zeros(len(op), dtype=np.int64)
    records_often = np.array([_is_sort(each) for each in tables.ops], dtype=np.bool_)
    hints = LaunchHints(nothing - 1, program_of_op[op] + 1, nothing, nothing, ~records_often, records_often)
    run_id = split_runs(op, program_of_op[op] + 1, start_ps, runs_once(tables.ops), devices, hints)
    # Another trace of the same process has the same device and programs: its runs are others.
    run_id = np.where(run_id != 0, run_id + tables.runs_told_apart, 0)
    tables.runs_told_apart = int(run_id.max(initial=tables.runs_told_apart))
    return run_id


def _add_executions(plane: XPlane, tables: Tables, threads: list[Thread]) -> None:
    """Join the columns of ``threads``, which are taken from the list one after the other: both would be a lot."""
    lanes = np.array([tables.lane_row(thread.lane, thread.place, thread.line_id) for thread in threads], dtype=np.int32)
    lane = np.repeat(lanes, [len(thread.metadata) for thread in threads])
    thread_rows = np.cumsum([0, *(len(thread.kind) for thread in threads)], dtype=np.int64)
    thread_twins = np.cumsum([0, *(len(thread.twin_flow) for thread in threads)], dtype=np.int64)
    names = [each.name for each in attrs.fields(Thread) if each.name not in ("lane", "place", "line_id")]
    parts = {name: [getattr(thread, name) for thread in threads] for name in names}
    threads.clear()

    def gather(column: str) -> np.ndarray:
        return np.concatenate(parts.pop(column))

    kind = gather("kind")
    rows = np.flatnonzero(kind == OP)
    events = ThreadEvents(
        kind=kind,
        start_ps=gather("start_ps"),
        end_ps=gather("end_ps"),
        flow=gather("flow"),
        thread_rows=thread_rows,
        twin_flow=gather("twin_flow"),
        twin_ps=gather("twin_ps"),
        thread_twins=thread_twins,
    )
    with ThreadPoolExecutor(1) as beside:
        # To build modules takes the interpreter, the threads' markers take the kernels.
        adding = beside.submit(_add_ops, tables, plane, gather("program_id"), gather("metadata"))
        times = thunk_times(events, functools.partial(_contains, rows, len(kind), adding))
        op, container, inside, of_container = attrs.astuple(adding.result(), recurse=False)
    # Of what was found of all rows only that of executions stays, by their starts, and what launched them.
    event_start_ps, event_end_ps = events.start_ps, events.end_ps
    # What joins the rows takes as much as the starts, and has done its work.
    del events
    executions = OfExecutions(op, lane, of_container)
    order, begun = in_order(rows, event_start_ps, event_end_ps, times, executions)
    op, lane, of_container, start_ps, worked_until_ps, end_ps, self_ps, descended = begun
    outer_ps = outermost(event_start_ps, event_end_ps, thread_rows, kind == LAUNCH)
    del times, event_end_ps, rows, executions, begun
    run_id, ordinals = gather("run_id")[order], gather("device_ordinal")[order]
    del order
    is_identified = bool(run_id.any())
    if not is_identified:
        run_id = _runs_without_ids(tables, op, start_ps, gather("is_of_device"))
    launch_ps = _launches(kind, event_start_ps, descended, gather("launched_run"), run_id)
    del kind, event_start_ps, descended
    device_number, samples = dense_ids(ordinals)
    numbers = ordinals[samples].tolist()
    # A device's number is its id in the whole job; where executions do not name their device it is 0 for all.
    devices = [Device(f"/device:CPU:{each}", "cpu", tables.host, each, id=each) for each in numbers]
    device = np.array([tables.device_row(each) for each in devices], dtype=np.int32)[device_number]
    del device_number, ordinals
    run, firsts = dense_ids(run_id)
    if of_container.any():
        group = run.astype(np.int64) * (int(device.max()) + 1) + device
        self_ps -= waited_ps(start_ps, worked_until_ps, end_ps, lane, group, op, container, inside)
        np.maximum(self_ps, 0, out=self_ps)
        del group
    del worked_until_ps
    launch_ps = launches_in_order(run, firsts, device.astype(np.int64), start_ps, launch_ps, outer_ps)
    joined: Any = (op, device, lane, run_id, start_ps, end_ps, self_ps, launch_ps)
    if is_identified and any(_is_sort(each) for each in tables.ops):
        # Without ids several devices are shown as one, and run the same op at the same time.
        joined = _with_records_joined(tables, *joined)
    found = attrs.evolve(ExecutionColumns(*joined), is_numbered=not is_identified)
    # These were the ends so far.
    np.subtract(found.duration_ps, found.start_ps, out=found.duration_ps)
    tables.columns.append(found)


def _with_records_joined(
    tables: Tables, op: Int32, device: Int32, lane: Int32, run_id: Int64, start_ps: Int64, *sums: Int64
) -> tuple[np.ndarray, ...]:
    """The columns with one row for all records of an execution; ``sums`` are ends, self times and launches."""
    end_ps, self_ps, launch_ps = sums
    device_run = dense_ids(run_id)[0].astype(np.int64) * len(tables.devices) + device
    first = first_records(tables.ops, op, device_run, start_ps)
    kept = first == np.arange(len(op))
    np.add.at(self_ps, first[~kept], self_ps[~kept])
    np.maximum.at(end_ps, first[~kept], end_ps[~kept])
    return tuple(column[kept] for column in (op, device, lane, run_id, start_ps, end_ps, self_ps, launch_ps))


class CpuReader:
    """Reads the op executions of XLA:CPU on a host's threads."""

    def __init__(self, plane: XPlane, tables: Tables) -> None:
        self._plane = plane
        self._tables = tables
        self._kinds = kinds_by_metadata(plane)

    def read_line(self, line: XLine, events: Events) -> Thread | None:
        """The ops and markers of a thread. Several threads may be read at once."""
        return read_thread(events, line, self._kinds, self._plane.events_metadata.names)

    def finish(self, threads: list[Thread]) -> None:
        """Join the threads' markers and add what remains of them: executions."""
        if any((thread.kind == OP).any() for thread in threads):
            _add_executions(self._plane, self._tables, threads)
