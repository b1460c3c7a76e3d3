"""Ops over hosts: how long an op takes on each, and what of that is waiting for others."""

from collections.abc import Iterator

import numpy as np

from scopelight.analysis.ops.records import OpOnHost
from scopelight.analysis.ops.table import OpEntry, OpTable


def on_hosts(table: OpTable, entry: OpEntry) -> Iterator[OpOnHost]:
    """Each host that ran an op, or each device where one host has several and they met in it; else nothing.

    Times are means of the steps and of a host's devices, of all executions where there are no steps.
    """
    centre, totals, extent = table.centre, table.scoped.totals, table.scoped.extent
    if extent.kind == "program":
        return
    meetings = centre.meetings(extent.kind)
    ops = list(entry.ops)
    met = meetings is not None and bool(meetings.wait_ps[ops].any() or meetings.move_ps[ops].any())
    places = dict(centre.hosts) or {name: (row,) for name, row in centre.devices.items() if met}
    if len(places) < 2:
        return
    of_op = np.isin(totals.op, ops)
    for name, rows in places.items():
        own = of_op & np.isin(totals.device, list(rows))
        if not own.any():
            continue
        spread = max(1, extent.steps) * len(rows)
        devices = list(rows)
        wait_ps = int(meetings.wait_ps[np.ix_(ops, devices)].sum()) if meetings is not None and met else None
        move_ps = int(meetings.move_ps[np.ix_(ops, devices)].sum()) if meetings is not None and met else None
        yield OpOnHost(
            name=name,
            executions=int(totals.executions[own].sum()),
            self_ps=round(int(totals.self_ps[own].sum()) / spread),
            wait_ps=None if wait_ps is None else round(wait_ps / spread),
            move_ps=None if move_ps is None else round(move_ps / spread),
        )
