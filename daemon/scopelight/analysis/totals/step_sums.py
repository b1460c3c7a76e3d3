"""Executions added up in the order of time: what each op has of one step on one device, before the next step begins.

The ops of one step are few enough to stay in the processor's cache, however long the profile is.
"""

from typing import NamedTuple

import numpy as np

from scopelight.analysis.device_time.division import Division
from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.formats.kernels import kernel
from scopelight.model.executions import Executions

COLUMNS = ("executions", "self_ps", "span_ps", "wall_ps", "least_ps", "greatest_ps")
NONE_LEAST, NONE_GREATEST = np.iinfo(np.int64).max, np.iinfo(np.int64).min
"""Least and greatest of nothing."""


class _Rows(NamedTuple):
    """Columns by execution."""

    op: Int32
    device: Int32
    step: Int64
    self_ps: Int64
    duration_ps: Int64
    wall_step: Int32
    wall_ps: Int64


@kernel
def _add_up(rows: _Rows, has_helpers: Bool, so_far: Int64, ran: Int64, found: Int64) -> int:
    """``so_far`` is by op what it has of this step, zeros at first; ``ran`` are the ops that have anything of it."""
    op, device, step, self_ps, duration_ps, wall_step, wall_ps = rows
    count = ops = 0
    for row in range(len(op)):
        of, own = op[row], self_ps[row]
        if not so_far[of, 0]:
            so_far[of, 4], so_far[of, 5] = NONE_LEAST, NONE_GREATEST
            ran[ops] = of
            ops += 1
        so_far[of, 0] += 1
        so_far[of, 1] += own
        so_far[of, 2] += min(own, duration_ps[row]) if has_helpers[device[row]] else own
        if wall_step[row] == step[row]:
            so_far[of, 3] += wall_ps[row]
        so_far[of, 4] = min(so_far[of, 4], own)
        so_far[of, 5] = max(so_far[of, 5], own)
        if row + 1 < len(op) and step[row + 1] == step[row] and device[row + 1] == device[row]:
            continue
        for which in range(ops):
            of = ran[which]
            found[0, count], found[1, count], found[2, count] = of, device[row], step[row]
            for column in range(so_far.shape[1]):
                found[3 + column, count] = so_far[of, column]
                so_far[of, column] = 0
            count += 1
        ops = 0
    return count


def step_sums(executions: Executions, step: Int64, division: Division) -> Int64:
    """Rows of ``op``, ``device``, ``step`` and of each of `COLUMNS`, int64[9, n]; several of one cell may be there.

    ``step`` is by execution the one that it began in. Of the wall clock it has here what is of that step.
    """
    ops = len(executions.ops)
    parts = int(np.count_nonzero(np.diff(step))) + len(executions.devices)
    # What is not written takes no memory.
    found = np.empty((3 + len(COLUMNS), min(len(executions), parts * ops)), dtype=np.int64)
    rows = _Rows(
        executions.op,
        executions.device,
        step,
        executions.self_ps,
        executions.duration_ps,
        division.step,
        division.wall_ps,
    )
    # Where threads do not share an execution, self time and duration may be told by different clocks.
    has_helpers = np.array([device.has_helper_threads for device in executions.devices], dtype=np.bool_)
    so_far = np.zeros((ops, len(COLUMNS)), dtype=np.int64)
    return found[:, : _add_up(rows, has_helpers, so_far, np.zeros(ops, dtype=np.int64), found)]
