"""Snapshots of memory: jax's own files read as they are, anything else refused in one sentence."""

import gzip
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopelight.formats.errors import FormatError
from scopelight.formats.pprof import pprof_pb2
from scopelight.formats.pprof.reader import MOST_FRAMES, read_pprof
from scopelight.formats.pprof.recognise import is_pprof_file
from scopelight.model.opening.profile import open_profile


def made(**changes):
    """A profile of one buffer of 4 KiB, made at two frames."""
    texts = [b"", b"allocations", b"count", b"space", b"bytes", b"kind", b"buffer", b"device", b"cpu:0"]
    texts += [b"inner", b"/w/net.py", b"outer", b"/w/caf\xe9.py"]
    profile = pprof_pb2.Profile(string_table=texts)
    profile.sample_type.add(type=1, unit=2)
    profile.sample_type.add(type=3, unit=4)
    sample = profile.sample.add(location_id=[1, 2], value=[3, 4096])
    sample.label.add(key=5, str=6)
    sample.label.add(key=7, str=8)
    profile.location.add(id=1).line.add(function_id=1, line=7)
    profile.location.add(id=2).line.add(function_id=2, line=9)
    profile.function.add(id=1, name=9, filename=10)
    profile.function.add(id=2, name=11, filename=12)
    return profile


@pytest.fixture
def read(tmp_path):
    def reading(profile, *, compressed=True):
        data = profile if isinstance(profile, bytes) else profile.SerializeToString()
        path = tmp_path / "memory.prof"
        path.write_bytes(gzip.compress(data) if compressed else data)
        return read_pprof(path)

    return reading


@pytest.mark.parametrize("compressed", [True, False])
def test_stacks_labels_and_sizes(read, tmp_path, compressed):
    (sample,) = read(made(), compressed=compressed)
    assert (sample.kind, sample.device, sample.count, sample.bytes) == ("buffer", "cpu:0", 3, 4096)
    assert [(frame.function, frame.line) for frame in sample.stack] == [("inner", 7), ("outer", 9)]
    assert sample.stack[0].path == "/w/net.py"
    # A name that is not UTF-8 is no reason to refuse the file.
    assert sample.stack[1].path.startswith("/w/caf")
    assert is_pprof_file(tmp_path / "memory.prof")


def test_a_size_that_the_writer_did_not_know_is_unknown(read):
    profile = made()
    profile.sample[0].value[1] = -1
    assert read(profile)[0].bytes is None


def test_jax_own_snapshot_has_every_live_array(tmp_path):
    import jax  # noqa: PLC0415
    import jax.numpy as jnp  # noqa: PLC0415

    kept = [jnp.full((100, number + 1), 1.5) for number in range(20)]
    path = tmp_path / "memory.prof"
    jax.profiler.save_device_memory_profile(str(path))
    samples = [each for each in read_pprof(path) if each.kind == "buffer"]
    here = [each for each in samples if any(frame.path == __file__ for frame in each.stack)]
    assert sum(each.bytes for each in here) == sum(array.nbytes for array in kept)
    assert sum(each.count for each in here) == len(kept)
    assert {each.device for each in here} == {"cpu:0"}


def test_a_real_tpu_snapshot(shared_data):
    path = shared_data / "tpu-memory-pprof" / "memory.prof"
    assert is_pprof_file(path)
    samples = read_pprof(path)
    assert len(samples) == 325
    by_device = {}
    for each in samples:
        if each.kind == "buffer":
            by_device[each.device] = by_device.get(each.device, 0) + each.bytes
    assert sum(by_device.values()) == 23_554_502_656
    assert len(by_device) == 8
    assert by_device["TPU_0(process=0,(0,0,0,0))"] == 3_296_659_456
    assert all(each.bytes is None for each in samples if each.kind == "executable")


def test_no_other_real_file_is_taken_for_one(shared_data):
    others = [each for each in shared_data.rglob("*") if each.is_file() and each.name != "memory.prof"]
    assert others
    assert not [each for each in others if is_pprof_file(each)]


def test_a_profile_of_something_else_says_of_what(read):
    profile = made()
    profile.string_table[1], profile.string_table[3] = b"samples", b"cpu"
    with pytest.raises(FormatError, match="of samples, cpu, not of memory"):
        read(profile)


BROKEN = {
    "a text": lambda profile: profile.sample[0].label.add(key=99, str=1),
    "a location": lambda profile: profile.sample[0].location_id.append(99),
    "a function": lambda profile: profile.location[0].line.add(function_id=99),
    "a value": lambda profile: profile.sample[0].value.append(1),
    "a negative text": lambda profile: profile.sample[0].label.add(key=-1, str=1),
}


@pytest.mark.parametrize("breaks", BROKEN.values(), ids=BROKEN)
def test_what_is_not_there_is_named_in_a_sentence(read, breaks):
    profile = made()
    breaks(profile)
    with pytest.raises(FormatError) as raised:
        read(profile)
    assert str(raised.value).endswith(".")


def test_damaged_compression(tmp_path):
    whole = gzip.compress(made().SerializeToString())
    path = tmp_path / "memory.prof"
    for data in (whole[:-12], whole[:20] + b"\xff\xff\xff" + whole[23:], b"\x1f\x8b"):
        path.write_bytes(data)
        with pytest.raises(FormatError):
            read_pprof(path)


def test_stacks_without_end_are_cut(read):
    profile = made()
    profile.sample[0].location_id.extend([1] * 10_000)
    (sample,) = read(profile)
    assert len(sample.stack) == MOST_FRAMES


@given(data=st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any.prof"
    for content in (data, gzip.compress(data)):
        path.write_bytes(content)
        is_pprof_file(path)
        try:
            read_pprof(path)
        except FormatError as error:
            assert str(error).endswith(".")


def test_mutations_of_a_snapshot_are_read_or_refused(tmp_path):
    chance = random.Random(7)
    whole = made().SerializeToString()
    path = tmp_path / "memory.prof"
    refused = 0
    for _ in range(2_000):
        changed = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        path.write_bytes(bytes(changed))
        try:
            read_pprof(path)
        except FormatError as error:
            refused += 1
            assert str(error).endswith(".")
    assert 0 < refused < 2_000


def test_a_compressed_file_that_holds_none_is_not_told_to_be_decompressed_as_one(tmp_path):
    path = tmp_path / "junk.pprof"
    path.write_bytes(gzip.compress(b"hello"))
    with pytest.raises(FormatError, match=r"compressed with gzip and holds no memory snapshot \(pprof\)"):
        open_profile(path)
