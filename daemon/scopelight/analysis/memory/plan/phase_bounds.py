"""Where the passes of a training step begin and end in the order of its ops, and their bands.

Compilers move single ops far away from the rest of their pass: a cast of a weight that the backward pass needs to the
very beginning, the mean of a gradient to the very end. Marks that such an op could move would say nothing of the pass.
So the ops at an end of a pass are no part of its extent where they are few and stand apart: at most `STRAGGLERS` of the
ops of the pass, before or behind a gap of more than `GAP` of all ops. Both are needed. Few alone would cut off the ends
of every pass, also of one that runs without a gap; a gap alone would cut a pass of two halves in two. A hundredth is
more than what is seen to stray (in a step of MaxText 2 of 391 ops, in one of Llama 3 8B 3 of 396), and less than a
layer.
"""

from collections.abc import Sequence

import attrs

from scopelight.analysis.memory.plan.records import PhaseBand
from scopelight.analysis.records import PHASE_NAMES
from scopelight.program.phases.phase import Phase

STRAGGLERS = 0.01
"""The part of the ops of a pass that may lie beyond its ends."""
GAP = 0.01
"""They are further away from it than this part of all ops."""

_BACKWARD_PASS = (Phase.BACKWARD, Phase.RECOMPUTE)


@attrs.frozen(slots=True)
class PhaseBounds:
    """Points where the forward pass starts and, without that point, the backward pass ends.

    ``backward_end`` is None without a backward pass; ``forward_start`` also where no forward pass runs ahead of it.
    """

    forward_start: int | None
    backward_end: int | None


def phase_bounds(phases: Sequence[int]) -> PhaseBounds:
    """The bounds of the passes of ops that run with these phases. Stragglers move none of them."""
    forward = [point for point, phase in enumerate(phases) if phase == Phase.FORWARD]
    backward = [point for point, phase in enumerate(phases) if phase in _BACKWARD_PASS]
    if not backward:
        return PhaseBounds(None, None)
    # Of a backward pass that was compiled by itself some ops may count as forward; it starts with none.
    is_ahead = bool(forward) and _first(forward, len(phases)) < backward[len(backward) // 2]
    return PhaseBounds(_first(forward, len(phases)) if is_ahead else None, _last(backward, len(phases)) + 1)


def phase_bands(phases: Sequence[int], forward_start: int | None) -> tuple[PhaseBand, ...]:
    """Runs of ops of one phase.

    What is for the backward pass and runs before the forward pass has started prepares both, such as a cast of a weight
    that they share: it is shown as other.
    """
    shown = [
        Phase.OTHER if forward_start is not None and point < forward_start and phase in _BACKWARD_PASS else phase
        for point, phase in enumerate(phases)
    ]
    bands: list[PhaseBand] = []
    start = 0
    for point in range(1, len(shown) + 1):
        if point == len(shown) or shown[point] != shown[start]:
            bands.append(PhaseBand(PHASE_NAMES[shown[start]], start, point))
            start = point
    return tuple(bands)


def _first(points: Sequence[int], total: int) -> int:
    """The first of the points, which ascend, that is not a straggler."""
    return total - 1 - _last([total - 1 - each for each in reversed(points)], total)


def _last(points: Sequence[int], total: int) -> int:
    """The last of the points, which ascend, that is not a straggler."""
    allowed = int(len(points) * STRAGGLERS)
    for kept in range(len(points) - allowed, len(points)):
        if points[kept] - points[kept - 1] > total * GAP:
            return points[kept - 1]
    return points[-1]
