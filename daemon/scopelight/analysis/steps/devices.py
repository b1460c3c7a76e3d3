"""Steps of several devices: each begins with the first of them that begins it."""

from typing import Final

import numpy as np

from scopelight.formats.columns import Int64, distinct_values
from scopelight.model.profile import Profile

_NEVER: Final = np.iinfo(np.int64).max
_MOST_LAGS = 64
"""Devices whose numbers of runs differ by more are not compared."""


def first_of_devices(profile: Profile, device: int, start_ps: Int64) -> Int64:
    """When the first device begins what ``device`` begins at ``start_ps`` (starts of its runs, sorted).

    What it begins on another is the run of the same program with the same place in the order of its runs: not all
    files number runs alike on all devices. A device that is ahead by a step or more says nothing: its clock may be
    another.
    """
    if len(start_ps) < 2 or len(profile.executions.devices) < 2:
        return start_ps
    runs = profile.runs
    programs = profile.executions.programs
    # Each host names a program that runs on several.
    same = {program: row for row, program in reversed(list(enumerate(programs)))}
    program = np.array([same[each] for each in programs], dtype=np.int64)[runs.program]
    own = np.flatnonzero(runs.device == device)
    begun = own[np.searchsorted(runs.start_ps[own], start_ps)]
    before_ps = np.append(start_ps[0] - int(np.median(np.diff(start_ps))), start_ps[:-1])
    first_ps = start_ps.copy()
    for other in distinct_values(runs.device).tolist():
        if other == device:
            continue
        there = np.flatnonzero(runs.device == other)
        found_ps = np.full(len(start_ps), _NEVER, dtype=np.int64)
        for each in distinct_values(program[begun]).tolist():
            wanted = np.flatnonzero(program[begun] == each)
            here = own[program[own] == each]
            aligned_ps = _aligned(runs.start_ps[here], runs.start_ps[there[program[there] == each]])
            found_ps[wanted] = aligned_ps[np.searchsorted(here, begun[wanted])]
        if (found_ps > before_ps).all():
            first_ps = np.minimum(first_ps, found_ps)
    return first_ps


def _aligned(start_ps: Int64, other_ps: Int64) -> Int64:
    """For each of ``start_ps`` that of ``other_ps`` with the same place; `_NEVER` where there is none.

    Where one has more, it has them before or behind the others: where the two are closest.
    """
    more = len(other_ps) - len(start_ps)
    aligned = np.full(len(start_ps), _NEVER, dtype=np.int64)
    if not len(other_ps) or abs(more) > _MOST_LAGS:
        return aligned
    both = min(len(start_ps), len(other_ps))
    lags = range(min(0, more), max(0, more) + 1)
    firsts = [(max(0, -lag), max(0, lag)) for lag in lags]
    apart = [float(np.median(np.abs(start_ps[a : a + both] - other_ps[b : b + both]))) for a, b in firsts]
    first, of_other = firsts[int(np.argmin(apart))]
    aligned[first : first + both] = other_ps[of_other : of_other + both]
    return aligned
