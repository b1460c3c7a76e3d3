"""Spans of time that do not overlap."""

import attrs
import numpy as np

from scopelight.formats.columns import Int64


@attrs.frozen(eq=False, repr=False)
class Spans:
    """Sorted, disjoint spans of time."""

    start_ps: Int64
    duration_ps: Int64


def merge_spans(start_ps: Int64, end_ps: Int64) -> Spans:
    """The union of spans as sorted, disjoint spans; empty ones vanish."""
    keep = end_ps > start_ps
    start, end = start_ps[keep], end_ps[keep]
    if not len(start):
        return Spans(start, end)
    if (start[1:] < start[:-1]).any():
        order = np.argsort(start, kind="stable")
        start, end = start[order], end[order]
    reach = np.maximum.accumulate(end)
    opens = np.concatenate(([True], start[1:] > reach[:-1]))
    closes = np.concatenate((opens[1:], [True]))
    return Spans(start[opens], reach[closes] - start[opens])
