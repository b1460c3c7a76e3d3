"""A host's plane in whose midst the file was cut off: which stats name ops, programs, runs and steps, by their place.

XLA:CPU writes the stats of an op in one order: op, module (texts), program, then run and device where it tells them,
then who produced it (see `TraceMeEncode` in xla/backends/cpu/runtime/thunk.cc). A step's annotation has its marker, 1,
and its number. The names of the stats come behind all events and are lost first; the programs' ids are in a plane of
its own, ahead of them.
"""

from collections import Counter
from collections.abc import Collection, Mapping

import attrs
import numpy as np

from scopelight.formats.columns import Bool, Int64, distinct_values
from scopelight.formats.xspace.reader import XLine, XPlane
from scopelight.formats.xspace.stats import StatTable
from scopelight.formats.xspace.stats_kernels import REFERENCE_VALUE, SIGNED, UNSIGNED

MOST_SAMPLED = 100_000
"""Events of a line that are looked at, spread evenly."""
_OP = ("hlo_op", "hlo_module", "program_id")
_OF_RUN = ("run_id", "device_ordinal")
_PRODUCER = ("_pt", "_p")
_STEP = ("_r", "step_num")


@attrs.frozen(eq=False, repr=False)
class _Sample:
    """The stats of some events of one line."""

    metadata: Int64
    stats: StatTable

    @property
    def count(self) -> Int64:
        """How many stats each event has."""
        return np.diff(self.stats.offsets)

    def column(self, events: Int64, place: int) -> tuple[Int64, Int64, Int64]:
        """Name, kind and value of the stat at a place of events that have so many."""
        rows = self.stats.offsets[events] + place
        return self.stats.name[rows], self.stats.kind[rows], self.stats.value[rows]


def with_found_names(plane: XPlane, program_ids: Collection[int]) -> XPlane:
    """The plane with the names of the stats that ops, runs and steps are known by, where these were lost."""
    samples = [_sample(line) for line in plane.lines]
    return plane.with_stat_names({**_step_names(samples), **_op_names(plane, samples, program_ids)})


def _sample(line: XLine) -> _Sample:
    events = line.events()
    rows = distinct_values(np.linspace(0, max(0, len(events) - 1), min(len(events), MOST_SAMPLED)).astype(np.int64))
    return _Sample(events.metadata[rows].astype(np.int64), events.stat_table(rows))


def _is_whole(kind: Int64) -> Bool:
    whole: Bool = (kind == SIGNED) | (kind == UNSIGNED)
    return whole


def _op_names(plane: XPlane, samples: list[_Sample], program_ids: Collection[int]) -> Mapping[int, str]:
    """Rows of the stats that tell of ops; texts that ops have as their name are called as their events are."""
    known = np.array([each - (1 << 64) if each >= 1 << 63 else each for each in program_ids], dtype=np.int64)
    votes: Counter[tuple[int, int, int]] = Counter()
    found: list[tuple[_Sample, Int64]] = []
    for sample in samples:
        events = np.flatnonzero(sample.count >= len(_OP))
        columns = [sample.column(events, place) for place in range(len(_OP))]
        (_, first, _), (_, second, _), (_, third, program) = columns
        fits = (first == REFERENCE_VALUE) & (second == REFERENCE_VALUE) & _is_whole(third) & np.isin(program, known)
        triples = np.stack([name[fits] for name, _, _ in columns], axis=1)
        kinds, times = np.unique(triples, axis=0, return_counts=True)
        votes.update({(int(a), int(b), int(c)): int(n) for (a, b, c), n in zip(kinds.tolist(), times, strict=True)})
        found.append((sample, events[fits]))
    if not votes:
        return {}
    chosen = votes.most_common(1)[0][0]
    names: dict[int, str] = dict(zip(chosen, _OP, strict=True))
    tails: Counter[tuple[int, int]] = Counter()
    texts: dict[int, str] = {}
    for sample, fitting in found:
        named, _, text = sample.column(fitting, 0)
        own = named == chosen[0]
        events = fitting[own]
        for row, reference in np.unique(np.stack((sample.metadata[events], text[own]), axis=1), axis=0).tolist():
            texts[reference] = plane.events_metadata.names[row]
        tails.update(_stats_behind(sample, events))
    names.update(_tail_names(tails, found))
    return {**texts, **names}


def _stats_behind(sample: _Sample, events: Int64) -> Counter[tuple[int, int]]:
    """How often two whole numbers of the same names stand behind the program of ops."""
    events = events[sample.count[events] >= len(_OP) + 2]
    (first, kind, _), (second, other_kind, _) = (sample.column(events, len(_OP) + place) for place in range(2))
    both = _is_whole(kind) & _is_whole(other_kind)
    pairs, times = np.unique(np.stack((first[both], second[both]), axis=1), axis=0, return_counts=True)
    return Counter({(int(a), int(b)): int(n) for (a, b), n in zip(pairs.tolist(), times, strict=True)})


def _tail_names(tails: Counter[tuple[int, int]], found: list[tuple[_Sample, Int64]]) -> Mapping[int, str]:
    """The names of the two numbers behind the program: a run and its device, or who produced what.

    Every op has a producer's number of its own; the ops of a run have that of the run.
    """
    if not tails:
        return {}
    pair = tails.most_common(1)[0][0]
    firsts: list[Int64] = []
    seconds: list[Int64] = []
    for sample, fitting in found:
        events = fitting[sample.count[fitting] >= len(_OP) + 2]
        (name, _, value), (_, _, other) = (sample.column(events, len(_OP) + place) for place in range(2))
        firsts.append(value[name == pair[0]])
        seconds.append(other[name == pair[0]])
    first, second = np.concatenate(firsts), np.concatenate(seconds)
    is_producer = len(distinct_values(first)) == 1 and len(distinct_values(second)) == len(second)
    return dict(zip(pair, _PRODUCER if is_producer else _OF_RUN, strict=True))


def _step_names(samples: list[_Sample]) -> Mapping[int, str]:
    """The rows of the stats of annotations: 1, then a number that goes up by one from each to the next."""
    best: dict[int, str] = {}
    most = 1
    for sample in samples:
        events = np.flatnonzero(sample.count == len(_STEP))
        (first, kind, marker), (second, other_kind, number) = (sample.column(events, place) for place in range(2))
        fits = _is_whole(kind) & _is_whole(other_kind) & (marker == 1)
        keys = np.stack((sample.metadata[events], first, second), axis=1)[fits]
        for key in np.unique(keys, axis=0):
            numbers = np.sort(number[fits][(keys == key).all(axis=1)])
            if len(numbers) > most and (np.diff(numbers) == 1).all():
                best, most = {int(key[1]): _STEP[0], int(key[2]): _STEP[1]}, len(numbers)
    return best
