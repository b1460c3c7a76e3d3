"""Buffer assignments are hostile input: what is wrong in them ends in a sentence, and never in more."""

import copy
import random

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from made.findings import codes, said
from made.program.programs import MadeProgram, profile_of, programs
from made.views import memory_lines, memory_viewer
from scopelight.formats.errors import FormatError
from scopelight.formats.hlo import hlo_pb2
from scopelight.formats.hlo.reader import read_hlo_file
from scopelight.program.memory.builder import build_buffers, build_schedule

HUGE = 1 << 62


def made():
    program = MadeProgram()
    x = program.instruction("parameter", 8)
    program.allocation(32, (x, 0), is_entry_computation_parameter=True)
    y = program.instruction("negate", 8, x)
    z = program.instruction("negate", 8, y)
    program.allocation(32, (z, 0), maybe_live_out=True)
    program.allocation(32, (y, 0))
    program.trace((0, y), (1, y))
    return program.finish(z)


def test_columns_are_what_the_messages_say():
    proto = made()
    proto.buffer_assignment.logical_buffers[1].defined_at.shape_index.extend((1, 2))
    buffers = build_buffers(proto)
    assert (buffers.id.tolist(), buffers.bytes.tolist(), buffers.instruction.tolist()) == (
        [1, 2, 3],
        [32] * 3,
        [0, 1, 2],
    )
    assert buffers.shape_index == ((), (1, 2), ())
    assert (buffers.allocation.tolist(), buffers.offset.tolist()) == ([0, 2, 1], [0, 0, 0])
    assert [each.is_indefinite for each in buffers.allocations] == [True, True, False]
    assert buffers.traces[0].kind.tolist() == [0, 1]


def test_buffers_of_older_files_are_found_by_the_names_of_instructions():
    proto = made()
    for buffer in proto.buffer_assignment.logical_buffers:
        buffer.defined_at.instruction_name = proto.hlo_module.computations[0].instructions[buffer.id - 1].name
        buffer.defined_at.instruction_id = 0
    assert build_buffers(proto).instruction.tolist() == [0, 1, 2]


def test_a_program_without_a_buffer_assignment_has_none():
    proto = made()
    proto.ClearField("buffer_assignment")
    assert build_buffers(proto) is None


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda a: a.logical_buffers.add(id=1), "have one id"),
        (lambda a: a.buffer_allocations.add(index=0), "have one index"),
        (lambda a: setattr(a.logical_buffers[0], "size", -1), "impossible size"),
        (lambda a: setattr(a.logical_buffers[0], "size", HUGE), "impossible size"),
        (lambda a: setattr(a.buffer_allocations[0], "size", HUGE), "impossible size"),
        (lambda a: setattr(a.buffer_allocations[0], "color", -7), "impossible space"),
        (lambda a: a.buffer_allocations[0].assigned.add(logical_buffer_id=99), "logical buffer 99"),
        (lambda a: setattr(a.buffer_allocations[0].assigned[0], "offset", -5), "impossible size or offset -5"),
        (lambda a: a.heap_simulator_traces[0].events.add(kind=0, buffer_id=77), "logical buffer 77"),
        (lambda a: a.heap_simulator_traces[0].events.add(kind=2, buffer_id=1, share_with_canonical_id=5), "buffer 5"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(spoil, sentence):
    proto = made()
    spoil(proto.buffer_assignment)
    with pytest.raises(FormatError, match=sentence):
        build_buffers(proto, "step.hlo.pb")


def test_more_memory_spaces_than_any_device_has_are_refused():
    proto = made()
    for number in range(100):
        proto.buffer_assignment.buffer_allocations.add(index=number + 10, size=1, color=number)
    with pytest.raises(FormatError, match="more memory spaces"):
        build_buffers(proto)


def test_an_event_of_an_unknown_kind_is_refused():
    # A later XLA may have more of them: a message keeps the number.
    proto = made()
    event = proto.buffer_assignment.heap_simulator_traces[0].events[0]
    event.MergeFromString(b"\x08\x09")
    with pytest.raises(FormatError, match="unknown kind"):
        build_buffers(proto)


def test_a_broken_program_does_not_hide_the_others():
    broken = made()
    broken.hlo_module.name = "jit_broken"
    broken.buffer_assignment.heap_simulator_traces[0].events.add(kind=1, buffer_id=2)
    profile = profile_of(made(), broken)
    record = memory_viewer(profile)
    assert (record.module, record.peak_bytes, codes(record, "empty")) == ("jit_step", 96, [])
    assert [(each.name, each.peak_bytes) for each in record.modules] == [("jit_step", 96), ("jit_broken", None)]
    assert "frees a buffer that is not in memory" in said(record, "warning")
    asked = memory_viewer(profile, program="jit_broken")
    assert asked.peak_bytes is None
    assert "cannot be read" in said(asked, "empty")


def test_the_schedule_leaves_out_what_is_no_instruction_of_the_computation():
    proto = made()
    sequence = proto.hlo_module.schedule.sequences[1].instruction_ids
    sequence.extend((1, 99, 3, 2, 3))
    assert dict(build_schedule(proto).sequences) == {0: (0, 2, 1)}


def test_scoped_memory_is_read_from_the_configuration_of_ops():
    proto = made()
    one, two, three = proto.hlo_module.computations[0].instructions
    one.backend_config = (
        b'{"used_scoped_memory_configs":[{"memory_space":"1","offset":"0","size":"64"},'
        b'{"memory_space":"1","offset":"64","size":"6"}]}'
    )
    two.backend_config = b'{"used_scoped_memory_configs":[{"memory_space":"1","size":"69"}]}'
    three.backend_config = b'{"used_scoped_memory_configs":[{"memory_space":'
    assert build_buffers(proto).scoped_bytes == {1: 70}


@given(programs(), st.randoms(use_true_random=False))
def test_any_broken_assignment_is_shown_or_refused_with_a_sentence(proto, chance: random.Random):
    """Bytes of the assignment changed at random: the viewer shows what is left, or a `FormatError` says why not."""
    data = bytearray(proto.buffer_assignment.SerializeToString())
    for _ in range(chance.randint(1, 8)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    spoiled = hlo_pb2.HloProto(hlo_module=proto.hlo_module)
    try:
        spoiled.buffer_assignment.ParseFromString(bytes(data))
    except DecodeError:
        return
    profile = profile_of(spoiled)
    try:
        record, lines = memory_viewer(profile), memory_lines(profile)
    except FormatError as error:
        assert str(error).endswith(".")
        return
    if record.peak_bytes is None:
        assert codes(record, "empty")
    else:
        assert sum(row.bytes for row in record.buffers) == record.peak_bytes == max(record.timeline.bytes)
        assert sum(line.bytes for line in lines.lines) + lines.unattributed_bytes == lines.peak_bytes


def test_a_real_assignment_with_changed_bytes_is_shown_or_refused(shared_data):
    original = read_hlo_file(shared_data / "h100-maxtext-hlo" / "jit_train_step.hlo.pb.xz")
    assignment = original.buffer_assignment.SerializeToString()
    chance = random.Random(6)
    ends = set()
    for _ in range(25):
        changed = bytearray(assignment)
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
        spoiled = copy.deepcopy(original)
        try:
            spoiled.buffer_assignment.ParseFromString(bytes(changed))
            record = memory_viewer(profile_of(spoiled))
        except (DecodeError, FormatError):
            ends.add("refused")
            continue
        ends.add("shown" if record.peak_bytes is not None else "refused")
        assert (not codes(record, "empty")) == (record.peak_bytes is not None)
    assert ends == {"shown", "refused"}
