"""Tasks of the event loop in which steps are launched: their queues, what they do, and what is advised."""

import attrs
import pytest

from made.findings import codes, values
from made.host.input_host import (
    AUGMENT,
    DECODE,
    GET,
    GET_OPTIONS,
    LOG,
    MAIN,
    PUT,
    READER,
    READER_ID,
    STARVED,
    STEP,
    input_profile,
    queue,
    stands,
)
from made.host.waiting_host import LINE_ID, TRAIN
from scopelight.analysis.host.input.view import input_record
from scopelight.analysis.host.threads.view import host_record
from scopelight.formats.host_recording.reader import RecordedOperation
from scopelight.program.hlo.frames import Frame

LOOP = Frame("/usr/lib/python3.11/asyncio/base_events.py", 1900, "BaseEventLoop._run_once")
SELECT = Frame("/usr/lib/python3.11/selectors.py", 468, "EpollSelector.select")
QUEUE_GET = Frame("/usr/lib/python3.11/asyncio/queues.py", 158, "Queue.get")
WORKER = Frame("/usr/lib/python3.11/concurrent/futures/thread.py", 90, "_worker")
AWAITING = (QUEUE_GET, GET, LOOP, MAIN)
FUNCTION = (READER, "read", 1)
ELSEWHERE = stands([(Frame("/usr/lib/x.py", 1, "x"),)], (0, 0))


def reader(**more):
    told = {"called": "read", "function": FUNCTION, "threads": 1, "fills": (99,), "stood": (READER, "read", 3)}
    return RecordedOperation(5, "tasks", "read", [], **{**told, **more})


def main(*inside, computing_ms=0):
    """In each step of 30 ms: 10 of reading the last result, 17 at the queue, of which another task has some, and 3 of
    launching. What runs in between stands as if it had been awaited."""
    stacks = [(GET, LOOP, MAIN), (STEP, LOOP, MAIN), (LOG, LOOP, MAIN), (*inside, GET, LOOP, MAIN)]
    begins = [(0, 2), (10, 0), (27 - computing_ms, 3), (27, 1)]
    rows = [(at * 30 + begin, stack) for at in range(4) for begin, stack in begins if stack != 3 or computing_ms]
    return stands(stacks, *rows)


def found(*operations, of=None, queues=None, **more):
    queues = [queue(STARVED, kind="asyncio")] if queues is None else queues
    sampled = {LINE_ID: [AWAITING], READER_ID: []}
    parts = {"reader": ELSEWHERE, "sampled": sampled, **more}
    return input_record(
        input_profile(queues=queues, operations=operations, main=main() if of is None else of, **parts), GET_OPTIONS
    )


def chain(record):
    names = {each.key: each.name for each in record.operations}
    return [(each.kind, each.name, tuple(names[key] for key in each.inputs)) for each in record.operations]


def test_a_task_that_fills_the_queue_is_what_makes_the_data():
    record = found(reader())
    assert chain(record) == [("tasks", "read", ()), ("script", "train", ("read",)), ("device", "", ("train",))]
    task = record.operations[0]
    assert (task.file, task.line, task.workers, task.busy_ratio, task.suspected) == (READER, 3, 1, 0.0, "likely")
    (of,) = record.queues
    assert (of.kind, of.producers, of.is_nearest, of.line) == ("asyncio", ("read",), True, GET.line)
    assert (of.gets, of.empty_gets, record.verdict) == (of.gets, of.gets, "processing")
    assert values(record, "input-tasks-wait") == {"name": "read", "tasks": 1}
    assert not {"input-in-the-loop", "input-fillers", "host-coroutines-unseen"} & set(codes(record))


def test_what_it_computes_on_the_thread_of_the_steps_is_input_and_holds_them_up():
    record = found(reader(), of=main(AUGMENT, computing_ms=12))
    assert record.input_ratio == found(reader()).input_ratio
    lines = {each.line: each.share_ratio for each in record.lines}
    assert set(lines) == {GET.line, AUGMENT.line}
    busy_ratio = record.operations[0].busy_ratio
    assert busy_ratio == pytest.approx(0.4, abs=0.02)
    assert values(record, "input-tasks-busy") == {"name": "read", "busy_ratio": busy_ratio}
    assert "input-tasks-wait" not in codes(record)


def test_how_long_the_loop_blocks_is_told_for_no_task_goes_on_meanwhile():
    told = values(found(reader()), "input-tasks-blocked")
    assert (told["line"], told["per_step_ps"] > 0) == (LOG.line, True)


def test_the_pool_that_it_awaits_is_behind_it():
    pool = RecordedOperation(7, "threads", "ThreadPoolExecutor", [], called="asyncio", threads=2, members=[2])
    rows = [(at * 30 + begin, stack) for at in range(4) for begin, stack in ((0, 1), (10, 0))]
    workers = stands([(DECODE, WORKER), (WORKER,)], *rows)
    of = {pool.members[0]: READER_ID}

    def made(**more):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("scopelight.analysis.host.input.pools.line_id_of", of.__getitem__)
            return found(reader(**more), pool, reader=workers)

    record = made(is_pooled=True)
    assert chain(record)[:3] == [
        ("tasks", "read", ("ThreadPoolExecutor(asyncio)",)),
        ("threads", "ThreadPoolExecutor(asyncio)", ()),
        ("script", "train", ("read",)),
    ]
    told = values(record, "input-tasks-pool")
    assert (told["name"], told["pool"]) == ("read", "ThreadPoolExecutor(asyncio)")
    assert told["busy_ratio"] == pytest.approx(0.33, abs=0.03)
    # One that something else has work done in makes no data.
    assert [each[0] for each in chain(made())] == ["tasks", "script", "device"]


def test_a_queue_that_something_unseen_fills_is_not_made_in_the_loop():
    record = found()
    assert [each.kind for each in record.operations] == ["tasks", "script", "device"]
    assert values(record, "input-tasks-wait")["tasks"] is None


def test_tasks_that_read_from_each_other_are_a_chain():
    first = reader(called="fetch", function=(READER, "fetch", 9), fills=(98,), stood=(READER, "fetch", 9))
    second = RecordedOperation(6, "tasks", "read", [98], called="read", function=FUNCTION, threads=1, fills=(99,))
    queues = [queue(STARVED, kind="asyncio"), queue(STARVED, kind="asyncio", id_=98, ends={})]
    record = found(first, second, queues=queues)
    assert chain(record)[:3] == [("tasks", "read", ("fetch",)), ("tasks", "fetch", ()), ("script", "train", ("read",))]


def test_queues_of_other_event_loops_are_no_input_of_the_steps():
    other = reader(called="put", function=(READER, "put", 9), fills=(98,))
    queues = [queue(STARVED, kind="asyncio"), queue(STARVED, kind="asyncio", id_=98, ends={})]
    assert [each[1] for each in chain(found(reader(), other, queues=queues))] == ["read", "train", ""]


def test_a_task_that_is_awaited_itself_is_started_too_late():
    awaits = attrs.evolve(
        GET_OPTIONS,
        text=lambda file, line: "x = await pending" if (file, line) == (TRAIN, 5) else GET_OPTIONS.text(file, line),
    )
    sampled = {LINE_ID: [(GET, LOOP, MAIN)], READER_ID: []}
    made = input_profile(
        queues=[], operations=(reader(fills=(), is_awaited=True),), main=main(), reader=ELSEWHERE, sampled=sampled
    )
    record = input_record(made, awaits)
    assert chain(record)[0] == ("tasks", "read", ())
    assert values(record, "input-task-awaited") == {"name": "read"}


def test_samples_of_an_event_loop_without_a_coroutine_are_told():
    sampled = {LINE_ID: [*[(SELECT, LOOP, MAIN)] * 3, (STEP, LOOP, MAIN)], READER_ID: [(PUT,)]}
    rows = [(at * 30 + begin, stack) for at in range(4) for begin, stack in ((0, 1), (10, 0))]
    of = stands([(SELECT, LOOP, MAIN), (STEP, LOOP, MAIN)], *rows, is_exact=False)
    profile = input_profile(queues=[], main=of, reader=ELSEWHERE, sampled=sampled)
    for record in (input_record(profile, GET_OPTIONS), host_record(profile, GET_OPTIONS)):
        assert values(record, "host-coroutines-unseen") == {"samples_ratio": 0.75}
    seen = input_profile(queues=[], main=of, reader=ELSEWHERE, sampled={LINE_ID: [AWAITING], READER_ID: []})
    assert "host-coroutines-unseen" not in codes(input_record(seen, GET_OPTIONS))
