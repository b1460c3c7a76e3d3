"""Busy: when a device was at work, whatever it worked on."""

import numpy as np

from scopelight.formats.columns import Int64, distinct_values
from scopelight.formats.kernels import kernel
from scopelight.model.executions import Executions
from scopelight.model.spans import Spans, merge_spans


def busy_spans(executions: Executions, device: int) -> Spans:
    """Union of the spans of a device's executions, each from its start to its end."""
    rows = executions.rows_of(device)
    start_ps = executions.start_ps[rows]
    return merge_spans(start_ps, start_ps + executions.duration_ps[rows])


def without_busy(spans: Spans, executions: Executions, device: int) -> Spans:
    """What of sorted, disjoint ``spans`` lies in none of the spans of a device's executions."""
    if not len(spans.start_ps):
        return spans
    rows = executions.rows_of(device)
    start_ps = executions.start_ps[rows]
    end_ps = start_ps + executions.duration_ps[rows]
    near = np.flatnonzero((start_ps < spans.start_ps[-1] + spans.duration_ps[-1]) & (end_ps > spans.start_ps[0]))
    return without(spans, merge_spans(start_ps[near], end_ps[near]))


def span_at(spans: Spans, moment_ps: Int64) -> Int64:
    """By moment the row of the sorted, disjoint span that it lies in; -1 where it lies in none."""
    if not len(spans.start_ps):
        return np.full(len(moment_ps), -1, dtype=np.int64)
    last = np.searchsorted(spans.start_ps, moment_ps, side="right") - 1
    return np.where((last >= 0) & (moment_ps < (spans.start_ps + spans.duration_ps)[last]), last, -1)


def cut_at(spans: Spans, borders_ps: Int64) -> tuple[Int64, Int64, Int64]:
    """Sorted, disjoint spans cut at borders: where the parts start and end, and the row of the span of each."""
    inside = borders_ps[span_at(spans, borders_ps) >= 0]
    start_ps = distinct_values(np.concatenate([spans.start_ps, inside]))
    row: Int64 = np.searchsorted(spans.start_ps, start_ps, side="right") - 1
    following = np.append(start_ps[1:], np.iinfo(np.int64).max)[: len(start_ps)]
    return start_ps, np.minimum(following, (spans.start_ps + spans.duration_ps)[row]), row


def covered_ps(spans: Spans, start_ps: Int64, end_ps: Int64) -> Int64:
    """How much of the time from each ``start_ps`` to its ``end_ps`` the spans cover."""
    return _covered_until(spans, end_ps) - _covered_until(spans, start_ps)


def _covered_until(spans: Spans, at_ps: Int64) -> Int64:
    if not len(spans.start_ps):
        return np.zeros(len(at_ps), dtype=np.int64)
    before = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(spans.duration_ps)))
    begun = np.searchsorted(spans.start_ps, at_ps, side="right")
    last = np.maximum(begun - 1, 0)
    partial = np.minimum(at_ps - spans.start_ps[last], spans.duration_ps[last])
    return np.where(begun > 0, before[last] + partial, 0)


@kernel
def _cut(
    start: Int64, duration: Int64, other: Int64, other_duration: Int64, into_start: Int64, into_duration: Int64
) -> int:
    count, at = 0, 0
    for row in range(len(start)):
        begin, end = start[row], start[row] + duration[row]
        while at < len(other) and other[at] + other_duration[at] <= begin:
            at += 1
        place = at
        while begin < end:
            until = min(end, other[place]) if place < len(other) else end
            if until > begin:
                into_start[count] = begin
                into_duration[count] = until - begin
                count += 1
            if place >= len(other):
                break
            begin = max(begin, other[place] + other_duration[place])
            place += 1
        # The last of the others may reach into the next span.
        at = max(at, place - 1)
    return count


def without(spans: Spans, others: Spans) -> Spans:
    """What of ``spans`` lies in none of ``others``; both sorted and disjoint."""
    # Each of the others cuts a span in two at most.
    start_ps, duration_ps = np.empty((2, len(spans.start_ps) + len(others.start_ps)), dtype=np.int64)
    count = _cut(spans.start_ps, spans.duration_ps, others.start_ps, others.duration_ps, start_ps, duration_ps)
    return Spans(start_ps[:count].copy(), duration_ps[:count].copy())
