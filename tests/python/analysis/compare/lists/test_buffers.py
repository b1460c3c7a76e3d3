"""Buffers of two runs row by row: what the Memory Viewer says on either side, and sums that hold."""

import pytest

from analysis.compare.conftest import opened
from made.predictions import SCAN, UNROLLED
from made.recorded import DATA
from scopelight.analysis.compare.lists.comparison import compare_list
from scopelight.analysis.compare.lists.options import ComparedListOptions
from scopelight.analysis.compare.pairing import PairedLines
from scopelight.analysis.compare.trees.sides import Sides
from scopelight.analysis.memory.options import ProgramMemoryOptions
from scopelight.analysis.memory.plan.views import memory_viewer
from scopelight.analysis.options import OptionError

BUFFERS = ComparedListOptions("buffers")


def sides(before, after):
    return Sides([before], [after], PairedLines())


def test_every_buffer_of_a_run_is_itself_again(run):
    for module in memory_viewer(run, ProgramMemoryOptions()).modules:
        options = ComparedListOptions("buffers", program=module.program_id)
        view = memory_viewer(run, ProgramMemoryOptions(module.program_id))
        record = compare_list(sides(run, run), options)
        assert [(node.key, node.before, node.after) for node in record.nodes] == [
            (buffer.key, buffer.bytes, buffer.bytes) for buffer in view.buffers
        ]
        assert record.total_before == record.total_after == (view.peak_bytes or 0)
        assert {node.verdict for node in record.nodes} <= {"same"}
        assert record.unit == "bytes"


@pytest.mark.parametrize("runs", [(SCAN, UNROLLED), (UNROLLED, SCAN)])
def test_before_and_change_are_after_to_the_byte(runs):
    before, after = map(opened, runs)
    record = compare_list(sides(before, after), BUFFERS)
    peaks = [memory_viewer(each, ProgramMemoryOptions()).peak_bytes for each in (before, after)]
    assert [record.total_before, record.total_after] == peaks
    assert peaks[0] != peaks[1]
    for node in record.nodes:
        assert (node.before or 0) + node.change == (node.after or 0)
        assert node.judged_by == "exact"
    assert len({node.key for node in record.nodes}) == len(record.nodes)
    # Both take the same arguments.
    assert all(node.verdict == "same" for node in record.nodes if node.label.startswith("parameter"))
    assert {"only-before", "only-after"} <= {node.verdict for node in record.nodes}


def test_a_program_of_another_name_is_new_but_for_the_one_that_needs_most():
    before, after = opened(DATA / "mi300x-elementwise"), opened(DATA / "mi300x-conv")
    record = compare_list(sides(before, after), BUFFERS)
    most = [memory_viewer(each, ProgramMemoryOptions()) for each in (before, after)]
    assert [each.module for each in most] == ["jit_add", "jit_forward_3d_conv"]
    assert [record.total_before, record.total_after] == [each.peak_bytes for each in most]
    other = next(each for each in most[1].modules if each.name == "jit__multi_slice")
    record = compare_list(sides(before, after), ComparedListOptions("buffers", program=other.program_id))
    assert (record.total_before, record.total_after) == (0, other.peak_bytes)
    assert {node.verdict for node in record.nodes} == {"only-after"}


def test_a_memory_that_was_not_used_before_holds_nothing():
    run = opened(SCAN)
    before = opened(DATA / "mi300x-conv")
    space = next(
        (each.number for each in memory_viewer(run, ProgramMemoryOptions()).modules[0].memory_spaces if each.number), 1
    )
    record = compare_list(sides(before, run), ComparedListOptions("buffers", memory_space=space))
    assert record.total_before == 0
    assert {node.verdict for node in record.nodes} == {"only-after"}


def test_a_program_that_is_not_there_is_said():
    run = opened(SCAN)
    with pytest.raises(OptionError, match="no program"):
        compare_list(sides(run, run), ComparedListOptions("buffers", program="nothing"))
