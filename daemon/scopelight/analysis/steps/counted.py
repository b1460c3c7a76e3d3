"""Steps that the script's own count has told: a window that was opened and closed between two of them."""

import attrs
import numpy as np

from scopelight.analysis.steps.program_sequence import ProgramSequence, busiest_device, program_sequence
from scopelight.analysis.steps.repetition import Repetition
from scopelight.analysis.totals.waiting.launching import as_program, function_of_program
from scopelight.formats.columns import Int64
from scopelight.model.profile import Profile
from scopelight.model.run.information import CaptureWindow


@attrs.frozen(eq=False, repr=False)
class CountedSteps:
    """Where the steps of a window begin and end, each with the end of a run of ``program``."""

    program: str
    start_ps: Int64
    end_ps: Int64


def counted_steps(profile: Profile, repetition: Repetition) -> CountedSteps | None:
    """The steps of a window that the script's count opened behind a call of a function and closed behind another.

    A step goes from the end of one call to that of the next, as the count has it: so the first begins with the window,
    and each has the pause before its call. None where the window is no such one, or its runs are not as many as the
    steps that were counted.
    """
    window = profile.capture.window if profile.capture is not None else None
    device = busiest_device(profile)
    if window is None or window.first_step is None or not window.steps or profile.step_marks or device is None:
        return None
    sequence = program_sequence(profile, device)
    runs = _runs_of_step(sequence, window, repetition)
    if runs is None:
        return None
    end_ps = np.maximum.accumulate(sequence.end_ps[runs])
    start_ps = np.concatenate((np.zeros(1, np.int64), end_ps[:-1]))
    if not window.slow_steps:
        # What made a step slow is of the step; an evaluation before another is not.
        start_ps = _behind_other_work(sequence, runs, start_ps)
    return CountedSteps(sequence.kinds[int(sequence.kind[runs[0]])].name, start_ps, end_ps)


def _runs_of_step(sequence: ProgramSequence, window: CaptureWindow, repetition: Repetition) -> Int64 | None:
    names = [kind.name for kind in sequence.kinds]
    called = [row for row, name in enumerate(names) if _is_called(name, window.step_name)]
    for kinds in (called, [row for row, name in enumerate(names) if name == repetition.program]):
        runs = np.flatnonzero(np.isin(sequence.kind, kinds))
        if not len(runs) or len(runs) != window.steps:
            continue
        # Of several runs a step is closed by another program: the count has taken each for one.
        is_of_several = repetition.program in {names[row] for row in kinds} and repetition.count < len(runs) - 2
        if not is_of_several:
            return runs
    return None


def _is_called(program: str, function: str | None) -> bool:
    """Whether a function of this name is what a program was compiled from."""
    return function is not None and function_of_program(program) == as_program(function)


def _behind_other_work(sequence: ProgramSequence, runs: Int64, start_ps: Int64) -> Int64:
    """The beginnings of steps, behind runs of programs before their own that fewer than half of the steps have."""
    step = np.searchsorted(runs, np.arange(len(sequence)))
    inside = step < len(runs)
    has = np.zeros((len(sequence.kinds), len(runs)), dtype=np.bool_)
    has[sequence.kind[inside], step[inside]] = True
    is_other = inside & ~(2 * has.sum(axis=1) >= len(runs))[sequence.kind]
    later_ps = start_ps.copy()
    np.maximum.at(later_ps, step[is_other], sequence.end_ps[is_other])
    return np.minimum(later_ps, sequence.start_ps[runs])
