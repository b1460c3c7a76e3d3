"""The record of a host: several recordings of one process, by the ids of its threads' lines, in the profile's time."""

import json

import numpy as np
import pytest

from made.findings import codes
from made.profiles import spans
from scopelight.formats.host_recording.reader import BASE, LINE, MAGIC, ON_BASE, PAUSE, START
from scopelight.model.host.record import read_record
from scopelight.model.host.stands import UNKNOWN
from scopelight.model.host.states import HostState, ThreadStates
from scopelight.model.host.thread_ids import line_id_of
from scopelight.program.hlo.frames import Frame

MAIN, WORKER = 140_000, 150_000
ZERO_NS = 1_000_000
CODES = [
    ["/me/a.py", "main", 1, True, False],
    ["/me/a.py", "batches", 9, True, True],
    ["/lib.py", "get", 3, False, False],
]
AT_MAIN, AT_BATCHES, AT_GET = Frame("/me/a.py", 5, "main"), Frame("/me/a.py", 10, "batches"), Frame("/lib.py", 4, "get")


@pytest.fixture
def recorded(tmp_path):
    """Write a recording, begun so many ns after the zero of the profile."""

    def write(name, began_ns, *, described=None, **rows):
        tables = {
            each: np.array(rows.get(each, []), "<i8").reshape(-1, 4)
            for each in ("lines", "samples", "garbage", "queues")
        }
        for each, columns in (("lines", [0]), ("samples", [0, 1]), ("garbage", [0, 1]), ("queues", [0])):
            tables[each][:, columns] += ZERO_NS
        told = {
            "python": "3.12.1",
            "has_lines": True,
            "is_overloaded": False,
            "clocks": [[ZERO_NS + began_ns, 5], [ZERO_NS + began_ns + 100, 105]],
            "code_ids": [70, 71, 72],
            "codes": CODES,
            "dark": [],
            "stacks": [[0, 5], [2, 4, 0, 5]],
            "garbage_stacks": [[0, 6]],
            "threads": [[MAIN, "MainThread", 41]],
            "queues": [],
            "byte_order": "little",
            "tables": {each: {"columns": list("abcd"), "rows": len(table)} for each, table in tables.items()},
            **(described or {}),
        }
        file = tmp_path / name
        file.write_bytes(
            MAGIC + json.dumps(told).encode() + b"\n" + b"".join(each.tobytes() for each in tables.values())
        )
        return file

    return write


def stood(record, thread, *at_ns):
    """The stacks on which a thread stood so many ns after the zero of the profile."""
    stands = record.stands_of(line_id_of(thread))
    found = stands.at(np.array(at_ns) * 1000)
    return [stands.stacks[row] if row != UNKNOWN else None for row in found.tolist()]


def row(at, thread, code, line, kind):
    return [at, thread, 70 + code, line * 8 + kind]


def test_lines_say_where_a_thread_stood_and_samples_where_there_are_none(recorded):
    lines = [
        row(10, MAIN, 0, 5, BASE),
        row(10, MAIN, 1, 9, ON_BASE),
        row(20, MAIN, 1, 10, LINE),
        row(30, MAIN, 0, 6, LINE),
    ]
    file = recorded("one", 0, lines=lines, samples=[[12, 12, MAIN, 0], [15, 15, WORKER, 1], [40, 40, WORKER, 1]])
    record = read_record([file], ZERO_NS)[0]
    assert stood(record, MAIN, 5, 15, 25, 35) == [
        None,
        (Frame("/me/a.py", 9, "batches"), AT_MAIN),
        (AT_BATCHES, AT_MAIN),
        (Frame("/me/a.py", 6, "main"),),
    ]
    assert record.stands_of(line_id_of(MAIN)).is_exact
    assert stood(record, WORKER, 20) == [(AT_GET, AT_MAIN)]
    assert not record.stands_of(line_id_of(WORKER)).is_exact
    assert record.stands_of(line_id_of(WORKER + 1)) is None


def test_while_the_coroutine_of_the_steps_waits_its_thread_stands_in_it(recorded):
    codes = [["/me/a.py", name, line, True, False] for name, line in (("main", 1), ("train", 20), ("fill", 40))]
    described = {"codes": codes, "awaiting": [1, 2]}
    filling = {
        "id": 5,
        "kind": "tasks",
        "class": "fill",
        "inputs": [],
        "fills": [9],
        "function": ["/me/a.py", "fill", 40],
    }
    lines = [
        row(10, MAIN, 0, 5, BASE),
        row(11, MAIN, 1, 22, START),
        # Launched at 12.
        row(13, MAIN, 1, 23, LINE),
        row(14, MAIN, 1, 0, PAUSE),
        row(20, MAIN, 2, 42, START),
        # And here, at 22, by what prepares data.
        row(24, MAIN, 2, 0, PAUSE),
        row(40, MAIN, 1, 23, START),
    ]
    nothing = np.zeros(0, dtype=np.int64)
    dispatched = np.full(2, HostState.DISPATCH, dtype=np.int8)
    at_ps = np.array([12_000, 22_000])
    states = ThreadStates(0, line_id_of(MAIN), "python", dispatched, at_ps, at_ps + 1)
    outermost, at_fill = Frame("/me/a.py", 5, "main"), Frame("/me/a.py", 42, "fill")
    home = (Frame("/me/a.py", 23, "train"), outermost)

    def stood_with(states, operations):
        file = recorded("one", 0, lines=lines, described={**described, "operations": operations})
        record = read_record([file], ZERO_NS)[0]
        assert record.coroutines == {("/me/a.py", "train"), ("/me/a.py", "fill")}
        stands = record.stands_of(line_id_of(MAIN), states)
        return [stands.stacks[each] for each in stands.at(np.array([15, 21, 30]) * 1000).tolist()]

    assert stood_with(states, [filling]) == [home, (at_fill, *home), home]
    # Without launches it is not known which of them is that of the steps.
    none = ThreadStates(0, line_id_of(MAIN), "python", nothing.astype(np.int8), nothing, nothing)
    assert stood_with(none, [filling]) == [home, (at_fill, outermost), (at_fill, outermost)]


def test_recordings_of_one_process_follow_each_other_in_time(recorded):
    files = [
        recorded("b", 1000, lines=[row(1010, MAIN, 0, 6, BASE)]),
        recorded("a", 0, lines=[row(10, MAIN, 0, 5, BASE)], samples=[[20, 20, MAIN, 0]]),
    ]
    record = read_record(files, ZERO_NS)[0]
    assert stood(record, MAIN, 50, 2000) == [(AT_MAIN,), (Frame("/me/a.py", 6, "main"),)]
    assert [each.clocks[0][0] for each in record.recordings] == [ZERO_NS, ZERO_NS + 1000]


def test_between_two_recordings_it_is_known_where_a_thread_stood_only_if_one_follows_on_the_other(recorded):
    lines = {"a": [row(10, MAIN, 0, 5, BASE)], "b": [row(310, MAIN, 0, 6, BASE)]}
    first = {"clocks": [[ZERO_NS, 5], [ZERO_NS + 200, 205]]}
    for begins_ns, between in ((200, (AT_MAIN,)), (250, None)):
        later = {"clocks": [[ZERO_NS + begins_ns, begins_ns + 5], [ZERO_NS + 400, 405]]}
        files = [
            recorded("a", 0, lines=lines["a"], described=first),
            recorded("b", 0, lines=lines["b"], described=later),
        ]
        found = stood(read_record(files, ZERO_NS)[0], MAIN, 150, 260, 320, 900)
        assert found == [(AT_MAIN,), between, *((Frame("/me/a.py", 6, "main"),),) * 2]


def test_where_a_thread_stands_that_is_in_no_later_recording_is_not_known(recorded):
    clocks = ([ZERO_NS, 5], [ZERO_NS + 200, 205], [ZERO_NS + 400, 405])
    files = [
        recorded("a", 0, samples=[[20, 20, WORKER, 1]], described={"clocks": clocks[:2]}),
        recorded("b", 0, samples=[[220, 220, MAIN, 0]], described={"clocks": clocks[1:]}),
    ]
    record = read_record(files, ZERO_NS)[0]
    assert stood(record, WORKER, 150, 250) == [(AT_GET, AT_MAIN), None]
    assert stood(record, MAIN, 150, 250) == [None, (AT_MAIN,)]


def test_between_two_traces_it_is_not_known_where_a_thread_stood(recorded):
    files = [recorded("a", 0, lines=[row(10, MAIN, 0, 5, BASE), row(60, MAIN, 0, 6, LINE)])]
    record = read_record(files, ZERO_NS, spans((40_000, 80_000)))[0]
    assert stood(record, MAIN, 20, 50, 70, 90) == [(AT_MAIN,), None, None, (Frame("/me/a.py", 6, "main"),)]


def test_samples_between_two_traces_are_not_spread_over_them(recorded):
    samples = [[at, at, MAIN, number] for at, number in ((5, 1), (30, 0), (50, 0), (70, 1))]
    record = read_record([recorded("a", 0, samples=samples)], ZERO_NS, spans((20_000, 60_000)))[0]
    assert stood(record, MAIN, 10, 19, 30, 60, 65) == [(AT_GET, AT_MAIN)] * 2 + [None] + [(AT_GET, AT_MAIN)] * 2


def test_a_thread_is_nowhere_while_others_are_sampled_and_it_is_not(recorded):
    samples = [[at, at, MAIN, 0] for at in range(10, 110, 10)]
    # Two threads, one after the other, by one ident.
    samples += [[at, at, WORKER, 1] for at in (10, 20, 70, 80)]
    record = read_record([recorded("a", 0, samples=sorted(samples))], ZERO_NS)[0]
    stands = record.stands_of(line_id_of(WORKER))
    moments = np.array([12, 24, 26, 50, 64, 66, 80]) * 1000
    assert stands.at(moments).tolist() == [1, 1, UNKNOWN, UNKNOWN, UNKNOWN, 1, 1]
    assert UNKNOWN not in record.stands_of(line_id_of(MAIN)).at(moments)


def test_rows_that_a_clock_set_back_keep_their_order(recorded):
    lines = [
        row(10, MAIN, 0, 5, BASE),
        row(20, MAIN, 1, 9, START),
        row(15, MAIN, 1, 10, LINE),
        row(30, MAIN, 0, 6, LINE),
    ]
    record = read_record([recorded("one", 0, lines=lines)], ZERO_NS)[0]
    assert stood(record, MAIN, 12, 25) == [(AT_MAIN,), (AT_BATCHES, AT_MAIN)]


def test_threads_names_and_generators_of_all_recordings_are_known(recorded):
    files = [
        recorded("a", 0, described={"threads": [[MAIN, "MainThread", 41]]}),
        recorded("b", 50, described={"threads": [[WORKER, "loader", None]]}),
    ]
    record = read_record(files, ZERO_NS)[0]
    assert {key: each.name for key, each in record.threads.items()} == {
        line_id_of(MAIN): "MainThread",
        line_id_of(WORKER): "loader",
    }
    assert record.generators == {("/me/a.py", "batches")}


def test_collections_are_by_thread(recorded):
    rows = [[30, 35, WORKER, 0], [10, 12, MAIN, 0], [20, 25, MAIN, 0]]
    found = read_record([recorded("a", 0, garbage=rows)], ZERO_NS)[0].garbage
    assert {key: [each.tolist() for each in of] for key, of in found.items()} == {
        line_id_of(MAIN): [[10_000, 20_000], [12_000, 25_000]],
        line_id_of(WORKER): [[30_000], [35_000]],
    }


def test_garbage_collected_between_samples_is_where_the_thread_stood_meanwhile(recorded):
    file = recorded("a", 0, samples=[[1000, 1000, MAIN, 1], [9000, 9000, MAIN, 1]], garbage=[[4000, 6000, MAIN, 0]])
    record = read_record([file], ZERO_NS)[0]
    assert stood(record, MAIN, 2000, 5000, 8000) == [
        (AT_GET, AT_MAIN),
        (Frame("/me/a.py", 6, "main"),),
        (AT_GET, AT_MAIN),
    ]


def test_every_sample_of_a_thread_is_told_with_the_frames_of_libraries(recorded):
    samples = [[10, 10, MAIN, 1], [20, 20, MAIN, 1], [30, 30, WORKER, 0], [40, 40, MAIN, 0]]
    record = read_record([recorded("a", 0, samples=samples)], ZERO_NS)[0]
    assert list(record.sampled_stacks(line_id_of(MAIN))) == [(AT_GET, AT_MAIN), (AT_GET, AT_MAIN), (AT_MAIN,)]
    assert list(record.sampled_stacks(1)) == []


def test_a_queue_keeps_its_number_over_the_recordings(recorded):
    def queue(number, **ends):
        return {
            "kind": "queue",
            "class": f"Queue{number}",
            "thread": MAIN,
            "ends": [[MAIN, *each] for each in ends.items()],
        }

    files = [
        recorded("a", 0, described={"queues": [queue(0, get=3)]}, queues=[[10, 0, 1, 4]]),
        recorded(
            "b", 50, described={"queues": [queue(0, get=5), queue(1, put=1)]}, queues=[[60, 0, 2, 4], [61, 1, 7, 0]]
        ),
    ]
    first, second = read_record(files, ZERO_NS)[0].queues
    assert (first.queue.name, first.time_ps.tolist(), first.held.tolist()) == ("Queue0", [10_000, 60_000], [1, 2])
    assert (second.held.tolist(), second.capacity.tolist()) == ([7], [0])
    # The process counts on from recording to recording.
    assert first.ends == {(line_id_of(MAIN), "get"): 5}
    assert second.ends == {(line_id_of(MAIN), "put"): 1}


def test_operations_are_those_of_the_last_recording_that_tells_of_any(recorded):
    files = [
        recorded(name, at, described={"operations": told})
        for name, at, told in (
            ("a", 0, [{"id": 1, "kind": "k", "class": "Old", "inputs": []}]),
            ("b", 50, [{"id": 1, "kind": "k", "class": "New", "inputs": []}]),
            ("c", 90, []),
        )
    ]
    assert [each.name for each in read_record(files, ZERO_NS)[0].operations] == ["New"]


def test_a_recording_that_cannot_be_read_is_left_out(recorded, tmp_path):
    broken = tmp_path / "broken"
    broken.write_bytes(MAGIC)
    record, damage = read_record([broken, recorded("a", 0), tmp_path / "absent"], ZERO_NS)
    assert len(record.recordings) == 1
    assert [each.values["file"] for each in damage] == ["broken", "absent"]
    record, damage = read_record([broken], ZERO_NS)
    assert record is None
    assert codes(damage) == ["host-recording-damaged"]
