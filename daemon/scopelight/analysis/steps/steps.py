"""Steps: from annotations of any name, else from a stored steps line, else from the repeating program."""

from typing import Literal

import attrs
import numpy as np

from scopelight.analysis.steps.program_sequence import busiest_device
from scopelight.analysis.steps.repetition import Repetition, find_repetition
from scopelight.findings import Finding
from scopelight.formats.columns import Int64
from scopelight.model.profile import Profile, StepMarks

__all__ = ["Repetition", "Steps", "StepsSource", "find_repetition", "find_steps"]

StepsSource = Literal["annotation", "steps-line", "repetition"]


@attrs.frozen(eq=False)
class Steps:
    """The complete steps of a profile, sorted and disjoint; partial ones at the edges are left out."""

    source: StepsSource | None
    name: str
    """Of the annotation, the steps line's plane, or the program that stands for the step."""
    start_ps: Int64
    duration_ps: Int64
    why_none: Finding | None = None
    """Why there are none; None where there are some."""

    def __len__(self) -> int:
        return len(self.start_ps)

    @property
    def median_ps(self) -> int | None:
        """Median duration, None without steps."""
        return int(np.median(self.duration_ps)) if len(self) else None


def find_steps(profile: Profile) -> Steps:
    """Find the steps of a profile, from the most trustworthy source that has any."""
    for source, name, boundaries, ends in _marked(profile):
        if len(boundaries):
            return _between(source, name, boundaries, ends)
    repetition = find_repetition(profile)
    if repetition.count:
        return _between("repetition", repetition.program, repetition.boundaries_ps[:-1], repetition.boundaries_ps[1:])
    nothing = np.zeros(0, dtype=np.int64)
    return Steps(None, "", nothing, nothing, repetition.why_none)


def _between(source: StepsSource, name: str, start_ps: Int64, end_ps: Int64) -> Steps:
    """Steps with overlaps cut: a step ends where the next one starts, if not before."""
    end_ps = end_ps.copy()
    end_ps[:-1] = np.minimum(end_ps[:-1], start_ps[1:])
    whole = end_ps > start_ps
    return Steps(source, name, start_ps[whole], (end_ps - start_ps)[whole])


def _marked(profile: Profile) -> list[tuple[StepsSource, str, Int64, Int64]]:
    found: list[tuple[StepsSource, str, Int64, Int64]] = []
    if profile.step_marks:
        marks = max(profile.step_marks, key=lambda each: int(each.duration_ps.sum()))
        found.append(("annotation", marks.name, *_annotated(profile, marks)))
    if profile.device_steps:
        marks = max(profile.device_steps, key=lambda each: int(each.duration_ps.sum()))
        found.append(("steps-line", marks.name, marks.start_ps, marks.start_ps + marks.duration_ps))
    return found


def _annotated(profile: Profile, marks: StepMarks) -> tuple[Int64, Int64]:
    """Starts and ends of annotated steps, on the device where its runs are known, else on the host.

    The host may be ahead: an annotation can end before the device begins. A step therefore starts with the
    first run that was launched inside its annotation and ends where the next step starts. The last step ends with
    its annotation or its last run, whichever is later, and is left out where it launched less than the others did.
    """
    # Threads repeat annotations; of spans in each other the outer one counts.
    reach = np.maximum.accumulate(np.concatenate(([-1], marks.start_ps + marks.duration_ps)))[:-1]
    outer = marks.start_ps >= reach
    start_ps, end_ps = marks.start_ps[outer], (marks.start_ps + marks.duration_ps)[outer]
    runs = profile.runs
    device = busiest_device(profile)
    known = np.flatnonzero((runs.launch_ps >= 0) & (runs.device == (-1 if device is None else device)))
    if not len(known):
        return start_ps, np.concatenate((start_ps[1:], end_ps[-1:]))
    step = np.searchsorted(start_ps, runs.launch_ps[known], side="right") - 1
    inside = (step >= 0) & (runs.launch_ps[known] < end_ps[step])
    step, rows = step[inside], known[inside]
    first_ps = np.full(len(start_ps), np.iinfo(np.int64).max, dtype=np.int64)
    np.minimum.at(first_ps, step, runs.start_ps[rows])
    last_ps = np.full(len(start_ps), np.iinfo(np.int64).min, dtype=np.int64)
    np.maximum.at(last_ps, step, (runs.start_ps + runs.duration_ps)[rows])
    launched = np.bincount(step, minlength=len(start_ps))
    launching = np.flatnonzero(launched)
    if not len(launching):
        return start_ps, np.concatenate((start_ps[1:], end_ps[-1:]))
    starts = first_ps[launching]
    ends = np.concatenate((starts[1:], [max(int(last_ps[launching[-1]]), int(end_ps[launching[-1]]))]))
    if launched[launching[-1]] < np.median(launched[launching]):
        starts, ends = starts[:-1], ends[:-1]
    return starts, ends
