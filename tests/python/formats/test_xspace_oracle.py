"""What the reader says of a file is what protobuf's own parser says of it: real files and random ones."""

import gzip
import math
import struct

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scopelight.formats.xspace.reader import read_xspace


def expected_stats(message, names):
    values = {}
    for stat in message.stats:
        kind = stat.WhichOneof("data")
        name = names[stat.metadata_id]
        if kind is None or name in values:
            continue
        value = getattr(stat, kind)
        if kind == "ref_value":
            value = names[struct.unpack("<q", struct.pack("<Q", value))[0]]
        elif kind == "compressed_str":
            value = gzip.decompress(value).decode("utf-8", "replace")
        values[name] = value
    return values


def same(left, right):
    """Equal in names, order, types and values, with NaN equal to itself."""

    def known(value):
        return "NaN" if isinstance(value, float) and math.isnan(value) else value

    return [(name, type(value), known(value)) for name, value in left.items()] == [
        (name, type(value), known(value)) for name, value in right.items()
    ]


def check_integers(events, timed, names, asked):
    columns = events.integer_stats(asked)
    for name in asked:
        values, present = columns[name]
        for index, event in enumerate(timed):
            found = [
                stat
                for stat in event.stats
                if names[stat.metadata_id] == name and stat.WhichOneof("data") in ("int64_value", "uint64_value")
            ]
            assert present[index] == bool(found)
            bits = int(getattr(found[0], found[0].WhichOneof("data"))) & (2**64 - 1) if found else 0
            assert int(values[index]) & (2**64 - 1) == bits


def check_parts(line, events, asked, most=7):
    parts = [*line.stats_in_parts(most)]
    assert all(len(part) <= most for part in parts)
    assert sum(map(len, parts)) == len(events)
    columns = [part.integer_stats(asked) for part in parts]
    for name, expected in events.integer_stats(asked).items():
        for place, whole in enumerate(expected):
            read = [part[name][place] for part in columns]
            assert np.array_equal(np.concatenate(read) if read else whole[:0], whole)


def check_texts(events, timed, names, asked):
    for name in asked:
        codes, texts = events.text_stat(name)
        assert len(set(texts)) == len(texts)
        assert len(codes) == len(timed)
        for index, event in enumerate(timed):
            found = [
                stat
                for stat in event.stats
                if names[stat.metadata_id] == name
                and stat.WhichOneof("data") in ("str_value", "bytes_value", "ref_value", "compressed_str")
            ]
            if not found:
                assert codes[index] == -1
                continue
            only = type(event)(stats=found[:1])
            value = expected_stats(only, names)[name]
            assert texts[codes[index]] == (value.decode("utf-8", "replace") if isinstance(value, bytes) else value)


def check_span(line, events, timed, names):
    """What is read of a line without decoding its events is what the events say."""
    span = line.span(8)
    assert (span is None) == (not timed)
    if span is None:
        return
    assert span.first_ps == events.start_ps.min()
    assert span.last_ps == (events.start_ps + events.duration_ps).max()
    assert span.events_count == len(timed)
    assert 0 < len(span.sampled) <= 8
    assert set(span.sampled.tolist()) <= set(events.metadata.tolist())
    metadata, start_ps, duration_ps = line.timed()
    assert metadata.tolist() == events.metadata.tolist()
    assert start_ps.tolist() == events.start_ps.tolist()
    assert duration_ps.tolist() == events.duration_ps.tolist()
    numbers = events.first_numbers()
    for index, event in enumerate(timed):
        if index < 20 or index == len(timed) - 1:
            assert same(line.event_stats(index), events.stats(index))
        kinds = ((stat.WhichOneof("data"), stat) for stat in event.stats)
        number = next(
            (
                float(getattr(stat, kind))
                for kind, stat in kinds
                if kind in ("double_value", "int64_value", "uint64_value")
            ),
            math.nan,
        )
        assert numbers[index] == number or (math.isnan(number) and math.isnan(numbers[index]))


def check(space, message):
    """Compare every column, name and stat of a read file with the parsed message."""
    origin = min(
        (
            line.timestamp_ns
            for plane in message.planes
            for line in plane.lines
            if any(event.WhichOneof("data") != "num_occurrences" for event in line.events)
        ),
        default=0,
    )
    assert space.origin_ns == origin
    assert [(each.code, each.values["message"]) for each in space.findings] == [
        *(("profiler-warning", each) for each in message.warnings),
        *(("profiler-error", each) for each in message.errors),
    ]
    assert [plane.name for plane in space.planes] == [plane.name for plane in message.planes]
    for plane, expected in zip(space.planes, message.planes, strict=True):
        check_plane(plane, expected, origin)


def check_plane(plane, expected, origin):
    names = {entry.key: entry.value.name for entry in expected.stat_metadata}
    metadata = {entry.key: entry.value for entry in expected.event_metadata}
    assert plane.id == expected.id
    assert same(plane.stats, expected_stats(expected, names))
    assert sorted(plane.stat_names) == sorted(names.values())
    table = plane.events_metadata
    assert sorted(table.ids.tolist()) == sorted(metadata)
    for row, identity in enumerate(table.ids.tolist()):
        value = metadata[identity]
        assert table.names[row] == value.name
        assert table.display_names[row] == value.display_name
        assert table.shown_name(row) == (value.display_name or value.name)
        assert same(table.stats(row), expected_stats(value, names))
    assert len(plane.lines) == len(expected.lines)
    for line, expected_line in zip(plane.lines, expected.lines, strict=True):
        check_line(line, expected_line, table, names, metadata, origin)


def check_line(line, expected, table, names, metadata, origin):
    assert (line.id, line.name, line.display_name) == (expected.id, expected.name, expected.display_name)
    assert (line.timestamp_ns, line.duration_ps) == (expected.timestamp_ns, expected.duration_ps)
    timed = [event for event in expected.events if event.WhichOneof("data") != "num_occurrences"]
    events = line.events()
    assert len(events) == len(timed)
    assert table.ids[events.metadata].tolist() == [event.metadata_id for event in timed]
    base = (expected.timestamp_ns - origin) * 1000
    assert events.start_ps.tolist() == [base + event.offset_ps for event in timed]
    assert events.duration_ps.tolist() == [event.duration_ps for event in timed]
    for index, event in enumerate(timed):
        own = expected_stats(event, names)
        shared = expected_stats(metadata[event.metadata_id], names)
        assert same(events.own_stats(index), own)
        assert same(events.stats(index), own | {k: v for k, v in shared.items() if k not in own})
    check_span(line, events, timed, names)
    used = {names[stat.metadata_id] for event in timed for stat in event.stats}
    asked = [*sorted(used), "no such stat"]
    check_integers(events, timed, names, asked)
    check_parts(line, events, asked)
    check_texts(events, timed, names, asked)
    order = sorted(
        range(len(timed)),
        key=lambda index: (timed[index].offset_ps, -timed[index].duration_ps, index),
    )
    assert events.order().tolist() == order


FILES = (
    "tpu-v6e-host-offload/tpu_inference_2.xplane.pb",
    "mi300x-conv/tw003.xplane.pb",
    "v100-tensorflow/worker.xplane.pb",
)


@pytest.mark.parametrize("name", FILES)
def test_real_file_equals_protobuf(name, shared_data, xplane):
    path = shared_data / name
    message = xplane.XSpace.FromString(path.read_bytes())
    assert sum(len(line.events) for plane in message.planes for line in plane.lines) > 3000
    check(read_xspace(path), message)


IDS = st.one_of(st.integers(-3, 12), st.integers(-(2**63), 2**63 - 1))
TEXTS = st.one_of(
    st.sampled_from(["", "hlo_op", "run_id", "_p", "fusion.1", "a long text that recurs in the file"]),
    st.text(st.characters(exclude_categories=("Cs",)), max_size=40),
)
SIGNED = st.one_of(st.integers(-2, 300), st.integers(-(2**63), 2**63 - 1))
UNKNOWN = st.sampled_from([b"", b"", b"\xf8\x06\x96\x01", b"\xfa\x06\x03abc", b"\xf9\x06" + b"x" * 8, b"\xfd\x06abcd"])


@st.composite
def stats(draw, xplane, stat_ids):
    message = xplane.XStat(metadata_id=draw(st.sampled_from(stat_ids)))
    kind = draw(st.sampled_from(["double", "uint64", "int64", "str", "bytes", "ref", "compressed", "none"]))
    if kind == "double":
        message.double_value = draw(st.floats())
    elif kind == "uint64":
        message.uint64_value = draw(st.integers(0, 2**64 - 1))
    elif kind == "int64":
        message.int64_value = draw(SIGNED)
    elif kind == "str":
        message.str_value = draw(TEXTS)
    elif kind == "bytes":
        message.bytes_value = draw(st.binary(max_size=20))
    elif kind == "ref":
        message.ref_value = draw(st.sampled_from(stat_ids)) & (2**64 - 1)
    elif kind == "compressed":
        message.compressed_str = gzip.compress(draw(TEXTS).encode())
    return message


@st.composite
def events(draw, xplane, event_ids, stat_ids):
    message = xplane.XEvent(metadata_id=draw(st.sampled_from(event_ids)))
    message.duration_ps = draw(st.integers(0, 2**40))
    kind = draw(st.sampled_from(["offset", "offset", "count", "none"]))
    if kind == "offset":
        message.offset_ps = draw(st.integers(-5, 2**40))
    elif kind == "count":
        message.num_occurrences = draw(SIGNED)
    if stat_ids:
        message.stats.extend(draw(st.lists(stats(xplane, stat_ids), max_size=4)))
    return message


@st.composite
def planes(draw, xplane):
    """A plane's bytes, with its fields in any order and unknown ones between."""
    stat_ids = draw(st.lists(IDS, unique=True, max_size=5))
    event_ids = draw(st.lists(IDS, unique=True, max_size=5))
    parts = [xplane.XPlane(id=draw(IDS)), xplane.XPlane(name=draw(TEXTS))]
    for identity in stat_ids:
        value = xplane.XStatMetadata(id=draw(IDS), name=draw(TEXTS), description=draw(TEXTS))
        parts.append(xplane.XPlane(stat_metadata=[xplane.StatEntry(key=identity, value=value)]))
    some_stats = st.lists(stats(xplane, stat_ids), max_size=4) if stat_ids else st.just([])
    for identity in event_ids:
        value = xplane.XEventMetadata(id=identity, name=draw(TEXTS), display_name=draw(TEXTS))
        value.metadata = draw(st.binary(max_size=9))
        value.stats.extend(draw(some_stats))
        parts.append(xplane.XPlane(event_metadata=[xplane.EventEntry(key=identity, value=value)]))
    parts.append(xplane.XPlane(stats=draw(some_stats)))
    for _ in range(draw(st.integers(0, 3)) if event_ids else 0):
        line = xplane.XLine(id=draw(IDS), name=draw(TEXTS), display_name=draw(TEXTS))
        line.timestamp_ns = draw(st.integers(10**18, 10**18 + 10**9))
        line.duration_ps = draw(SIGNED)
        line.events.extend(draw(st.lists(events(xplane, event_ids, stat_ids), max_size=6)))
        parts.append(xplane.XPlane(lines=[line]))
    encoded = [part.SerializeToString() + draw(UNKNOWN) for part in parts]
    return b"".join(draw(st.permutations(encoded)))


@st.composite
def spaces(draw, xplane):
    parts = []
    for plane in draw(st.lists(planes(xplane), max_size=3)):
        space = xplane.XSpace()
        space.planes.add().ParseFromString(plane)
        length = len(plane)
        header = b"\x0a"
        while length >= 0x80:
            header += bytes([length & 0x7F | 0x80])
            length >>= 7
        parts.append(header + bytes([length]) + plane)
    notes = xplane.XSpace(hostnames=draw(st.lists(TEXTS, min_size=1, max_size=2)))
    notes.errors.extend(draw(st.lists(TEXTS, max_size=2)))
    notes.warnings.extend(draw(st.lists(TEXTS, max_size=2)))
    parts.append(notes.SerializeToString())
    return b"".join(part + draw(UNKNOWN) for part in draw(st.permutations(parts)))


def test_random_files_equal_protobuf(xplane, tmp_path):
    path = tmp_path / "random.xplane.pb"

    @settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
    @given(spaces(xplane))
    def agrees(encoded):
        path.unlink(missing_ok=True)  # The last file is still mapped: do not write into it.
        path.write_bytes(encoded)
        check(read_xspace(path), xplane.XSpace.FromString(encoded))

    agrees()


def test_order_puts_parents_before_children(xplane, tmp_path):
    spans = [(5, 1), (0, 4), (0, 10), (5, 1), (5, 3), (0, 4)]
    line = xplane.XLine(events=[xplane.XEvent(offset_ps=start, duration_ps=span) for start, span in spans])
    plane = xplane.XPlane(lines=[line], event_metadata=[xplane.EventEntry()])
    path = tmp_path / "unsorted.xplane.pb"
    path.write_bytes(xplane.XSpace(planes=[plane]).SerializeToString())
    decoded = read_xspace(path).planes[0].lines[0].events()
    assert decoded.order().tolist() == [2, 1, 5, 4, 0, 3]
    assert np.array_equal(decoded.start_ps, [start for start, _ in spans])
