"""Low use of the matrix unit: products that are bound by computing reach little of what the device can."""

from collections.abc import Iterator
from typing import Final

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.findings import show_view

_MOST_USED: Final = 0.5
"""Of the peak."""
_LEAST: Final = 0.2
"""Of the wall clock."""


def low_matrix_unit_use(observed: Observed) -> Iterator[Advice]:
    """At the peak products would take as much less: at best, since few reach it."""
    if observed.shares_cores:
        return
    table = observed.ops
    wall = table.scoped.wall
    rows = [
        each
        for each in table.entries
        if each.row.bound_by == "compute"
        and each.row.flop_utilisation_ratio is not None
        and each.row.flop_utilisation_ratio < _MOST_USED
        and each.row.wasted_ps is not None
    ]
    self_ps = sum(each.row.self_ps for each in rows)
    if wall is None or not table.scoped.step_count or self_ps < _LEAST * wall.wall_ps:
        return
    flops = sum((each.row.flop_utilisation_ratio or 0) * each.row.self_ps for each in rows)
    wasted_ps = sum(each.row.wasted_ps or 0 for each in rows)
    first = rows[0]
    types = dict.fromkeys(each.row.element_type for each in rows)
    yield observed.advice(
        "low-matrix-unit-use",
        first.charged[0].parts[0].frame if first.charged[0].parts else None,
        saving_ps=wasted_ps / table.scoped.step_count,
        basis="op-time",
        confidence="low",
        evidence=[each.row.key for each in rows[:5]],
        action=show_view("roofline"),
        used_ratio=flops / max(1, self_ps),
        wall_ratio=self_ps / wall.wall_ps,
        ops=len(rows),
        types=tuple(types),
    )
