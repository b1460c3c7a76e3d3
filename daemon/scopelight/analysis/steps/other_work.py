"""Steps beside work that most of them have not: an evaluation, mostly, which is in none of them."""

import attrs
import numpy as np

from scopelight.analysis.steps.completeness import overlaps
from scopelight.analysis.steps.program_sequence import ProgramSequence
from scopelight.formats.columns import Int64
from scopelight.model.spans import Spans


@attrs.frozen(eq=False, repr=False)
class StepsBesideOtherWork:
    """Where steps begin and end, one entry per step; sorted and disjoint."""

    start_ps: Int64
    end_ps: Int64
    missing_ps: Int64
    """How much of its usual pause the next one has instead."""
    earlier_ps: Int64
    """How much earlier than here a step could begin: up to what the device ran before, or a usual pause."""

    def completed(self, first: int, last: int) -> int:
        """How much earlier the ``first`` of the steps that are shown begins, with what the ``last`` of them lacks.

        Neither the one before the first is shown nor the one behind the last: so the steps have a pause each.
        """
        return min(int(self.missing_ps[last]), int(self.earlier_ps[first]))


def beside_other_work(
    sequence: ProgramSequence, boundaries_ps: Int64, untraced: Spans | None = None
) -> StepsBesideOtherWork:
    """The steps between boundaries, at which the runs of a device repeat.

    A step ends where the next one begins. Other work is the runs of programs that fewer than half of the steps have,
    behind the last run of the others. What follows on a step up to the next is its usual pause, the median, of which
    other work may come in the midst: in most loops at the end, and the next step's input is loaded behind it. So the
    next step begins earlier by the usual pause, or where the other work is over; as much of the pause as does not fit
    there is of the step before, from its last run on. An evaluation that waits for data of its own, or that goes on
    when its runs are over, is in neither.
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
    nothing = np.zeros(steps, dtype=np.int64)
    if not is_followed.any() or is_followed.all():
        return StepsBesideOtherWork(starts_ps, ends_ps, nothing, nothing)
    pause_ps = max(0, int(np.median((ends_ps - last_over_ps)[~is_followed])))
    idle_ps = np.minimum(_idle_before(sequence, boundaries_ps), pause_ps)
    idle_ps[overlaps(untraced, boundaries_ps - idle_ps, boundaries_ps)] = 0
    missing_ps = np.where(is_followed, idle_ps[1:], 0)
    had_ps = np.concatenate(([0], missing_ps[:-1]))
    own_end_ps = np.minimum(other_ps, last_over_ps + pause_ps - missing_ps)
    return StepsBesideOtherWork(
        start_ps=starts_ps - had_ps,
        end_ps=np.where(is_followed, own_end_ps, ends_ps),
        missing_ps=missing_ps,
        earlier_ps=idle_ps[:-1] - had_ps,
    )


def _idle_before(sequence: ProgramSequence, boundaries_ps: Int64) -> Int64:
    """For how long the device had run nothing at each boundary; 0 where what it ran before never comes behind one."""
    rows = np.searchsorted(sequence.start_ps, boundaries_ps)
    of_steps = sequence.kind[rows[0] : rows[-1]]
    before = rows - 1
    over_ps = np.maximum.accumulate(sequence.end_ps)[before]
    is_known = (before >= 0) & np.isin(sequence.kind[before], of_steps)
    idle_ps: Int64 = np.where(is_known, np.maximum(0, boundaries_ps - over_ps), 0)
    return idle_ps
