"""Buckets: the few sizes to pad a changing size to, so that as little as can be is padded."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from scopelight.analysis.programs.records import BucketPlan

_MOST: Final = 8
_MOST_SIZES: Final = 400
"""Of more distinct sizes only so many are looked at as bounds."""


def bucket_plans(times: Mapping[int, int], compile_ps: int | None, compiled: int) -> tuple[BucketPlan, ...]:
    """For one bucket and more what they cost; ``times`` is by size how often it ran.

    ``compile_ps`` is what one compilation takes, of the ``compiled`` that there were.
    """
    sizes = sorted(times)
    if len(sizes) < 2 or len(sizes) > _MOST_SIZES:
        return ()
    whole = sum(size * count for size, count in times.items())
    plans = []
    for bounds in _best_bounds(sizes, [times[each] for each in sizes]):
        padded = sum(times[size] * next(bound for bound in bounds if bound >= size) for size in sizes)
        saved_ps = None if compile_ps is None else max(0, compiled - len(bounds)) * compile_ps
        plans.append(BucketPlan(tuple(bounds), padded / max(1, whole) - 1, len(bounds), saved_ps))
    return tuple(plans)


def _best_bounds(sizes: Sequence[int], counts: Sequence[int]) -> Sequence[Sequence[int]]:
    """For 1, 2, ... buckets the bounds with the least padded size, by dynamic programming over sorted sizes."""
    number = len(sizes)
    until = np.concatenate([[0], np.cumsum(counts)])
    cost = np.full((_MOST + 1, number + 1), np.inf)
    choice = np.zeros((_MOST + 1, number + 1), dtype=np.int64)
    cost[0, 0] = 0.0
    found = []
    for buckets in range(1, min(_MOST, number) + 1):
        for end in range(1, number + 1):
            options = cost[buckets - 1, :end] + (until[end] - until[:end]) * sizes[end - 1]
            choice[buckets, end] = int(np.argmin(options))
            cost[buckets, end] = float(options[choice[buckets, end]])
        bounds, end = [], number
        for left in range(buckets, 0, -1):
            bounds.append(sizes[end - 1])
            end = int(choice[left, end])
        found.append(bounds[::-1])
    return found
