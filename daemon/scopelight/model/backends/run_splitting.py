"""Program runs of executions that carry no run id: told apart by ops that come round again."""

from collections.abc import Sequence

import numpy as np

from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.formats.kernels import kernel
from scopelight.model.executions import Op
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


@kernel
def _split(
    op: Int32,
    group: Int32,
    once: Bool,
    devices: Int64,
    seen: Int64,
    times: Int64,
    current: Int64,
    previous: Int64,
    run: Int64,
) -> None:
    number = 0
    for row in range(len(op)):
        of_group, of_op = group[row], op[row]
        # On one device an op may stand for several kernels in a row: then it has not come round again.
        in_a_row = devices[of_group] == 1 and previous[of_group] == of_op
        is_here = seen[of_op] == current[of_group]
        if current[of_group] == 0 or (once[of_op] and is_here and not in_a_row and times[of_op] >= devices[of_group]):
            number += 1
            current[of_group] = number
        if once[of_op]:
            if seen[of_op] != current[of_group]:
                seen[of_op] = current[of_group]
                times[of_op] = 0
            times[of_op] += 1
            previous[of_group] = of_op
        run[row] = current[of_group]


def split_runs(op: Int32, group: Int64, start_ps: Int64, once: Bool, devices: Int64 | None = None) -> Int64:
    """Number the runs (from 1) of executions whose groups (a program on a device) run one at a time.

    ``once[op]`` says whether an op runs at most once per run and device. ``devices`` is the number of devices whose
    executions a row's group mixes, 1 by default. Where a program has no such op, its executions are one run.
    """
    run = np.zeros(len(op), dtype=np.int64)
    if not len(op):
        return run
    order = np.argsort(start_ps, kind="stable")
    groups, group_firsts = dense_ids(group)
    # The same op on two devices is two ops here.
    own_op, firsts = dense_ids(groups.astype(np.int64) * len(once) + op)
    in_order = np.empty_like(run)
    _split(
        own_op[order],
        groups[order],
        once[op[firsts]],
        np.ones(len(group_firsts), dtype=np.int64) if devices is None else devices[group_firsts],
        np.zeros(len(firsts), dtype=np.int64),
        np.zeros(len(firsts), dtype=np.int64),
        np.zeros(len(group_firsts), dtype=np.int64),
        np.full(len(group_firsts), -1, dtype=np.int64),
        in_order,
    )
    run[order] = in_order
    return run
