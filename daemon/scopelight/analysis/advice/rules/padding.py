"""Padding: sizes that do not fit the device's tiles, so that a part of an op's work is on nothing."""

from collections.abc import Iterator
from typing import Final

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.findings import show_view

_LEAST_WASTED: Final = 0.1
"""Of the padded size."""
_LEAST: Final = 0.01
"""Of the op time."""


def padding(observed: Observed) -> Iterator[Advice]:
    """Without it an op works as much less as its sizes are smaller, as far as memory does not limit it."""
    if not any(1 - row.used_ratio >= _LEAST_WASTED for row in observed.padding.rows):
        return
    for number, line in enumerate(observed.lines.lines):
        found = observed.line_costs.padding(number)
        if found is None or found.predicted or found.lost_ratio < _LEAST or line.path is None or line.line is None:
            continue
        wasted = [row for row in found.rows if 1 - row.used_ratio >= _LEAST_WASTED]
        if not wasted:
            continue
        yield observed.advice(
            "padding",
            observed.frame_at(line.path, line.line),
            saving_ps=found.lost_ratio * observed.ops.op_time_ps / max(1, observed.ops.scoped.step_count),
            basis="padding",
            evidence=list(dict.fromkeys(row.key for row in wasted)),
            action=show_view("padding"),
            shape=wasted[0].shape,
            used_ratio=wasted[0].used_ratio,
            lost_ratio=found.lost_ratio,
        )
