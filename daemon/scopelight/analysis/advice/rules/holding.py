"""Which waits for results hold the host up while devices work, so that it prepares nothing meanwhile."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.device_time.busy import covered_ps
from scopelight.analysis.totals.waiting.pieces import NONE
from scopelight.analysis.totals.waiting.syncs import Sync
from scopelight.formats.columns import Bool
from scopelight.model.spans import Spans

_IN_LAUNCHES: Final = 0.5
"""Of its work: a device that does so much while the host launches runs in that call, and ahead of nothing."""
_AS_LONG: Final = 1.05
"""What takes so many times as long as the device does is hidden behind it but for the noise."""


def holding_syncs(observed: Observed) -> Mapping[tuple[str, int], Sync]:
    """The syncs of a run whose devices work while the host goes on; none where a launch returns when all is done."""
    waits = observed.steady.pieces.waits
    for busy in observed.busy:
        launched_ps = sum(_both_ps(busy, each.launching) for each in waits)
        if launched_ps <= _IN_LAUNCHES * int(busy.duration_ps.sum()):
            return observed.syncs
    return {}


def _both_ps(spans: Spans, others: Spans) -> int:
    return int(covered_ps(spans, others.start_ps, others.start_ps + others.duration_ps).sum())


def hidden_without_syncs(observed: Observed) -> Bool:
    """By row of the idle time of steps whether it began with a wait for a result, and would not be without it.

    The host's own work is then no longer than the device's, behind which it would go on.
    """
    pieces, rows = observed.steady.pieces, observed.steady.rows
    hidden = np.zeros(len(rows), dtype=np.bool_)
    syncs = holding_syncs(observed)
    if not syncs:
        return hidden
    works_ps = observed.device_step_ps
    hiding = {key for key, sync in syncs.items() if sync.at_best_ps <= _AS_LONG * works_ps}
    opened = pieces.opened[rows]
    frames = observed.line_of_stack
    is_hiding = np.array(
        [frame is not None and (frame.path, frame.line) in hiding for frame in frames] or [False], dtype=np.bool_
    )
    known = np.flatnonzero(opened != NONE)
    hidden[known] = is_hiding[opened[known]]
    return hidden
