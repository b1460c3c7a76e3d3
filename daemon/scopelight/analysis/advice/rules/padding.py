"""Padding: sizes that do not fit the device's tiles, so that a part of an op's work is on nothing."""

from collections.abc import Iterator
from typing import Final

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.analysis.padding.records import PaddingRow
from scopelight.findings import show_view

_LEAST_WASTED: Final = 0.1
"""Of the padded size."""
_LEAST: Final = 0.01
"""Of the op time."""


def padding(observed: Observed) -> Iterator[Advice]:
    """Without it an op works as much less as its sizes are smaller."""
    wasted: dict[tuple[str | None, int | None], list[PaddingRow]] = {}
    for row in observed.padding.rows:
        if row.predicted or row.self_ps is None or 1 - row.used_ratio < _LEAST_WASTED:
            continue
        wasted.setdefault((row.path, row.line), []).append(row)
    for (path, line), rows in wasted.items():
        of_ops: dict[str, float] = {}
        for row in rows:
            of_ops[row.key] = max(of_ops.get(row.key, 0.0), _lost_ps(row))
        lost_ps = sum(of_ops.values())
        if lost_ps < _LEAST * max(1, observed.ops.op_time_ps) or path is None or line is None:
            continue
        worst = max(rows, key=_lost_ps)
        yield observed.advice(
            "padding",
            observed.frame_at(path, line),
            saving_ps=lost_ps / max(1, observed.ops.scoped.step_count),
            basis="padding",
            evidence=list(of_ops),
            action=show_view("padding"),
            shape=worst.shape,
            used_ratio=worst.used_ratio,
            lost_ratio=lost_ps / max(1, observed.ops.op_time_ps),
        )


def _lost_ps(row: PaddingRow) -> float:
    return (1 - row.used_ratio) * (row.self_ps or 0)
