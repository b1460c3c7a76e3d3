"""Compiled programs: from a profile by program id, and from files of their own."""

import lzma

import pytest

from scopelight.formats.errors import FormatError
from scopelight.formats.hlo import hlo_pb2
from scopelight.formats.hlo.reader import hlo_protos, parse_hlo_proto, read_hlo_file
from scopelight.formats.xspace.reader import read_xspace


@pytest.fixture
def unpack(shared_data, tmp_path):
    def unpacked(name):
        path = tmp_path / "module.hlo.pb"
        path.write_bytes(lzma.decompress((shared_data / name).read_bytes()))
        return path

    return unpacked


def test_h100_file_has_what_its_description_counts(unpack):
    proto = read_hlo_file(unpack("h100-maxtext-hlo/jit_train_step.hlo.pb.xz"))
    module, buffers = proto.hlo_module, proto.buffer_assignment
    assert sum(len(each.instructions) for each in module.computations) == 7757
    assert len(module.stack_frame_index.stack_frames) == 337
    assert len(buffers.buffer_allocations) == 202
    assert len(buffers.logical_buffers) == 1732
    assert sum(len(trace.events) for trace in buffers.heap_simulator_traces) == 2260


def test_bare_module_reads_as_the_proto_around_it(unpack, tmp_path):
    proto = read_hlo_file(unpack("tpu-v5e-awkward/after_optimizations.hlo.pb.xz"))
    bare = tmp_path / "bare.hlo.pb"
    bare.write_bytes(proto.hlo_module.SerializeToString())
    assert read_hlo_file(bare).hlo_module == proto.hlo_module


def test_tpu_profile_names_its_programs_by_the_id_in_parentheses(shared_data):
    space = read_xspace(shared_data / "tpu-v6e-host-offload" / "tpu_inference_2.xplane.pb")
    blobs = {blob.program_id: blob for blob in hlo_protos(space)}
    assert {identity: blob.name for identity, blob in blobs.items()} == {
        "9646411105960254074": "jit__psum",
        "11287434908481120160": "jit_broadcast_in_dim",
        "12190760917235803885": "jit_f",
        "2433868464432466958": "jit_convert_element_type",
    }
    module = blobs["12190760917235803885"].parse().hlo_module
    assert module.name == "jit_f"
    opcodes = {each.opcode for row in module.computations for each in row.instructions}
    assert {"copy-start", "copy-done"} <= opcodes


def test_gpu_profile_has_a_program_for_each_entry(shared_data):
    blobs = list(hlo_protos(read_xspace(shared_data / "mi300x-conv" / "tw003.xplane.pb")))
    assert len({blob.program_id for blob in blobs}) == len(blobs) == 8
    for blob in blobs:
        module = blob.parse().hlo_module
        assert (module.name, str(module.id)) == (blob.name, blob.program_id)


def space_of(xplane, path, entries):
    """A profile whose programs are (key, name, program_id stat or None)."""
    names = {1: "Hlo Proto", 2: "program_id"}
    plane = xplane.XPlane(name="/host:metadata")
    for key, name in names.items():
        plane.stat_metadata.append(xplane.StatEntry(key=key, value=xplane.XStatMetadata(name=name)))
    computation = hlo_pb2.HloComputationProto(name="main")
    proto = hlo_pb2.HloProto(hlo_module=hlo_pb2.HloModuleProto(name="m", computations=[computation]))
    for key, name, recorded in entries:
        value = xplane.XEventMetadata(name=name)
        value.stats.append(xplane.XStat(metadata_id=1, bytes_value=proto.SerializeToString()))
        if recorded is not None:
            value.stats.append(xplane.XStat(metadata_id=2, uint64_value=recorded))
        plane.event_metadata.append(xplane.EventEntry(key=key, value=value))
    path.write_bytes(xplane.XSpace(planes=[plane]).SerializeToString())
    return read_xspace(path)


def test_program_id_is_name_then_stat_then_key(xplane, tmp_path):
    entries = [(5, "jit_a(77)", 9), (6, "jit_b", 2**64 - 1), (-1, "jit_c", None), (8, "f(x)(12)", None)]
    blobs = list(hlo_protos(space_of(xplane, tmp_path / "x.xplane.pb", entries)))
    assert [(blob.program_id, blob.name) for blob in blobs] == [
        ("77", "jit_a"),
        ("18446744073709551615", "jit_b"),
        ("18446744073709551615", "jit_c"),
        ("12", "f(x)"),
    ]
    assert all(blob.parse().hlo_module.name == "m" for blob in blobs)


@pytest.mark.parametrize("content", [b"", b"\x0a\x05abc", b"\xff" * 40, b"\x0a\x00", b"plain words"])
def test_bytes_that_are_no_program_are_refused(content, tmp_path):
    with pytest.raises(FormatError, match="the place it came from is not a readable HLO module"):
        parse_hlo_proto(content, where="the place it came from")
    path = tmp_path / "broken.hlo.pb"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=r"broken\.hlo\.pb is not a readable HLO module: .*\."):
        read_hlo_file(path)


def test_endless_nesting_is_refused():
    """Shapes in shapes in shapes: the parser must not follow them for ever."""
    shape = b""
    for _ in range(3000):
        shape = b"\x22" + _length(shape) + shape
    module = hlo_pb2.HloModuleProto(computations=[hlo_pb2.HloComputationProto(name="main")])
    body = b"\x1a" + _length(shape) + shape
    instruction = b"\x12" + _length(body) + body
    computation = b"\x1a" + _length(instruction) + instruction
    encoded = module.SerializeToString() + computation
    with pytest.raises(FormatError):
        parse_hlo_proto(b"\x0a" + _length(encoded) + encoded, where="deep")


def _length(content):
    length, encoded = len(content), b""
    while length >= 0x80:
        encoded += bytes([length & 0x7F | 0x80])
        length >>= 7
    return encoded + bytes([length])
