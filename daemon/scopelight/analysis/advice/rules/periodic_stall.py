"""Periodic stall: every so many steps one takes much longer, while the host stands on the same line."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.analysis.totals.instruction_totals import step_of
from scopelight.analysis.totals.waiting.charging import WaitingLine
from scopelight.analysis.totals.waiting.launching import launching_threads
from scopelight.findings import show_view
from scopelight.formats.columns import Float64, Int64
from scopelight.program.hlo.frames import Frame

_SLOW: Final = 3.0
"""Times the median."""
_LEAST_SLOW: Final = 2
_LEAST_ON_LINE: Final = 0.5
"""Of what a slow step takes beyond a usual one."""
_LEAST: Final = 0.01
"""Of the wall clock."""


def periodic_stall(observed: Observed) -> Iterator[Advice]:
    """If all steps were as short as most of them are.

    What else is slow now and then, as anything is on a machine that others use too, is on other lines.
    """
    rows = np.flatnonzero(observed.steady.is_steady)
    duration_ps = observed.steps.duration_ps[rows]
    median_ps = float(np.median(duration_ps))
    slow = np.flatnonzero(duration_ps > _SLOW * median_ps)
    if len(slow) < _LEAST_SLOW or len(rows) < 2 * len(slow):
        return
    excess_ps = duration_ps[slow] - median_ps
    found: tuple[Frame, Int64, Float64] | None = None
    for line in observed.waiting.lines.values():
        if line.waiting_ps < _LEAST * observed.wall_ps:
            continue
        by_step_ps = _by_step(observed, line)[rows]
        on_line_ps = by_step_ps[slow] - float(np.median(np.delete(by_step_ps, slow)))
        there = on_line_ps >= _LEAST_ON_LINE * excess_ps
        saved_ps = np.minimum(on_line_ps, excess_ps)[there]
        if found is None or saved_ps.sum() > found[2].sum():
            found = line.frame, slow[there], saved_ps
    if found is None:
        return
    frame, slow, saved_ps = found
    if not _is_regular(observed, frame, rows, slow) or saved_ps.sum() < _LEAST * float(duration_ps.sum()):
        return
    yield observed.advice(
        "periodic-stall",
        frame,
        saving_ps=float(saved_ps.sum()) / len(rows),
        basis="excess",
        action=show_view("steps"),
        every_steps=round(float(np.diff(rows[slow]).mean())),
        slow_steps=len(slow),
        slow_step_ps=round(float(duration_ps[slow].mean())),
        usual_step_ps=round(median_ps),
    )


def _by_step(observed: Observed, line: WaitingLine) -> Float64:
    """By complete step what devices wait on a line, a mean over them."""
    waiting = observed.waiting
    part = np.zeros(len(waiting.sums_ps))
    for group, part_ps in line.pieces:
        part[group] += part_ps / max(1, int(waiting.sums_ps[group]))
    pieces, rows = observed.steady.pieces, waiting.rows
    on_line_ps = part[waiting.group] * pieces.duration_ps[rows]
    return np.bincount(pieces.step[rows], on_line_ps, len(observed.steps)) / len(observed.steady.devices)


def _is_regular(observed: Observed, frame: Frame, rows: Int64, slow: Int64) -> bool:
    """Whether slow steps are equally far apart, and none is missing before the first and behind the last.

    Any two are as far apart as they are: the host has to stand on their line in no other.
    """
    if len(slow) < _LEAST_SLOW:
        return False
    apart = np.diff(rows[slow])
    longest = int(apart.max())
    if longest - int(apart.min()) > 1:
        return False
    if int(rows[slow[0]] - rows[0]) > longest or int(rows[-1] - rows[slow[-1]]) > longest:
        return False
    return len(slow) > _LEAST_SLOW or _stands_in(observed, frame) <= _with_next(rows[slow])


def _with_next(steps: Int64) -> set[int]:
    """With the steps behind them: what ends one may last into the next."""
    return {each for step in steps.tolist() for each in (step, step + 1)}


def _stands_in(observed: Observed, frame: Frame) -> set[int]:
    """The complete steps in which a thread that launches stands on a line."""
    found: set[int] = set()
    for threads in launching_threads(observed.profile).values():
        for thread in threads:
            if thread.stands is None:
                continue
            user = [observed.centre.frames.of(stack) for stack in thread.stands.stacks]
            on_line = np.array(
                [bool(frames) and frames[0].path == frame.path and frames[0].line == frame.line for frames in user],
                dtype=np.bool_,
            )
            stacks = thread.stands.stack
            rows = np.flatnonzero((stacks >= 0) & on_line[stacks]) if len(on_line) else stacks[:0]
            found.update(step_of(thread.stands.start_ps[rows], observed.steps).tolist())
    return found - {-1}
