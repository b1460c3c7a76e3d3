"""Records of XLA:CPU sorts, put together with those of the copies that were made for them."""

from types import SimpleNamespace

import numpy as np
import pytest

from scopelight.model.backends.cpu import first_records


@pytest.fixture
def ops():
    """A sort and another op of the entry computation (0, 1), the same of a loop's body (2, 3), and a lone sort (4)."""
    module = SimpleNamespace(entry=0)
    kinds = [(0, "sort"), (0, "add"), (1, "sort"), (1, "add"), (2, "sort")]
    return [
        SimpleNamespace(module=module, instruction=SimpleNamespace(computation=computation, opcode=opcode))
        for computation, opcode in kinds
    ]


def firsts(ops, op, run):
    count = len(op)
    found = first_records(ops, np.array(op, dtype=np.int32), np.array(run), np.arange(count, dtype=np.int64))
    return found.tolist()


def test_records_of_one_run_are_one_sort_however_far_apart(ops):
    assert firsts(ops, [0, 1, 0, 0], [7, 7, 7, 8]) == [0, 1, 0, 3]


def test_a_sort_in_a_loop_runs_as_often_as_the_rest_of_the_body(ops):
    assert firsts(ops, [2, 2, 3, 2, 2, 3], [7] * 6) == [0, 0, 2, 3, 3, 5]
    assert firsts(ops, [2, 3, 2, 3], [7] * 4) == [0, 1, 2, 3]


def test_a_record_that_the_capture_cut_off_moves_no_other_run(ops):
    assert firsts(ops, [2, 3, 2, 2, 3, 2, 2, 3], [6, 6, 7, 7, 7, 8, 8, 8]) == [0, 1, 2, 2, 4, 5, 5, 7]


def test_records_of_a_sort_of_which_nothing_else_is_known_stay_apart(ops):
    assert firsts(ops, [4, 4], [7, 7]) == [0, 1]


def test_profiles_without_sorts_or_executions_are_left_alone(ops):
    assert firsts(ops, [1, 3, 1], [7, 7, 7]) == [0, 1, 2]
    assert firsts(ops, [], []) == []
