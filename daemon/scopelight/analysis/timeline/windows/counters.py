"""A counter in a window: the least and the greatest that it was on each pixel."""

import base64

import numpy as np

from scopelight.analysis.timeline.records import CounterRecord
from scopelight.formats.columns import Float64, Int64
from scopelight.model.slices import Counter


def counter_window(counter: Counter, start_ps: int, end_ps: int, width_px: int) -> CounterRecord:
    """The counter between two times. The first point says what it was when the window began.

    Where it is no number (NaN or infinite) from a time on, a point of NaN says so: nothing is drawn until the next.

    ``least`` and ``greatest`` of the record are those of the whole profile, so that an axis stands still.
    """
    values = counter.values()
    known = np.isfinite(values.value)
    at_ps, value = values.start_ps, np.where(known, values.value, np.nan)
    first = max(0, int(np.searchsorted(at_ps, start_ps, side="right")) - 1)
    last = int(np.searchsorted(at_ps, end_ps, side="left"))
    columns = _points(at_ps[first:last] - start_ps, value[first:last], end_ps - start_ps, width_px)
    return CounterRecord(
        track=counter.id,
        unit=counter.unit,
        points=len(columns[0]),
        least=float(values.value[known].min()) if known.any() else 0.0,
        greatest=float(values.value[known].max()) if known.any() else 0.0,
        packed=base64.b64encode(b"".join(column.astype("<f8").tobytes() for column in columns)).decode("ascii"),
    )


def _points(start_ps: Int64, value: Float64, length_ps: int, width_px: int) -> tuple[Int64, Float64, Float64]:
    """Start, least and greatest of one point for each pixel in which something is told or no longer known."""
    pixel_ps = -(-length_ps // width_px)
    pixel = start_ps // pixel_ps
    firsts = np.flatnonzero(np.diff(pixel, prepend=pixel[:1] - 1))
    if not len(firsts):
        return start_ps, value, value
    least, greatest = np.fmin.reduceat(value, firsts), np.fmax.reduceat(value, firsts)
    lasts = np.append(firsts[1:], len(value)) - 1
    # What a pixel told holds no longer than it where its last value is none.
    ends = np.flatnonzero(np.isnan(value[lasts]) & ~np.isnan(least))
    end_ps = (pixel[firsts[ends]] + 1) * pixel_ps
    is_told_next = np.append((np.diff(pixel[firsts]) == 1) & ~np.isnan(least[1:]), False)[ends]
    is_gap = ~is_told_next & (end_ps < length_ps)
    ends, end_ps = ends[is_gap], end_ps[is_gap]
    start_ps = np.insert(start_ps[firsts], ends + 1, end_ps)
    least, greatest = np.insert(least, ends + 1, np.nan), np.insert(greatest, ends + 1, np.nan)
    unknown = np.isnan(least)
    told = ~(unknown & np.append(True, unknown[:-1]))
    return start_ps[told], least[told], greatest[told]
