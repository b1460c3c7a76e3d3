"""What of a step may be missing: a moment that was not traced, executions of its runs."""

import numpy as np

from scopelight.formats.columns import Bool, Int32, Int64, distinct_values
from scopelight.model.profile import Profile
from scopelight.model.spans import Spans

_CUT_OFF = 0.9
"""A run with a smaller share of the usual executions of its program than this was cut off by the capture."""


def overlaps(spans: Spans | None, start_ps: Int64, end_ps: Int64) -> Bool:
    """Which of the intervals have a part in common with any of the spans."""
    if spans is None or not len(spans.start_ps):
        return np.zeros(len(start_ps), dtype=np.bool_)
    ends_ps = np.concatenate((spans.start_ps + spans.duration_ps, [np.iinfo(np.int64).max]))
    starts_ps = np.concatenate((spans.start_ps, [np.iinfo(np.int64).max]))
    behind: Bool = starts_ps[np.searchsorted(ends_ps[:-1], start_ps, side="right")] < end_ps
    return behind


def lacks_executions(profile: Profile, rows: Int64) -> Bool:
    """Which runs have fewer executions than the runs of their program usually have."""
    run = profile.executions.run
    executions = np.bincount(run[run >= 0], minlength=len(profile.runs))[rows]
    program: Int32 = profile.runs.program[rows]
    lacks = np.zeros(len(rows), dtype=np.bool_)
    for each in distinct_values(program):
        own = program == each
        lacks[own] = executions[own] < _CUT_OFF * np.median(executions[own])
    return lacks


def begins_cut_off(profile: Profile, device: int, start_ps: Int64) -> Bool:
    """Which steps begin with a run of the device that was under way when a trace began.

    Only the first step of a trace can: those behind each moment that was not traced are looked at.
    """
    cut_off = np.zeros(len(start_ps), dtype=np.bool_)
    if profile.untraced is None or not len(profile.untraced.start_ps):
        return cut_off
    rows = np.flatnonzero(profile.runs.device == device)
    lacking = profile.runs.start_ps[rows[lacks_executions(profile, rows)]]
    first = np.searchsorted(start_ps, profile.untraced.start_ps + profile.untraced.duration_ps)
    first = first[first < len(start_ps)]
    cut_off[first] = np.isin(start_ps[first], lacking)
    return cut_off
