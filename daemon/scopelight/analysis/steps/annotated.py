"""Annotated steps: where they begin and end, on the device that ran their programs or on the host."""

import attrs
import numpy as np

from scopelight.analysis.steps.completeness import lacks_executions, overlaps
from scopelight.analysis.steps.devices import first_of_devices
from scopelight.analysis.steps.program_sequence import busiest_device
from scopelight.formats.columns import Bool, Int64
from scopelight.model.profile import Profile, StepMarks


@attrs.frozen(eq=False, repr=False)
class _Launched:
    """The runs that steps launched inside their annotations, one entry per step."""

    runs: Int64
    """How many; 0 where nothing is known of any."""
    first_ps: Int64
    """Where the first of them starts."""
    last_ps: Int64
    """Where the last of them ends."""
    is_cut_off: Bool
    """Whether a run of it lacks executions that others of its program have."""


def annotated_steps(profile: Profile, marks: StepMarks) -> tuple[Int64, Int64]:
    """Starts and ends of annotated steps.

    Where the host waits for what it launches, a step starts with its annotation. Where it is ahead, an annotation can
    end before the device begins: the step starts with the first run that was launched inside its annotation. Either
    way it ends where the next step starts, so that the usual pause between two counts, unless something else lies
    there: then it ends with its annotation or with its last run, whichever is later.
    """
    # Threads repeat annotations; of spans in each other the outer one counts.
    reach = np.maximum.accumulate(np.concatenate(([-1], marks.start_ps + marks.duration_ps)))[:-1]
    outer = marks.start_ps >= reach
    start_ps, end_ps = marks.start_ps[outer], (marks.start_ps + marks.duration_ps)[outer]
    device = busiest_device(profile)
    of_device = np.flatnonzero(profile.runs.device == (-1 if device is None else device))
    launched = _launched(profile, of_device, start_ps, end_ps)
    launching = np.flatnonzero(launched.runs)
    own_end_ps = np.maximum(end_ps, launched.last_ps)
    if 2 * np.count_nonzero(launched.last_ps[launching] > end_ps[launching]) > len(launching):
        kept = launching[~_is_incomplete(profile, launched, launching)]
        start_ps, own_end_ps = launched.first_ps[kept], own_end_ps[kept]
        if device is not None:
            start_ps = first_of_devices(profile, device, start_ps)
    own_end_ps = _with_late_runs(profile, of_device, start_ps, own_end_ps)
    return start_ps, _ends(profile, of_device, start_ps, own_end_ps)


def _launched(profile: Profile, of_device: Int64, start_ps: Int64, end_ps: Int64) -> _Launched:
    runs = profile.runs
    known = of_device[runs.launch_ps[of_device] >= 0]
    step = np.searchsorted(start_ps, runs.launch_ps[known], side="right") - 1
    inside = (step >= 0) & (runs.launch_ps[known] < end_ps[step])
    step, rows = step[inside], known[inside]
    first_ps = np.full(len(start_ps), np.iinfo(np.int64).max, dtype=np.int64)
    np.minimum.at(first_ps, step, runs.start_ps[rows])
    last_ps = np.full(len(start_ps), np.iinfo(np.int64).min, dtype=np.int64)
    np.maximum.at(last_ps, step, (runs.start_ps + runs.duration_ps)[rows])
    cut_off = np.zeros(len(start_ps), dtype=np.bool_)
    np.logical_or.at(cut_off, step, lacks_executions(profile, rows))
    return _Launched(np.bincount(step, minlength=len(start_ps)), first_ps, last_ps, cut_off)


def _is_incomplete(profile: Profile, launched: _Launched, launching: Int64) -> Bool:
    """Which of the steps that launched something lack a part of it: only the last before a trace ends can."""
    starts_ps, runs = launched.first_ps[launching], launched.runs[launching]
    incomplete = np.zeros(len(launching), dtype=np.bool_)
    if not len(launching):
        return incomplete
    ends_of_traces = np.zeros(0, dtype=np.int64) if profile.untraced is None else profile.untraced.start_ps
    last = np.concatenate((np.searchsorted(starts_ps, ends_of_traces) - 1, [len(launching) - 1]))
    last = last[last >= 0]
    incomplete[last] = (runs[last] < np.median(runs)) | launched.is_cut_off[launching[last]]
    return incomplete


def _with_late_runs(profile: Profile, of_device: Int64, start_ps: Int64, end_ps: Int64) -> Int64:
    """Ends of steps, with the runs that began behind them where none began in them, as they do in most steps.

    Where another thread launches (PyTorch/XLA), an annotation can end before. As many runs as steps usually have
    count, of the programs that usually run in steps.
    """
    began_ps = profile.runs.start_ps[of_device]
    first, behind = np.searchsorted(began_ps, start_ps), np.searchsorted(began_ps, end_ps)
    runs = behind - first
    without = np.flatnonzero(runs == 0)
    if 2 * len(without) >= len(runs):
        return end_ps
    inside = np.concatenate([of_device[a:b] for a, b in zip(first.tolist(), behind.tolist(), strict=True)])
    usual = max(1, int(np.median(runs)))
    end_ps = end_ps.copy()
    following = np.append(first[1:], len(of_device))
    for step in without.tolist():
        late = of_device[behind[step] : following[step]]
        late = late[np.isin(profile.runs.program[late], profile.runs.program[inside])][:usual]
        if len(late):
            end_ps[step] = max(end_ps[step], int((profile.runs.start_ps + profile.runs.duration_ps)[late].max()))
    return end_ps


def _ends(profile: Profile, of_device: Int64, start_ps: Int64, own_end_ps: Int64) -> Int64:
    """Where steps end: with the start of the next one, unless what lies between is none of their usual pauses.

    That is: a moment that was not traced, a pause that is longer than a usual one by more than a usual step, or a
    run (an evaluation, mostly) where most pauses have none.
    """
    if len(start_ps) < 2:
        return own_end_ps
    next_ps = start_ps[1:]
    pause_ps = next_ps - own_end_ps[:-1]
    usual_ps = float(np.median(pause_ps)) + float(np.median(own_end_ps - start_ps))
    is_other = (pause_ps > max(0.0, usual_ps)) | overlaps(profile.untraced, own_end_ps[:-1], next_ps)
    runtime = profile.silent_runtime
    began_ps = np.sort(profile.runs.start_ps[of_device]) if runtime is None else profile.cpu_runs[runtime]
    runs = np.searchsorted(began_ps, next_ps) - np.searchsorted(began_ps, own_end_ps[:-1])
    if 2 * np.count_nonzero(runs > 0) < len(runs):
        is_other |= runs > 0
    return np.concatenate((np.where(is_other, own_end_ps[:-1], next_ps), own_end_ps[-1:]))
