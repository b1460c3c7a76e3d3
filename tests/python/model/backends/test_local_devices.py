"""A program of several processes ran on some of its devices here."""

import numpy as np
import pytest

from scopelight.model.backends.cpu import _runs_without_ids
from scopelight.model.backends.local_devices import devices_here
from scopelight.model.backends.tables import Tables
from scopelight.model.executions import Op
from scopelight.program.hlo.nouns import Computation, HloModule, Instruction, Shape


def op_of(program, device_count):
    shape = Shape("f32", (4,))
    instructions = (
        Instruction(0, "p", "parameter", shape, 0, parameter_number=0),
        Instruction(1, "add.1", "add", shape, 0, (0,)),
    )
    computations = (Computation(0, "main", (0, 1), 1),)
    module = HloModule("jit_f", str(program), instructions, computations, 0, device_count=device_count)
    return Op("add.1", "add", program, module, instructions[1])


def launches(times, devices):
    """So many launches on so many devices each."""
    return [False, *[True] * devices] * times


@pytest.mark.parametrize(
    ("processes", "devices", "small"),
    [(1, 4, 0), (1, 4, 10), (1, 4, 50), (2, 2, 0), (2, 2, 10), (2, 2, 50), (4, 1, 0), (4, 1, 10), (4, 1, 50)],
)
def test_the_devices_of_a_host_are_told_by_its_launches(processes, devices, small):
    ops = [op_of(0, processes * devices), op_of(1, 1)]
    executions = np.array([0] * 10 * devices + [1] * small, dtype=np.int32)
    # Programs of which no op is recorded are launched as well.
    launched = np.array(launches(10, devices) + launches(small + 7, 1))
    assert devices_here(ops, executions, launched).tolist() == [devices, 1]


def test_without_launches_all_devices_are_of_this_host():
    nothing = np.zeros(0, dtype=np.bool_)
    assert devices_here([op_of(0, 4)], np.zeros(8, dtype=np.int32), nothing).tolist() == [4]
    assert devices_here([op_of(0, 4)], np.zeros(8, dtype=np.int32), None).tolist() == [4]


def test_each_run_of_a_process_with_one_device_is_a_run_and_no_device_is_missing():
    tables = Tables(ops=[op_of(0, 2)])
    times = np.arange(6, dtype=np.int64)
    runs = _runs_without_ids(tables, np.zeros(6, dtype=np.int32), times, np.array(launches(6, 1)))
    assert runs.tolist() == [1, 2, 3, 4, 5, 6]
    assert not tables.findings
