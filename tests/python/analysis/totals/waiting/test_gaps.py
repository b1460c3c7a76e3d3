"""When devices ran nothing, and what ended that."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.executions import executions_of
from made.host.idle import op
from scopelight.analysis.device_time.busy import busy_spans
from scopelight.analysis.totals.waiting.gaps import UNKNOWN, gaps_of
from scopelight.model.executions import ProgramRuns

A, B = op("a"), op("b")


def found(rows, *, until, runs=None, launches=(), by_host=(), devices=None, device=0):
    """The gaps of a device, from (op, start, end) of runs that were launched at ``launches``."""
    zeros = np.zeros(len(launches), dtype=np.int64)
    of_runs = ProgramRuns(
        *(zeros.astype(np.int32),) * 2, zeros.astype(np.uint64), zeros, zeros, np.array(launches, dtype=np.int64)
    )
    executions = executions_of(rows, runs=runs, devices=devices)
    return gaps_of(executions, of_runs, device, until, np.array(by_host, dtype=np.int64))


def edges(gaps):
    return list(zip(gaps.start_ps.tolist(), gaps.end_ps.tolist(), strict=True))


ROWS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 10), st.integers(-1, 2)), min_size=1, max_size=10)


@given(ROWS, st.integers(0, 20))
def test_gaps_and_busy_time_are_the_whole_window(rows, more):
    rows = sorted(rows)
    until = max(start + duration for start, duration, _ in rows) + more
    made = [(A, start, start + duration) for start, duration, _ in rows]
    gaps = found(made, until=until, runs=[run for *_, run in rows], launches=[-1, 3, 8])
    busy = busy_spans(executions_of(made), 0)
    assert (gaps.end_ps - gaps.start_ps).sum() + busy.duration_ps.sum() == until
    running = np.zeros(until, dtype=bool)
    for start, duration, _ in rows:
        running[start : start + duration] = True
    idle = np.zeros(until, dtype=bool)
    for start, end in edges(gaps):
        assert start < end
        assert not idle[start:end].any()
        idle[start:end] = True
    assert (idle == ~running).all()


def test_a_gap_is_ended_by_what_runs_next():
    gaps = found([(A, 10, 20), (B, 30, 40), (A, 40, 50)], until=60)
    assert edges(gaps) == [(0, 10), (20, 30), (50, 60)]
    # Ops go by their first execution.
    assert gaps.op.tolist() == [0, 1, UNKNOWN]


def test_what_takes_no_time_ends_no_gap_but_is_first_where_another_begins():
    gaps = found([(A, 10, 20), (B, 25, 25), (B, 30, 30), (A, 30, 40)], until=40)
    assert edges(gaps) == [(0, 10), (20, 30)]
    assert gaps.op.tolist() == [0, 1]


def test_a_gap_is_late_where_its_run_was_launched_after_it_began():
    rows = [(A, 10, 20), (A, 30, 40), (A, 50, 60)]
    gaps = found(rows, until=60, runs=[0, 1, 2], launches=[0, 20, 39])
    assert gaps.launch_ps.tolist() == [0, 20, 39]
    assert gaps.is_late.tolist() == [True, True, False], "launched as it began, launched then, launched before"


def test_a_gap_within_a_run_is_never_late():
    gaps = found([(A, 10, 20), (B, 30, 40)], until=40, runs=[0, 0], launches=[5])
    assert gaps.is_inside.tolist() == [False, True]
    assert gaps.is_late.tolist() == [True, False]


def test_runs_that_run_in_turns_are_told_apart():
    rows = [(A, 10, 20), (B, 30, 40), (A, 50, 60), (B, 70, 80)]
    gaps = found(rows, until=80, runs=[0, 1, 0, 1], launches=[0, 25])
    assert gaps.is_inside.tolist() == [False, False, True, True]


def test_a_run_of_unknown_launch_was_launched_last_before_it_began():
    rows = [(A, 10, 20), (A, 30, 40), (A, 50, 60)]
    gaps = found(rows, until=60, runs=[0, 1, 2], launches=[-1, -1, 45], by_host=[2, 12, 30, 41, 55])
    assert gaps.launch_ps.tolist() == [2, 30, 45]
    before = found(rows, until=60, runs=[0, 1, 2], launches=[-1] * 3, by_host=[15])
    assert before.launch_ps.tolist() == [UNKNOWN, 15, 15]
    assert before.is_late.tolist() == [True, False, False]


def test_what_is_of_no_run_has_no_launch_and_is_late():
    gaps = found([(A, 10, 20), (A, 30, 40)], until=40, runs=[-1, -1], by_host=[1, 22])
    assert gaps.launch_ps.tolist() == [UNKNOWN, UNKNOWN]
    assert gaps.is_late.all() and not gaps.is_inside.any()


def test_what_is_of_no_run_has_no_launch_beside_runs_either():
    gaps = found([(A, 10, 20), (B, 30, 40)], until=40, runs=[0, -1], launches=[5], by_host=[5])
    assert gaps.launch_ps.tolist() == [5, UNKNOWN]


@pytest.mark.parametrize(
    ("launches", "wanted"),
    [([], [False, True]), ([9], [True, True]), ([10], [True, True]), ([11, 20], [False, True]), ([0], [True, True])],
)
def test_whether_the_host_launched_in_a_gap(launches, wanted):
    gaps = found([(A, 10, 20)], until=40)
    assert gaps.has_launch(np.array(launches, dtype=np.int64)).tolist() == wanted


def test_devices_have_their_own_gaps():
    rows = [(A, 10, 20), (A, 0, 30)]
    assert edges(found(rows, until=40, devices=[0, 1])) == [(0, 10), (20, 40)]
    assert edges(found(rows, until=40, devices=[0, 1], device=1)) == [(30, 40)]
