"""Memory by line: nothing is lost, nothing counted twice, and what is kept for the backward pass is named so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.findings import said
from made.program.programs import MadeProgram, profile_of, programs
from made.views import memory_lines, memory_viewer
from scopelight.analysis.memory.plan.execution_order import live_at
from scopelight.analysis.memory.plan.program_choice import program_choice
from scopelight.analysis.memory.plan.viewer import viewed_program
from scopelight.analysis.totals.frames import LineOptions

HERE = LineOptions(roots=("/w",))


@given(programs())
def test_lines_and_what_is_of_no_line_are_the_peak_exactly(proto):
    profile = profile_of(proto)
    record, viewed = memory_lines(profile, HERE), memory_viewer(profile, HERE)
    assert record.peak_bytes == viewed.peak_bytes == max(viewed.timeline.bytes)
    assert sum(line.bytes for line in record.lines) + record.unattributed_bytes == record.peak_bytes
    assert sum(row.bytes for row in viewed.buffers) == viewed.peak_bytes
    assert sum(row.unpadded_bytes for row in viewed.buffers) == viewed.peak_unpadded_bytes
    seen = [row.id for line in record.lines for row in line.buffers]
    assert len(seen) == len(set(seen))
    for line in record.lines:
        assert line.bytes == sum(row.bytes for row in line.buffers)
        assert line.residual_bytes == sum(row.bytes for row in line.buffers if row.is_residual)
        assert line.path in ("train.py", "model.py")
        assert line.file == f"/w/{line.path}"


@given(programs(), st.data())
def test_what_is_alive_at_a_position_is_what_the_curve_says(proto, data):
    profile = profile_of(proto)
    choice = program_choice(profile)
    viewed = viewed_program(profile, choice, choice.find(None), HERE)
    space = viewed.memory.space(0)
    curve = memory_viewer(profile, HERE).timeline.bytes
    position = data.draw(st.integers(-1, len(curve) - 2))
    alive = live_at(viewed.memory, space, viewed.rows, position)
    assert sum(row.bytes for row in alive.buffers) == alive.bytes == curve[position + 1]
    assert alive.change_bytes == (curve[position + 1] - curve[position] if position >= 0 else 0)
    assert (alive.op == "") == (position < 0)
    for wrong in (-2, len(curve) - 1):
        with pytest.raises(LookupError):
            live_at(viewed.memory, space, viewed.rows, wrong)


@given(programs())
def test_every_op_runs_in_memory_that_holds_what_it_reads_and_makes(proto):
    """The curve over the execution: at each op at least its operands and its result are there."""
    record = memory_viewer(profile_of(proto), HERE)
    instructions = {each.name: each for each in proto.hlo_module.computations[0].instructions}
    sizes = {each.id: each.size for each in proto.buffer_assignment.logical_buffers}
    if record.execution is None:
        # Nothing comes or goes: all of it is there while any op runs.
        assert record.timeline.bytes == (record.peak_bytes,)
        return
    assert [*record.execution.ops] == [name for name, each in instructions.items() if each.opcode == "add"]
    for op, now, position in zip(record.execution.ops, record.execution.bytes, record.execution.positions, strict=True):
        needed = {*instructions[op].operand_ids, instructions[op].id}
        assert now == record.timeline.bytes[position + 1]
        assert now >= sum(sizes[each] for each in needed)


def training_step():
    """A forward op whose result the backward pass reads, and one whose result only the forward pass reads."""
    made = MadeProgram()
    x = made.instruction("parameter", 1 << 20, parameter_number=0)
    made.allocation(made.size(x), (x, 0), is_entry_computation_parameter=True)
    forward, backward = "jit(step)/jvp(loss)/mul", "jit(step)/transpose(jvp(loss))/mul"
    kept = made.instruction("multiply", 1 << 20, x, x, op_name=forward, place=("/w/train.py", 3))
    brief = made.instruction("multiply", 1 << 18, kept, op_name=forward, place=("/w/train.py", 4))
    loss = made.instruction("multiply", 1 << 19, brief, op_name=forward, place=("/w/train.py", 4))
    gradient = made.instruction("multiply", 1 << 20, loss, kept, op_name=backward, place=("/w/train.py", 3))
    made.allocation(made.size(gradient), (gradient, 0), maybe_live_out=True)
    made.allocation(8 << 20, (kept, 0), (brief, 4 << 20), (loss, 5 << 20))
    made.trace((0, kept), (0, brief), (0, loss), (1, brief), (1, loss), (1, kept))
    return made.finish(gradient)


def test_what_is_kept_for_the_backward_pass_is_told_apart():
    record = memory_lines(profile_of(training_step()), HERE)
    third, fourth = record.lines
    # The gradient is of the same line, and an output.
    assert (third.line, third.bytes, third.residual_bytes) == (3, 8 << 20, 4 << 20)
    assert [(row.category, row.is_residual, row.last_line) for row in third.buffers] == [
        ("output", False, None),
        ("temporary", True, 3),
    ]
    # The loss is read by the backward pass as well; what only the forward pass reads is not kept.
    assert (fourth.line, fourth.bytes, fourth.residual_bytes) == (4, (1 << 20) + (2 << 20), 2 << 20)
    assert record.unattributed_bytes == 4 << 20
    assert record.peak_bytes == 15 << 20


def test_the_curve_over_the_execution_has_the_marks_of_the_passes():
    curve = memory_viewer(profile_of(training_step()), HERE).execution
    assert [(band.phase, band.start, band.end) for band in curve.phases] == [("forward", 0, 3), ("backward", 3, 4)]
    assert (curve.forward_start, curve.backward_end) == (0, 4)
    # While the last op runs, what only the forward pass read is gone.
    assert [each >> 20 for each in curve.bytes] == [12, 13, 15, 14]


def test_an_op_without_a_line_takes_that_of_what_reads_it_but_an_argument_does_not():
    made = MadeProgram()
    x = made.instruction("parameter", 1 << 20)
    made.allocation(made.size(x), (x, 0), is_entry_computation_parameter=True)
    copied = made.instruction("copy", 1 << 20, x)
    result = made.instruction("negate", 1 << 20, copied, place=("/w/train.py", 9))
    made.allocation(made.size(result), (result, 0), maybe_live_out=True)
    made.allocation(made.size(copied), (copied, 0))
    made.trace((0, copied), (1, copied))
    record = memory_lines(profile_of(made.finish(result)), HERE)
    assert [(line.line, line.bytes) for line in record.lines] == [(9, 8 << 20)]
    assert record.unattributed_bytes == 4 << 20


def test_temporaries_of_which_nothing_is_known_are_counted_throughout_as_no_buffer_s_and_said():
    made = MadeProgram()
    x = made.instruction("parameter", 1 << 20)
    made.allocation(made.size(x), (x, 0), is_entry_computation_parameter=True)
    result = made.instruction("negate", 1 << 20, x, place=("/w/train.py", 1))
    made.allocation(made.size(result), (result, 0), maybe_live_out=True)
    made.allocation(4 << 20)
    profile = profile_of(made.finish(result))
    record = memory_viewer(profile, HERE)
    assert (record.peak_bytes, record.peak_position, record.timeline.bytes) == (12 << 20, None, (12 << 20,))
    assert [(row.name, row.category, row.bytes, row.line) for row in record.buffers] == [
        ("parameter.1", "parameter", 4 << 20, None),
        ("negate.2", "output", 4 << 20, 1),
        ("allocation 2", "temporary", 4 << 20, None),
    ]
    assert "counted throughout" in said(record, "warning")
    lines = memory_lines(profile, HERE)
    assert ([line.bytes for line in lines.lines], lines.unattributed_bytes) == ([4 << 20], 8 << 20)


def test_memory_of_a_result_is_of_the_line_that_makes_it_whatever_lay_there_before():
    made = MadeProgram()
    x = made.instruction("parameter", 1 << 20)
    made.allocation(made.size(x), (x, 0), is_entry_computation_parameter=True)
    before = made.instruction("negate", 1 << 20, x, place=("/w/train.py", 1))
    result = made.instruction("negate", 1 << 20, before, place=("/w/train.py", 2))
    made.allocation(made.size(result), (before, 0), (result, 0), maybe_live_out=True)
    record = memory_lines(profile_of(made.finish(result)), HERE)
    assert [(line.line, line.bytes) for line in record.lines] == [(2, 4 << 20)]


def test_several_programs_of_one_name_can_all_be_asked_for():
    profile = profile_of(training_step(), training_step(), training_step(), ids=("7", "", ""))
    record = memory_viewer(profile, HERE)
    assert [each.program_id for each in record.modules] == ["7", "jit_step", "jit_step #2"]
    assert memory_viewer(profile, HERE, "jit_step #2").peak_bytes == 15 << 20
    with pytest.raises(
        LookupError, match=r"no program 8: there is jit_step \(7\), jit_step, jit_step \(jit_step #2\)\."
    ):
        memory_viewer(profile, HERE, "8")
    with pytest.raises(LookupError, match="memory space 5"):
        memory_viewer(profile, HERE, None, 5)


def test_a_profile_without_programs_says_what_to_do():
    for record in (memory_viewer(profile_of()), memory_lines(profile_of())):
        assert record.peak_bytes is None
        assert "compiled programs" in said(record, "empty")
        assert "scopelight run" in said(record, "empty")
