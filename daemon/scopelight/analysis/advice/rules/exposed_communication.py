"""Exposed communication: devices do nothing else while they exchange data, or wait for each other."""

from collections.abc import Iterator
from typing import Final

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.analysis.device_time.stalls import STALLS
from scopelight.findings import show_view

_LEAST: Final = 0.10
"""Of the wall clock."""
_CAUSES: Final = (STALLS.index("collective"), STALLS.index("peer"))


def exposed_communication(observed: Observed) -> Iterator[Advice]:
    """Hidden behind computation it takes no time of its own.

    Devices that are threads of one host exchange nothing over a link: what they wait for is the slowest of them.
    """
    if observed.shares_cores:
        return
    table = observed.ops
    sums = table.totals.by_op()
    stall = observed.centre.division.stall_of_op
    entries = [
        (each, int(sums.wall_ps[list(each.ops)].sum()))
        for each in table.entries
        if any(int(stall[row]) in _CAUSES for row in each.ops)
    ]
    exposed_ps = sum(wall_ps for _, wall_ps in entries)
    wall = table.scoped.wall
    if wall is None or not table.scoped.step_count or exposed_ps < _LEAST * wall.wall_ps:
        return
    entries.sort(key=lambda each: -each[1])
    first = entries[0][0]
    yield observed.advice(
        "exposed-communication",
        first.charged[0].parts[0].frame if first.charged[0].parts else None,
        saving_ps=exposed_ps / table.scoped.step_count,
        basis="op-time",
        evidence=[each.row.key for each, _ in entries[:5]],
        action=show_view("timeline"),
        exposed_ratio=exposed_ps / wall.wall_ps,
        per_step_ps=round(exposed_ps / table.scoped.step_count),
        ops=len(entries),
    )
