"""Hostile and broken files: one `FormatError` each, with the file, the byte and the cause."""

import gzip
import lzma
import os
import re
import zlib

import pytest

from made.findings import values
from scopelight.formats.errors import FormatError
from scopelight.formats.xspace.reader import read_xspace


def varint(value):
    value &= 2**64 - 1
    encoded = b""
    while value >= 0x80:
        encoded += bytes([value & 0x7F | 0x80])
        value >>= 7
    return encoded + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def span(field, *parts):
    body = b"".join(parts)
    return varint(field << 3 | 2) + varint(len(body)) + body


def entry(field, key, *value):
    return span(field, number(1, key), span(2, number(1, key), *value))


NAMES = entry(4, 1, span(2, b"matmul")) + entry(5, 7, span(2, b"hlo_op")) + entry(5, 8, span(2, b"run_id"))


def plane(*parts):
    return span(1, span(2, b"/host:CPU"), NAMES, *parts)


def event(*parts):
    return plane(span(3, span(4, *parts)))


def stat(*parts):
    return event(number(1, 1), span(4, *parts))


@pytest.fixture
def write(tmp_path):
    def write_bytes(content, name="x.xplane.pb"):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write_bytes


def read_all(path):
    """Decode everything that the file holds."""
    space = read_xspace(path)
    for each in space.planes:
        assert each.stats is not None
        for row in range(len(each.events_metadata)):
            each.events_metadata.stats(row)
        for line in each.lines:
            events = line.events()
            events.integer_stats(each.stat_names)
            for name in set(each.stat_names):
                events.text_stat(name)
            for index in range(len(events)):
                events.stats(index)
    return space


def refusal(path):
    with pytest.raises(FormatError) as caught:
        read_all(path)
    sentence = str(caught.value)
    assert sentence.startswith(f"{path} is not a readable profile: ")
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return caught.value


BROKEN = {
    "no end of a number": (event(b"\x08" + b"\xff" * 11), r"more than 10 bytes"),
    "number cut by its message": (event(b"\x08\xff"), r"cut off by the end of its message"),
    "length past the message": (event(b"\x22\x30abc"), r"runs 45 bytes past the end of its message"),
    "absurd length": (event(b"\x22" + varint(2**63 - 1) + b"abc"), r"runs \d+ bytes past the end"),
    "negative length": (event(b"\x22" + varint(-5)), r"runs \d+ bytes past the end"),
    "fixed64 cut": (stat(number(1, 7), b"\x11abc"), r"runs 5 bytes past the end"),
    "field number 0": (event(b"\x00\x01"), r"number 0"),
    "field number too large": (event(varint(1 << 35) + b"\x01"), r"number 4294967296"),
    "group starts": (event(b"\x7b"), r"wire type 3"),
    "group ends": (plane(b"\x7c"), r"wire type 4"),
    "wire type 6": (stat(b"\x7e"), r"wire type 6"),
    "wire type 7": (span(1, b"\x7f"), r"wire type 7"),
    "text in place of an id": (event(span(1, b"abc")), r"field 1 is not of the type"),
    "number in place of an event": (plane(span(3, number(4, 5))), r"field 4 is not of the type"),
    "number in place of a plane": (number(1, 5), r"field 1 is not of the type"),
    "number in place of a stat": (event(number(1, 1), number(4, 5)), r"field 4 is not of the type"),
    "span in place of a stat's number": (stat(number(1, 7), span(4, b"x")), r"field 4 is not of the type"),
    "number in place of an entry's value": (plane(span(4, number(2, 3))), r"field 2 is not of the type"),
    "event without metadata": (event(number(1, 99)), r"an event names the metadata id 99"),
    "event of a negative id": (event(number(1, -4)), r"an event names the metadata id -4"),
    "stat without metadata": (stat(number(1, 99), number(4, 1)), r"a stat names the metadata id 99"),
    "reference to nothing": (stat(number(1, 7), number(7, 99)), r"refers to the text with id 99"),
    "negative duration": (event(number(1, 1), number(3, -2)), r"negative duration -2 ps"),
    "end beyond 64 bits": (event(number(1, 1), number(2, 2**62), number(3, 2**62)), r"too far"),
    "lines 584 years apart": (
        plane(span(3, number(3, 2**62), span(4, number(1, 1))), span(3, span(4, number(1, 1)))),
        r"too far",
    ),
    "offset beyond 64 bits": (
        plane(
            span(3, number(3, 9 * 10**15), span(4, number(1, 1), number(2, 2**62))),
            span(3, span(4, number(1, 1))),
        ),
        r"too far",
    ),
    "no compressed text": (stat(number(1, 7), span(8, b"no gzip at all")), r"cannot be decompressed"),
    "compressed text cut": (
        stat(number(1, 7), span(8, gzip.compress(b"abc" * 99)[:-12])),
        r"ends before its end",
    ),
    "corrupt checksum": (
        stat(number(1, 7), span(8, gzip.compress(b"abc" * 99)[:-8] + b"12345678")),
        r"cannot be decompressed",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_bytes_are_refused_with_place_and_cause(name, write):
    content, cause = BROKEN[name]
    error = refusal(write(content))
    assert re.search(cause, error.cause)
    assert error.offset is not None
    assert 0 <= error.offset < len(content)


def test_offset_is_that_of_the_broken_field(write):
    content = event(number(1, 1), number(3, -2))
    assert refusal(write(content)).offset == content.rindex(b"\x22")


def test_stats_on_planes_and_metadata_are_checked_too(write):
    assert "99" in refusal(write(plane(span(6, number(1, 99))))).cause
    assert "99" in refusal(write(plane(entry(4, 1, span(5, number(1, 99)))))).cause


def bomb(size):
    stream = zlib.compressobj(9, wbits=31)
    return b"".join(stream.compress(bytes(1 << 20)) for _ in range(size >> 20)) + stream.flush()


def test_gzip_bomb_is_refused(write):
    error = refusal(write(stat(number(1, 7), span(8, bomb(96 << 20)))))
    assert "grows beyond" in error.cause


def test_many_compressed_texts_share_one_budget(write, monkeypatch):
    """Each is within bounds, and they are distinct, but together they would fill the memory."""
    monkeypatch.setattr("scopelight.formats.xspace.stats.INFLATED_BUDGET_BYTES", 5 << 20)
    texts = [gzip.compress(b"%d" % index + bytes(1 << 20)) for index in range(6)]
    stats = [span(4, number(1, 1), span(4, number(1, 7), span(8, each))) for each in texts]
    assert len(read_all(write(plane(span(3, *stats[:4])))).planes) == 1
    assert "grows beyond" in refusal(write(plane(span(3, *stats)), "six.xplane.pb")).cause


def test_real_corrupt_file_is_refused(shared_data):
    error = refusal(shared_data / "corrupt" / "tpu_inference_2.xplane.pb")
    assert error.cause.startswith("a text conversion")


MODULE = span(1, b"jit_f") + span(2, b"main") + span(3, span(1, b"main"))

FOREIGN = {
    "empty": (b"", "empty"),
    "text": (b"this is a note about a training run\n" * 9, "text file"),
    "json": (b'{"steps": []}\n', "text file"),
    "page": ("\n<!DOCTYPE html>\n<title>Bericht über einen Lauf</title>\n".encode() * 9, "web page"),
    "trace": (b'{"traceEvents": []}\n', "a trace of Chrome or Perfetto"),
    "compressed trace": (gzip.compress(b'{"displayTimeUnit":"ns","traceEvents":[]}'), "a trace of Chrome or Perfetto"),
    "gzip": (gzip.compress(b"abc"), "gzip"),
    "xz": (lzma.compress(b"abc"), "xz"),
    "zip": (b"PK\x03\x04\x14\x00\x00\x00", "zip"),
    "png": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR", "PNG"),
    "git lfs": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"),
    "HloModuleProto": (MODULE, "HloModuleProto"),
    "HloProto": (span(1, MODULE), "HloProto"),
    "zeros": (bytes(4096), "number 0"),
    "unknown fields alone": (number(15, 3), "none of the fields"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_other_files_are_named(name, write):
    content, meaning = FOREIGN[name]
    assert meaning in refusal(write(content)).cause


def test_what_is_no_file_is_refused(tmp_path):
    assert "directory" in refusal(tmp_path).cause
    assert "no such file" in refusal(tmp_path / "absent.xplane.pb").cause
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "named pipe" in refusal(pipe).cause


def test_cut_off_file_gives_its_complete_planes_and_a_warning(write):
    first, second = event(number(1, 1)), event(number(1, 1), number(2, 5))
    for length in range(len(first) + 1, len(first) + len(second)):
        space = read_all(write((first + second)[:length], f"cut{length}.xplane.pb"))
        assert len(space.planes) == 1
        assert len(space.planes[0].lines[0].events()) == 1
        assert values(space, "file-cut-off")["offset"] in (len(first), len(first) + 1)
        assert values(space, "file-cut-off")["planes"] == 1
    assert read_all(write(first + second, "whole.xplane.pb")).findings == ()


CUT_OFF = (
    "it was cut off before its first part was complete, while it was written or copied; copy the whole file again, or "
    "capture again"
)


@pytest.mark.parametrize("before", [b"", span(4, b"host.example")])
def test_cut_off_file_without_a_complete_plane_is_refused_by_what_to_do(write, before):
    content = before + event(number(1, 1))
    for length in range(len(before) + 1, len(content)):
        error = refusal(write(content[:length], f"cut{length}.xplane.pb"))
        # What is a line feed and a few letters may be text.
        assert (error.cause, error.offset) == (CUT_OFF, None) or error.cause == "it is a text file"
    assert error.cause == CUT_OFF


def test_a_real_file_that_was_cut_off_in_its_first_plane_is_refused_by_what_to_do(shared_data, write):
    whole = (shared_data / "tpu-v6e-host-offload" / "tpu_inference_2.xplane.pb").read_bytes()
    assert refusal(write(whole[:3000])).cause == CUT_OFF


@pytest.mark.parametrize(
    "content", [b"\x7a\x40\xff", span(15, b"\xff") + b"\x0a\x40\xff", b"\x08\xff", b"\x0a" + varint(-5) + b"\xff"]
)
def test_bytes_that_are_no_profile_are_not_taken_for_one_that_was_cut_off(write, content):
    error = refusal(write(content))
    assert "message" in error.cause
    assert error.offset is not None


def test_a_million_empty_planes_or_lines_are_refused(write):
    assert "planes" in refusal(write(b"\x0a\x00" * 1_000_000)).cause
    assert "lines" in refusal(write(span(1, b"\x1a\x00" * 1_000_000), "lines.xplane.pb")).cause


def test_a_million_entries_of_one_id_are_one_row(write):
    space = read_all(write(span(1, b"\x22\x00" * 1_000_000 + entry(4, 0, span(2, b"last")))))
    assert space.planes[0].events_metadata.names == ("last",)


def test_broken_text_shows_replacement_characters(write):
    space = read_all(write(plane(entry(4, 3, span(2, b"\xff\xfeok")))))
    assert "\ufffd\ufffdok" in space.planes[0].events_metadata.names


def test_key_of_an_entry_wins_over_the_id_inside(write):
    inside = span(4, number(1, 5), span(2, number(1, 77), span(2, b"five")))
    space = read_all(write(span(1, inside, span(3, span(4, number(1, 5))))))
    assert space.planes[0].events_metadata.names[space.planes[0].lines[0].events().metadata[0]] == "five"


def test_reader_outlives_the_space(write):
    events = read_xspace(write(stat(number(1, 7), span(5, b"dot.1")))).planes[0].lines[0].events()
    assert events.stats(0) == {"hlo_op": "dot.1"}


def test_counted_events_do_not_set_the_origin(write):
    counted = span(3, span(4, number(1, 1), number(5, 12), number(3, 70)))
    timed = span(3, number(3, 17 * 10**17), span(4, number(1, 1), number(2, 400)))
    space = read_all(write(plane(counted, timed)))
    assert space.origin_ns == 17 * 10**17
    assert len(space.planes[0].lines[0].events()) == 0, "it has no position in time"
    assert space.planes[0].lines[1].events().start_ps.tolist() == [400]
