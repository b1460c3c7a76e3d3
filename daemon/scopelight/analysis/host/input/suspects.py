"""Suspects: which operation worked longest while devices waited for input, and which of its stages, step by step."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Generic, TypeVar

import attrs
import numpy as np

from scopelight.analysis.device_time.busy import covered_ps
from scopelight.analysis.host.input.stages import Gathered, Part, ThreadKey
from scopelight.analysis.host.input.verdict import SteadySteps
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.totals.instruction_totals import step_of
from scopelight.formats.columns import Int64
from scopelight.model.spans import merge_spans

_T = TypeVar("_T")
_LEAST_WAITING: Final = 0.05
"""Of a step; where less of it waits for input, none is to blame."""
_LEAST_WORK: Final = 0.1
"""Of that waiting; a stage that worked for less of it is not to blame, but what is not seen."""


@attrs.frozen(eq=False, repr=False)
class Suspects:
    """By step the number of the stage, -1 where none is; by stage and by operation of how many steady steps it is."""

    of_step: Int64
    steps: Mapping[int, int]
    operation_steps: Mapping[str, int]


def suspects_of(gathered: Gathered, owners: Mapping[Part, str], steady: SteadySteps, steps: Steps) -> Suspects:
    """What works on several threads counts by what each of them did on average.

    ``owners`` are the operations to which what threads had of stages belongs: else it stands for itself.
    """
    works = [part for part in gathered.own_ps if gathered.stages[part[1]].works]
    of_step = np.full(len(steps), -1, dtype=np.int64)
    if not works:
        return Suspects(of_step, {}, {})
    groups = _numbered(owners.get(part, part[1]) for part in works)
    shares = _numbered((owners.get(part, part[1]), part[1]) for part in works)
    row_of = {part: row for row, part in enumerate(works)}
    pieces, rows = steady.pieces, steady.rows[steady.is_input]
    waiting = merge_spans(pieces.start_ps[rows], pieces.start_ps[rows] + pieces.duration_ps[rows])
    overlap_ps = np.zeros((len(works), len(steps)), dtype=np.int64)
    for key, segments in gathered.segments:
        step = step_of(segments.start_ps, steps)
        own = np.array([row_of.get((key, each), -1) for each in range(len(gathered.stages))], dtype=np.int64)
        row = own[segments.stage]
        inside = (step >= 0) & (row >= 0)
        covered = covered_ps(waiting, segments.start_ps, segments.end_ps)
        np.add.at(overlap_ps, (row[inside], step[inside]), covered[inside])
    of_group, of_share = _means(overlap_ps, works, groups), _means(overlap_ps, works, shares)
    waited_ps = covered_ps(waiting, steps.start_ps, steps.start_ps + steps.duration_ps)
    most, most_ps = of_group.argmax(axis=0), of_group.max(axis=0)
    blamed = (waited_ps >= _LEAST_WAITING * steps.duration_ps) & (most_ps > 0)
    blamed &= most_ps >= _LEAST_WORK * waited_ps
    group_of_share = np.array([groups.names.index(group) for group, _ in shares.names], dtype=np.int64)
    stage_of_share = np.array([stage for _, stage in shares.names], dtype=np.int64)
    longest = np.where(group_of_share[:, None] == most, of_share, -1).argmax(axis=0)
    of_step[blamed] = stage_of_share[longest[blamed]]
    counted = blamed & steady.is_steady
    stages, groups_of_steps = Counter(of_step[counted].tolist()), Counter(most[counted].tolist())
    by_operation = {name: groups_of_steps[row] for row, name in enumerate(groups.names) if isinstance(name, str)}
    return Suspects(of_step, stages, by_operation)


@attrs.frozen
class _Numbered(Generic[_T]):
    """Distinct names, and by row which it has."""

    names: Sequence[_T]
    of_row: Sequence[int]


def _numbered(names: Iterable[_T]) -> _Numbered[_T]:
    numbers: dict[_T, int] = {}
    of_row = [numbers.setdefault(name, len(numbers)) for name in names]
    return _Numbered(tuple(numbers), of_row)


def _means(overlap_ps: Int64, works: Sequence[Part], of: _Numbered[_T]) -> Int64:
    """By name and step the sum of its rows, over the threads that it has."""
    sums = np.zeros((len(of.names), overlap_ps.shape[1]), dtype=np.int64)
    np.add.at(sums, np.array(of.of_row, dtype=np.int64), overlap_ps)
    threads: list[set[ThreadKey]] = [set() for _ in of.names]
    for row, (key, _) in zip(of.of_row, works, strict=True):
        threads[row].add(key)
    return sums // np.array([[len(each)] for each in threads], dtype=np.int64)
