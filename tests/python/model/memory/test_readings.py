"""``resources.jsonl`` as samplers write it, and as anything else might."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.findings import codes, said, values
from scopelight.model.memory.readings import read_readings


@pytest.fixture
def read(tmp_path):
    def reading(*lines):
        file = tmp_path / "resources.jsonl"
        file.write_bytes(
            b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)
        )
        return read_readings(file)

    return reading


def test_samples_in_the_order_of_time(read):
    stats = {"bytes_in_use": 5, "peak_bytes_in_use": 7, "bytes_limit": 100, "largest_free_block_bytes": 50}
    found = read(
        {"time_ns": 10, "total_bytes": 1000},
        {"time_ns": 30, "resident_bytes": 3, "devices": {"gpu:1": stats}},
        {"time_ns": 20, "resident_bytes": None},
    )
    assert found.machine_bytes == 1000
    assert [(each.time_ns, each.resident_bytes) for each in found.readings] == [(20, None), (30, 3)]
    device = found.readings[1].devices["gpu:1"]
    assert (device.bytes_in_use, device.peak_bytes_in_use, device.bytes_limit, device.largest_free_block_bytes) == (
        5,
        7,
        100,
        50,
    )
    assert found.findings == ()


def test_what_was_cut_off_is_no_damage_and_is_told(read):
    found = read({"time_ns": 10, "resident_bytes": 3}, b'{"time_ns": 11, "resid')
    assert len(found.readings) == 1
    assert codes(found) == ["readings-cut-off"]


def test_damage_and_problems_are_told(read):
    found = read({"time_ns": 10, "problem": "no memory here"}, b"nonsense\n", [1], {"resident_bytes": 3})
    assert found.readings == []
    assert said(found).startswith("no memory here")
    assert values(found, "readings-damaged")["lines"] == 3


def test_sizes_that_are_none_are_unknown(read):
    found = read(*({"time_ns": 1, "resident_bytes": each} for each in (-1, 1 << 62, True, "5", 1.5, None)))
    assert [each.resident_bytes for each in found.readings] == [None] * 6


def test_no_file_has_no_samples(tmp_path):
    assert read_readings(tmp_path / "absent.jsonl").readings == ()


@given(
    lines=st.lists(
        st.binary(max_size=60)
        | st.recursive(
            st.none() | st.integers() | st.text(max_size=5),
            lambda inner: st.dictionaries(
                st.sampled_from(["time_ns", "total_bytes", "resident_bytes", "devices", "gpu:0", "bytes_in_use"]), inner
            ),
            max_leaves=6,
        ).map(lambda value: json.dumps(value).encode()),
        max_size=8,
    )
)
def test_any_lines_are_read(tmp_path_factory, lines):
    file = tmp_path_factory.getbasetemp() / "any.jsonl"
    file.write_bytes(b"\n".join(lines) + b"\n")
    found = read_readings(file)
    assert [each.time_ns for each in found.readings] == sorted(each.time_ns for each in found.readings)
