"""Periodic stall: every so many steps one takes much longer, while the host stands on the same line."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

import numpy as np

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.findings import show_view
from scopelight.formats.columns import Int64

_SLOW: Final = 3.0
"""Times the median."""
_LEAST_SLOW: Final = 2
_LEAST_ON_LINE: Final = 0.5
"""Of what slow steps take beyond a usual one."""
_LEAST: Final = 0.01
"""Of the wall clock."""


def periodic_stall(observed: Observed) -> Iterator[Advice]:
    """If all steps were as short as most of them are."""
    steps = observed.steps
    rows = np.flatnonzero(observed.steady.is_steady)
    duration_ps = steps.duration_ps[rows]
    median_ps = float(np.median(duration_ps))
    slow = np.flatnonzero(duration_ps > _SLOW * median_ps)
    if len(slow) < _LEAST_SLOW or len(rows) < 2 * len(slow):
        return
    apart = np.diff(rows[slow])
    if len(apart) and int(apart.max() - apart.min()) > 1:
        return
    if len(apart) == 1 and not _is_regular(rows, slow):
        return
    excess_ps = float((duration_ps[slow] - median_ps).sum())
    pieces = observed.steady.pieces
    chosen = np.isin(pieces.step[observed.steady.rows], rows[slow])
    waiting = observed.charged(chosen)
    devices = len(observed.steady.devices)
    lines = Counter({line.frame: line.waiting_ps // devices for line in waiting.lines.values()})
    if not lines or excess_ps < _LEAST * float(duration_ps.sum()):
        return
    (frame, on_line_ps), *_ = lines.most_common(1)
    if on_line_ps < _LEAST_ON_LINE * excess_ps:
        return
    yield observed.advice(
        "periodic-stall",
        frame,
        saving_ps=min(excess_ps, on_line_ps) / len(rows),
        basis="excess",
        action=show_view("steps"),
        every_steps=round(float(apart.mean())) if len(apart) else len(rows),
        slow_steps=len(slow),
        slow_step_ps=round(float(duration_ps[slow].mean())),
        usual_step_ps=round(median_ps),
    )


def _is_regular(rows: Int64, slow: Int64) -> bool:
    """Of two slow steps: whether none is missing before the first and behind the second."""
    apart = int(rows[slow[1]] - rows[slow[0]])
    return int(rows[slow[0]] - rows[0]) <= apart and int(rows[-1] - rows[slow[1]]) <= apart
