"""Program runs of executions that carry no run id: told apart by ops that come round again."""

from collections.abc import Sequence

import numpy as np
from numba import njit

from scopelight.model.executions import Bool, Int32, Int64, Op
from scopelight.model.joins import dense_ids


def runs_once(ops: Sequence[Op]) -> Bool:
    """Whether each op runs at most once in a run of its program: those of the entry computation do."""
    return np.array(
        [
            op.module is not None and op.instruction is not None and op.instruction.computation == op.module.entry
            for op in ops
        ],
        dtype=np.bool_,
    )


@njit(cache=True, nogil=True)
def _split(op: Int32, group: Int32, once: Bool, seen: Int64, current: Int64, previous: Int64, run: Int64) -> None:
    number = 0
    for row in range(len(op)):
        of_group, of_op = group[row], op[row]
        # An op may stand for several kernels in a row; only when another op came between has it come round again.
        again = once[of_op] and previous[of_group] != of_op and seen[of_op] == current[of_group]
        if current[of_group] == 0 or again:
            number += 1
            current[of_group] = number
        if once[of_op]:
            seen[of_op] = current[of_group]
            previous[of_group] = of_op
        run[row] = current[of_group]


def split_runs(op: Int32, group: Int64, start_ps: Int64, once: Bool) -> Int64:
    """Number the runs (from 1) of executions whose groups (a program on a device) run one at a time.

    ``once[op]`` says whether an op runs at most once per run. Where a program has no such op, its executions
    are one run.
    """
    run = np.zeros(len(op), dtype=np.int64)
    if not len(op):
        return run
    order = np.argsort(start_ps, kind="stable")
    groups, _ = dense_ids(group)
    # The same op on two devices is two ops here.
    own_op, firsts = dense_ids(groups.astype(np.int64) * len(once) + op)
    _split(
        own_op[order],
        groups[order],
        once[op[firsts]],
        np.zeros(len(firsts), dtype=np.int64),
        np.zeros(int(groups.max()) + 1, dtype=np.int64),
        np.full(int(groups.max()) + 1, -1, dtype=np.int64),
        run,
    )
    numbered = np.empty_like(run)
    numbered[order] = run
    return numbered


def spread_over_devices(chain: Int32, program: Int64, start_ps: Int64, end_ps: Int64) -> Int32:
    """Device ordinals for executions that carry none: chains of one program that overlap in time ran on different ones.

    A chain is all that one launch set going. Every chain goes to the lowest device that is free when it starts.
    """
    key, firsts = dense_ids(chain.astype(np.int64) * (int(program.max(initial=0)) + 1) + program)
    first_start = np.full(len(firsts), np.iinfo(np.int64).max, dtype=np.int64)
    np.minimum.at(first_start, key, start_ps)
    last_end = np.full(len(firsts), np.iinfo(np.int64).min, dtype=np.int64)
    np.maximum.at(last_end, key, end_ps)
    ordinal = np.zeros(len(firsts), dtype=np.int32)
    free_from: dict[int, list[int]] = {}
    for number in np.argsort(first_start, kind="stable").tolist():
        devices = free_from.setdefault(int(program[firsts[number]]), [])
        begins, ends = int(first_start[number]), int(last_end[number])
        device = next((each for each, free in enumerate(devices) if free <= begins), len(devices))
        if device == len(devices):
            devices.append(ends)
        devices[device] = ends
        ordinal[number] = device
    return ordinal[key]
