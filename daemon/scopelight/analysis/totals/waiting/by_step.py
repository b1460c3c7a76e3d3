"""How the waiting of lines is spread over the steps."""

import numpy as np

from scopelight.analysis.totals.charging import LineKey
from scopelight.analysis.totals.waiting.charging import WaitingOfScope
from scopelight.formats.columns import Float64, distinct_values


class WaitingByStep:
    """The waiting of complete steps, by what was charged together and step."""

    def __init__(self, waiting: WaitingOfScope, steps: int) -> None:
        self._lines, self._sums_ps = waiting.lines, waiting.sums_ps
        cell = waiting.group * steps + waiting.pieces.step[waiting.rows]
        cells = distinct_values(cell)
        sums = np.zeros(len(cells), dtype=np.int64)
        np.add.at(sums, np.searchsorted(cells, cell), waiting.pieces.duration_ps[waiting.rows])
        self._of_cell, self._step = sums, cells % max(1, steps)
        self._first = np.searchsorted(cells // max(1, steps), np.arange(len(waiting.sums_ps) + 1))

    def has(self, key: LineKey) -> bool:
        """Whether anything waited on a line."""
        return key in self._lines and self._lines[key].waiting_ps > 0

    def add(self, key: LineKey, by_step_ps: Float64) -> None:
        """Add what waited on a line, over all devices, to a column by step."""
        if not self.has(key):
            return
        for group, part_ps in self._lines[key].pieces:
            rows = slice(self._first[group], self._first[group + 1])
            by_step_ps[self._step[rows]] += self._of_cell[rows] * (part_ps / max(1, int(self._sums_ps[group])))
