"""Program runs of kernels, once all that a host launched is known: kernels name programs, but not runs of them."""

import attrs
import numpy as np

from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.model.backends.entry_ops import EntryOps, entry_ops
from scopelight.model.backends.launches import Launches, joined, with_runs_of_twins
from scopelight.model.backends.run_splitting import LaunchHints, split_runs
from scopelight.model.backends.tables import ExecutionColumns, Tables


def join_launches(tables: Tables) -> None:
    """Give every kernel the time of its launch and the run of its program, where the file does not name the run."""
    program_of_op = np.array([op.program for op in tables.ops], dtype=np.int64)
    hosts = sorted({part.host for part in tables.columns if part.kernel is not None})
    entries = entry_ops(tables.ops if hosts else ())
    for host in hosts:
        rows = [row for row, part in enumerate(tables.columns) if part.host == host and part.kernel is not None]
        threads = tables.launches.get(host, [])
        launches = joined(threads)
        found = [launches.find(_correlation(tables.columns[row])) for row in rows]
        of_program = np.zeros(len(launches.start_ps), dtype=np.bool_)
        for row, launch in zip(rows, found, strict=True):
            of_program[launch[(launch >= 0) & (program_of_op[tables.columns[row].op] >= 0)]] = True
        launches = with_runs_of_twins(launches, threads, of_program)
        of_device: dict[int, list[int]] = {}
        for place, (row, launch) in enumerate(zip(rows, found, strict=True)):
            part = tables.columns[row]
            tables.columns[row] = attrs.evolve(part, launch_ps=_times(launches, launch))
            of_device.setdefault(int(part.device[0]), []).append(place)
        for places in of_device.values():
            parts = [tables.columns[rows[place]] for place in places]
            if any(part.run_id.any() for part in parts):
                continue
            kernels = _Kernels(parts, launches, [found[place] for place in places])
            numbers = kernels.runs(program_of_op, entries)
            ends = np.cumsum([len(part.op) for part in parts])[:-1]
            for place, run_id in zip(places, np.split(numbers, ends), strict=True):
                part = tables.columns[rows[place]]
                tables.columns[rows[place]] = attrs.evolve(part, run_id=run_id, is_numbered=True)


def _correlation(part: ExecutionColumns) -> Int64:
    return part.correlation_id if part.correlation_id is not None else np.zeros(len(part.op), dtype=np.int64)


def _times(launches: Launches, launch: Int32) -> Int64:
    return np.where(launch >= 0, launches.start_ps[launch], -1) if len(launches.start_ps) else launch.astype(np.int64)


class _Kernels:
    """The kernels of all streams of one device, stream by stream, each in order of time."""

    def __init__(self, parts: list[ExecutionColumns], launches: Launches, found: list[Int32]) -> None:
        launch = np.concatenate(found)
        known = launch >= 0
        self._op = np.concatenate([part.op for part in parts])
        self._start_ps = np.concatenate([part.start_ps for part in parts])
        self._stream = np.repeat(np.arange(len(parts), dtype=np.int64), [len(part.op) for part in parts])
        self._kernel = np.concatenate([part.kernel for part in parts if part.kernel is not None]).astype(np.int64)
        self._correlation = np.concatenate([_correlation(part) for part in parts])
        self._launch = np.full(len(launch), -1, dtype=np.int64)
        self._launch[known] = launches.run[launch[known]]
        # What a stream runs was launched in its order: of a kernel without a launch the one before tells the thread.
        before = self._nearest_launched(known)
        has_thread = before >= 0
        self._thread = np.full(len(launch), -1, dtype=np.int64)
        self._thread[has_thread] = launches.thread[launch[before[has_thread]]]
        self._launched_ps = np.full(len(launch), np.iinfo(np.int64).min, dtype=np.int64)
        self._launched_ps[has_thread] = launches.start_ps[launch[before[has_thread]]]

    def _nearest_launched(self, known: Bool) -> Int64:
        """The last kernel on the same stream, up to each, whose launch is known; before the first of them, that one."""
        place = np.where(known, np.arange(len(known)), -1)
        before = np.maximum.accumulate(place)
        first = np.searchsorted(self._stream, self._stream)
        after = np.minimum.accumulate(np.where(known, place, len(known))[::-1])[::-1]
        behind = np.searchsorted(self._stream, self._stream, side="right")
        return np.where(before >= first, before, np.where(after < behind, after, -1))

    def runs(self, program_of_op: Int64, entries: EntryOps) -> Int64:
        """Number of the run of each kernel, from 1; 0 where the kernel names no program."""
        numbers = np.zeros(len(self._op), dtype=np.int64)
        program = program_of_op[self._op]
        order = np.lexsort((self._start_ps, self._launched_ps))
        order = order[program[order] >= 0]
        thread = self._threads_of(program)
        group = program * (int(thread.max(initial=0)) + 2) + thread + 1
        # Launched in any order by threads, in the order of time on each of them; else one after the other on a stream.
        queue = np.where(self._thread >= 0, self._thread, self._stream + int(self._thread.max(initial=0)) + 1)
        hints = LaunchHints(
            self._launch[order],
            queue[order],
            self._kernel[order],
            self._correlation[order],
            entries.no_kernel_twice,
            entries.loops,
        )
        op = entries.entry_op[self._op[order]]
        numbers[order] = split_runs(op, group[order], np.arange(len(order)), entries.runs_once, hints=hints)
        return numbers

    def _threads_of(self, program: Int64) -> Int64:
        """The thread that launched each kernel; of a kernel of which it is unknown, the only one of its program."""
        known = self._thread >= 0
        programs = int(program.max(initial=-1)) + 2
        least = np.full(programs, np.iinfo(np.int64).max, dtype=np.int64)
        most = np.full(programs, -1, dtype=np.int64)
        np.minimum.at(least, program[known] + 1, self._thread[known])
        np.maximum.at(most, program[known] + 1, self._thread[known])
        only = np.where(least == most, most, -1)
        return np.where(known, self._thread, only[program + 1])
