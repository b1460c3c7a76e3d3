"""One pass over a device's executions, sorted by start, that merges those of one scope to a slice at each level."""

from typing import NamedTuple

import numpy as np

from scopelight.formats.columns import Bool, Int16, Int32, Int64
from scopelight.formats.kernels import kernel

NO_SCOPE = -1


class ScopeSlices(NamedTuple):
    """Columns of equal length, sorted by start, parents before what is nested in them."""

    code: Int32
    start_ps: Int64
    duration_ps: Int64
    level: Int16


@kernel
def _sweep(
    start: Int64,
    duration: Int64,
    op: Int32,
    run: Int32,
    codes: Int32,
    counts: Bool,
    levels: int,
    of_level: Int64,
    code: Int32,
    begin: Int64,
    end: Int64,
    level: Int16,
    parent: Int32,
    is_open: Int64,
    latest: Int64,
    open_code: Int32,
) -> int:
    """Open a slice for each level that a row's op has and the row before it had not; ``-1`` is none.

    Slices are only counted, by level, where ``code`` is empty. ``is_open``, ``latest`` (the slice of each level that
    was opened last: it ends where the next one begins) and ``open_code`` are memory to work in, -1 at first.
    """
    stores = len(code) > 0
    count = 0
    before = np.int32(-2)
    for row in range(len(start)):
        of_row = op[row]
        if not counts[of_row]:
            continue
        same = run[row] == before
        before = run[row]
        last = start[row] + duration[row]
        for place in range(levels):
            named = codes[place, of_row]
            same = same and named == open_code[place]
            if not same:
                open_code[place] = named
                is_open[place] = -1
                if named >= 0:
                    of_level[place] += 1
                    if stores:
                        if latest[place] >= 0:
                            end[latest[place]] = min(end[latest[place]], start[row])
                        code[count] = named
                        begin[count] = start[row]
                        end[count] = last
                        level[count] = place
                        parent[count] = is_open[place - 1] if place else -1
                    is_open[place] = latest[place] = count
                    count += 1
            elif stores and is_open[place] >= 0:
                end[is_open[place]] = max(end[is_open[place]], last)
    if stores:
        for each in range(count):
            if parent[each] >= 0:
                end[each] = min(end[each], end[parent[each]])
    return count


def scope_slices(
    start_ps: Int64, duration_ps: Int64, op: Int32, run: Int32, codes: Int32, counts: Bool, most: int
) -> ScopeSlices:
    """Merge executions at each level; ``codes[level, op]`` names the scope of an op down to a level, or is `NO_SCOPE`.

    A slice reaches from the start of its first execution to the latest end of them, but into no later slice of its
    level and not out of the one around it. Ops that do not count are passed over. Levels from the first one on that
    would make more than ``most`` slices in all are left out.
    """
    codes = np.ascontiguousarray(codes)
    none = np.zeros(0, dtype=np.int64)
    nothing = none.astype(np.int32)
    of_level = np.zeros(len(codes), dtype=np.int64)
    rows = (start_ps, duration_ps, op, run, codes, counts)
    _sweep(*rows, len(codes), of_level, nothing, none, none, none.astype(np.int16), nothing, *_working(len(codes)))
    levels = int(np.searchsorted(np.cumsum(of_level), most, side="right"))
    count = int(of_level[:levels].sum())
    code, parent = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32)
    begin, end = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    level = np.empty(count, dtype=np.int16)
    if count:
        _sweep(*rows, levels, of_level, code, begin, end, level, parent, *_working(levels))
    lasts = end > begin
    return ScopeSlices(code[lasts], begin[lasts], (end - begin)[lasts], level[lasts])


def _working(levels: int) -> tuple[Int64, Int64, Int32]:
    is_open, latest = np.full((2, levels), -1, np.int64)
    return is_open, latest, np.full(levels, -1, np.int32)
