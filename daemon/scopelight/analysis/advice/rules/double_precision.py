"""Double precision: ops compute in f64, where f32 mostly will do."""

from collections.abc import Iterator
from typing import Final

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.findings import Action

_WIDE: Final = ("f64", "c128")
_LEAST: Final = 0.01
"""Of the op time."""
_HALF: Final = 0.5
"""Of the time: what is half as wide takes half as long to move, and no longer to compute."""


def double_precision(observed: Observed) -> Iterator[Advice]:
    """In half the precision ops move half the bytes: at best they take half as long."""
    table = observed.ops
    entries = [
        each
        for each in table.entries
        if each.row.side == "device" and (each.row.element_type in _WIDE or each.row.shape.startswith(_WIDE))
    ]
    self_ps = sum(each.row.self_ps for each in entries)
    if not entries or self_ps < _LEAST * table.op_time_ps or _is_meant(observed):
        return
    sums = table.totals.by_op()
    wall_ps = sum(int(sums.wall_ps[list(each.ops)].sum()) for each in entries)
    first = entries[0]
    yield observed.advice(
        "double-precision",
        first.charged[0].parts[0].frame if first.charged[0].parts else None,
        saving_ps=_HALF * wall_ps / max(1, table.scoped.step_count),
        basis="op-time",
        confidence="low",
        evidence=[each.row.key for each in entries[:3]],
        action=Action("remove-flag", {"flag": "jax_enable_x64"}),
        ops=len(entries),
        op_time_ratio=self_ps / max(1, table.op_time_ps),
    )


def _is_meant(observed: Observed) -> bool:
    """Whether the script itself asks for f64 by name."""
    return any(observed.sources.names(path, "float64", "complex128") for path in observed.centre.user_files)
