"""Parts of steps: what the wall clock of each step went to, on some devices, in whole picoseconds."""

from collections.abc import Mapping, Sequence
from typing import Final, get_args

import numpy as np

from scopelight.analysis.device_time.busy import covered_ps
from scopelight.analysis.device_time.division import divide
from scopelight.analysis.device_time.stalls import STALLS
from scopelight.analysis.host.input.verdict import is_input
from scopelight.analysis.overview.records import OverviewStep, StepPart
from scopelight.analysis.records import StallCause, WaitingClass
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.waiting.classes import CLASSES
from scopelight.analysis.totals.waiting.pieces import Pieces
from scopelight.formats.columns import Bool, Int64
from scopelight.model.spans import Spans

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
    np.add.at(parts, (pieces.step[chosen], _part_of(pieces, chosen)), pieces.duration_ps[chosen])
    return parts


def parts_in(centre: Centre, device: int, start_ps: Int64, end_ps: Int64) -> Int64:
    """Int64[spans, parts] of a device in spans that are sorted and disjoint; each sums to its duration.

    What computes in them is of a program other than the step's own, or of ops before those that were asked for.
    """
    pieces = centre.pieces
    parts = np.zeros((len(start_ps), len(PARTS)), dtype=np.int64)
    rows = np.flatnonzero(pieces.device == device)
    part = _part_of(pieces, rows)
    for kind in np.unique(part).tolist():
        of_kind = rows[part == kind]
        order = np.argsort(pieces.start_ps[of_kind], kind="stable")
        spans = Spans(pieces.start_ps[of_kind][order], pieces.duration_ps[of_kind][order])
        parts[:, kind] = covered_ps(spans, start_ps, end_ps)
    if (centre.division.stall_of_op >= 0).any():
        there = np.flatnonzero(end_ps > start_ps)
        division = divide(centre.executions, start_ps[there], end_ps[there], only=device)
        for number, cause in enumerate(STALLS):
            parts[there, PARTS.index(_OF_STALL[cause])] += division.stalled_ps[device, : len(there), number]
    parts[:, PARTS.index("compute")] += (end_ps - start_ps) - parts.sum(axis=1)
    return parts


def _part_of(pieces: Pieces, chosen: Int64) -> Int64:
    """By row of idle time the part that it counts as: that of its class, as lines have it, or input.

    What began as a wait for a result was over is no part of that wait: the advice, and lines, say it beside.
    """
    of_class = np.array([PARTS.index(_OF_CLASS[each]) for each in CLASSES], dtype=np.int64)
    part = of_class[pieces.kind[chosen]]
    part[is_input(pieces, chosen)] = PARTS.index("input")
    return part


def overview_steps(centre: Centre, parts: Int64, devices: int, is_steady: Bool) -> tuple[OverviewStep, ...]:
    """A record for each complete step."""
    steps = centre.steps
    far = is_outlier(steps.duration_ps)
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


def is_outlier(duration_ps: Int64) -> Bool:
    """Which durations are much longer or shorter than most."""
    if len(duration_ps) < 3:
        return np.zeros(len(duration_ps), dtype=np.bool_)
    median = float(np.median(duration_ps))
    apart = np.abs(duration_ps - median)
    spread = float(np.median(apart))
    is_far = apart > _LEAST_FAR * median
    # 0.6745 of a standard deviation is the median deviation of what is normally distributed.
    found: Bool = is_far & (0.6745 * apart > _FAR * spread) if spread else is_far
    return found
