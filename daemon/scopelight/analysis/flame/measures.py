"""What is measured, by op: time, wall clock or FLOPs, in whole units."""

import attrs
import numpy as np

from scopelight.analysis.flame.options import FlameMeasure
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.instruction_totals import InstructionTotals
from scopelight.formats.columns import Int64
from scopelight.model.cost.op_cost import OpCosts


@attrs.frozen(eq=False, repr=False)
class OpValues:
    """Columns by op. ``unknown_ps`` is the op time of those of which nothing is known: they are measured as 0."""

    self_ps: Int64
    value: Int64
    start_ps: Int64
    """When it began first, on any device; the greatest number where it did not run."""
    unknown_ps: int = 0


def op_values(centre: Centre, totals: InstructionTotals, measure: FlameMeasure) -> OpValues:
    """Measure the ops of ``totals``.

    Of a program that did not run, the FLOPs are those of one run. Memory is no op's: of it all have 0.
    """
    executions = centre.executions
    sums = totals.by_op()
    start_ps = np.full(len(executions.ops), np.iinfo(np.int64).max, dtype=np.int64)
    if centre.static is None:
        np.minimum.at(start_ps, executions.op, executions.start_ps)
    if measure == "wall-time":
        return OpValues(sums.self_ps, sums.wall_ps, start_ps)
    if measure == "flops":
        runs = sums.executions if centre.static is None else np.array(centre.static.runs, dtype=np.int64)
        return _flops(OpCosts(executions), sums.self_ps, runs, start_ps)
    return OpValues(sums.self_ps, np.zeros_like(sums.self_ps) if measure == "memory" else sums.self_ps, start_ps)


def _flops(costs: OpCosts, self_ps: Int64, runs: Int64, start_ps: Int64) -> OpValues:
    flops = np.zeros(len(runs), dtype=np.int64)
    unknown_ps = 0
    for row in np.flatnonzero(runs).tolist():
        of_one = costs.of(row).flops
        if of_one is None:
            unknown_ps += int(self_ps[row])
        else:
            flops[row] = of_one * int(runs[row])
    return OpValues(self_ps, flops, start_ps, unknown_ps)
