"""Steps: from annotations of any name, else from a stored steps line, else from the repeating program."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import attrs
import numpy as np

from scopelight.analysis.missing_programs import step_not_told
from scopelight.analysis.steps.annotated import annotated_steps
from scopelight.analysis.steps.completeness import begins_cut_off, overlaps
from scopelight.analysis.steps.counted import counted_steps
from scopelight.analysis.steps.devices import first_of_devices
from scopelight.analysis.steps.other_work import beside_other_work
from scopelight.analysis.steps.program_sequence import busiest_device
from scopelight.analysis.steps.repetition import Repetition, find_repetition
from scopelight.findings import Finding, warning
from scopelight.formats.columns import Int64
from scopelight.model.profile import Profile, StepMarks
from scopelight.model.run.prediction import DECISIONS

__all__ = ["Repetition", "Steps", "StepsSource", "find_repetition", "find_steps"]

StepsSource = Literal["annotation", "steps-line", "repetition"]


@attrs.frozen(eq=False, repr=False)
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

    @property
    def period_ps(self) -> int | None:
        """Median time from one step's start to the next's; of one step how long it takes. None without steps."""
        return int(np.median(np.diff(self.start_ps))) if len(self) > 1 else self.median_ps


def find_steps(profile: Profile) -> Steps:
    """Find the steps of a profile, from the most trustworthy source that has any.

    Those that overlap a moment that was not traced are not complete. Of a window that was captured for a number of
    steps the first so many count: the profiler may have stopped later. Of a prediction that lacks something that was
    called there are none: that may be the step.
    """
    if profile.prediction is not None and len(profile.runs):
        in_part = step_not_told(profile.prediction)
        if in_part is not None:
            nothing = np.zeros(0, dtype=np.int64)
            return Steps(None, "", nothing, nothing, in_part)
    for source, name, start_ps, end_ps in _marked(profile):
        steps = _complete(profile, source, name, start_ps, end_ps)
        if len(steps):
            return steps
    repetition = find_repetition(profile)
    counted = counted_steps(profile, repetition)
    if counted is not None:
        steps = _complete(profile, "repetition", counted.program, counted.start_ps, counted.end_ps)
        if len(steps):
            return steps
    if repetition.count:
        boundaries_ps = repetition.boundaries_ps
        device = busiest_device(profile)
        if device is not None:
            boundaries_ps = boundaries_ps[~begins_cut_off(profile, device, boundaries_ps)]
            boundaries_ps = first_of_devices(profile, device, boundaries_ps)
        return _repeating(profile, repetition, boundaries_ps)
    nothing = np.zeros(0, dtype=np.int64)
    return Steps(None, "", nothing, nothing, _why_none(profile, repetition))


def _why_none(profile: Profile, repetition: Repetition) -> Finding | None:
    """Of a prediction nothing would be captured for longer; of one without room more than steps is missing."""
    why = repetition.why_none
    if profile.prediction is None or why is None:
        return why
    if any(each.outcome == "no-room" for each in profile.prediction.programs):
        return None
    values = why.values.get("program_runs", 0)
    # What decides is said of every prediction.
    read = [
        f"{Path(each.path).name}:{each.line}" for each in profile.prediction.read_zeros if each.how not in DECISIONS
    ]
    return warning("no-steps-predicted", program_runs=values, read_zeros_at=tuple(dict.fromkeys(read)))


def _repeating(profile: Profile, repetition: Repetition, boundaries_ps: Int64) -> Steps:
    """The steps between boundaries, with a usual pause each beside what most of them have not."""
    sequence = repetition.sequence
    if sequence is None:
        return _complete(profile, "repetition", repetition.program, boundaries_ps[:-1], boundaries_ps[1:])
    found = beside_other_work(sequence, boundaries_ps, profile.untraced)
    steps = _complete(profile, "repetition", repetition.program, found.start_ps, found.end_ps)
    if not len(steps):
        return steps
    first, last = np.searchsorted(found.start_ps, steps.start_ps[[0, -1]]).tolist()
    earlier_ps = np.zeros(len(steps), dtype=np.int64)
    earlier_ps[0] = found.completed(first, last)
    return attrs.evolve(steps, start_ps=steps.start_ps - earlier_ps, duration_ps=steps.duration_ps + earlier_ps)


def _complete(profile: Profile, source: StepsSource, name: str, start_ps: Int64, end_ps: Int64) -> Steps:
    """Steps with overlaps cut: a step ends where the next one starts, if not before."""
    end_ps = end_ps.copy()
    end_ps[:-1] = np.minimum(end_ps[:-1], start_ps[1:])
    whole = np.flatnonzero((end_ps > start_ps) & ~overlaps(profile.untraced, start_ps, end_ps))
    window = profile.capture.window if profile.capture is not None else None
    if window is not None and window.kind == "steps":
        whole = whole[: window.steps]
    return Steps(source, name, start_ps[whole], (end_ps - start_ps)[whole])


def _marked(profile: Profile) -> Iterator[tuple[StepsSource, str, Int64, Int64]]:
    if profile.step_marks:
        marks = max(_marks_of_own_host(profile), key=lambda each: int(each.duration_ps.sum()))
        yield "annotation", marks.name, *annotated_steps(profile, marks)
    if profile.device_steps:
        marks = max(profile.device_steps, key=lambda each: int(each.duration_ps.sum()))
        yield "steps-line", marks.name, marks.start_ps, marks.start_ps + marks.duration_ps


def _marks_of_own_host(profile: Profile) -> Sequence[StepMarks]:
    """What the host of the busiest device annotated, if it did: hosts have clocks of their own."""
    if len({each.host for each in profile.step_marks}) < 2:
        return profile.step_marks
    device = busiest_device(profile)
    host = None if device is None else profile.executions.devices[device].host
    return [each for each in profile.step_marks if each.host == host] or profile.step_marks
