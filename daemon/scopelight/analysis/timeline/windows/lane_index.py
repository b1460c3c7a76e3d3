"""An index over the slices of a lane: what makes a window over millions of them a matter of milliseconds."""

import math
import threading
from collections.abc import Sequence

import numpy as np

from scopelight.analysis.timeline.windows.kernels import (
    LEAST_KEPT,
    LaneRows,
    Merged,
    count_inside,
    merge_lane,
    order_by_depth,
)
from scopelight.formats.columns import Int32, Int64
from scopelight.model.slices import LaneSlices

COARSEST_PX = 64
"""Windows seldom merge coarser than to this part of the profile."""
WIDEST_PX = 2_048
"""What is drawn seldom has more pixels."""


_NOTHING_32 = np.empty(0, np.int32)
NOT_MERGED = Merged(np.empty(0, np.int64), _NOTHING_32, _NOTHING_32, _NOTHING_32, np.empty(0, np.int64))


class LaneIndex:
    """Slices of a lane by depth, and merged at those resolutions that were asked for.

    About 5 bytes for each slice where the lane has several depths, else 1. Safe to use from several threads.
    """

    def __init__(self, lane: LaneSlices) -> None:
        self.lane = lane
        self.names = int(lane.name.max(initial=-1)) + 1
        """All names of the lane are below."""
        row_first: Int64 = np.zeros(lane.depths + 1, np.int64)
        order: Int32 = _NOTHING_32
        if lane.depths > 1:
            order = np.empty(len(lane), np.int32)
            order_by_depth(lane.depth, row_first, order)
        else:
            row_first[-1] = len(lane)
        self.rows = LaneRows(order, row_first, lane.name, lane.start_ps, lane.duration_ps)
        self._merged: dict[int, Merged] = {}
        self._lock = threading.Lock()

    def of_depth(self, depth: int) -> Int32:
        """The numbers of the slices of a depth in the order of time."""
        if not 0 <= depth < self.lane.depths:
            return _NOTHING_32
        first, beyond = self.rows.row_first[depth : depth + 2].tolist()
        return self.rows.order[first:beyond] if len(self.rows.order) else np.arange(beyond, dtype=np.int32)

    def count_inside(self, rows: int, start_ps: int, end_ps: int) -> Int64:
        """How many slices of each of the first ``rows`` rows are in a window."""
        counts: Int64 = np.zeros(rows, np.int64)
        count_inside(self.rows, start_ps, end_ps, counts)
        return counts

    def merged(self, exponent: int) -> Merged:
        """The lane merged to cells of 2^``exponent`` ps. Made once and kept."""
        known = self._merged.get(exponent)
        if known is not None:
            # Without the lock: another thread may be merging to another resolution, which takes its time.
            return known
        with self._lock:
            if exponent not in self._merged:
                self._merged[exponent] = self._merge(exponent)
            return self._merged[exponent]

    def resolutions(self, duration_ps: int, least_slices: int) -> Sequence[int]:
        """The exponents at which a window is likely to hold more than ``least_slices``, coarsest first."""
        if len(self.lane) <= least_slices:
            return ()
        coarsest = max(1, duration_ps // COARSEST_PX).bit_length() - 1
        finest_parts = WIDEST_PX * len(self.lane) / least_slices
        count = math.ceil(math.log2(finest_parts / COARSEST_PX)) + 1
        return range(coarsest, max(0, coarsest - count), -1)

    def _merge(self, exponent: int) -> Merged:
        most = len(self.lane) // LEAST_KEPT
        row_first: Int64 = np.zeros(self.lane.depths + 1, np.int64)
        first, slices, top = (np.empty(most, np.int32) for _ in range(3))
        busy_ps: Int64 = np.empty(most, np.int64)
        merged = Merged(row_first, first, slices, top, busy_ps)
        kept = merge_lane(self.rows, exponent, np.zeros(self.names, np.int64), merged)
        return Merged(row_first, first[:kept].copy(), slices[:kept].copy(), top[:kept].copy(), busy_ps[:kept].copy())
