"""What belongs to an operation: the sums of its stages, counted once, and the steps in which they are suspect."""

from collections import Counter

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
from made.host.waiting_host import LINE_ID, MS, OPTIONS, TRAIN
from scopelight.analysis.host.input import pools as pools_module
from scopelight.analysis.host.input.graph_records import InputOperation
from scopelight.analysis.host.input.host_parts import host_parts
from scopelight.analysis.host.input.suspected import suspected_of
from scopelight.analysis.host.input.view import input_record
from scopelight.analysis.totals.centre import centre_of
from scopelight.formats.host_recording.reader import RecordedOperation
from scopelight.model.host.stage_events import Stage, StageEvents, ThreadStages
from scopelight.program.hlo.frames import Frame

LOOP = Frame("/usr/lib/python3.11/asyncio/base_events.py", 1900, "BaseEventLoop._run_once")
WORKER = Frame("/usr/lib/python3.12/concurrent/futures/thread.py", 90, "_worker")
ELSEWHERE = stands([(Frame("/usr/lib/x.py", 1, "x"),)], (0, 0))
MAKE, FETCHED = Frame("/home/me/make.py", 2, "loader"), Frame("/home/me/make.py", 6, "fetch")
POOL_ID = 9


def of_stages(found, operation):
    return [each for each in found.stages if each.key in operation.stages]


def events(*rows):
    """Of (thread, from, for how long, in ms, the number of the stage, which is the id of its operation)."""
    stages = tuple(Stage("grain", "MapMapDataset(f)", ("?", "read", "prefetch")[each % 3], each) for each in range(7))
    threads = []
    for line_id in {each[0] for each in rows}:
        own = np.array([each[1:] for each in rows if each[0] == line_id], dtype=np.int64)
        start_ps, end_ps = own[:, 0] * MS, (own[:, 0] + own[:, 1]) * MS
        order = np.lexsort((-end_ps, start_ps))
        threads.append(ThreadStages(0, line_id, "python", start_ps[order], end_ps[order], own[order, 2]))
    return StageEvents(stages, threads)


class TestOperations:
    def test_one_of_a_library_is_its_function_and_what_was_marked_around_it(self):
        # The source has 14 of the 30 ms of a step alone, the map 9 in its function and 7 around it.
        rows = [
            row
            for at in range(4)
            for row in ((READER_ID, at * 30, 30, 3), (READER_ID, at * 30 + 12, 14, 4), (READER_ID, at * 30 + 26, 4, 3))
        ]
        told = (
            RecordedOperation(1, "grain", "PrefetchDatasetIterator", [3], threads=1),
            RecordedOperation(3, "grain", "MapMapDataset", [4], called="f", function=(READER, "f", 8)),
            RecordedOperation(4, "grain", "SourceMapDataset", []),
        )
        inside = Frame(READER, 8, "f")
        reader = stands([(inside,), (PUT,)], *(row for at in range(4) for row in ((at * 30, 0), (at * 30 + 9, 1))))
        waits = queue(STARVED, kind="grain", ends={(LINE_ID, "__next__"): 9}, id_=1)
        made = input_profile(queues=[waits], operations=told, stages=events(*rows), reader=reader)
        found = input_record(made, GET_OPTIONS)
        source, mapped, *_ = found.operations
        assert (source.name, mapped.name) == ("Source", "Map(f)")
        assert [each.self_ps for each in of_stages(found, mapped)] == [4 * 9 * MS, 4 * 7 * MS]
        assert [each.self_per_step_ps for each in of_stages(found, mapped)] == [9 * MS, 7 * MS]
        assert (mapped.self_ps, source.self_ps) == (4 * 16 * MS, 4 * 14 * MS)
        assert mapped.busy_ratio == pytest.approx(16 / 30, abs=0.01)
        assert mapped.stage == next(each.key for each in found.stages if each.kind == "function")
        # While devices wait, from 10 to 27 ms, the source works longer.
        assert (source.suspect_steps, mapped.suspect_steps) == (found.steady_steps, 0)
        assert (found.suspected, found.suspected_by) == (source.key, "steps")

    def test_of_which_two_stages_work_longer_than_a_longer_one_of_another_is_suspect(self):
        rows = [row for at in range(4) for row in ((READER_ID, at * 30, 30, 4), (READER_ID, at * 30 + 10, 10, 3))]
        told = (
            RecordedOperation(3, "grain", "MapMapDataset", [4], called="f", function=(READER, "f", 8)),
            RecordedOperation(4, "grain", "SourceMapDataset", []),
        )
        # From 10 to 27 ms: 5 in the function, 5 in what is marked around it, 7 in the source.
        reader = stands(
            [(Frame(READER, 8, "f"),), (PUT,)],
            *(row for at in range(4) for row in ((at * 30, 1), (at * 30 + 10, 0), (at * 30 + 15, 1))),
        )
        made = input_profile(operations=told, stages=events(*rows), reader=reader)
        found = input_record(made, GET_OPTIONS)
        mapped = next(each for each in found.operations if each.name == "Map(f)")
        assert [each.self_ps for each in of_stages(found, mapped)] == [4 * 5 * MS, 4 * 5 * MS]
        assert mapped.suspect_steps == found.steady_steps
        assert {each.suspect for each in found.steps} <= set(mapped.stages)

    def test_a_thread_is_all_that_it_works_on(self):
        found = input_record(input_profile(), GET_OPTIONS)
        filler = found.operations[0]
        assert {each.line for each in of_stages(found, filler)} == {DECODE.line, AUGMENT.line, PUT.line}
        assert filler.self_ps == sum(each.self_ps for each in of_stages(found, filler)) == found.window_ps
        assert filler.suspect_steps == found.steady_steps
        assert (found.suspected, found.suspected_by) == (filler.key, "steps")

    def test_stages_of_one_name_have_keys_of_their_own(self):
        told = tuple(RecordedOperation(each, "grain", "MapMapDataset", []) for each in (3, 4))
        rows = events((READER_ID, 0, 20, 3), (READER_ID, 20, 20, 4))
        found = input_record(input_profile(operations=told, stages=rows), GET_OPTIONS)
        assert len({each.key for each in found.stages}) == len(found.stages)
        assert [each.self_ps for each in found.operations if each.kind == "grain"] == [20 * MS, 20 * MS]


MADE = {
    MAKE.path: [
        "async def loader(steps):",
        "    x = await asyncio.gather(fetch(0), fetch(1))",
        "    yield x",
        "",
        "async def fetch(index):",
        "    await asyncio.sleep(index)",
    ],
    TRAIN: [
        "",
        "",
        "async def train():",
        "    while True:",
        "        x = await {}",
        "        y = step(x)",
        "        log(y)",
    ],
}


class TestTasks:
    def found(self, *inner, awaited="anext(batches)", coroutines=(), operations=None, reader=ELSEWHERE, sampled=()):
        """The record of steps of 30 ms that stand for 16 of them where they await what ``inner`` does, and for one in
        the task."""
        stacks = [(LOG, LOOP, MAIN), (*inner, GET, LOOP, MAIN), (FETCHED, LOOP, MAIN), (STEP, LOOP, MAIN)]
        if inner or operations is None:
            stacks[2] = (FETCHED, *inner, GET, LOOP, MAIN)
        rows = [
            row for at in range(4) for row in ((at * 30, 0), (at * 30 + 10, 1), (at * 30 + 26, 2), (at * 30 + 27, 3))
        ]
        task = RecordedOperation(
            5, "tasks", "fetch", [], "fetch", (MAKE.path, "fetch", 5), 2, is_awaited=True, stood=(MAKE.path, "fetch", 6)
        )
        made = input_profile(
            queues=[],
            operations=(task,) if operations is None else operations,
            main=stands(stacks, *rows),
            reader=reader,
            sampled={LINE_ID: [(*inner, GET, LOOP, MAIN)], READER_ID: [], **dict(sampled)},
        )
        (record,) = made.host_records().values()
        record.coroutines = frozenset(coroutines)

        def text(path, line):
            lines = MADE.get(path, [])
            return lines[line - 1].format(awaited) if 0 < line <= len(lines) else None

        def stripped(path, line):
            return (text(path, line) or "").strip() or None

        return input_record(made, attrs.evolve(OPTIONS, text=stripped, indented_text=text))

    def test_what_awaits_them_has_the_time_and_reads_from_them(self):
        found = self.found(MAKE, coroutines=[(MAKE.path, "loader")])
        task, loader, script, _ = found.operations
        assert [(each.kind, each.name) for each in (task, loader)] == [("tasks", "fetch"), ("coroutine", "loader")]
        assert (loader.inputs, script.inputs) == ((task.key,), (loader.key,))
        assert (task.self_ps, loader.self_ps) == (4 * MS, 4 * 16 * MS)
        assert (task.busy_ratio, task.workers) == (pytest.approx(1 / 30, abs=0.01), 2)
        assert (loader.suspect_steps, task.suspect_steps) == (found.steady_steps, 0)
        assert (found.suspected, found.suspected_by) == (loader.key, "steps")
        assert values(found, "input-awaited") == {"name": "loader"}
        assert "input-task-awaited" not in codes(found)

    @pytest.mark.parametrize("awaited", ["pending", "fetch(3)"])
    def test_where_that_is_a_line_of_the_loop_it_is_advised_of_the_task(self, awaited):
        found = self.found(awaited=awaited)
        task, line, script, _ = found.operations
        assert (line.kind, line.name, line.inputs) == ("line", f"x = await {awaited}", (task.key,))
        assert script.inputs == (line.key,)
        assert (found.suspected, found.suspected_by) == (line.key, "steps")
        assert values(found, "input-task-awaited") == {"name": "fetch"}

    def test_a_line_that_awaits_a_thread_only_waits_for_it(self, monkeypatch):
        monkeypatch.setattr(pools_module, "line_id_of", {2: READER_ID}.get)
        pool = RecordedOperation(7, "threads", "ThreadPoolExecutor", [], called="asyncio", threads=2, members=[2])
        works = attrs.evolve(stands([(DECODE, WORKER)], (0, 0)), is_exact=False)
        found = self.found(awaited="asyncio.to_thread(decode)", operations=(pool,), reader=works)
        assert [each.kind for each in found.operations] == ["threads", "script", "device"]
        assert next(each.work for each in found.stages if each.line == GET.line) is None
        assert (found.suspected, found.suspected_by) == (found.operations[0].key, "steps")
        assert found.operations[0].suspect_steps == found.steady_steps


class TestRule:
    def named(self, name, kind="function", *inputs, **more):
        return InputOperation(name, kind, name, None, None, None, inputs, **more)

    def test_of_operations_between_which_no_queue_is_the_suspect_of_most_steps(self):
        longer, oftener = self.named("a", self_ps=9, suspect_steps=1), self.named("b", self_ps=5, suspect_steps=7)
        for loop in (self.named("loop", "script", "a", "b"), self.named("loop", "script", "a")):
            a = attrs.evolve(longer, inputs=() if len(loop.inputs) == 2 else ("b",))
            found = suspected_of((a, oftener, loop), ())
            assert (found.operation.name, found.rule) == ("b", "steps")

    def test_queues_may_say_that_it_is_another_which_is_told(self):
        front = attrs.evolve(input_record(input_profile(), GET_OPTIONS).queues[0], key="front", use_ratio=0.1)
        behind = attrs.evolve(front, key="behind", use_ratio=0.9, empty_gets=0)
        reads = self.named("reads", "threads", queue="behind", self_ps=9, suspect_steps=6)
        augments = self.named("augments", "threads", "reads", queue="front", self_ps=5, suspect_steps=4)
        found = suspected_of((reads, augments, self.named("loop", "script", "augments")), (front, behind))
        assert (found.operation.name, found.rule) == ("augments", "queues")

    def test_where_no_step_has_a_suspect_it_is_that_which_works_longest(self):
        graph = self.named("a", self_ps=9), self.named("b", self_ps=5), self.named("loop", "script", "a", "b")
        found = suspected_of(graph, ())
        assert (found.operation.name, found.rule) == ("a", "work")
        assert suspected_of(graph, (), in_the_loop=True).rule == "loop"


IDS = st.integers(0, 6)
HELPER = Frame(READER, 9, "helper")
INNER = st.lists(
    st.sampled_from([DECODE, AUGMENT, PUT, HELPER, MAKE, FETCHED, Frame(READER, 3, "other")]), max_size=3
).map(tuple)
FUNCTIONS = st.sampled_from([(READER, "read", 1), (READER, "helper", 9), (MAKE.path, "fetch", 5), (TRAIN, "train", 3)])
OPERATIONS = st.lists(
    st.builds(
        RecordedOperation,
        id=IDS,
        kind=st.sampled_from(["grain", "torch", "threads", "tasks"]),
        name=st.sampled_from(["_SingleProcessDataLoaderIter", "MapMapDataset"]),
        inputs=st.lists(IDS, max_size=3),
        called=st.sampled_from(["", "fetch"]),
        function=st.none() | FUNCTIONS,
        threads=st.none() | st.integers(0, 3),
        members=st.sampled_from([(), (1,), (2,), (1, 2)]),
        fills=st.sampled_from([(), (99,)]),
        is_awaited=st.booleans(),
    ),
    max_size=5,
)
QUEUES = st.lists(
    st.builds(
        lambda kind, id_, ends: queue(STARVED, kind=kind, id_=id_, ends=ends),
        st.sampled_from(["queue", "asyncio", "grain"]),
        st.sampled_from([1, 99]),
        st.dictionaries(
            st.tuples(st.sampled_from([LINE_ID, READER_ID]), st.sampled_from(["get", "put"])), st.just(9), min_size=1
        ),
    ),
    max_size=2,
)
EVENTS = st.lists(
    st.tuples(st.sampled_from([LINE_ID, READER_ID]), st.integers(-20, 150), st.integers(0, 80), IDS), max_size=12
)
ROWS = st.lists(st.tuples(st.integers(0, 119), st.integers(0, 5)), max_size=20)


def made_stands(stacks, rows):
    begins = {0: 0, **dict(sorted(rows))}
    return stands(stacks, *((at, row % len(stacks)) for at, row in sorted(begins.items())))


@settings(max_examples=60, deadline=None)
@given(
    operations=OPERATIONS,
    queues=QUEUES,
    marked=EVENTS,
    of_main=st.tuples(st.lists(INNER, max_size=3), ROWS),
    of_reader=st.tuples(st.lists(INNER, min_size=1, max_size=4), ROWS),
    asks=st.booleans(),
)
def test_operations_are_the_sums_of_their_stages_and_none_is_counted_twice(
    operations, queues, marked, of_main, of_reader, asks
):
    main = [(LOG, MAIN), (GET, MAIN), (STEP, MAIN), *((*inner, GET, MAIN) for inner in of_main[0])]
    steps = [row for at in range(4) for row in ((at * 30, 0), (at * 30 + 10, 1), (at * 30 + 27, 2))]
    future = Frame("/usr/lib/python3.12/concurrent/futures/_base.py", 451, "Future.result")
    made = input_profile(
        queues=queues,
        operations=tuple(operations),
        stages=events(*marked),
        main=made_stands(main, [*of_main[1], *steps]),
        reader=made_stands(of_reader[0], of_reader[1]),
        sampled={LINE_ID: [(future, GET, MAIN)]} if asks else None,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pools_module, "line_id_of", {1: LINE_ID, 2: READER_ID}.get)
        found = input_record(made, GET_OPTIONS)
        parts = host_parts(made, centre_of(made, GET_OPTIONS), {})
    by_key = {each.key: each for each in found.stages}
    assert len(by_key) == len(found.stages)
    owned_by = Counter(key for each in found.operations for key in each.stages)
    works = {key for key, each in by_key.items() if each.work is not None}
    for each in found.operations:
        own = [by_key[key] for key in each.stages]
        # What each of its threads had of them belongs to it alone.
        numbers = {part: ps for part, ps in parts.gathered.own_ps.items() if parts.owners.get(part) == each.key}
        working = [part for part in numbers if parts.gathered.stages[part[1]].works]
        assert each.stage is None or each.stage in each.stages
        if own and working:
            assert each.self_ps == sum(numbers[part] for part in working)
        is_whole = all(owned_by[key] == 1 and by_key[key].threads == 1 for key in each.stages)
        if own and is_whole:
            assert (each.self_ps or 0) == sum(stage.self_ps for stage in own if stage.key in works)
            assert each.suspect_steps == sum(stage.suspect_steps for stage in own)
        assert (each.self_ps or 0) <= sum(stage.self_ps for stage in own)
        assert each.suspect_steps <= sum(stage.suspect_steps for stage in own)
        assert each.busy_ratio is None or 0 <= each.busy_ratio <= 1
    assert sum(each.self_ps or 0 for each in found.operations) <= sum(by_key[key].self_ps for key in works)
    blamed = sum(each.is_steady and each.suspect is not None for each in found.steps)
    assert sum(each.suspect_steps for each in found.stages) == blamed
    assert sum(each.suspect_steps for each in found.operations) <= blamed
    assert (found.suspected is None) == (found.suspected_by is None)
    if found.suspected_by == "steps":
        (chosen,) = (each for each in found.operations if each.suspected)
        assert chosen.suspect_steps == max(each.suspect_steps for each in found.operations)
