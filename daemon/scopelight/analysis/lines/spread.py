"""How much the time of a line varies from step to step."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from scopelight.analysis.totals.charging import ChargedLine, LineKey
from scopelight.analysis.totals.instruction_totals import InstructionTotals
from scopelight.analysis.totals.scoped import Scoped
from scopelight.analysis.totals.waiting.by_step import WaitingByStep
from scopelight.formats.columns import Float64

_MOST_CELLS = 1 << 22
"""Of a table of lines, ops or parts by steps: a long capture of a large program is worked on piece by piece."""
_MOST_RATIO = 0.9
_FEW_RATIO = 0.25
"""Steps of this share of all that have that share of a line's time are few."""


class SpreadOfLine(NamedTuple):
    """As `LineRecord` has it."""

    sigma_ps: int | None = None
    few_steps: int | None = None
    few_steps_each_ps: int | None = None


def spreads_of(scoped: Scoped, lines: Mapping[LineKey, ChargedLine]) -> list[SpreadOfLine]:
    """By line how its time per step, with its waiting, is spread over the steps.

    The time of a divided op is divided in every step as it is on the whole. All are None with fewer than two steps.
    """
    steps = scoped.extent.steps
    if steps < 2:
        return [SpreadOfLine()] * len(lines)
    by_step, waiting_by_step = _ByStep(scoped.totals), WaitingByStep(scoped.waiting, steps)
    spreads = [SpreadOfLine(0)] * len(lines)
    keys = list(lines)
    charged = [row for row, line in enumerate(lines.values()) if line.parts]
    idle = [row for row, key in enumerate(keys) if not lines[key].parts and waiting_by_step.has(key)]
    for of_kind in (charged, idle):
        for rows in _pieces(of_kind, max(1, _MOST_CELLS // steps)):
            of_lines = [lines[keys[row]] for row in rows]
            sums_ps = by_step.line_step_sums(of_lines) if of_kind is charged else np.zeros((len(rows), steps))
            for place, row in enumerate(rows):
                waiting_by_step.add(keys[row], sums_ps[place])
            for row, spread in zip(rows, _spreads(sums_ps / scoped.extent.devices), strict=True):
                spreads[row] = spread
    return spreads


def _spreads(rows: Float64) -> Iterator[SpreadOfLine]:
    """Of each row, whose columns are steps."""
    longest_first = -np.sort(-rows, axis=1)
    sums = np.cumsum(longest_first, axis=1)
    # The fewest steps that have most of it together, and what they have.
    few = np.argmax(sums >= sums[:, -1:] * _MOST_RATIO, axis=1)
    of_few = sums[np.arange(len(rows)), few] / (few + 1)
    for sigma_ps, whole_ps, number, each_ps in zip(
        rows.std(axis=1).tolist(), sums[:, -1].tolist(), (few + 1).tolist(), of_few.tolist(), strict=True
    ):
        is_few = whole_ps > 0 and number <= rows.shape[1] * _FEW_RATIO
        yield SpreadOfLine(round(sigma_ps), *((number, round(each_ps)) if is_few else ()))


def _pieces(rows: list[int], most: int) -> Iterator[list[int]]:
    for start in range(0, len(rows), most):
        yield rows[start : start + most]


class _ByStep:
    """The totals of complete steps, in order of their steps."""

    def __init__(self, totals: InstructionTotals) -> None:
        order = np.argsort(totals.step, kind="stable")
        self._ops = len(totals.ops)
        self._steps = totals.steps
        self._step, self._op, self._wall_ps = totals.step[order], totals.op[order], totals.wall_ps[order]

    def line_step_sums(self, lines: Sequence[ChargedLine]) -> Float64:
        """Part of the wall clock by line and step, over all devices."""
        op = np.array([op.row for line in lines for op, _ in line.parts], dtype=np.int64)
        ratio = np.array([part.share_ratio for line in lines for _, part in line.parts])
        first = np.cumsum([0, *(len(line.parts) for line in lines)])[:-1]
        sums = np.zeros((len(lines), self._steps))
        width = max(1, _MOST_CELLS // max(self._ops, len(op)))
        for start in range(0, self._steps, width):
            sums[:, start : start + width] = np.add.reduceat(
                self._op_step_sums(start, min(start + width, self._steps))[op] * ratio[:, None], first, axis=0
            )
        return sums

    def _op_step_sums(self, start: int, stop: int) -> Float64:
        """Part of the wall clock by op and step, of the steps from ``start`` to before ``stop``."""
        rows = slice(*np.searchsorted(self._step, (start, stop)).tolist())
        cell = self._op[rows] * (stop - start) + (self._step[rows] - start)
        cells = self._ops * (stop - start)
        sums = np.bincount(cell, weights=self._wall_ps[rows], minlength=cells)
        return sums.astype(np.float64, copy=False).reshape(self._ops, stop - start)
