"""Recordings of the host's threads: what the shim writes is read back, and whatever else a file may hold."""

import asyncio
import json
import threading
from array import array

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scopelight.formats.errors import FormatError
from scopelight.formats.host_recording.reader import (
    BASE,
    LINE,
    MAGIC,
    HostRecording,
    RecordedCode,
    RecordedOperation,
    RecordedThread,
    read_recording,
)
from scopelight_agent.shim.host.recording import Recorded, Recording

TABLES = ("lines", "samples", "garbage", "queues")


def header(**changes):
    """What describes a recording with nothing in it, but for ``changes``."""
    return {
        "python": "3.12.1",
        "has_lines": True,
        "is_overloaded": False,
        "clocks": [[1000, 50], [2000, 1050]],
        "code_ids": [],
        "codes": [],
        "dark": [],
        "stacks": [],
        "garbage_stacks": [],
        "threads": [],
        "queues": [],
        "byte_order": "little",
        **changes,
    }


def as_bytes(told, order="<i8", **rows):
    """The bytes of a recording."""
    tables = {name: np.array(rows.get(name, []), dtype=order).reshape(-1, 4) for name in TABLES}
    told = {"tables": {name: {"columns": list("abcd"), "rows": len(each)} for name, each in tables.items()}, **told}
    return MAGIC + json.dumps(told).encode() + b"\n" + b"".join(each.tobytes() for each in tables.values())


@pytest.fixture
def read(tmp_path):
    """Read the recording that bytes are."""

    def read_it(data):
        file = tmp_path / "made.host"
        file.write_bytes(data)
        return read_recording(file)

    return read_it


CODES = [["/a.py", "main", 1, True, False], ["/b.py", "lib", 5, False, True]]


def test_what_the_shim_writes_is_read_back(tmp_path):
    recording = Recording()
    code, stack_code = compile("\n\nx = 1", "/home/me/a.py", "exec"), (lambda: None).__code__
    recording._codes.by_id.update({id(code): code, id(stack_code): stack_code})
    recording._sampler.threads[77] = ("MainThread", 12)
    recording._sampler.threads[78] = ("", None)
    rows = {
        "lines": array("q", [5, 77, id(code), 3 * 8 + LINE, 6, 77, id(code), 9 * 8 + LINE]),
        "samples": array("q", [10, 11, 77, 0]),
        "garbage": array("q", [20, 25, 78, 0]),
        "queues": array("q"),
        "clocks": array("q", [10, 0, 700, 0, 11, 1, 400, 9, 11, 2, 5, 9]),
    }
    stacks = {(id(stack_code), 0, id(code), len(code.co_code) - 2): 0}
    operations = [
        {"id": 4, "kind": "grain", "class": "Map", "inputs": [3], "called": "f", "threads": 2, "processes": [5]},
        {"id": 3, "kind": "threads", "class": "ThreadPoolExecutor", "inputs": [], "members": [77, 78]},
    ]
    recorded = Recorded(rows, stacks, {(id(code), 0): 0}, ((100, 1), (200, 101)), operations, [(41, 77)])
    recording.write(recorded, str(tmp_path / "trace"))
    assert [each.name for each in tmp_path.iterdir()] == ["trace.host"]
    found = read_recording(tmp_path / "trace.host")
    assert found.clock_threads == [(41, 77)]
    # The last is of no thread that is known.
    assert found.clock_rows.cpu_ns.tolist() == [700, 400]
    assert found.clock_rows.since_ns.tolist() == [0, 9]
    assert found.codes == [
        RecordedCode("/home/me/a.py", "<module>", 1, True, False),
        RecordedCode(__file__, found.codes[1].function, stack_code.co_firstlineno, True, False),
    ]
    assert found.stacks == [[(1, stack_code.co_firstlineno), (0, 3)], [(0, found.stacks[1][0][1])]]
    assert found.threads == {77: RecordedThread("MainThread", 12), 78: RecordedThread("", None)}
    assert found.clocks == [(100, 1), (200, 101)]
    assert (found.lines.ns.tolist(), found.lines.code.tolist(), found.lines.line.tolist()) == ([5, 6], [0, 0], [3, 9])
    assert found.lines.kind.tolist() == [LINE, LINE]
    assert (found.samples.due_ns.tolist(), found.samples.taken_ns.tolist()) == ([10], [11])
    assert found.garbage.tolist() == [[20, 25, 78, 1]], "stacks of collections come after those of samples"
    assert found.operations == [
        RecordedOperation(4, "grain", "Map", [3], called="f", threads=2, processes=[5], members=[]),
        RecordedOperation(3, "threads", "ThreadPoolExecutor", [], processes=[], members=[77, 78]),
    ]
    assert not found.has_lines and not found.is_overloaded


def test_what_the_shim_records_in_its_own_process_is_read_back(tmp_path):
    recording = Recording()
    ready, ends = threading.Event(), threading.Event()

    def stand_there():
        ready.set()
        ends.wait()

    thread = threading.Thread(target=stand_there, name="stands-there")
    thread.start()
    ready.wait()
    recording.begin(is_window=False)
    try:
        for _ in range(200):
            if thread.ident in recording._sampler.threads:
                break
            ends.wait(0.01)
        recording.write(recording.cut(), str(tmp_path / "trace"))
    finally:
        recording.end()
        ends.set()
        thread.join()
    found = read_recording(tmp_path / "trace.host")
    assert found.threads[thread.ident].name == "stands-there"
    (stack,) = {number for number, of in zip(*_stacks_by_thread(found), strict=True) if of == thread.ident}
    stood = [found.codes[code] for code, _ in found.stacks[stack]]
    assert "stand_there" in [each.function.rpartition(".")[2] for each in stood if each.is_users]
    (trace_ns, steady_ns), (later_ns, steady_later_ns) = found.clocks
    assert trace_ns <= found.samples.taken_ns.min() <= found.samples.taken_ns.max() <= later_ns
    assert steady_ns < steady_later_ns
    assert (found.samples.due_ns <= found.samples.taken_ns).all()


def _stacks_by_thread(found):
    return found.samples.stack.tolist(), found.samples.thread.tolist()


def test_lines_go_by_the_codes_rows_and_rows_of_unknown_code_are_left_out(read):
    told = header(code_ids=[900, 30], codes=CODES)
    rows = [[1, 7, 30, 6 * 8 + BASE], [2, 7, 31, 8], [3, 7, 900, 2 * 8 + LINE], [4, 7, 901, 0]]
    found = read(as_bytes(told, lines=rows)).lines
    assert (found.ns.tolist(), found.code.tolist()) == ([1, 3], [1, 0])
    assert (found.line.tolist(), found.kind.tolist()) == ([6, 2], [BASE, LINE])


def test_rows_of_big_endian_machines_are_read(read):
    told = header(code_ids=[30], codes=CODES[:1], byte_order="big")
    assert read(as_bytes(told, order=">i8", lines=[[1, 7, 30, 17]])).lines.line.tolist() == [2]


@pytest.mark.parametrize("number", [-1, 2, 2**63 - 1, -(2**63)])
def test_samples_collections_and_sizes_that_refer_to_nothing_are_left_out(read, number):
    told = header(
        codes=CODES,
        code_ids=[1, 2],
        stacks=[[0, 1], [1, 7]],
        garbage_stacks=[[0, 3], [0, 4]],
        queues=[{"kind": "queue", "class": "Queue", "thread": 7}] * 2,
    )
    rows = [[1, 2, 7, number], [3, 4, 7, 1]]
    found = read(as_bytes(told, samples=rows, garbage=rows, queues=[[1, number, 0, 0], [2, 1, 3, 4]]))
    assert found.samples.stack.tolist() == [1]
    assert found.garbage[:, 3].tolist() == [3]
    assert found.queue_sizes.tolist() == [[2, 1, 3, 4]]


def test_samples_do_not_refer_to_the_stacks_of_collections(read):
    told = header(codes=CODES, code_ids=[1, 2], stacks=[[0, 1]], garbage_stacks=[[0, 3]])
    assert read(as_bytes(told, samples=[[1, 2, 7, 0], [1, 2, 7, 1]])).samples.stack.tolist() == [0]


def test_frames_of_no_code_are_left_out_of_their_stacks(read):
    told = header(codes=CODES, code_ids=[1, 2], stacks=[[0, 3, 2, 4, -1, 5, 1, 6]], dark=[0, 2, -1], quiet=[1, 7])
    found = read(as_bytes(told))
    assert found.stacks == [[(0, 3), (1, 6)]]
    assert (found.dark, found.quiet) == ([0], [1])


def test_how_threads_ended_up_in_queues_is_read(read):
    queue = {"kind": "queue", "class": "Queue", "thread": 7, "id": 99, "ends": [[7, "get", 3], [8, "put", 1]]}
    (found,) = read(as_bytes(header(queues=[queue]))).queues
    assert (found.id, found.name, dict(found.ends)) == (99, "Queue", {(7, "get"): 3, (8, "put"): 1})


@pytest.mark.parametrize(
    "data",
    [
        b"",
        MAGIC,
        MAGIC + b"{}",
        b"scopelight host 2\n{}\n",
        MAGIC + b"{}\n",
        MAGIC + b"[]\n",
        MAGIC + b"\xff\xfe\n",
        MAGIC + b"[" * 100_000 + b"\n",
        MAGIC + json.dumps({"tables": {"lines": {"columns": list("abcd"), "rows": 1}}}).encode() + b"\n",
    ],
)
def test_what_is_no_recording_is_refused(read, data):
    with pytest.raises(FormatError):
        read(data)


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(FormatError):
        read_recording(tmp_path)


@pytest.mark.parametrize("rows", [-1, 1e400, 1 << 70, "many", None])
def test_tables_of_impossible_sizes_are_refused(read, rows):
    with pytest.raises(FormatError):
        read(as_bytes(header(tables={"lines": {"columns": list("abcd"), "rows": rows}})))


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("columns", [[], list("abc"), 4])
def test_tables_of_other_columns_are_refused(read, name, columns):
    told = header(tables={name: {"columns": columns, "rows": 1}}, codes=CODES, code_ids=[0, 1], stacks=[[0, 1]])
    with pytest.raises(FormatError):
        read(as_bytes(told) + bytes(64))


FULL = as_bytes(
    header(
        codes=CODES,
        code_ids=[5, 6],
        dark=[1],
        quiet=[0],
        stacks=[[0, 1], [1, 2, 0, 3]],
        garbage_stacks=[[1, 1]],
        threads=[[7, "main", None]],
        queues=[{"kind": "queue", "class": "Queue", "thread": 7, "ends": [[7, "get", 1]]}],
        operations=[{"id": 1, "kind": "k", "class": "C", "inputs": [2], "function": ["/a.py", "f", 3], "members": [7]}],
    ),
    lines=[[1, 7, 5, 8], [2, 7, 6, 17]],
    samples=[[1, 2, 7, 0], [3, 4, 7, 1]],
    garbage=[[1, 2, 7, 0]],
    queues=[[1, 0, 2, 3]],
)


def check_refers(found: HostRecording):
    """What holds of every recording that is read."""
    codes, stacks = len(found.codes), len(found.stacks)
    assert ((found.lines.code >= 0) & (found.lines.code < codes)).all()
    assert ((found.lines.kind >= 0) & (found.lines.kind < 8)).all()
    assert ((found.samples.stack >= 0) & (found.samples.stack < stacks)).all()
    assert ((found.garbage[:, 3] >= 0) & (found.garbage[:, 3] < stacks)).all()
    assert ((found.queue_sizes[:, 1] >= 0) & (found.queue_sizes[:, 1] < len(found.queues))).all()
    assert all(0 <= code < codes for stack in found.stacks for code, _ in stack)
    assert all(0 <= code < codes for code in (*found.dark, *found.quiet))


@settings(max_examples=300)
@given(st.lists(st.tuples(st.integers(0, len(FULL) - 1), st.binary(max_size=3)), max_size=4), st.integers(0, 20))
def test_whatever_is_written_over_a_recording_is_read_or_refused(tmp_path_factory, changes, cut):
    data = bytearray(FULL)
    for place, new in changes:
        data[place : place + len(new)] = new
    file = tmp_path_factory.mktemp("hostile") / "file"
    file.write_bytes(data[: len(data) - cut])
    try:
        found = read_recording(file)
    except FormatError:
        return
    check_refers(found)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["kind", "class", "thread", "id"]), inner)
    ),
    max_leaves=8,
)


@settings(max_examples=300)
@given(st.dictionaries(st.sampled_from([*header(), "operations", "tables"]), JSON, min_size=1, max_size=3))
def test_whatever_the_description_of_a_recording_says_it_is_read_or_refused(tmp_path_factory, changes):
    told = {**json.loads(FULL[len(MAGIC) :].split(b"\n", 1)[0]), **changes}
    file = tmp_path_factory.mktemp("hostile") / "file"
    file.write_bytes(MAGIC + json.dumps(told).encode() + b"\n" + FULL[len(MAGIC) :].split(b"\n", 1)[1])
    try:
        found = read_recording(file)
    except FormatError:
        return
    check_refers(found)


def test_tasks_of_an_event_loop_are_read_with_what_they_fill_and_where_they_wait(tmp_path):
    recording = Recording()
    recorded = Recorded(
        {name: array("q") for name in ("lines", "samples", "garbage", "queues")},
        {},
        {},
        (),
        [
            {
                "id": 5,
                "kind": "tasks",
                "class": "fill",
                "inputs": [8],
                "fills": [9],
                "function": ["/a.py", "fill", 4],
                "stood": ("/a.py", "fetch", 7),
                "is_pooled": True,
                "is_awaited": True,
            }
        ],
    )
    queue = asyncio.Queue(3)
    recording._queues.meet_awaited(queue, 77)
    recording._queues.name(queue, "ready")
    recording.write(recorded, str(tmp_path / "trace"))
    found = read_recording(tmp_path / "trace.host")
    (operation,) = found.operations
    assert (operation.fills, operation.function, operation.stood) == ((9,), ("/a.py", "fill", 4), ("/a.py", "fetch", 7))
    assert (operation.is_pooled, operation.is_awaited) == (True, True)
    (of,) = found.queues
    assert (of.kind, of.called, of.ends) == ("asyncio", "ready", {(77, "get"): 1})
