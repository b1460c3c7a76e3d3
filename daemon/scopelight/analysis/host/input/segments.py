"""Segments: of stages that lie inside one another on a thread, which is the innermost at each moment."""

from collections.abc import Callable

import attrs
import numpy as np

from scopelight.analysis.device_time.busy import span_at
from scopelight.formats.columns import Bool, Int64
from scopelight.model.nesting import nest
from scopelight.model.spans import Spans


@attrs.frozen(eq=False, repr=False)
class Segments:
    """Sorted, disjoint spans of one thread and the stage of each, which is the innermost."""

    start_ps: Int64
    end_ps: Int64
    stage: Int64

    @property
    def duration_ps(self) -> Int64:
        """How long each lasts."""
        return self.end_ps - self.start_ps


def innermost(start_ps: Int64, end_ps: Int64, stage: Int64, borders_ps: Int64) -> Segments:
    """The innermost of the spans at each moment, cut at ``borders_ps`` too."""
    if not len(start_ps):
        return Segments(start_ps, end_ps, stage)
    order = np.lexsort((-end_ps, start_ps))
    start_ps, end_ps, stage = start_ps[order], end_ps[order], stage[order]
    parent, _ = nest(start_ps, end_ps - start_ps)
    borders = np.unique(np.concatenate([start_ps, end_ps, borders_ps]))
    begin_ps = borders[:-1]
    found = np.searchsorted(start_ps, begin_ps, side="right") - 1
    while True:
        # What began last may have ended: what it lies in need not have.
        ended = (found >= 0) & (end_ps[np.maximum(found, 0)] <= begin_ps)
        if not ended.any():
            break
        found[ended] = parent[found[ended]]
    inside = found >= 0
    return Segments(begin_ps[inside], borders[1:][inside], stage[found[inside]])


def overlaid(below: Segments, over: Segments, wins: Callable[[Int64, Int64], Bool]) -> Segments:
    """Two sets of segments as one: where both are, the stage of ``over`` if it ``wins`` over that below."""
    borders = np.unique(np.concatenate([below.start_ps, below.end_ps, over.start_ps, over.end_ps]))
    begin_ps = borders[:-1]
    under, above = _stage_at(below, begin_ps), _stage_at(over, begin_ps)
    both = (under >= 0) & (above >= 0)
    stage = np.where(above >= 0, above, under)
    stage[both] = np.where(wins(above[both], under[both]), above[both], under[both])
    inside = stage >= 0
    return Segments(begin_ps[inside], borders[1:][inside], stage[inside])


def _stage_at(segments: Segments, moment_ps: Int64) -> Int64:
    at = span_at(Spans(segments.start_ps, segments.duration_ps), moment_ps)
    stage = np.full(len(moment_ps), -1, dtype=np.int64)
    stage[at >= 0] = segments.stage[at[at >= 0]]
    return stage


def joined_cells(start_ps: Int64, end_ps: Int64) -> tuple[Int64, Int64]:
    """Sorted spans, with those made one that follow each other without a gap."""
    if not len(start_ps):
        return start_ps, end_ps
    begins = np.append(True, start_ps[1:] > end_ps[:-1])
    ends = np.append(begins[1:], True)
    return start_ps[begins], end_ps[ends]
