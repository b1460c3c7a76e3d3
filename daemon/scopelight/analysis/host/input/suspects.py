"""Suspects: which stage worked longest while devices waited for input, step by step."""

from collections.abc import Mapping
from typing import Final

import attrs
import numpy as np

from scopelight.analysis.device_time.busy import covered_ps
from scopelight.analysis.host.input.stages import Gathered
from scopelight.analysis.host.input.verdict import SteadySteps
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.totals.instruction_totals import step_of
from scopelight.formats.columns import Int64
from scopelight.model.spans import merge_spans

_LEAST_WAITING: Final = 0.05
"""Of a step; where less of it waits for input, none is to blame."""
_LEAST_WORK: Final = 0.1
"""Of that waiting; a stage that worked for less of it is not to blame, but what is not seen."""


@attrs.frozen(eq=False, repr=False)
class Suspects:
    """By step the number of the stage, -1 where none is; and by stage of how many steady steps it is."""

    of_step: Int64
    steps: Mapping[int, int]


def suspects_of(gathered: Gathered, steady: SteadySteps, steps: Steps) -> Suspects:
    """Of stages on several threads it counts what each of them did on average."""
    pieces, rows = steady.pieces, steady.rows[steady.is_input]
    waiting = merge_spans(pieces.start_ps[rows], pieces.start_ps[rows] + pieces.duration_ps[rows])
    overlap_ps = np.zeros((len(steps), len(gathered.stages)), dtype=np.int64)
    end_ps = steps.start_ps + steps.duration_ps
    for _, segments in gathered.segments:
        step = step_of(segments.start_ps, steps)
        inside = step >= 0
        covered = covered_ps(waiting, segments.start_ps, segments.end_ps)
        np.add.at(overlap_ps, (step[inside], segments.stage[inside]), covered[inside])
    for number, sums in enumerate(gathered.stages):
        overlap_ps[:, number] = overlap_ps[:, number] // max(1, len(sums.threads)) if sums.works else 0
    waited_ps = covered_ps(waiting, steps.start_ps, end_ps)
    of_step = np.full(len(steps), -1, dtype=np.int64)
    if len(gathered.stages):
        most = overlap_ps.argmax(axis=1)
        most_ps = overlap_ps.max(axis=1)
        blamed = (waited_ps >= _LEAST_WAITING * steps.duration_ps) & (most_ps > 0)
        blamed &= most_ps >= _LEAST_WORK * waited_ps
        of_step[blamed] = most[blamed]
    numbers, counts = np.unique(of_step[(of_step >= 0) & steady.is_steady], return_counts=True)
    return Suspects(of_step, dict(zip(numbers.tolist(), counts.tolist(), strict=True)))
