"""Busy: when a device was at work, whatever it worked on."""

import numpy as np

from scopelight.model.executions import Int64
from scopelight.model.host import merge_spans
from scopelight.model.profile import Profile, Spans


def busy_spans(profile: Profile, device: int) -> Spans:
    """Union of the spans of a device's executions, each from its start to its end."""
    executions = profile.executions
    rows = slice(*np.searchsorted(executions.device, [device, device + 1]).tolist())
    start_ps = executions.start_ps[rows]
    return merge_spans(start_ps, start_ps + executions.duration_ps[rows])


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


def without(spans: Spans, others: Spans) -> Spans:
    """What of ``spans`` lies in none of ``others``; both sorted and disjoint."""
    if not len(others.start_ps) or not len(spans.start_ps):
        return spans
    cuts: Int64 = np.unique(
        np.concatenate(
            [
                spans.start_ps,
                spans.start_ps + spans.duration_ps,
                others.start_ps,
                others.start_ps + others.duration_ps,
            ]
        )
    )
    if len(cuts) < 2:
        return Spans(cuts[:0], cuts[:0])
    left, right = cuts[:-1], cuts[1:]
    keep = _contains(spans, left) & ~_contains(others, left)
    return merge_spans(left[keep], right[keep])


def _contains(spans: Spans, at_ps: Int64) -> np.ndarray:
    if not len(spans.start_ps):
        return np.zeros(len(at_ps), dtype=np.bool_)
    place = np.searchsorted(spans.start_ps, at_ps, side="right") - 1
    return (place >= 0) & (at_ps < (spans.start_ps + spans.duration_ps)[place])
