"""The parts of a host's profile: traces that one process made one after the other, and what lies between them."""

from collections.abc import Iterable, Sequence

import numpy as np

from scopelight.formats.columns import Int64
from scopelight.model.spans import Spans, merge_spans


def traced_span(reach: Sequence[tuple[int, int]]) -> Spans:
    """From the first event of a file to its last, by where its lines start and end; empty where it has no event."""
    if not reach:
        return Spans(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    first_ps = min(first for first, _ in reach)
    last_ps = max(last for _, last in reach)
    return Spans(np.array([first_ps], dtype=np.int64), np.array([last_ps - first_ps], dtype=np.int64))


def untraced_spans(hosts: Iterable[Sequence[Spans]], origin_ps: int) -> Spans:
    """The moments of any host that lie between two of its traces, counted from ``origin_ps``."""
    nothing = np.zeros(0, dtype=np.int64)
    starts: list[Int64] = [nothing]
    ends: list[Int64] = [nothing]
    for traces in hosts:
        start_ps = np.concatenate([each.start_ps for each in traces])
        traced = merge_spans(start_ps, start_ps + np.concatenate([each.duration_ps for each in traces]))
        starts.append((traced.start_ps + traced.duration_ps)[:-1])
        ends.append(traced.start_ps[1:])
    return merge_spans(np.concatenate(starts) - origin_ps, np.concatenate(ends) - origin_ps)
