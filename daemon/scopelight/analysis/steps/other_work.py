"""Where steps end that something follows which most steps have not: an evaluation, mostly."""

import numpy as np

from scopelight.analysis.steps.program_sequence import ProgramSequence
from scopelight.formats.columns import Int64


def ends_before_other_work(sequence: ProgramSequence, boundaries_ps: Int64) -> Int64:
    """Where the steps between boundaries end, at which the runs of a device repeat.

    A step ends where the next one begins. Where runs of programs that fewer than half of the steps have come behind
    the last run of the others, it ends before them, with the pause that usually follows.
    """
    starts_ps, ends_ps = boundaries_ps[:-1], boundaries_ps[1:]
    steps = len(starts_ps)
    step = np.searchsorted(boundaries_ps, sequence.start_ps, side="right") - 1
    inside = (step >= 0) & (step < steps)
    step, kind = step[inside], sequence.kind[inside]
    began_ps, over_ps = sequence.start_ps[inside], sequence.end_ps[inside]
    has = np.zeros((len(sequence.kinds), steps), dtype=np.bool_)
    has[kind, step] = True
    is_usual = (2 * has.sum(axis=1) >= steps)[kind]
    last_ps, last_over_ps, other_ps = starts_ps.copy(), starts_ps.copy(), ends_ps.copy()
    np.maximum.at(last_ps, step[is_usual], began_ps[is_usual])
    np.maximum.at(last_over_ps, step[is_usual], over_ps[is_usual])
    behind = ~is_usual & (began_ps > last_ps[step])
    np.minimum.at(other_ps, step[behind], began_ps[behind])
    is_followed = (other_ps < ends_ps) & (last_over_ps > starts_ps)
    if is_followed.all():
        return ends_ps
    pause_ps = max(0, int(np.median((ends_ps - last_over_ps)[~is_followed])))
    return np.where(is_followed, np.minimum(other_ps, last_over_ps + pause_ps), ends_ps)
