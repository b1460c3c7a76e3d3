"""Program runs without ids are told apart by ops that come round again."""

import numpy as np

from scopelight.model.backends.run_splitting import split_runs


def runs(ops, once, *, group=None, devices=None):
    count = len(ops)
    return split_runs(
        np.array(ops, dtype=np.int32),
        np.zeros(count, dtype=np.int64) if group is None else np.array(group),
        np.arange(count, dtype=np.int64),
        np.array(once),
        None if devices is None else np.full(count, devices, dtype=np.int64),
    ).tolist()


def test_a_run_ends_when_an_op_of_it_comes_round_again():
    assert runs([0, 1, 2, 0, 1, 2], [True] * 3) == [1, 1, 1, 2, 2, 2]


def test_kernels_of_one_op_in_a_row_are_one_execution():
    assert runs([0, 1, 1, 2, 0, 1, 1, 2], [True] * 3) == [1, 1, 1, 1, 2, 2, 2, 2]


def test_ops_of_loop_bodies_may_repeat_within_a_run():
    assert runs([0, 1, 2, 1, 2, 3, 0, 1, 2], [True, False, False, True]) == [1] * 6 + [2] * 3


def test_runs_stay_as_long_where_the_capture_began_in_the_middle_of_one():
    assert runs([2, 3, 0, 1, 2, 3, 0, 1], [True] * 4) == [1, 1, 1, 1, 2, 2, 2, 2]


def test_groups_are_numbered_apart():
    assert runs([0, 2, 1, 3, 0, 2], [True] * 4, group=[0, 1, 0, 1, 0, 1]) == [1, 2, 1, 2, 3, 4]


def test_devices_that_are_not_told_apart_share_a_run():
    assert runs([0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 1], [True] * 2, devices=3) == [1] * 6 + [2] * 6
