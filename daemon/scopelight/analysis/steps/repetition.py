"""Repetition: steps found from the program runs alone, without any annotation."""

from itertools import pairwise

import attrs
import numpy as np

from scopelight.analysis.steps.program_sequence import (
    ProgramSequence,
    busiest_device,
    program_sequence,
    renewed_bytes,
    state_bytes,
)
from scopelight.findings import Finding, warning
from scopelight.formats.columns import Bool, Int64
from scopelight.model.profile import Profile

LEAST_SHARE = 0.3
"""Share of the device's work that the program which stands for a step has at least."""
LEAST_TRAINING_SHARE = 0.1
"""The same for a program that computes gradients: evaluation may outweigh training."""
MOST_MICRO_BATCHES = 64
"""Longest accumulation that is taken for one step; further apart, an update is taken for something periodic."""

_MOST_PERIOD = 4096
_REGULAR = 0.8
_PERIODIC = 0.95
"""Share of runs that a period foretells at least: now and then a loop does something else."""
_CUT_OFF = 0.9
"""A first run with a smaller share of the usual executions than this began before the capture did."""


@attrs.frozen(eq=False, repr=False)
class Repetition:
    """Where steps begin; the last boundary closes the last step. Empty where nothing repeats: ``why_none``."""

    boundaries_ps: Int64
    program: str = ""
    """Name of the program that stands for the step."""
    why_none: Finding | None = None
    sequence: ProgramSequence | None = None
    """The runs in which the repetition was found."""

    @property
    def count(self) -> int:
        """Whole periods seen."""
        return max(0, len(self.boundaries_ps) - 1)

    @property
    def period_ps(self) -> int | None:
        """Median time from one step's start to the next, None where there is none."""
        return int(np.median(np.diff(self.boundaries_ps))) if self.count else None


def _none(program_runs: int) -> Repetition:
    return Repetition(np.zeros(0, dtype=np.int64), why_none=warning("no-steps", program_runs=program_runs))


def find_repetition(profile: Profile) -> Repetition:
    """Find the steps in the program runs of the busiest device.

    The step is one run of the program that trains (of those that compute gradients, else of all, the one with
    the most time); where another program regularly renews that program's state, the step is all of its
    runs up to there (gradient accumulation). Loops of operations outside any jit repeat as a sequence.
    """
    device = busiest_device(profile)
    if device is None:
        return Repetition(np.zeros(0, dtype=np.int64), why_none=warning("no-program-runs"))
    sequence = program_sequence(profile, device)
    anchor = _anchor(sequence)
    found = _none(len(sequence))
    if anchor is None or _is_one_of_many(sequence, anchor):
        found = _repeating_sequence(sequence, anchor)
    if found.count < 2 and anchor is not None and not sequence.kinds[anchor].is_small:
        runs = np.flatnonzero(sequence.kind == anchor)
        runs = runs[_first_of_each_step(sequence, anchor, runs)]
        found = Repetition(sequence.start_ps[runs[_began_inside(sequence, runs) :]], sequence.kinds[anchor].name)
    if found.count < 2:
        return _none(len(sequence))
    return attrs.evolve(found, sequence=sequence)


def _is_one_of_many(sequence: ProgramSequence, anchor: int) -> bool:
    """Whether a program is an operation among others, of which no run stands for a step."""
    kind = sequence.kinds[anchor]
    return kind.is_small or (kind.is_operation and 2 * int(np.count_nonzero(sequence.kind == anchor)) <= len(sequence))


def _anchor(sequence: ProgramSequence) -> int | None:
    """The kind of program that stands for a step; None where none has the weight."""
    kinds = len(sequence.kinds)
    self_ps = np.zeros(kinds, dtype=np.int64)
    np.add.at(self_ps, sequence.kind, sequence.self_ps)
    count = np.bincount(sequence.kind, minlength=kinds)
    total_ps = int(self_ps.sum())
    repeated = [row for row in range(kinds) if count[row] >= 3]
    training = [
        row for row in repeated if sequence.kinds[row].trains and self_ps[row] >= LEAST_TRAINING_SHARE * total_ps
    ]
    candidates = training or [row for row in repeated if self_ps[row] >= LEAST_SHARE * total_ps]
    return max(candidates, key=lambda row: int(self_ps[row]), default=None)


def _first_of_each_step(sequence: ProgramSequence, anchor: int, runs: Int64) -> Int64:
    """Which of the anchor's runs begin a step: all, or those after what closes a step of several runs.

    A step of several runs is closed where most of the anchor's state is renewed (the update after gradients were
    accumulated), or by a run of another program that trains (a generator after its discriminator's steps).
    """
    for closed in (_renewals(sequence, anchor, runs), _other_training(sequence, anchor, runs)):
        closing = np.flatnonzero(closed)
        if len(closing) < 2 or len(closing) == len(closed):
            continue
        apart, times = np.unique(np.diff(closing), return_counts=True)
        if 2 <= apart[np.argmax(times)] <= MOST_MICRO_BATCHES and times.max() >= _REGULAR * times.sum():
            return closing + 1
    return np.arange(len(runs), dtype=np.int64)


def _renewals(sequence: ProgramSequence, anchor: int, runs: Int64) -> Bool:
    """Between which runs of the anchor the most of its state is given back by other programs."""
    stands_for_step = sequence.kinds[anchor]
    renewed_by = [0 if kind is stands_for_step else renewed_bytes(kind, stands_for_step) for kind in sequence.kinds]
    between = _between(np.array(renewed_by, dtype=np.int64)[sequence.kind], runs)
    state = state_bytes(stands_for_step)
    most, least = int(between.max(initial=0)), int(between.min(initial=0))
    if most - least < max(1, state // 2):
        return np.zeros(len(between), dtype=np.bool_)
    # Sums and slices of micro-batches may have the parameters' shapes too: the update renews more than they do.
    return between > most - max(1, state // 2)


def _other_training(sequence: ProgramSequence, anchor: int, runs: Int64) -> Bool:
    """Between which runs of the anchor another program that computes gradients ran."""
    trains = np.array([kind.trains for kind in sequence.kinds])
    trains[anchor] = False
    return _between(trains[sequence.kind].astype(np.int64), runs) > 0


def _between(value: Int64, runs: Int64) -> Int64:
    """Sum of a column over the runs of other programs between each two of ``runs``."""
    until = np.concatenate(([0], np.cumsum(value)))
    return until[runs[1:]] - until[runs[:-1]]


def _began_inside(sequence: ProgramSequence, runs: Int64) -> int:
    """0, or 1 where the first of the runs began before the capture and lacks executions."""
    executions = sequence.executions[runs]
    return int(len(runs) > 1 and executions[0] < _CUT_OFF * np.median(executions[1:]))


def _repeating_sequence(sequence: ProgramSequence, anchor: int | None) -> Repetition:
    """The shortest period of the sequence of programs, for loops that run operation by operation.

    Where all runs are whole periods, the loop is all that ran, and its first program begins a step. Else what lies
    before the first and after the last run of the anchor is not part of the loop, and a step begins where the device
    waited longest for the host, on average over the periods.
    """
    period = _period(sequence.kind, least_equal_ratio=1.0)
    if period is not None and len(sequence) % period == 0:
        first = 0
    else:
        if anchor is not None:
            runs = np.flatnonzero(sequence.kind == anchor)
            sequence = sequence.between(int(runs[0]), int(runs[-1]) + 1)
        period = _period(sequence.kind, least_equal_ratio=_PERIODIC)
        if period is None:
            return _none(len(sequence))
        idle = np.concatenate(([0], np.maximum(0, sequence.start_ps[1:] - sequence.end_ps[:-1])))
        waits = [float(idle[place::period][1:].mean()) for place in range(period)]
        first = int(np.argmax(waits))
    boundaries = [sequence.start_ps[row] for row in range(first, len(sequence), period)]
    if any(later <= earlier for earlier, later in pairwise(boundaries)):
        return _none(len(sequence))
    name = sequence.kinds[int(sequence.kind[first])].name
    return Repetition(np.array(boundaries, dtype=np.int64), name)


def _period(kind: Int64, least_equal_ratio: float) -> int | None:
    """After how many runs the kinds come again, at least in this share of the runs; None where three periods do not."""
    for period in range(1, min(len(kind) // 3, _MOST_PERIOD) + 1):
        if (kind[period:] == kind[:-period]).mean() >= least_equal_ratio:
            return period
    return None
