"""The verdict: how much of the steady steps devices wait for input, and on which lines."""

from typing import Final

import attrs
import numpy as np

from scopelight.analysis.host.input.records import InputLevel, InputLine
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.waiting.charging import WaitingLine, charge_waiting, longest_first
from scopelight.analysis.totals.waiting.classes import CLASSES, COMPILE, INPUT, UNTRACED
from scopelight.analysis.totals.waiting.pieces import Pieces
from scopelight.formats.columns import Bool, Int64
from scopelight.model.profile import Profile

MODERATE: Final = 0.05
HIGH: Final = 0.20
"""As XProf has them."""
_NO_INPUT: Final = tuple(CLASSES.index(name) for name in ("compile", "sync", "untraced"))
"""Classes that are no waiting for input wherever the host stood."""
_LEAST_LINE: Final = 0.001
"""A line with less of the wall clock is no evidence."""


@attrs.frozen(eq=False, repr=False)
class SteadySteps:
    """The idle time of complete steps, and which of it waited for input.

    ``rows`` are those of the pieces that lie in complete steps, ``is_input`` whether each waited for input.
    ``is_steady`` is by step whether nothing was compiled in it.
    """

    pieces: Pieces
    rows: Int64
    is_input: Bool
    is_steady: Bool
    devices: Int64

    @property
    def in_steady(self) -> Bool:
        """By row whether it lies in a steady step."""
        return self.is_steady[self.pieces.step[self.rows]]

    @property
    def input_rows(self) -> Int64:
        """Rows of the pieces that waited for input in steady steps."""
        return self.rows[self.is_input & self.in_steady]


def steady_steps(profile: Profile, centre: Centre) -> SteadySteps:
    """The steps of a profile that has some."""
    scoped = centre.scoped("steps")
    pieces, rows = scoped.waiting.pieces, scoped.waiting.rows
    steps = centre.steps
    is_steady = is_undisturbed(profile, pieces, rows, steps.start_ps, steps.start_ps + steps.duration_ps)
    if not is_steady.any():
        # All of them compile: what they wait for besides is still worth knowing.
        is_steady[:] = True
    return SteadySteps(
        pieces, rows, is_input(pieces, rows), is_steady, np.array(scoped.totals.device_rows, dtype=np.int64)
    )


def is_undisturbed(profile: Profile, pieces: Pieces, rows: Int64, start_ps: Int64, end_ps: Int64) -> Bool:
    """By span whether nothing was compiled in it, and all of it was traced; ``rows`` are of the idle time in it."""
    waits = rows[np.isin(pieces.kind[rows], (COMPILE, UNTRACED))]
    begins, ends = [pieces.start_ps[waits]], [pieces.start_ps[waits] + pieces.duration_ps[waits]]
    if profile.compiling is not None:
        # Also where a device ran something meanwhile.
        begins.append(profile.compiling.start_ps)
        ends.append(profile.compiling.start_ps + profile.compiling.duration_ps)
    begun = np.searchsorted(np.sort(np.concatenate(begins)), end_ps)
    ended = np.searchsorted(np.sort(np.concatenate(ends)), start_ps, side="right")
    undisturbed: Bool = begun <= ended
    return undisturbed


def is_input(pieces: Pieces, rows: Int64) -> Bool:
    """By row whether devices waited for input, whatever the class: the host stood where it feeds the steps."""
    kind = pieces.kind[rows]
    found: Bool = (kind == INPUT) | (pieces.feeds[rows] & ~np.isin(kind, _NO_INPUT))
    return found


def level_of(input_ratio: float) -> InputLevel:
    """The band of a share of the wall clock."""
    return "high" if input_ratio >= HIGH else "moderate" if input_ratio >= MODERATE else "low"


def input_lines(centre: Centre, steady: SteadySteps, wall_ps: int) -> tuple[InputLine, ...]:
    """The lines on which devices waited for input, longest first."""
    waiting = charge_waiting(steady.pieces, steady.input_rows, centre.frames, centre.parts)
    parts = max(1, int(steady.is_steady.sum()) * len(steady.devices))
    found = [each for each in waiting.lines.values() if each.waiting_ps >= _LEAST_LINE * wall_ps and each.waiting_ps]
    found.sort(key=lambda each: (-each.waiting_ps, each.frame.path, each.frame.line))
    return tuple(_line(centre, each, wall_ps, parts) for each in found)


def _line(centre: Centre, line: WaitingLine, wall_ps: int, parts: int) -> InputLine:
    return InputLine(
        key=centre.line_key(line.frame),
        **centre.frames.place_fields(line.frame),
        function=line.frame.function,
        waiting_ps=line.waiting_ps,
        per_step_ps=line.waiting_ps // parts,
        share_ratio=line.waiting_ps / max(1, wall_ps),
        basis=line.basis,
        classes=longest_first(line.classes_ps),
    )
