"""Kernels: machine code that is kept does what Python does, to the last bit, and needs no compiler once it is there."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from made.xspace import Line, plane
from scopelight.analysis.device_time import busy
from scopelight.formats import wire
from scopelight.formats.kernels import kernel
from scopelight.formats.native import ahead, store
from scopelight.formats.native.signature import described
from scopelight.model import joins, nesting

numbers = st.lists(st.integers(0, 1000), max_size=40)


def columns(starts, durations):
    count = min(len(starts), len(durations))
    start = np.sort(np.array(starts[:count], np.int64))
    return start, np.array(durations[:count], np.int64)


def both(kernel, arguments):
    """What the kernel and its function return and leave in their arguments."""
    answers = []
    for run in (kernel, kernel.function):
        copied = [each.copy() if isinstance(each, np.ndarray) else each for each in arguments]
        answers.append((run(*copied), copied))
    return answers


def assert_same(kernel, *arguments):
    (result, left), (expected, expected_left) = both(kernel, arguments)
    assert result == expected
    for one, other in zip(left, expected_left, strict=True):
        np.testing.assert_array_equal(one, other)


@settings(deadline=None, max_examples=50)
@given(numbers, numbers)
def test_nesting_is_what_python_makes_of_it(starts, durations):
    start, duration = columns(starts, durations)
    rows = len(start)
    working = (np.zeros(rows, np.int32), np.zeros(rows, np.int64), np.zeros(rows, np.int32))
    assert_same(nesting._nest, start, start + duration, *working)
    assert_same(nesting._place, start, duration, np.zeros(8, np.int64), np.zeros(rows, np.int16))


@settings(deadline=None, max_examples=50)
@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=30))
@pytest.mark.filterwarnings("ignore:overflow")
def test_ids_are_what_python_makes_of_them(keys):
    keys = np.array(keys, np.int64)
    bits = joins._table_bits(len(keys))
    working = [np.zeros(len(keys), np.int32) for _ in range(2)]
    assert_same(joins._dense_ids, keys, bits, np.full(1 << bits, -1, np.int32), *working)


@settings(deadline=None, max_examples=50)
@given(numbers, numbers, numbers, numbers)
def test_what_is_cut_out_is_what_python_cuts_out(starts, durations, others, other_durations):
    one, other = columns(starts, durations), columns(others, other_durations)
    working = [np.zeros(2000, np.int64) for _ in range(2)]
    assert_same(busy._cut, *one, *other, *working)


@settings(deadline=None, max_examples=100)
@given(st.binary(max_size=60))
@pytest.mark.filterwarnings("ignore:overflow")
def test_bytes_of_any_kind_have_the_fields_that_python_finds(data):
    buffer = np.frombuffer(data, np.uint8)
    assert_same(wire.list_fields, buffer, 0, len(buffer), np.zeros((70, 4), np.int64), np.zeros(3, np.int64))


def test_columns_of_every_second_row_are_read_as_such():
    wide = np.arange(20, dtype=np.int64)
    assert described(wide[::2]) == "<i8:1Aw"
    np.testing.assert_array_equal(nesting.nest(wide[::2], np.ones(10, np.int64))[1], np.ones(10))


@pytest.mark.skipif(not store.supported(), reason="no machine code is kept here")
def test_a_damaged_file_is_not_run(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    store._kept.cache_clear()

    @kernel
    def total(column: np.ndarray, scale: float) -> float:
        found = 0.0
        for row in range(len(column)):
            found += column[row] * scale
        return found

    arguments = (np.arange(5, dtype=np.int64), 0.5)
    assert total(*arguments) == 5.0
    (file,) = (tmp_path / "scopelight").glob("*.kernel")
    content = file.read_bytes()
    assert store.load(total, arguments)(*arguments) == 5.0
    for damaged in (content[:-1], b"", content[:7], content[:40] + b"\0" + content[41:], content[::-1]):
        file.unlink()
        file.write_bytes(damaged)
        assert store.load(total, arguments) is None
    store._kept.cache_clear()


COMMAND = """
import sys
from scopelight.cli.main import main
main(["show", "lines", sys.argv[1], "--json", "--scope", "window"], standalone_mode=False)
late = {"numba", "llvmlite", "scipy", "numpy.ma", "rich", "cattrs", "pandas"}
print(sorted(late & set(sys.modules)), file=sys.stderr)
"""


@pytest.fixture
def profile(tmp_path):
    ops = tuple((f"fusion.{number % 7}", number * 100, 90) for number in range(200))
    steps = tuple((str(number), number * 2000, 1900) for number in range(10))
    path = tmp_path / "made.xplane.pb"
    path.write_bytes(plane("/device:TPU:0", Line("XLA Ops", ops, id=1), Line("Steps", steps, id=2)))
    return path


def answer(path, **environment):
    command = [sys.executable, "-c", COMMAND, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **environment})


def test_every_way_of_running_kernels_gives_the_same_record(profile):
    answers = [answer(profile, SCOPELIGHT_KERNELS=way) for way in ("", "numba", "python")]
    assert len({each.stdout for each in answers}) == 1
    assert '"op_time_ps": 18000' in answers[0].stdout


@pytest.mark.skipif(not store.supported(), reason="no machine code is kept here")
def test_a_command_whose_kernels_are_kept_imports_no_compiler(profile):
    answer(profile)
    assert answer(profile).stderr.strip() == "[]"


def test_where_nothing_can_be_written_kernels_run_all_the_same(profile, tmp_path):
    place = tmp_path / "file"
    place.write_text("no folder")
    assert answer(profile, NUMBA_CACHE_DIR=str(place)).stdout == answer(profile).stdout


def test_what_is_compiled_ahead_are_kernels_with_the_types_that_are_listed():
    lines = ahead.LIST.read_text(encoding="utf-8").splitlines()
    found = [
        f"{kernel.__module__}.{kernel.__name__} {'; '.join(map(described, arguments))}"
        for kernel, arguments in ahead.listed()
    ]
    assert found == lines
    assert any("decode_events" in line for line in lines)


@pytest.mark.skipif(not store.supported(), reason="no machine code is kept here")
@pytest.mark.parametrize("may_have_processes", [True, False])
def test_what_is_compiled_ahead_is_kept_with_and_without_processes(tmp_path, monkeypatch, may_have_processes):
    names = ("scopelight.model.nesting.", "scopelight.model.joins.")
    lines = [line for line in ahead.LIST.read_text(encoding="utf-8").splitlines() if line.startswith(names)][:3]
    assert len(lines) == 3
    (tmp_path / "ahead.txt").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setattr(ahead, "LIST", tmp_path / "ahead.txt")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernels"))
    if not may_have_processes:

        def forbidden(*_):
            raise BlockingIOError

        monkeypatch.setattr(ahead, "ProcessPoolExecutor", forbidden)
    store._kept.cache_clear()
    try:
        assert ahead.compile_ahead() == 3
        store._kept.cache_clear()
        assert len(list(store.kept_descriptions())) == 3
        assert ahead.compile_ahead() == 0
    finally:
        store._kept.cache_clear()
