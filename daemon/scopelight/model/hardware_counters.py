"""Counters of the hardware that devices sampled while they were traced: read when a view asks for them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import attrs
import numpy as np

from scopelight.formats.columns import Float64, Int64
from scopelight.formats.errors import FormatError
from scopelight.formats.xspace.reader import XPlane, read_xspace
from scopelight.model.joins import dense_ids
from scopelight.model.lane_kinds import COUNTER_LINE, counter_name

_DEVICE: Final = "/device:"
MOST_COUNTERS: Final = 200
"""Of one device: a file may name as many as it has events."""


@attrs.frozen(eq=False, repr=False)
class HardwareCounter:
    """One counter of one device, sorted by time; each value is that from its moment to the next.

    ``plane`` is the device's, ``host`` that of its file. Values that are no numbers are left out.
    """

    host: int
    plane: str
    name: str
    unit: str
    start_ps: Int64
    value: Float64

    @property
    def period_ps(self) -> int:
        """How far apart two samples mostly are; 0 where there is one alone."""
        return int(np.median(np.diff(self.start_ps))) if len(self.start_ps) > 1 else 0

    def sums(self, from_ps: Int64, to_ps: Int64) -> tuple[Float64, Int64]:
        """By span the integral of the values over what of it was sampled, and how long that is, in ps."""
        if not len(self.start_ps):
            return np.zeros(len(from_ps)), np.zeros(len(from_ps), dtype=np.int64)
        ends_ps = np.append(self.start_ps[1:], self.start_ps[-1] + max(1, self.period_ps))
        area = np.concatenate(([0.0], np.cumsum(self.value * (ends_ps - self.start_ps))))
        first, last = int(self.start_ps[0]), int(ends_ps[-1])
        begin, end = np.clip(from_ps, first, last), np.clip(to_ps, first, last)

        def until(moment_ps: Int64) -> Float64:
            at = np.clip(np.searchsorted(self.start_ps, moment_ps, side="right") - 1, 0, len(self.value) - 1)
            return np.asarray(area[at] + self.value[at] * (moment_ps - self.start_ps[at]), dtype=np.float64)

        return until(end) - until(begin), end - begin


def read_hardware_counters(files: Sequence[tuple[Path, int, int]]) -> Sequence[HardwareCounter]:
    """The counters in the XSpaces ``files``: of each its path, its host, and the offset of its times in ps.

    What of a file cannot be read is left out: opening it has said so.
    """
    found: list[HardwareCounter] = []
    for path, host, shift_ps in files:
        try:
            planes = [each for each in read_xspace(path).planes if each.name.startswith(_DEVICE)]
            found.extend(each for plane in planes for each in _of_plane(plane, host, shift_ps))
        except FormatError:
            continue
    return found


def _of_plane(plane: XPlane, host: int, shift_ps: int) -> Iterator[HardwareCounter]:
    for line in plane.lines:
        if line.name != COUNTER_LINE:
            continue
        events = line.events()
        if not len(events):
            continue
        _, firsts = dense_ids(events.metadata.astype(np.int64))
        for row in events.metadata[firsts].tolist()[:MOST_COUNTERS]:
            mine = np.flatnonzero(events.metadata == row)
            mine = mine[np.argsort(events.start_ps[mine], kind="stable")]
            value = events.first_numbers(rows=mine)
            known = np.isfinite(value)
            shown = plane.events_metadata.shown_name(row)
            name, unit = counter_name(shown)
            yield HardwareCounter(host, plane.name, name, unit, events.start_ps[mine][known] + shift_ps, value[known])
