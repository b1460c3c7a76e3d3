"""Gaps: when a device ran nothing, what ended that, and whether the host had launched it before the gap began."""

import attrs
import numpy as np

from scopelight.analysis.device_time.busy import busy_spans, without
from scopelight.formats.columns import Bool, Int64
from scopelight.model.executions import Executions, ProgramRuns
from scopelight.model.spans import Spans

UNKNOWN = -1
_LATEST = np.iinfo(np.int64).max


@attrs.frozen(eq=False, repr=False)
class Gaps:
    """Columns of equal length, by gap of one device, in the order of time.

    ``op`` is the op that ended it, ``UNKNOWN`` for the last gap. ``launch_ps`` is when the host launched the run of
    that op, ``UNKNOWN`` where it is not known. ``is_inside`` of one run: another op of it had run before.
    """

    start_ps: Int64
    end_ps: Int64
    op: Int64
    launch_ps: Int64
    is_inside: Bool

    @property
    def is_late(self) -> Bool:
        """Whether the host had not launched what ended a gap before it began, as far as it is known."""
        late: Bool = ~self.is_inside & ((self.launch_ps < 0) | (self.launch_ps >= self.start_ps))
        return late

    def has_launch(self, launches_ps: Int64) -> Bool:
        """Whether the host launched anything in a gap, by sorted moments of its launches, or nothing ended it."""
        before, until = np.searchsorted(launches_ps, self.start_ps), np.searchsorted(launches_ps, self.end_ps, "right")
        found: Bool = (until > before) | (self.op == UNKNOWN)
        return found


def gaps_of(executions: Executions, runs: ProgramRuns, device: int, duration_ps: int, launches_ps: Int64) -> Gaps:
    """The gaps of a device in a window of ``duration_ps``; ``launches_ps`` are sorted moments of launches by the host.

    A run whose launch is not known was launched last before it began.
    """
    whole = Spans(np.zeros(1, dtype=np.int64), np.array([duration_ps], dtype=np.int64))
    gaps = without(whole, busy_spans(executions, device))
    start_ps, end_ps = gaps.start_ps, gaps.start_ps + gaps.duration_ps
    rows = executions.rows_of(device)
    begin_ps, run = executions.start_ps[rows], executions.run[rows].astype(np.int64)
    op = np.full(len(start_ps), UNKNOWN, dtype=np.int64)
    launch_ps = op.copy()
    is_inside = np.zeros(len(start_ps), dtype=np.bool_)
    # What takes no time ends no gap, but it may be the first of those that begin there.
    following = np.searchsorted(begin_ps, end_ps)
    ended = np.flatnonzero(following < len(begin_ps))
    following = following[ended]
    op[ended] = executions.op[rows][following]
    of_run = run[following]
    known = of_run >= 0
    if known.any():
        first_ps = _first_of_runs(begin_ps, run, len(runs))
        began_ps = np.where(known, first_ps[of_run], end_ps[ended])
        is_inside[ended] = known & (began_ps < start_ps[ended])
        launched_ps = np.where(known, runs.launch_ps[of_run], UNKNOWN)
        last = np.searchsorted(launches_ps, began_ps, side="right") - 1
        if len(launches_ps):
            is_untold = known & (launched_ps < 0) & (last >= 0)
            launched_ps = np.where(is_untold, launches_ps[np.maximum(last, 0)], launched_ps)
        launch_ps[ended] = launched_ps
    return Gaps(start_ps, end_ps, op, launch_ps, is_inside)


def _first_of_runs(begin_ps: Int64, run: Int64, runs: int) -> Int64:
    """By run when the first of its executions began; ``begin_ps`` is sorted."""
    first_ps = np.full(runs + 1, _LATEST, dtype=np.int64)
    # The last one written stays: in reverse that is the first. Those of no run share the last place.
    first_ps[run[::-1]] = begin_ps[::-1]
    return first_ps[:runs]
