"""XLA:CPU sorts: which executions on record are one sort and the copies made for it.

A sort works in place. Where an operand lies in another buffer than the result, XLA:CPU copies it there first, in a
thunk of its own that it names as the sort itself. An execution of the sort is then on record several times, one after
the other: once for each such copy, and once for the sort.
"""

from collections.abc import Sequence

import numpy as np

from scopelight.formats.columns import Int32, Int64
from scopelight.model.executions import Op
from scopelight.model.joins import dense_ids

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
