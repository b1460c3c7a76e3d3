"""Program runs without ids are told apart by ops that come round again."""

import numpy as np
import pytest

from scopelight.model.backends.cpu import _runs_without_ids
from scopelight.model.backends.run_splitting import split_runs
from scopelight.model.backends.tables import Tables
from scopelight.model.executions import Op
from scopelight.program.hlo.nouns import Computation, HloModule, Instruction, Shape


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


def one_of_an_entry(opcode):
    shape = Shape("f32", (4,))
    instructions = (
        Instruction(0, "p", "parameter", shape, 0, parameter_number=0),
        Instruction(1, f"{opcode}.1", opcode, shape, 0, (0,)),
    )
    module = HloModule("jit_f", "7", instructions, (Computation(0, "main", (0, 1), 1),), 0)
    return Op(f"{opcode}.1", opcode, 0, module, instructions[1])


@pytest.mark.parametrize(("opcode", "expected"), [("add", [1, 2, 3, 4]), ("sort", [1, 1, 1, 1])])
def test_an_op_that_is_all_of_a_cpu_program_runs_once_for_each_record_but_sorts(opcode, expected):
    """A run of a program of one sort may have any number of records: nothing says how many."""
    tables = Tables(ops=[one_of_an_entry(opcode)])
    of_runs = _runs_without_ids(tables, np.zeros(4, dtype=np.int32), np.arange(4, dtype=np.int64))
    assert of_runs.tolist() == expected
