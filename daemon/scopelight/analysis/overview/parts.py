"""Parts of steps: what the wall clock of each step went to, on some devices, in whole picoseconds."""

from collections.abc import Mapping, Sequence
from typing import Final, get_args

import numpy as np

from scopelight.analysis.device_time.stalls import STALLS
from scopelight.analysis.host.input.verdict import is_input
from scopelight.analysis.overview.records import OverviewStep, StepPart
from scopelight.analysis.records import StallCause, WaitingClass
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.waiting.classes import CLASSES
from scopelight.analysis.totals.waiting.pieces import NONE
from scopelight.formats.columns import Bool, Int64

PARTS: Final[Sequence[StepPart]] = get_args(StepPart)
_OF_STALL: Final[Mapping[StallCause, StepPart]] = {
    "copy": "transfer",
    "collective": "communication",
    "peer": "communication",
    "host": "input",
}
_OF_CLASS: Final[Mapping[WaitingClass, StepPart]] = {
    "compile": "compile",
    "garbage-collection": "python",
    "release": "python",
    "input": "input",
    "callback": "python",
    "transfer": "transfer",
    "sync": "sync",
    "dispatch": "dispatch",
    "python": "python",
    "runtime": "unexplained",
    "untraced": "unexplained",
    "unknown": "unexplained",
}
_EXPOSED: Final = ("python", "garbage-collection", "release")
"""What of the host's own work counts as that of the wait for a result that exposed it."""
_FAR: Final = 3.5
"""Modified z-scores beyond which a value is an outlier (Iglewicz and Hoaglin)."""
_LEAST_FAR: Final = 0.1
"""Of the median: nearer to it none is, however alike the others are."""


def step_parts(centre: Centre, devices: Sequence[int]) -> Int64:
    """Int64[steps, parts] in the order of `PARTS`, over ``devices``; each step sums to its duration on all of them."""
    count = len(centre.steps)
    parts = np.zeros((count, len(PARTS)), dtype=np.int64)
    rows = list(devices)
    parts[:, PARTS.index("compute")] = centre.division.busy_ps[rows, :count].sum(axis=0)
    for number, cause in enumerate(STALLS):
        parts[:, PARTS.index(_OF_STALL[cause])] += centre.division.stalled_ps[rows, :count, number].sum(axis=0)
    pieces = centre.pieces
    chosen = np.flatnonzero((pieces.step >= 0) & np.isin(pieces.device, rows))
    of_class = np.array([PARTS.index(_OF_CLASS[each]) for each in CLASSES], dtype=np.int64)
    part = of_class[pieces.kind[chosen]]
    is_exposed = np.isin(pieces.kind[chosen], [CLASSES.index(each) for each in _EXPOSED])
    part[is_exposed & (pieces.opened[chosen] != NONE)] = PARTS.index("sync")
    part[is_input(pieces, chosen)] = PARTS.index("input")
    np.add.at(parts, (pieces.step[chosen], part), pieces.duration_ps[chosen])
    return parts


def overview_steps(centre: Centre, parts: Int64, devices: int, is_steady: Bool) -> tuple[OverviewStep, ...]:
    """A record for each complete step."""
    steps = centre.steps
    far = _is_outlier(steps.duration_ps)
    return tuple(
        OverviewStep(
            number=row + 1,
            start_ps=int(steps.start_ps[row]),
            duration_ps=int(steps.duration_ps[row]),
            wall_ps=int(steps.duration_ps[row]) * devices,
            parts={name: value for name, value in zip(PARTS, parts[row].tolist(), strict=True) if value},
            is_outlier=bool(far[row]),
            is_steady=bool(is_steady[row]),
        )
        for row in range(len(steps))
    )


def _is_outlier(duration_ps: Int64) -> Bool:
    if len(duration_ps) < 3:
        return np.zeros(len(duration_ps), dtype=np.bool_)
    median = float(np.median(duration_ps))
    apart = np.abs(duration_ps - median)
    spread = float(np.median(apart))
    is_far = apart > _LEAST_FAR * median
    # 0.6745 of a standard deviation is the median deviation of what is normally distributed.
    found: Bool = is_far & (0.6745 * apart > _FAR * spread) if spread else is_far
    return found
