"""How much the time of a line varies from step to step."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scopelight.analysis.lines_charging import ChargedLine
from scopelight.analysis.lines_totals import Totals
from scopelight.model.executions import Executions

_MOST_CELLS = 1 << 21
"""Of a table of ops (or of their parts) by steps that is held at once."""

Float64 = npt.NDArray[np.float64]


def spreads_ps(executions: Executions, totals: Totals, lines: Sequence[ChargedLine]) -> list[int | None]:
    """By line, half of the range of its time per step that holds the middle half of the steps.

    The time of a divided op is divided in every step as it is on the whole. None with fewer than two steps.
    """
    if totals.step is None or totals.steps < 2:
        return [None] * len(lines)
    per_step_ps = _line_step_sums(executions, totals.step, totals.steps, lines) / len(totals.devices)
    lower_ps, upper_ps = np.quantile(per_step_ps, (0.25, 0.75), axis=1)
    return [round(each) for each in ((upper_ps - lower_ps) / 2).tolist()]


def _line_step_sums(
    executions: Executions, step: npt.NDArray[np.int64], steps: int, lines: Sequence[ChargedLine]
) -> Float64:
    """Self time by line and step, over all devices."""
    charged = [row for row, line in enumerate(lines) if line.parts]
    sums = np.zeros((len(lines), steps))
    if not charged:
        return sums
    op = np.array([op.row for row in charged for op, _ in lines[row].parts], dtype=np.int64)
    ratio = np.array([part.share_ratio for row in charged for _, part in lines[row].parts])
    first = np.cumsum([0, *(len(lines[row].parts) for row in charged)])[:-1]
    ops = len(executions.ops)
    # Long captures of large programs: the table is made for some steps at a time.
    block = max(1, _MOST_CELLS // max(ops, len(op)))
    order = slice(None) if block >= steps else np.argsort(step, kind="stable")
    of_execution, op_of_execution, self_ps = step[order], executions.op[order], executions.self_ps[order]
    for start in range(0, steps, block):
        width = min(block, steps - start)
        if block >= steps:
            rows: slice | npt.NDArray[np.bool_] = of_execution >= 0
        else:
            rows = slice(*np.searchsorted(of_execution, (start, start + width)).tolist())
        cell = op_of_execution[rows].astype(np.int64) * width + (of_execution[rows] - start)
        table = np.bincount(cell, weights=self_ps[rows], minlength=ops * width).reshape(ops, width)
        sums[charged, start : start + width] = np.add.reduceat(table[op] * ratio[:, None], first, axis=0)
    return sums
