"""Where a thread stood at both edges of a stretch: before its first sample there, and after its last.

Half way from one sample to the next is where the one ends that each stands for. Where a stretch ends before, or begins
after, that is too short for its lines: what is next to a border is missed as often as it is short. What is left is
divided as the samples that lay as near to that border are, in all stretches of the kind.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from scopelight.formats.columns import Int64

MOST_NEAR = 256
"""Samples that are looked at for one edge."""


class Edge(NamedTuple):
    """A part of a stretch at one of its borders. ``kind`` is that of the stretch, ``is_end`` the border it lies at."""

    stretch: int
    kind: int
    start_ps: int
    end_ps: int
    is_end: bool


class SampledEdges:
    """The samples of all stretches, by how far from either border they lie.

    Columns are by sample: the ``kind`` of its stretch, from when on it is known where the thread stood and until when,
    and the ``stack``; ``begin_ps`` and ``end_ps`` are those of the stretch.
    """

    def __init__(
        self, kind: Int64, from_ps: Int64, until_ps: Int64, begin_ps: Int64, end_ps: Int64, stack: Int64
    ) -> None:
        self._near: dict[tuple[int, bool], tuple[Int64, Int64]] = {}
        after_ps, before_ps = np.maximum(0, from_ps - begin_ps), np.maximum(0, end_ps - until_ps)
        for each in np.unique(kind).tolist():
            rows = np.flatnonzero(kind == each)
            for is_end, distance_ps in ((False, after_ps[rows]), (True, before_ps[rows])):
                order = np.argsort(distance_ps, kind="stable")
                self._near[each, is_end] = distance_ps[order], stack[rows][order]

    def divided(self, edge: Edge) -> Iterator[tuple[int, int]]:
        """From when the thread stood where, within an edge; nothing where no sample lay as near to the border."""
        distance_ps, stack = self._near.get((edge.kind, edge.is_end), _NOTHING)
        lasting_ps = edge.end_ps - edge.start_ps
        count = int(np.searchsorted(distance_ps, lasting_ps, side="right"))
        if not count:
            return
        rows = np.unique(np.linspace(0, count - 1, min(count, MOST_NEAR)).astype(np.int64))
        distinct, inverse = np.unique(stack[rows], return_inverse=True)
        times = np.bincount(inverse)
        mean_ps = np.bincount(inverse, weights=distance_ps[rows]) / times
        order = np.argsort(-mean_ps if edge.is_end else mean_ps, kind="stable")
        passed = np.concatenate([[0.0], np.cumsum(times[order] / times.sum())[:-1]])
        starts_ps = edge.start_ps + (lasting_ps * passed).astype(np.int64)
        yield from zip(starts_ps.tolist(), distinct[order].tolist(), strict=True)


_NOTHING: tuple[Int64, Int64] = (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))


def edges_of(
    kinds: Int64, borders_ps: Int64, ends_ps: Int64, stretch: Int64, between_ps: Int64, taken_ps: Int64
) -> Iterator[Edge]:
    """The edges that samples do not stand for.

    ``kinds`` and both borders are by stretch; ``stretch``, when what it stands for begins and when it was taken are by
    sample.
    """
    firsts = np.flatnonzero(stretch[1:] != stretch[:-1]) + 1
    for row in firsts.tolist():
        of, before = int(stretch[row]), int(stretch[row - 1])
        begins_ps = int(between_ps[row])
        if begins_ps > borders_ps[of]:
            yield Edge(of, int(kinds[of]), int(borders_ps[of]), begins_ps, is_end=False)
        start_ps, end_ps = max(begins_ps, int(taken_ps[row - 1])), int(ends_ps[before])
        if start_ps < end_ps:
            yield Edge(before, int(kinds[before]), start_ps, end_ps, is_end=True)
