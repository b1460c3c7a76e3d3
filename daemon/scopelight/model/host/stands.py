"""Stands: on which stack of Python a thread stood at each moment."""

from collections.abc import Sequence

import attrs
import numpy as np

from scopelight.formats.columns import Int64
from scopelight.program.hlo.frames import Stack

UNKNOWN = -1
"""In place of a stack where none is known."""


@attrs.frozen(eq=False, repr=False)
class Stands:
    """Where one thread stood: from each ``start_ps``, sorted, to the next one on ``stacks[stack]``, innermost first.

    ``is_exact``: the interpreter told of every line; else samples and the borders in the trace give an estimate.
    """

    start_ps: Int64
    stack: Int64
    stacks: Sequence[Stack]
    is_exact: bool

    def at(self, moment_ps: Int64) -> Int64:
        """Rows of ``stacks`` by moment; `UNKNOWN` before the first."""
        place = np.searchsorted(self.start_ps, moment_ps, side="right") - 1
        found = self.stack[np.maximum(place, 0)] if len(self.stack) else np.full(len(moment_ps), UNKNOWN)
        return np.where(place >= 0, found, UNKNOWN)


def joined(parts: Sequence[Stands]) -> Stands:
    """The stands of one thread in several recordings, one after the other."""
    stacks = [stack for part in parts for stack in part.stacks]
    moved = []
    offset = 0
    for part in parts:
        moved.append(np.where(part.stack == UNKNOWN, UNKNOWN, part.stack + offset))
        offset += len(part.stacks)
    return Stands(
        start_ps=np.concatenate([part.start_ps for part in parts]),
        stack=np.concatenate(moved),
        stacks=stacks,
        is_exact=all(part.is_exact for part in parts),
    )
