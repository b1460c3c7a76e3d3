"""Summaries as bytes: what was written is read again, and what nobody wrote is refused."""

import io
import json
import zipfile

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.hosts.pods import Pod, summary_of
from scopelight.findings import Action, Finding
from scopelight.summaries import encoding
from scopelight.summaries.encoding import FORMAT_VERSION, UnreadableSummaryError, decode, encode


@pytest.fixture(scope="module")
def summary(tmp_path_factory):
    made = summary_of(Pod(hosts=1, devices=2, steps=4).write(tmp_path_factory.mktemp("pod"))[0])
    finding = Finding(
        "plane-cut-off",
        "warning",
        {"plane": "a", "hosts": 2, "some": ("b", "c"), "ratio": 0.5, "nothing": None},
        ("key",),
        Action("scopelight.showHosts", {"view": "hosts"}),
    )
    host = attrs.evolve(made.hosts[0], name="hôst\u0000 '\"", findings=(finding,))
    op = made.collectives.ops[0]
    named = attrs.evolve(op, axes=("data", "model"), mesh=(("data", 2), ("model", 4)), mesh_ids=tuple(range(8)))
    return attrs.evolve(
        made, hosts=(host,), collectives=attrs.evolve(made.collectives, ops=(named, *made.collectives.ops[1:]))
    )


@pytest.fixture(scope="module")
def data(summary):
    return encode(summary)


def fields_of(record):
    return {each.name: getattr(record, each.name) for each in attrs.fields(type(record))}


def assert_same(found, expected):
    """Two records hold the same, whatever their comparison leaves out."""
    if isinstance(expected, np.ndarray):
        assert found.dtype == expected.dtype
        assert found.tolist() == expected.tolist()
    elif attrs.has(type(expected)):
        assert type(found) is type(expected)
        for name, value in fields_of(expected).items():
            if name not in ("row", "parts"):
                assert_same(getattr(found, name), value)
    elif isinstance(expected, tuple):
        assert isinstance(found, tuple)
        assert len(found) == len(expected)
        for each, other in zip(found, expected, strict=True):
            assert_same(each, other)
    else:
        assert found == expected


def test_what_was_written_is_read_again(summary, data):
    assert_same(decode(data), summary)
    assert encode(decode(data)) == data


def test_ids_and_times_of_all_64_bits_come_back(summary):
    runs = summary.runs
    high = attrs.evolve(runs, run_id=runs.run_id | np.uint64(1 << 63), start_ps=runs.start_ps - 2**62)
    assert_same(decode(encode(attrs.evolve(summary, runs=high))).runs, high)


def test_a_summary_is_a_small_part_of_its_file(shared_data):
    for name in ("tpu-v6e-host-offload/tpu_inference_2.xplane.pb", "mi300x-conv/tw003.xplane.pb"):
        file = shared_data / name
        assert len(encode(summary_of(file))) < file.stat().st_size / 30


def rewritten(data, changes):
    """The archive with entries replaced by bytes; None leaves one out."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in archive.namelist():
            content = changes.get(name, archive.read(name))
            if content is not None:
                new.writestr(name, content)
    return file.getvalue()


def column(values):
    file = io.BytesIO()
    np.lib.format.write_array(file, np.asarray(values), allow_pickle=False)
    return file.getvalue()


def names_of(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.namelist()


def nouns_of(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return json.loads(archive.read("nouns"))


def test_another_version_is_not_read(data):
    for version in (FORMAT_VERSION - 1, FORMAT_VERSION + 1, None, "1"):
        nouns = {**nouns_of(data), "format_version": version}
        with pytest.raises(UnreadableSummaryError):
            decode(rewritten(data, {"nouns": json.dumps(nouns)}))


@pytest.mark.parametrize("cut", [0, 1, 10, 100, -1, -30])
def test_what_is_cut_off_is_not_read(data, cut):
    with pytest.raises(UnreadableSummaryError):
        decode(data[:cut])


def test_what_lacks_a_part_is_not_read(data):
    for name in names_of(data):
        with pytest.raises(UnreadableSummaryError):
            decode(rewritten(data, {name: None}))


def test_what_claims_to_unpack_to_too_much_is_not_unpacked(data, monkeypatch):
    monkeypatch.setattr(encoding, "MOST_BYTES", 1 << 20)
    zeros = rewritten(data, {"runs.start_ps": column(np.zeros(1 << 20, dtype=np.int64))})
    assert len(zeros) < 1 << 17
    monkeypatch.setattr(encoding, "_column", lambda *_: pytest.fail("nothing is to be unpacked"))
    with pytest.raises(UnreadableSummaryError):
        decode(zeros)


def test_a_column_that_claims_to_be_longer_than_its_bytes_is_not_read(data):
    header = column(np.zeros(4, dtype=np.int64)).replace(b"(4,)", b"(2147483648,)")
    with pytest.raises(UnreadableSummaryError):
        decode(rewritten(data, {"runs.start_ps": header}))


def test_columns_of_other_types_and_shapes_are_not_read(summary, data):
    runs = len(summary.runs.device)
    for values in (
        np.zeros(runs, dtype=np.float64),
        np.zeros(runs, dtype=np.int32),
        np.zeros(runs, dtype=">i8"),
        np.zeros((runs, 1), dtype=np.int64),
        np.zeros(runs + 1, dtype=np.int64),
        np.int64(4),
    ):
        with pytest.raises(UnreadableSummaryError):
            decode(rewritten(data, {"runs.start_ps": column(values)}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("collectives.op", 2),
        ("collectives.device", 2),
        ("collectives.device", -1),
        ("collectives.run", 1000),
        ("collectives.group", -1),
        ("collectives.group", 1 << 30),
        ("runs.device", 7),
        ("steps.run", 1000),
        ("steps.host", 1),
        ("cores.device", -1),
        ("cores.step", 1000),
        ("cores.exposed_collective", 10_000),
        ("cores.exposed_core", -1),
        ("work.op", 99),
        ("work.device", 2),
    ],
)
def test_rows_that_are_not_there_are_not_named(summary, data, name, value):
    table, field = name.split(".")
    values = getattr(getattr(summary, table), field).copy()
    assert values.size
    values.flat[0] = value
    with pytest.raises(UnreadableSummaryError):
        decode(rewritten(data, {name: column(values)}))


def test_parts_of_another_breakdown_are_not_read(summary, data):
    fewer = summary.cores.parts_ps[:, 1:]
    with pytest.raises(UnreadableSummaryError):
        decode(rewritten(data, {"cores.parts_ps": column(fewer)}))


@settings(max_examples=120)
@given(st.lists(st.tuples(st.integers(0, 2**20), st.integers(1, 255)), min_size=1, max_size=8))
def test_bytes_that_were_changed_are_read_as_a_whole_or_not_at_all(data, changes):
    changed = bytearray(data)
    for place, mask in changes:
        changed[place % len(data)] ^= mask
    try:
        found = decode(bytes(changed))
    except UnreadableSummaryError:
        return
    encode(found)


@given(
    st.sampled_from(["host", "devices", "programs", "ops", "work", "frames", "findings"]),
    st.recursive(
        st.none() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=6,
    ),
)
def test_nouns_that_are_something_else_are_not_read(data, name, value):
    nouns = {**nouns_of(data), name: value}
    try:
        found = decode(rewritten(data, {"nouns": json.dumps(nouns)}))
    except UnreadableSummaryError:
        return
    encode(found)


@pytest.mark.parametrize(
    ("of", "field", "value"),
    [
        ("ops", "bytes", "many"),
        ("ops", "program", []),
        ("ops", "mesh", [["data", 2**40]]),
        ("ops", "mesh_ids", [0]),
        ("ops", "stack", [99]),
        ("devices", "core", {"core": 0}),
        ("devices", "id", None),
        ("devices", "host", 1),
        ("host", "started_ns", "now"),
    ],
)
def test_a_field_of_another_kind_is_not_read(data, of, field, value):
    nouns = nouns_of(data)
    record = nouns[of] if of == "host" else nouns[of][0]
    assert field in record
    record[field] = value
    with pytest.raises(UnreadableSummaryError):
        decode(rewritten(data, {"nouns": json.dumps(nouns)}))


@given(st.binary(max_size=200))
def test_other_bytes_are_not_read(content):
    with pytest.raises(UnreadableSummaryError):
        decode(content)
