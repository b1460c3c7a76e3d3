"""Stands: on which stack of Python a thread stood at each moment."""

from collections.abc import Sequence

import attrs
import numpy as np

from scopelight.formats.columns import Bool, Int64
from scopelight.model.spans import Spans
from scopelight.program.hlo.frames import Stack

UNKNOWN = -1
"""In place of a stack where none is known."""


@attrs.frozen(eq=False, repr=False)
class Stands:
    """Where one thread stood: from each ``start_ps``, sorted, to the next one on ``stacks[stack]``, innermost first.

    ``is_exact``: the interpreter told of every line; else samples and the borders in the trace give an estimate.
    Where it did so for a part of the time, that is said of most of it, and ``exact_stacks`` of each of the stacks.
    """

    start_ps: Int64
    stack: Int64
    stacks: Sequence[Stack]
    is_exact: bool
    exact_stacks: Bool | None = None

    def at(self, moment_ps: Int64) -> Int64:
        """Rows of ``stacks`` by moment; `UNKNOWN` before the first."""
        place = np.searchsorted(self.start_ps, moment_ps, side="right") - 1
        found = self.stack[np.maximum(place, 0)] if len(self.stack) else np.full(len(moment_ps), UNKNOWN)
        return np.where(place >= 0, found, UNKNOWN)

    def is_exact_on(self, stack: Int64) -> Bool:
        """By row of ``stacks`` whether the interpreter told of it."""
        if self.exact_stacks is None or not len(self.exact_stacks):
            return np.full(len(stack), self.is_exact)
        return np.where(stack >= 0, self.exact_stacks[np.maximum(stack, 0)], self.is_exact)


def joined(parts: Sequence[Stands]) -> Stands:
    """The stands of one thread in several recordings, one after the other: each ends where the next one begins."""
    start_ps, stack = [], []
    stacks: list[Stack] = []
    lasting_ps = {True: 0, False: 0}
    for number, part in enumerate(parts):
        later = [int(each.start_ps[0]) for each in parts[number + 1 :] if len(each.start_ps)]
        kept = int(np.searchsorted(part.start_ps, min(later))) if later else len(part.start_ps)
        start_ps.append(part.start_ps[:kept])
        stack.append(np.where(part.stack[:kept] == UNKNOWN, UNKNOWN, part.stack[:kept] + len(stacks)))
        stacks.extend(part.stacks)
        lasting_ps[part.is_exact] += int(part.start_ps[kept - 1] - part.start_ps[0]) if kept else 0
    is_mixed = len({part.is_exact for part in parts}) > 1
    return Stands(
        np.concatenate(start_ps),
        np.concatenate(stack),
        stacks,
        lasting_ps[True] > lasting_ps[False] if is_mixed else parts[0].is_exact,
        np.repeat([part.is_exact for part in parts], [len(part.stacks) for part in parts]) if is_mixed else None,
    )


def ended(stands: Stands, end_ps: int) -> Stands:
    """The same, and from ``end_ps`` on it is not known."""
    kept = int(np.searchsorted(stands.start_ps, end_ps))
    start_ps, stack = np.append(stands.start_ps[:kept], end_ps), np.append(stands.stack[:kept], UNKNOWN)
    return attrs.evolve(stands, start_ps=start_ps, stack=stack)


def known_outside(stands: Stands, spans: Spans) -> Stands:
    """The same, and during sorted, disjoint spans it is not known."""
    ends_ps = spans.start_ps + spans.duration_ps
    begun, over = (np.searchsorted(each, stands.start_ps, side="right") for each in (spans.start_ps, ends_ps))
    outside = begun == over
    unknown = np.full(len(ends_ps), UNKNOWN, dtype=np.int64)
    start_ps = np.concatenate([stands.start_ps[outside], spans.start_ps, ends_ps])
    stack = np.concatenate([stands.stack[outside], unknown, stands.at(ends_ps)])
    order = np.argsort(start_ps, kind="stable")
    return attrs.evolve(stands, start_ps=start_ps[order], stack=stack[order])
