"""Thinning a curve of memory so that no peak is lost."""

import numpy as np

from scopelight.formats.columns import Int64

MOST_SAMPLES = 1000
"""Of one memory in a record: as many as a chart has pixels."""


def greatest_of_boxes(usage_bytes: Int64, most: int = MOST_SAMPLES) -> Int64:
    """Rows to keep of a curve, at most ``most``: of each box of neighbours the row with the greatest usage.

    Boxes differ in width by one at most, the narrower ones first. Of rows of equal usage the last one is kept, as the
    last of equal peaks is the peak. A curve that is short enough is kept whole.
    """
    count = len(usage_bytes)
    if count <= most:
        return np.arange(count, dtype=np.int64)
    width, wider = divmod(count, most)
    widths = np.full(most, width, dtype=np.int64)
    if wider:
        widths[-wider:] += 1
    ends = np.cumsum(widths)
    starts = ends - widths
    greatest = np.repeat(np.maximum.reduceat(usage_bytes, starts), widths)
    rows = np.where(usage_bytes == greatest, np.arange(count, dtype=np.int64), -1)
    return np.maximum.reduceat(rows, starts)
