"""Where a thread stood by samples of it: what is known between two samples, at borders, and where there is none."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scopelight.formats.host_recording.reader import SampleRows
from scopelight.model.host.sample_stands import sample_stands
from scopelight.model.host.stands import UNKNOWN
from scopelight.model.host.states import HostState, ThreadStates
from scopelight.model.spans import Spans
from scopelight.program.hlo.frames import Frame

MS = 1_000_000
"""In ns."""
STACKS = [(Frame("/a.py", line, "f"),) for line in range(1, 7)]
A, B, C, D, E, F = range(6)


def rows(*samples):
    """Samples of (due, taken, stack), in ms."""
    due, taken, stack = np.array(samples, dtype=float).reshape(-1, 3).T
    columns = [np.round(each * MS).astype(np.int64) for each in (due, taken)]
    return SampleRows(*columns, np.zeros(len(stack), dtype=np.int64), stack.astype(np.int64))


def prompt(at, stack):
    """A sample that did not have to wait for the interpreter."""
    return at, at, stack


def states(*spans):
    """Spans of (state, start, end), in ms."""
    state, start, end = np.array(spans, dtype=float).reshape(-1, 3).T
    columns = [np.round(each * MS * 1000).astype(np.int64) for each in (start, end)]
    return ThreadStates(0, 7, "python", state.astype(np.int8), *columns)


def stood(*samples, garbage=None, within=None, zero_ns=0, untraced=None):
    """Where a thread stood by its samples, as (from when, in ms, stack), without what goes on as before.

    ``untraced`` is from when it was not traced, and for how long, in ms.
    """
    collections = rows(*garbage) if garbage is not None else None
    gap = None if untraced is None else Spans(*(np.array([each * MS * 1000]) for each in untraced))
    found = sample_stands(rows(*samples), collections, zero_ns, STACKS, within, gap)
    assert not found.is_exact
    assert (np.diff(found.start_ps) >= 0).all()
    last = {
        round(start / MS / 1000, 6): stack
        for start, stack in zip(found.start_ps.tolist(), found.stack.tolist(), strict=True)
    }
    return [
        (start, stack)
        for (start, stack), before in zip(last.items(), [None, *last.values()], strict=False)
        if stack != before
    ]


def test_between_prompt_samples_a_thread_moves_on_half_way():
    assert stood(prompt(10, A), prompt(12, B), prompt(16, C)) == [(10, A), (11, B), (14, C)]


def test_a_thread_that_was_made_to_let_go_stood_there_since_it_was_asked_to():
    # 0.7 ms late: the interval of switches, which nobody asks it before, and what a wait takes.
    assert stood(prompt(10, A), (14, 14.7, B), prompt(16.7, A)) == [(10, A), (12.25, B), (15.7, A)]


def test_a_thread_that_let_go_by_itself_says_nothing_of_before_and_after():
    assert stood(prompt(10, A), (14, 14.3, B), prompt(17, C)) == [(10, A), (14, B), (14.3, C)]


def test_a_function_that_held_the_interpreter_is_over_when_it_is_seen():
    assert stood(prompt(10, A), (12, 42, B), prompt(44, C)) == [(10, A), (11.25, B), (42, C)]


def test_garbage_is_collected_from_its_start_to_its_end():
    assert stood(prompt(10, A), prompt(20, C), garbage=[(13, 15, F)]) == [(10, A), (13, F), (15, C)]


def test_garbage_that_is_collected_again_and_again_was_made_as_long_before():
    # 700 objects in every 2 ms: those of the first time too, and half as many after the last.
    often = [(13, 14, F), (16, 17, F), (19, 20, F)]
    assert stood(prompt(5, A), prompt(30, C), garbage=often) == [(5, A), (11, F), (21, C)]
    assert stood(prompt(12, A), prompt(21, C), garbage=often) == [(12, A), (12.5, F), (20.5, C)], "half way at most"


def test_what_was_seen_in_a_call_of_a_library_is_where_all_of_it_stood():
    wait = states((HostState.SYNC, 11, 15))
    assert stood(prompt(10, A), prompt(13, B), prompt(17, C), within=wait) == [(10, A), (11, B), (15, C)]


def test_collections_of_the_runtime_are_no_borders():
    collecting = states((HostState.RELEASE, 12, 12.5))
    assert (
        stood(prompt(10, A), prompt(13, B), within=collecting)
        == stood(prompt(10, A), prompt(13, B))
        == [
            (10, A),
            (11.5, B),
        ]
    )


def test_two_samples_in_a_call_share_it():
    wait = states((HostState.SYNC, 11, 15))
    assert stood(prompt(10, A), prompt(12, B), prompt(14, C), prompt(17, D), within=wait) == [
        (10, A),
        (11, B),
        (13, C),
        (15, D),
    ]


def test_a_sample_that_was_due_before_a_border_says_nothing_of_what_came_after_it():
    wait = states((HostState.TRANSFER, 12, 13))
    assert stood(prompt(10, A), (11.5, 13.7, B), prompt(16, C), within=wait)[-2:] == [(13, B), (13.7, C)]


EACH_STEP = [state for step in range(40) for state in [(HostState.SYNC, 10 * step, 10 * step + 2)]]


def test_what_lies_next_to_a_border_has_all_of_its_time():
    # From 2 to 5 ms of each step on A, to 9 on B, to 10 on C: less than what lies between two samples.
    def stack_at(moment):
        place = moment % 10
        return D if place < 2 else A if place < 5 else B if place < 9 else C

    moments = np.arange(0.5, 400, 2.13)
    found = sample_stands(
        rows(*(prompt(each, stack_at(each)) for each in moments)), None, 0, STACKS, states(*EACH_STEP)
    )
    grid = np.arange(20, 380, 0.01)
    stood_there = found.at((grid * MS * 1000).astype(np.int64))
    for stack, share in ((D, 0.2), (A, 0.3), (B, 0.4), (C, 0.1)):
        assert (stood_there == stack).mean() == pytest.approx(share, abs=0.015)


def test_a_stretch_without_a_sample_is_divided_as_those_of_its_kind_are():
    waits = states((HostState.SYNC, 11, 15), (HostState.SYNC, 21, 25), (HostState.SYNC, 31, 35))
    samples = [prompt(10, A), prompt(12, B), prompt(14, C), prompt(18, D), prompt(28, D), prompt(36, D)]
    found = stood(*samples, within=waits)
    assert found == [
        *((10, A), (11, B), (13, C), (15, D)),
        *((21, B), (23, C), (25, D)),
        *((31, B), (33, C), (35, D)),
    ]


def test_a_stretch_between_the_same_neighbours_is_closer_than_one_in_the_same_state():
    spans = [(HostState.SYNC, 10, 11), (HostState.INPUT, 15, 16), (HostState.SYNC, 20, 21), (HostState.INPUT, 25, 26)]
    waits = states(*spans, (HostState.SYNC, 30, 31))
    samples = [prompt(10.5, A), prompt(13, B), prompt(18, C), prompt(20.5, A), prompt(30.5, A)]
    found = dict(stood(*samples, within=waits))
    assert (found[11], found[16]) == (B, C)
    assert (found[21], found[26]) == (B, C), "between a sync and input as before, and the other way round"


def test_where_nothing_of_its_kind_was_seen_it_is_not_known_where_a_thread_stood():
    waits = states((HostState.SYNC, 11, 12))
    assert stood(prompt(10, A), prompt(14, B), within=waits) == [(10, A), (11, UNKNOWN), (12, B)]


def test_no_line_is_guessed_for_a_launch():
    launches = states((HostState.DISPATCH, 11, 12), (HostState.DISPATCH, 15, 16))
    samples = [prompt(10, A), prompt(11.5, B), prompt(13, C), prompt(18, D)]
    assert (15, UNKNOWN) in stood(*samples, within=launches)


def test_of_states_at_once_the_first_counts():
    # A transfer within a launch is a stretch of its own, and the launch goes on after it.
    nested = states((HostState.DISPATCH, 11, 20), (HostState.TRANSFER, 14, 16), (HostState.TRANSFER, 31, 33))
    samples = [prompt(10, A), prompt(12, B), prompt(15, C), prompt(18, D), prompt(25, E), prompt(40, F)]
    found = stood(*samples, within=nested)
    assert found[:5] == [(10, A), (11, B), (14, C), (16, D), (20, E)]
    assert (31, C) in found, "as the other transfer was, not as the launch around it"


def test_what_was_not_traced_says_nothing_of_the_stretches_of_a_trace():
    waits = states((HostState.SYNC, 11, 15), (HostState.SYNC, 51, 55), (HostState.SYNC, 57, 58))
    # Between two traces it is held for long; within them it stood elsewhere.
    samples = [prompt(10, A), prompt(13, B), prompt(17, C), prompt(25, D), prompt(45, D), prompt(53, B), prompt(60, A)]
    found = stood(*samples, within=waits, untraced=(20, 30))
    assert [start for start, stack in found if stack == D] == [20]
    # Between two waits without a sample: as in the traces.
    assert {stack for start, stack in found if 55 <= start < 57} == {A, C}


def test_times_count_from_the_zero_of_the_profile():
    late = sample_stands(rows(prompt(10, A)), None, 4 * MS, STACKS, None)
    assert late.start_ps.tolist() == [6 * MS * 1000]


def test_without_a_sample_nothing_is_known():
    found = sample_stands(rows(), None, 0, STACKS, states((HostState.SYNC, 1, 2)))
    assert found.at(np.array([5])).tolist() == [UNKNOWN]


def test_collections_alone_are_samples_too():
    assert stood(garbage=[(13, 15, F)])[0][1] == F


SAMPLES = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 12), st.integers(0, 5)), min_size=1, max_size=10)
SPANS = st.lists(st.tuples(st.sampled_from(list(HostState)), st.integers(0, 50), st.integers(1, 12)), max_size=8)


def in_order(samples):
    """As a sampler takes them: due after the one before was taken."""
    found, free = [], 0.0
    for after, late, stack in samples:
        due = free + after / 8 + 0.1
        free = due + late / 8
        found.append((due, free, stack))
    return found


@settings(max_examples=300)
@given(SAMPLES, SPANS)
def test_a_thread_stands_where_it_is_found_whenever_it_is_found(samples, spans):
    samples = in_order(samples)
    within = states(*((state, start, start + duration) for state, start, duration in spans)) if spans else None
    found = sample_stands(rows(*samples), None, 0, STACKS, within)
    assert (np.diff(found.start_ps) >= 0).all()
    taken_ps = rows(*samples).taken_ns * 1000
    borders = set() if within is None else {*within.start_ps.tolist(), *within.end_ps.tolist()}
    for moment, (_, _, stack) in zip(taken_ps.tolist(), samples, strict=True):
        if moment not in borders:
            # What comes next may begin at that very moment.
            assert stack in found.at(np.array([moment - 1, moment])).tolist()


@given(SAMPLES, SPANS)
def test_what_was_found_in_stretches_of_a_state_stays_in_them(samples, spans):
    samples = in_order(samples)
    within = states(*((state, start, start + duration) for state, start, duration in spans))
    found = sample_stands(rows(*samples), None, 0, STACKS, within)
    is_border = within.state != HostState.RELEASE
    borders = sorted({*within.start_ps[is_border].tolist(), *within.end_ps[is_border].tolist(), 10**18})
    taken_ps = (rows(*samples).taken_ns * 1000).tolist()
    found_in = {}
    stretches = list(itertools.pairwise([0, *borders]))
    for begin, end in stretches:
        seen = {stack for moment, (_, _, stack) in zip(taken_ps, samples, strict=True) if begin <= moment < end}
        found_in[state_at(within, begin)] = found_in.get(state_at(within, begin), set()) | seen
    for begin, end in stretches:
        if taken_ps[0] < begin < taken_ps[-1]:
            stood_there = found.at(np.unique(np.linspace(begin, min(end, taken_ps[-1]) - 1, 23).astype(np.int64)))
            assert set(stood_there.tolist()) <= found_in[state_at(within, begin)] | {UNKNOWN}


def state_at(within, moment_ps):
    """The first state that counts at a moment, but collections; None in Python."""
    inside = (within.start_ps <= moment_ps) & (moment_ps < within.end_ps) & (within.state != HostState.RELEASE)
    return min(within.state[inside].tolist(), default=None)


ANY = st.integers(-(2**63), 2**63 - 1) | st.integers(0, 100)


@settings(max_examples=300)
@given(
    st.lists(st.tuples(ANY, ANY, st.integers(0, 5)), max_size=8),
    st.none() | st.lists(st.tuples(ANY, ANY, st.integers(0, 5)), max_size=3),
    st.lists(st.tuples(st.integers(0, 6), ANY, ANY), max_size=4),
)
@pytest.mark.filterwarnings("ignore:overflow")
def test_whatever_a_recording_holds_stands_are_in_order(samples, garbage, spans):
    def table(columns):
        due, taken, stack = np.array(columns, dtype=np.int64).reshape(-1, 3).T
        return SampleRows(due, taken, stack * 0, stack)

    state, start, end = np.array(spans, dtype=np.int64).reshape(-1, 3).T
    within = ThreadStates(0, 7, "python", state.astype(np.int8), start, end)
    found = sample_stands(table(samples), None if garbage is None else table(garbage), 5, STACKS, within)
    assert (found.start_ps[1:] >= found.start_ps[:-1]).all()
    assert len(found.start_ps) == len(found.stack)
    assert ((found.stack >= UNKNOWN) & (found.stack < len(STACKS))).all()
