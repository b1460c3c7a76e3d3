"""Where a thread stood by samples of it, within the borders that its events in the trace prove.

Between two borders a thread is in one call of a library, or in Python. What was sampled between them is spread over no
more than that; a stretch without a sample is divided as the stretches that have the same before and after them.
"""

from collections.abc import Sequence

import numpy as np

from scopelight.formats.columns import Bool, Int8, Int64
from scopelight.formats.host_recording.reader import SampleRows
from scopelight.model.host.stands import UNKNOWN, Stands
from scopelight.model.host.states import HostState, ThreadStates
from scopelight.model.host.stretch_edges import SampledEdges, edges_of
from scopelight.model.spans import Spans
from scopelight.program.hlo.frames import Stack

LATE_PS = 150_000_000
"""A thread that waits for something else than the interpreter is sampled within less (measured: 0.08 to 0.12 ms)."""
SWITCH_PS = 500_000_000
"""After so long, the sampler's interval of switches, a thread is asked to let go of the interpreter."""
FORCED_PS = 550_000_000
FORCED_AT_ONCE_PS = 850_000_000
"""A thread that does not let go of the interpreter is made to after the interval of switches (and what a wait takes),
between these where it can at any time."""
_COLUMNS = ("due_ns", "taken_ns", "thread", "stack")
_PYTHON = 127
"""In place of a state where a thread is in none."""
_UNTRACED = 126
"""The same where it is not known in which."""


def sample_stands(
    samples: SampleRows,
    garbage: SampleRows | None,
    zero_ns: int,
    stacks: Sequence[Stack],
    states: ThreadStates | None,
    untraced: Spans | None = None,
) -> Stands:
    """The stands of one thread, from its own ``samples``, and from its collections of ``garbage``, each sorted by time.

    ``zero_ns`` is when the profile's time is 0, ``untraced`` what no trace has.
    """
    samples, is_garbage = _joined(samples, garbage)
    due_ps, taken_ps = (samples.due_ns - zero_ns) * 1000, (samples.taken_ns - zero_ns) * 1000
    if not len(taken_ps):
        nothing = np.zeros(0, dtype=np.int64)
        return Stands(nothing, nothing, stacks, is_exact=False)
    borders_ps, kinds = _stretches(states, untraced, int(due_ps[0]), int(taken_ps[-1]))
    stretch = np.searchsorted(borders_ps, taken_ps, side="right") - 1
    ends_ps = np.append(borders_ps[1:], max(int(borders_ps[-1]), int(taken_ps[-1])))
    between_ps = np.append(borders_ps[:1], _between(due_ps, taken_ps, borders_ps, stretch, is_garbage, samples.stack))
    starts_ps, stack = np.maximum(between_ps, borders_ps[stretch]), samples.stack
    seen = ~is_garbage
    columns = (kinds[stretch], due_ps, taken_ps, borders_ps[stretch], ends_ps[stretch], stack)
    edges = SampledEdges(*(each[seen] for each in columns))
    divided = [
        (edge.stretch, *part)
        for edge in edges_of(kinds, borders_ps, ends_ps, stretch, between_ps, taken_ps)
        for part in edges.divided(edge)
    ]
    if divided:
        of_edges = np.array(divided, dtype=np.int64).T
        stretch, starts_ps, stack = (
            np.append(column, more) for column, more in zip((stretch, starts_ps, stack), of_edges, strict=True)
        )
        order = np.argsort(starts_ps, kind="stable")
        stretch, starts_ps, stack = stretch[order], starts_ps[order], stack[order]
    # What no sample as near to the border tells of is the first's, or the last's.
    is_first = np.append(True, stretch[1:] != stretch[:-1])
    starts_ps = np.where(is_first, borders_ps[stretch], starts_ps)
    empty = np.setdiff1d(np.arange(len(kinds)), stretch)
    filled = _fill(kinds, empty, borders_ps, ends_ps - borders_ps, stretch, starts_ps, stack)
    start_ps, stack = np.concatenate([starts_ps, filled[0]]), np.concatenate([stack, filled[1]])
    order = np.argsort(start_ps, kind="stable")
    return Stands(start_ps[order], stack[order], stacks, is_exact=False)


def _joined(samples: SampleRows, garbage: SampleRows | None) -> tuple[SampleRows, Bool]:
    """Both together by when they were taken, and which of them are collections."""
    if garbage is None:
        return samples, np.zeros(len(samples.due_ns), dtype=np.bool_)
    columns = [np.concatenate([getattr(each, name) for each in (samples, garbage)]) for name in _COLUMNS]
    order = np.argsort(columns[1], kind="stable")
    return SampleRows(*(each[order] for each in columns)), order >= len(samples.due_ns)


def _between(
    due_ps: Int64, taken_ps: Int64, borders_ps: Int64, stretch: Int64, is_garbage: Bool, stack: Int64
) -> Int64:
    """Where what each sample but the first stands for begins: half way from the one before.

    One that waited for the interpreter was taken where the thread let go of it. Where it waited for less than it takes
    to force a switch, the thread did so by itself: it may have come there meanwhile and goes on elsewhere, so that the
    sample says nothing of what was before or after. Else the thread was asked to once that time had passed, and stood
    there since; where it did not do so at once, a function had held the interpreter and is over: nothing of what came
    after. Garbage is collected where much of it is made: once says nothing of what is
    before or after either; more often tells how long it takes to make so much. That began as long before the first
    time, and ended half as long after the last.
    """
    late_ps = taken_ps - due_ps
    let_go = is_garbage | ((late_ps > LATE_PS) & (late_ps < FORCED_PS))
    asked_ps = np.where(let_go | (late_ps <= LATE_PS), due_ps, due_ps + SWITCH_PS)
    middle_ps = (taken_ps[:-1] + np.maximum(asked_ps[1:], taken_ps[:-1])) // 2
    ended = let_go | (late_ps > FORCED_AT_ONCE_PS) | (due_ps < borders_ps[stretch])
    middle_ps = np.where(ended[:-1], taken_ps[:-1], middle_ps)
    middle_ps = np.where(let_go[1:], np.maximum(due_ps[1:], taken_ps[:-1]), middle_ps)
    before_ps, after_ps = _around_collections(due_ps, taken_ps, stretch, is_garbage, stack)
    gap_ps = np.maximum(asked_ps[1:], taken_ps[:-1]) - taken_ps[:-1]
    middle_ps = np.where(after_ps[:-1] > 0, taken_ps[:-1] + np.minimum(after_ps[:-1], gap_ps // 2), middle_ps)
    return np.where(before_ps[1:] > 0, due_ps[1:] - np.minimum(before_ps[1:], gap_ps - gap_ps // 2), middle_ps)


def _around_collections(
    due_ps: Int64, taken_ps: Int64, stretch: Int64, is_garbage: Bool, stack: Int64
) -> tuple[Int64, Int64]:
    """How long a thread made garbage before the first of its collections in one place, and after the last; else 0."""
    rows = np.flatnonzero(is_garbage)
    again = (stack[rows[1:]] == stack[rows[:-1]]) & (stretch[rows[1:]] == stretch[rows[:-1]])
    apart_ps = np.where(again, due_ps[rows[1:]] - taken_ps[rows[:-1]], 0)
    until_next_ps, since_last_ps = np.append(apart_ps, 0), np.append(0, apart_ps)
    before_ps, after_ps = np.zeros((2, len(due_ps)), dtype=np.int64)
    # What was freed before had set the count of what there is to nothing; where it stood at the end is not known.
    before_ps[rows] = np.where(since_last_ps == 0, until_next_ps, 0)
    after_ps[rows] = np.where(until_next_ps == 0, since_last_ps // 2, 0)
    return before_ps, after_ps


def _stretches(states: ThreadStates | None, untraced: Spans | None, first_ps: int, last_ps: int) -> tuple[Int64, Int64]:
    """Where stretches begin, and what each is in: the first state that counts there, and those before and after it."""
    state, starts_ps, ends_ps = _spans(states, untraced)
    near = (ends_ps > first_ps) & (starts_ps <= last_ps)
    state, starts_ps, ends_ps = state[near], starts_ps[near], ends_ps[near]
    borders_ps = np.unique(np.concatenate([[first_ps], starts_ps, ends_ps]))
    borders_ps = borders_ps[borders_ps >= first_ps]
    what = np.full(len(borders_ps), _PYTHON, dtype=np.int64)
    for each in sorted(set(state.tolist()), reverse=True):
        rows = state == each
        begun = np.searchsorted(np.sort(starts_ps[rows]), borders_ps, side="right")
        ended = np.searchsorted(np.sort(ends_ps[rows]), borders_ps, side="right")
        what[begun > ended] = each
    before = np.concatenate([[_PYTHON], what[:-1]])
    after = np.concatenate([what[1:], [_PYTHON]])
    return borders_ps, what * (1 << 16) + before * (1 << 8) + after


def _spans(states: ThreadStates | None, untraced: Spans | None) -> tuple[Int8, Int64, Int64]:
    """States with their starts and ends, in any order."""
    state: Int8 = np.zeros(0, dtype=np.int8)
    starts_ps = ends_ps = np.zeros(0, dtype=np.int64)
    if states is not None:
        # Jax lets go of objects in the midst of anything, which goes on after it.
        rows = states.state != HostState.RELEASE
        state, starts_ps, ends_ps = states.state[rows], states.start_ps[rows], states.end_ps[rows]
    if untraced is not None:
        state = np.append(state, np.full(len(untraced.start_ps), _UNTRACED, dtype=np.int8))
        starts_ps = np.append(starts_ps, untraced.start_ps)
        ends_ps = np.append(ends_ps, untraced.start_ps + untraced.duration_ps)
    return state, starts_ps, ends_ps


def _fill(
    kinds: Int64, empty: Int64, borders_ps: Int64, lasting_ps: Int64, stretch: Int64, starts_ps: Int64, stack: Int64
) -> tuple[Int64, Int64]:
    """Stands for stretches without a sample: each divided as those of its kind are on the whole, in their order."""
    found: list[tuple[Int64, Int64]] = [(borders_ps[empty], np.full(len(empty), UNKNOWN, dtype=np.int64))]
    ends_ps = np.minimum(
        np.append(starts_ps[1:], np.iinfo(np.int64).max), borders_ps[stretch] + np.maximum(1, lasting_ps[stretch])
    )
    weight = np.maximum(1, ends_ps - starts_ps)
    place = (starts_ps - borders_ps[stretch]) / np.maximum(1, lasting_ps[stretch])
    # Where a program is launched is known of the program.
    left = empty[kinds[empty] >> 16 != HostState.DISPATCH]
    # The closest kind first: in the same state between the same two, then in the same state.
    for of in (kinds, kinds >> 16):
        for kind in np.unique(of[left]).tolist():
            rows = np.flatnonzero(of[stretch] == kind)
            if not len(rows):
                continue
            distinct, inverse = np.unique(stack[rows], return_inverse=True)
            whole = np.bincount(inverse, weights=weight[rows])
            order = np.argsort(np.bincount(inverse, weights=weight[rows] * place[rows]) / whole, kind="stable")
            share = np.cumsum(whole[order]) / whole.sum()
            of_kind = left[of[left] == kind]
            offset = np.concatenate([[0.0], share[:-1]])
            begins = borders_ps[of_kind][:, None] + (lasting_ps[of_kind][:, None] * offset[None, :]).astype(np.int64)
            found.append((begins.reshape(-1), np.tile(distinct[order], len(of_kind))))
            left = left[of[left] != kind]
    return np.concatenate([each for each, _ in found]), np.concatenate([each for _, each in found])
