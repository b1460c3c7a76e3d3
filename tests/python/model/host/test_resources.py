"""What was read of the host, as columns: truth in, truth out, and whatever else a file may hold."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from made.findings import codes, values
from made.host.host_resources import (
    EPOCH_NS,
    HEAD,
    MS,
    counter,
    level,
    machine,
    process,
    read,
    reading,
    thread,
    written,
)
from scopelight.model.host.resource_lines import read_resources
from scopelight.model.host.resources import Counter


def times(*at_ms):
    return np.array([EPOCH_NS + each * MS for each in at_ms], dtype=np.int64)


def test_a_counter_grows_evenly_between_readings_and_stands_still_beyond_them():
    of = counter((0, 0), (100, 1000))
    grown = of.grown(times(-50, 0, 25, 90, 100), times(0, 25, 75, 200, 300))
    assert grown.tolist() == pytest.approx([0, 250, 500, 100, 0])


def test_large_counts_lose_no_nanosecond():
    # A float has 53 bits: the idle time of many cores in a year has more.
    of = counter((0, 1 << 60), (1, (1 << 60) + 1))
    assert of.grown(times(0), times(1)).tolist() == [1.0]


@given(
    st.lists(st.integers(0, 10**9), min_size=2, max_size=20), st.lists(st.integers(-50, 350), min_size=2, max_size=9)
)
def test_what_a_counter_grows_in_spans_sums_to_the_whole(steps, edges):
    of = Counter(times(*(each * 15 for each in range(len(steps)))), np.cumsum(np.array(steps, dtype=np.int64)))
    at = times(*sorted(edges))
    parts = of.grown(at[:-1], at[1:])
    assert parts.sum() == pytest.approx(of.grown(at[:1], at[-1:])[0], rel=1e-9, abs=1e-3)
    assert (parts >= 0).all()


def test_a_level_holds_until_the_next_and_is_unknown_before_the_first():
    of = level((0, 10), (100, 30))
    assert of.mean(times(0, 50, 100), times(100, 150, 400)).tolist() == [10, 20, 30]
    assert np.isnan(of.mean(times(-10, 5), times(5, 5))).all(), "it was not known, and of no time there is no mean"


def test_a_thread_that_was_quiet_did_all_of_it_since_it_was_last_looked_at(tmp_path):
    read_of = read(
        tmp_path / "file",
        reading(0, new_processes=[process(1, 41)], new_threads=[thread(2, 1, 41)], threads=[[2, 5 * MS, 0, 1, 5 * MS]]),
        reading(50),
        reading(1000, threads=[[2, 105 * MS, 40 * MS, 3, 100 * MS]]),
    )
    (of,) = read_of.threads
    assert of.cpu.grown(times(-5, 0, 900), times(0, 900, 1000)).tolist() == [5 * MS, 0, 100 * MS]
    assert of.waiting.grown(times(900), times(1000)).tolist() == [40 * MS]


def test_processes_and_threads_keep_their_own_numbers_when_the_system_gives_them_away_again(tmp_path):
    read_of = read(
        tmp_path / "file",
        reading(0, new_processes=[process(1, 41)], processes=[[1, MS, 0]]),
        reading(10, new_processes=[process(2, 77, parent=1, name="worker", started_ms=5)], processes=[[2, MS, 5 * MS]]),
        reading(20, ended=[2]),
        reading(30, new_processes=[process(3, 77, parent=1, started_ms=25)], processes=[[3, 2 * MS, 5 * MS]]),
    )
    assert [(each.pid, each.parent, each.name) for each in read_of.processes] == [
        (41, None, "python"),
        (77, 1, "worker"),
        (77, 1, "python"),
    ]
    assert [each.ended_ns for each in read_of.processes] == [None, EPOCH_NS + 20 * MS, None]
    assert read_of.processes[2].cpu.grown(times(25), times(30)).tolist() == [2 * MS]


def test_a_thread_may_be_named_later(tmp_path):
    named = [
        reading(0, new_processes=[process(1, 41)], new_threads=[thread(2, 1, 42)]),
        reading(10, new_threads=[thread(2, 1, 42, "loader")]),
    ]
    assert [each.name for each in read(tmp_path / "file", *named).threads] == ["loader"]


def test_a_process_is_called_as_its_main_thread_is_at_last(tmp_path):
    made = {"new_processes": [process(1, 41)], "new_threads": [thread(2, 1, 41), thread(3, 1, 42, "other")]}
    found = read(tmp_path / "file", reading(0, **made), reading(10, new_threads=[thread(2, 1, 41, "pt_data_worker")]))
    assert [each.name for each in found.processes] == ["pt_data_worker"]


def test_problems_of_reading_are_told(tmp_path):
    failed = reading(0, problem={"part": "GPUs", "text": "nvmlInit_v2 returned 9."})
    found = read(tmp_path / "file", failed, failed)
    assert values(found, "resources-part-failed") == {"part": "GPUs", "problem": "nvmlInit_v2 returned 9"}


def test_what_is_cut_off_is_told(tmp_path):
    file = written(tmp_path / "file", machine(0), machine(10))
    assert "readings-cut-off" not in codes(read_resources(file))
    file.write_bytes(file.read_bytes()[:-3])
    found = read_resources(file)
    assert len(found) == 1
    assert values(found, "readings-cut-off") == {"file": "file"}


def test_what_is_no_line_of_a_sampler_is_left_out_and_counted(tmp_path):
    file = written(tmp_path / "file", machine(0), machine(10))
    file.write_bytes(file.read_bytes() + b'{"time_ns": "soon"}\n[1]\nnonsense\n{"time_ns": 5, "machine"')
    found = read_resources(file)
    assert len(found) == 2
    assert values(found, "readings-damaged") == {"lines": 3, "file": "file"}, "the cut-off end is no damage"


def test_a_file_that_cannot_be_read_is_told(tmp_path):
    found = read_resources(tmp_path)
    assert len(found) == 0
    assert codes(found) == ["readings-unreadable"]


def test_a_count_that_steps_back_grows_by_nothing(tmp_path):
    found = read(tmp_path / "file", machine(0, user_ms=100), machine(10, user_ms=90), machine(20, user_ms=110))
    assert found.counters["user"].value.tolist() == [100 * MS, 100 * MS, 110 * MS]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-10, 2**70) | st.floats() | st.text(max_size=5),
    lambda children: (
        st.lists(children, max_size=6)
        | st.dictionaries(
            st.sampled_from(
                ["id", "pid", "process", "tid", "name", "parent", "started_ns", "kind", "index", "busy_ratio", "cpu_ns"]
            ),
            children,
            max_size=5,
        )
    ),
    max_leaves=12,
)
FIELDS = [
    *("machine", "new_processes", "new_threads", "processes", "details", "threads", "ended", "devices", "problem"),
    *("cost_ns", "format", "cores", "usable_cores", "memory_bytes"),
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=4), max_size=6), st.binary(max_size=40))
def test_whatever_a_file_holds_is_read_or_left_out(tmp_path_factory, lines, bytes_more):
    file = tmp_path_factory.mktemp("hostile") / "file"
    known = [
        reading(0, new_processes=[process(1, 41)], new_threads=[thread(2, 1, 41)]),
        *({"time_ns": EPOCH_NS + at * MS, **fields} for at, fields in enumerate(lines)),
    ]
    text = "".join(json.dumps(each) + "\n" for each in (HEAD, *known))
    file.write_bytes(text.encode() + bytes_more + b"\n")
    found = read_resources(file)
    for each in found.counters.values():
        assert (np.diff(each.value) >= 0).all() and (np.diff(each.time_ns) >= 0).all()
    for each in found.devices:
        assert ((each.busy.value >= 0) & (each.busy.value <= 1)).all()
    assert found.cores is None or found.cores > 0
