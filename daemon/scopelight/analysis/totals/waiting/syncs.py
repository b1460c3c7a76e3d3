"""Syncs: the lines at which the host waits for results, and what a step would take at best without one of them.

While the host waits for the device it prepares nothing: what it does next begins when the device has nothing to do any
more. Without the wait a step takes no less than the host's own work, nor than the device's.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from scopelight.analysis.device_time.busy import covered_ps, cut_at, span_at
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.totals.charging import LineKey
from scopelight.analysis.totals.frames import UserFrames
from scopelight.analysis.totals.instruction_totals import step_of
from scopelight.formats.columns import Int64
from scopelight.model.spans import Spans, merge_spans
from scopelight.program.hlo.frames import Frame, Stack


class Waits(NamedTuple):
    """When a thread that launches waited for results, by wait with the stack that it stood on; and when it launched."""

    start_ps: Int64
    end_ps: Int64
    stack: Sequence[Stack]
    launching: Spans


class Sync(NamedTuple):
    """A line at which the host waits: how often, and what a step takes at best without it."""

    frame: Frame
    waits: int
    at_best_ps: int


def syncs_of(waits: Sequence[Waits], busy: Sequence[Spans], steps: Steps, frames: UserFrames) -> Mapping[LineKey, Sync]:
    """The lines at which anything waits in complete steps; ``busy`` is by device when it ran anything."""
    start_ps, end_ps = steps.start_ps, steps.start_ps + steps.duration_ps
    found: dict[LineKey, Sync] = {}
    for thread in waits:
        rows: dict[LineKey, list[int]] = {}
        first: dict[LineKey, Frame] = {}
        for row, stack in enumerate(thread.stack):
            user = frames.of(stack)
            if user:
                key = user[0].path, user[0].line
                first.setdefault(key, user[0])
                rows.setdefault(key, []).append(row)
        for key, of_line in rows.items():
            begins, ends = thread.start_ps[of_line], thread.end_ps[of_line]
            inside = step_of(begins, steps) >= 0
            if not inside.any():
                continue
            waited = Spans(begins, ends - begins)
            best = [_at_best(waited, thread.launching, each, start_ps, end_ps) for each in busy]
            of_thread = Sync(first[key], int(inside.sum()), round(float(np.mean(best))))
            found[key] = _both_threads(found[key], of_thread) if key in found else of_thread
    return found


def at_best_without(waits: Sequence[Waits], busy: Sequence[Spans], steps: Steps) -> int:
    """What a step takes at best where none of the threads waits for any result."""
    start_ps, end_ps = steps.start_ps, steps.start_ps + steps.duration_ps
    best = []
    for thread in waits:
        waited = merge_spans(thread.start_ps, thread.end_ps)
        best.append(float(np.mean([_at_best(waited, thread.launching, each, start_ps, end_ps) for each in busy])))
    return round(max(best, default=0.0))


def _both_threads(one: Sync, other: Sync) -> Sync:
    """What two threads have on one line: a step takes no less than either of them needs."""
    return Sync(one.frame, one.waits + other.waits, max(one.at_best_ps, other.at_best_ps))


def _at_best(waited: Spans, launching: Spans, busy: Spans, start_ps: Int64, end_ps: Int64) -> float:
    """Mean over steps of the host's work without the waits, or the device's where that is more."""
    device_ps = covered_ps(busy, start_ps, end_ps)
    ahead_ps = _both(waited, busy, start_ps, end_ps) + _both(launching, busy, start_ps, end_ps)
    host_ps = end_ps - start_ps - ahead_ps
    return float(np.maximum(host_ps, device_ps).mean())


def _both(spans: Spans, others: Spans, start_ps: Int64, end_ps: Int64) -> Int64:
    """How much of each time both of sorted, disjoint spans cover."""
    # A wait for what was launched steps ago reaches over several: each has its part.
    first, last, _ = cut_at(spans, np.concatenate((start_ps, end_ps)))
    covered = covered_ps(others, first, last)
    step = span_at(Spans(start_ps, end_ps - start_ps), first)
    inside = np.flatnonzero(step >= 0)
    sums = np.zeros(len(start_ps), dtype=np.int64)
    np.add.at(sums, step[inside], covered[inside])
    return sums
