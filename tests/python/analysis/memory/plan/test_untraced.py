"""Allocations of which no heap trace tells: lifetimes are estimated and marked so, and slack is no buffer's."""

import pytest
from hypothesis import given

from made.findings import said
from made.program.programs import MadeProgram, profile_of, programs
from made.views import memory_lines, memory_viewer
from scopelight.analysis.totals.frames import LineOptions

HERE = LineOptions(roots=("/w",))
H100 = "h100-maxtext-hlo/jit_train_step.hlo.pb.xz"
AWKWARD = "tpu-v5e-awkward/after_optimizations.hlo.pb.xz"
MIB = 1 << 20


def without_traces(proto):
    made = type(proto)()
    made.CopyFrom(proto)
    del made.buffer_assignment.heap_simulator_traces[:]
    return made


@pytest.mark.parametrize("file", [H100, AWKWARD])
def test_the_estimate_of_a_real_program_is_what_its_heap_traces_say(file, real_protos):
    ((_, proto),) = real_protos(file).items()
    traced, untraced = profile_of(proto), profile_of(without_traces(proto))
    for space in memory_viewer(traced).modules[0].memory_spaces:
        true = memory_viewer(traced, HERE, memory_space=space.number)
        ours = memory_viewer(untraced, HERE, memory_space=space.number)
        assert (true.basis, ours.basis) == ("assigned", "estimated")
        assert "estimated" in said(ours, "warning")
        # A few tables of pointers are given back a little later.
        assert ours.peak_bytes == pytest.approx(true.peak_bytes, abs=2048)
        assert {row.id for row in ours.buffers if row.count == 1} == {row.id for row in true.buffers if row.count == 1}
        assert ours.totals.fragmentation_ratio == pytest.approx(true.totals.fragmentation_ratio, abs=1e-5)
        assert sum(row.bytes for row in ours.buffers) == ours.peak_bytes <= ours.totals.allocated_bytes
        lines = memory_lines(untraced, HERE, memory_space=space.number)
        assert lines.basis == "estimated"
        assert sum(line.bytes for line in lines.lines) + lines.unattributed_bytes == ours.peak_bytes


@given(programs())
def test_sums_agree_and_nothing_takes_more_than_is_allocated(proto):
    true, ours = memory_viewer(profile_of(proto), HERE), memory_viewer(profile_of(without_traces(proto)), HERE)
    # The plan was made as the estimate is: every temporary is there up to its last reader.
    assert ours.peak_bytes == true.peak_bytes == ours.modules[0].peak_bytes
    assert sum(row.bytes for row in ours.buffers) == ours.peak_bytes <= ours.totals.allocated_bytes
    assert ours.timeline.bytes[-1] == ours.totals.indefinite_bytes
    has_temporaries = len(ours.timeline.bytes) > 1
    assert ours.basis == ours.modules[0].basis == ("estimated" if has_temporaries else "assigned")
    for here, there in zip(ours.lifetimes.start, ours.lifetimes.end, strict=True):
        assert here <= there


def chain(*, sizes=(4, 2, 1), offsets=(0, 4, 6), allocated=8):
    """Temporaries that are each read by the next op only, so many MiB in size, in one allocation."""
    made = MadeProgram()
    x = made.instruction("parameter", MIB // 4)
    made.allocation(made.size(x), (x, 0), is_entry_computation_parameter=True)
    temporaries = []
    for line, size in enumerate(sizes, 1):
        last = temporaries[-1] if temporaries else x
        temporaries.append(made.instruction("negate", size * MIB // 4, last, place=("/w/train.py", line)))
    result = made.instruction("negate", MIB // 4, temporaries[-1], place=("/w/train.py", 9))
    made.allocation(made.size(result), (result, 0), maybe_live_out=True)
    made.allocation(allocated * MIB, *zip(temporaries, (each * MIB for each in offsets), strict=True))
    return made, temporaries, made.finish(result)


def test_slack_is_charged_to_no_buffer_and_is_told_as_fragmentation():
    _, _, proto = chain()
    record = memory_viewer(profile_of(proto), HERE)
    assert [each // MIB for each in record.timeline.bytes] == [2, 6, 8, 4, 5, 3, 2]
    assert record.peak_bytes == 8 * MIB
    assert record.totals.allocated_bytes == 10 * MIB
    assert record.totals.fragmentation_ratio == 2 / 8
    assert [(line.line, line.bytes // MIB) for line in memory_lines(profile_of(proto), HERE).lines] == [
        (1, 4),
        (2, 2),
        (9, 1),
    ]


def test_what_lies_in_the_place_of_another_takes_its_memory_over():
    _, _, proto = chain(sizes=(4, 4, 4), offsets=(0, 0, 0), allocated=4)
    record = memory_viewer(profile_of(proto), HERE)
    assert max(record.timeline.bytes) == record.peak_bytes == (2 + 4) * MIB
    _, _, partly = chain(sizes=(4, 2, 1), offsets=(0, 1, 6), allocated=8)
    # While the second is made the first is gone from its place, whatever the order of the instructions says.
    assert [each // MIB for each in memory_viewer(profile_of(partly), HERE).timeline.bytes] == [2, 6, 2, 4, 5, 3, 2]


def test_an_allocation_beside_one_with_a_trace_is_laid_into_its_order():
    made, (first, second, third), proto = chain(sizes=(4, 2, 1), offsets=(0, 4, 6))
    del made.assignment.buffer_allocations[2].assigned[1]
    made.allocation(2 * MIB, (second, 0))
    made.trace((0, first), (1, first), (0, third), (1, third))
    record = memory_viewer(profile_of(proto), HERE)
    assert (record.basis, record.peak_bytes) == ("estimated", 8 * MIB)
    # The trace gives the first back before it takes the third; when the second is made the first is still read.
    assert [each // MIB for each in record.timeline.bytes] == [2, 6, 8, 4, 5, 3, 2]
    assert record.timeline.ops[:2] == ("negate.2", "negate.3")


def test_a_buffer_that_reaches_beyond_its_allocation_makes_no_plan_of_it():
    _, _, proto = chain(offsets=(0, 4, 100))
    record = memory_viewer(profile_of(proto), HERE)
    assert (record.peak_bytes, record.timeline.bytes) == (10 * MIB, (10 * MIB,))
    assert "counted throughout" in said(record, "warning")
    assert [row.line for row in record.buffers if row.category == "temporary"] == [None]
