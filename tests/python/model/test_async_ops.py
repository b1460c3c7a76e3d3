"""Asynchronous ops: every done ends the start that it waits for, once."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from made.executions import executions_of, ops_of_module
from scopelight.model.async_ops import async_ops

START, UPDATE, DONE, OTHER, OTHER_DONE = ops_of_module(
    [
        ("all-reduce-start.1", "all-reduce-start", ()),
        ("async-update", "async-update", (0,)),
        ("all-reduce-done.4", "all-reduce-done", (1,)),
        ("copy-start", "copy-start", ()),
        ("copy-done", "copy-done", (3,)),
    ]
)


def pairs(executions, device=0):
    found = async_ops(executions, device)
    return list(zip(found.start.tolist(), found.done.tolist(), strict=True))


def test_an_op_reaches_from_its_start_to_the_end_of_its_done():
    executions = executions_of([(START, 0, 2), (OTHER, 3, 4), (UPDATE, 5, 6), (DONE, 10, 15), (OTHER_DONE, 20, 21)])
    found = async_ops(executions, 0)
    assert list(zip(found.start_ps.tolist(), found.duration_ps.tolist(), strict=True)) == [(0, 15), (3, 18)]


def test_in_a_loop_each_iteration_is_one():
    executions = executions_of([(START, 0, 1), (DONE, 5, 6), (START, 10, 11), (DONE, 15, 16)])
    assert pairs(executions) == [(0, 1), (2, 3)]


def test_what_the_capture_cut_off_at_either_end_is_left_out():
    executions = executions_of([(DONE, 0, 1), (START, 5, 6), (DONE, 7, 8), (START, 9, 10)])
    assert pairs(executions) == [(1, 2)]


def test_devices_are_told_apart():
    executions = executions_of([(START, 0, 1), (DONE, 5, 6), (DONE, 3, 4), (START, 8, 9)], devices=[0, 0, 1, 1])
    assert pairs(executions, 0) == [(0, 1)]
    assert pairs(executions, 1) == []


@given(st.lists(st.sampled_from([START, DONE, OTHER, OTHER_DONE]), max_size=40))
def test_no_start_and_no_done_is_taken_twice_and_none_ends_before_it_started(ops):
    executions = executions_of([(op, row, row + 1) for row, op in enumerate(ops)])
    found = async_ops(executions, 0)
    assert len(np.unique(found.start)) == len(np.unique(found.done)) == len(found)
    assert (found.done > found.start).all()
    assert (np.diff(found.start_ps) > 0).all()
    for start, done in pairs(executions):
        between = ops[start + 1 : done]
        assert ops[start] not in between
        assert ops[done] not in between
