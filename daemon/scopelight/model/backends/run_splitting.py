"""Program runs of executions that carry no run id: told apart by their launches, else by ops that come round again."""

from collections.abc import Sequence

import attrs
import numpy as np

from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.formats.kernels import kernel
from scopelight.model.backends.kernel_sequences import begin_executions
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


@attrs.frozen(eq=False, repr=False)
class LaunchHints:
    """What is known of the launch of each execution, besides its place in the order."""

    launch: Int64
    """Number of the launch of a program, as the host has it; -1 where unknown."""
    queue: Int64
    """What runs or is launched one after the other: a thread of the host where it is known, else a stream."""
    kernel: Int64
    """Which kernel ran."""
    correlation_id: Int64
    """Kernels of one call of the host (the launch of a graph) share it; 0 where unknown."""
    no_kernel_twice: Bool
    """By op, not by execution: whether no execution of it launches a kernel twice."""
    loops: Bool
    """By op as well: whether its kernels may come in any number and order."""


@kernel
def _split(
    op: Int32,
    group: Int32,
    once: Bool,
    begins: Bool,
    stretch: Int32,
    resumed: Bool,
    launch: Int32,
    correlation_id: Int64,
    devices: Int64,
    seen: Int64,
    times: Int64,
    current: Int64,
    previous: Int64,
    last_correlation: Int64,
    last_run: Int64,
    run_of_launch: Int64,
    run: Int64,
) -> None:
    number = 0
    for row in range(len(op)):
        of_group, of_op, of_launch = group[row], op[row], launch[row]
        if of_launch >= 0:
            if run_of_launch[of_launch] == 0:
                number += 1
                run_of_launch[of_launch] = number
            current[of_group] = run_of_launch[of_launch]
        else:
            is_new = current[of_group] == 0
            is_one_call = correlation_id[row] != 0 and correlation_id[row] == last_correlation[of_group]
            if not is_new and not is_one_call:
                interrupted = resumed[row] and last_run[stretch[row]] == current[of_group]
                # On one device an op may stand for several kernels in a row: then it has not come round again.
                in_a_row = devices[of_group] == 1 and previous[stretch[row]] == of_op
                again = once[of_op] and seen[of_op] == current[of_group] and times[of_op] >= devices[of_group]
                is_new = interrupted or (again and (not in_a_row or begins[row]))
            if is_new:
                number += 1
                current[of_group] = number
        last_correlation[of_group] = correlation_id[row]
        last_run[stretch[row]] = current[of_group]
        if once[of_op]:
            if seen[of_op] != current[of_group]:
                seen[of_op] = current[of_group]
                times[of_op] = 0
            times[of_op] += 1
        previous[stretch[row]] = of_op
        run[row] = current[of_group]


def split_runs(
    op: Int32,
    group: Int64,
    start_ps: Int64,
    once: Bool,
    devices: Int64 | None = None,
    hints: LaunchHints | None = None,
) -> Int64:
    """Number the runs (from 1) of executions by group (a program on a device).

    Executions of one launch are one run. Where launches are not known, the runs of a group come one after the other:
    a new one begins where another group ran in between on the same queue, and where an op comes round again that
    runs at most once per run and device, as ``once[op]`` says. Kernels of one op in a row are one execution of it, but
    where the op is all that its program launches there: then the shortest sequence of kernels that repeats is.
    ``devices`` is the number of devices whose executions a row's group mixes, 1 by default. Where a program has no op
    that runs once, its executions are one run.
    """
    run = np.zeros(len(op), dtype=np.int64)
    if not len(op):
        return run
    order = np.argsort(start_ps, kind="stable")
    group_of, group_firsts = dense_ids(group[order])
    groups = len(group_firsts)
    # The same op on two devices is two ops here.
    own_op, firsts = dense_ids(group_of.astype(np.int64) * len(once) + op[order])
    own_once = once[op[order][firsts]]
    zeros = np.zeros(len(op), dtype=np.int64)
    begins = zeros.astype(np.bool_)
    launch, correlation_id, queue = zeros - 1, zeros, group_of.astype(np.int64)
    if hints is not None:
        launch, correlation_id, queue = hints.launch[order], hints.correlation_id[order], hints.queue[order]
    launches, launch_firsts = dense_ids(np.where(launch >= 0, launch * groups + group_of, -1))
    launches[launch < 0] = -1
    stretch, stretch_firsts = dense_ids(dense_ids(queue)[0].astype(np.int64) * groups + group_of)
    starts = _stretches(queue, stretch)
    resumed = zeros.astype(np.bool_)
    resumed[starts] = True
    resumed[stretch_firsts] = False
    if hints is not None:
        kernels = hints.kernel[order]
        for rows in _of_only_ops(stretch, own_op, own_once):
            only = int(op[order[rows[0]]])
            if hints.loops[only]:
                continue
            begins[rows] = begin_executions(
                kernels[rows], launches[rows], resumed[rows], no_kernel_twice=bool(hints.no_kernel_twice[only])
            )
    in_order = np.empty_like(run)
    _split(
        own_op,
        group_of,
        own_once,
        begins,
        stretch,
        resumed,
        launches,
        correlation_id,
        np.ones(groups, dtype=np.int64) if devices is None else devices[order][group_firsts],
        np.zeros(len(firsts), dtype=np.int64),
        np.zeros(len(firsts), dtype=np.int64),
        np.zeros(groups, dtype=np.int64),
        np.full(len(stretch_firsts), -1, dtype=np.int64),
        np.zeros(groups, dtype=np.int64),
        np.zeros(len(stretch_firsts), dtype=np.int64),
        np.zeros(len(launch_firsts), dtype=np.int64),
        in_order,
    )
    run[order] = in_order
    return run


def _stretches(queue: Int64, stretch: Int32) -> Int64:
    """Rows at which something else begins on their queue; ``stretch`` names what stands on which queue."""
    by_queue = np.argsort(queue, kind="stable")
    changes = stretch[by_queue[1:]] != stretch[by_queue[:-1]]
    return by_queue[np.concatenate(([True], changes))]


def _of_only_ops(stretch: Int32, own_op: Int32, once: Bool) -> list[Int64]:
    """The rows of each group on each queue where it has a single op there, and that runs once."""
    op_of = np.zeros(int(stretch.max()) + 1, dtype=np.int64)
    op_of[stretch] = own_op
    alone = once[op_of]
    alone[stretch[own_op != op_of[stretch]]] = False
    rows = np.flatnonzero(alone[stretch])
    rows = rows[np.argsort(stretch[rows], kind="stable")]
    return np.split(rows, np.flatnonzero(np.diff(stretch[rows])) + 1) if len(rows) else []
