"""Host callback: the compiled program calls Python back, and the device waits for it."""

from collections.abc import Iterator
from typing import Final

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.analysis.ops.table import OpEntry
from scopelight.findings import show_view

_LEAST: Final = 0.01
"""Of the wall clock."""


def host_callback(observed: Observed) -> Iterator[Advice]:
    """What nothing is computed from can be left out, and its time is saved; what something is cannot be told of."""
    table = observed.ops
    entries = [each for each in table.entries if each.row.side == "callback" and each.row.executions]
    sums = table.totals.by_op()
    wall_ps = {each.row.key: int(sums.wall_ps[list(each.ops)].sum()) for each in entries}
    whole_ps = sum(wall_ps.values())
    if table.scoped.wall is None or whole_ps < _LEAST * table.scoped.wall.wall_ps or not table.scoped.step_count:
        return
    entries.sort(key=lambda each: -wall_ps[each.row.key])
    first = entries[0]
    removable_ps = sum(wall_ps[each.row.key] for each in entries if _gives_nothing(each))
    yield observed.advice(
        "host-callback",
        first.charged[0].parts[0].frame if first.charged[0].parts else None,
        saving_ps=removable_ps / table.scoped.step_count if removable_ps else None,
        basis="op-time" if removable_ps else None,
        confidence="medium" if removable_ps else "low",
        evidence=[each.row.key for each in entries],
        action=show_view("timeline"),
        callbacks_per_step=sum(each.row.executions for each in entries) / len(observed.centre.steps),
        callback_ratio=whole_ps / table.scoped.wall.wall_ps,
        per_step_ps=round(whole_ps / table.scoped.step_count),
    )


def _gives_nothing(entry: OpEntry) -> bool:
    """Whether no array comes back from it: that of a ``jax.debug.print``."""
    return entry.op.instruction is not None and not any(
        each.element_type != "token" for each in entry.op.instruction.shape.arrays
    )
