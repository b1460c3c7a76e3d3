"""One pass over a device's executions, sorted by start, that merges those of one kind to spans without copies."""

import numpy as np

from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.formats.kernels import kernel
from scopelight.model.profile import Spans


@kernel
def _find_bare(start: Int64, duration: Int64, op: Int32, is_container: Bool, bare: Bool) -> None:
    following = np.int64(np.iinfo(np.int64).max)
    for row in range(len(start) - 1, -1, -1):
        if is_container[op[row]]:
            bare[row] = following >= start[row] + duration[row]
        else:
            following = start[row]


def bare_containers(start_ps: Int64, duration_ps: Int64, op: Int32, is_container: Bool) -> Bool:
    """Whether each execution is a container in which no other execution begins; ``is_container`` is by op."""
    bare = np.zeros(len(start_ps), dtype=np.bool_)
    _find_bare(start_ps, duration_ps, op, is_container, bare)
    return bare


@kernel
def _merge(
    start: Int64,
    duration: Int64,
    op: Int32,
    is_chosen: Bool,
    also: Bool,
    window: int,
    into_start: Int64,
    into_duration: Int64,
) -> int:
    count = 0
    begin, end = np.int64(0), np.int64(-1)
    for row in range(len(start)):
        if not (is_chosen[op[row]] or also[row]):
            continue
        first, last = max(start[row], 0), min(start[row] + duration[row], window)
        if last <= first:
            continue
        if first <= end:
            end = max(end, last)
            continue
        if end > begin:
            if len(into_start):
                into_start[count] = begin
                into_duration[count] = end - begin
            count += 1
        begin, end = first, last
    if end > begin:
        if len(into_start):
            into_start[count] = begin
            into_duration[count] = end - begin
        count += 1
    return count


def merged(start_ps: Int64, duration_ps: Int64, op: Int32, is_chosen: Bool, also: Bool, window_ps: int) -> Spans:
    """The union of the executions whose op is chosen, or that ``also`` names, inside the window from 0 on."""
    none = np.zeros(0, dtype=np.int64)
    columns = (start_ps, duration_ps, op, is_chosen, also, window_ps)
    count = _merge(*columns, none, none)
    spans = Spans(np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64))
    if count:
        _merge(*columns, spans.start_ps, spans.duration_ps)
    return spans
