"""Which launch a program run of the CPU is from."""

import numpy as np

from scopelight.model.backends.launch_order import launches_in_order, outermost
from scopelight.model.joins import dense_ids


def column(*values):
    return np.array(values, dtype=np.int64)


def in_order(run_id, *columns):
    return launches_in_order(*dense_ids(run_id), *columns)


def test_runs_that_were_queued_behind_each_other_are_from_the_launches_in_order():
    # Two executions of each run; all runs of the queue descend from its first launch, as far as that is known.
    runs, starts = column(7, 7, 8, 8, 9, 9), column(12, 13, 100, 101, 200, 201)
    launched = in_order(runs, runs * 0, starts, column(10, -1, 10, -1, 10, 10), column(10, 20, 30))
    assert launched.tolist() == [10, 10, 20, 20, 30, 30]


def test_a_run_that_is_from_a_launch_of_its_own_stays_with_it():
    runs, starts = column(1, 2, 3, 4), column(12, 100, 205, 305)
    launched = in_order(runs, runs * 0, starts, column(10, 10, 200, 300), column(10, 20, 200, 300))
    assert launched.tolist() == [10, 20, 200, 300]


def test_no_run_is_from_a_launch_that_came_after_it():
    runs = column(1, 2)
    assert in_order(runs, runs * 0, column(12, 15), column(10, 10), column(10, 20)).tolist() == [10, 10]


def test_a_device_that_not_every_launch_was_for_keeps_what_is_known():
    runs, devices = column(1, 1, 2, 3, 3), column(0, 1, 0, 0, 1)
    launched = in_order(runs, devices, column(5, 5, 50, 90, 95), column(1, 1, 1, 1, 1), column(1, 2, 3))
    assert launched.tolist() == [1, 1, 2, 3, 1]


def test_what_a_launch_holds_of_itself_is_no_launch():
    starts, ends = column(0, 1, 2, 10, 11, 0, 3), column(9, 5, 4, 20, 12, 4, 8)
    launches = np.array([True, True, True, True, True, True, False])
    assert outermost(starts, ends, column(0, 5, 7), launches).tolist() == [0, 0, 10]
