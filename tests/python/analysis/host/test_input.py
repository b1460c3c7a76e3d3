"""The input: how much of the steps waits for it, what makes it, what the queues held, and what is slow."""

from io import StringIO
from pathlib import Path

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from made.findings import codes, values
from made.host.input_host import (
    DECODE,
    GET_OPTIONS,
    READER,
    READER_ID,
    STARVED,
    input_profile,
    main_stands,
    queue,
    reader_stands,
    stands,
)
from made.host.waiting_host import LINE_ID, MS, TRAIN, WHOLE_MS
from made.profiles import module, profile
from scopelight.analysis.flame.flame import flame
from scopelight.analysis.flame.options import FlameOptions
from scopelight.analysis.host.input.graph_records import InputOperation
from scopelight.analysis.host.input.suspected import suspected_of
from scopelight.analysis.host.input.view import input_record
from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.frames import LineOptions
from scopelight.analysis.totals.waiting.launching import call_stack
from scopelight.findings import warning
from scopelight.formats.host_recording.reader import RecordedOperation
from scopelight.model.backends.tables import Tables, finish
from scopelight.model.host.stage_events import Stage, StageEvents, ThreadStages
from scopelight.model.host.states import HostState
from scopelight.model.profile import Profile
from scopelight.model.run.information import RunInformation
from scopelight.model.spans import Spans
from scopelight.program.hlo.frames import Frame
from scopelight.report.host.input import render_input


def record(**parts):
    return input_record(input_profile(**parts), GET_OPTIONS)


def printed(found):
    console = Console(file=StringIO(), width=200)
    render_input(found, console, base=Path("/home/me"), limit=20)
    return console.file.getvalue()


def flame_of(made):
    return flame(Subject.of(made, LineOptions()), FlameOptions())


def stage(found, line):
    (chosen,) = (each for each in found.stages if each.line == line)
    return chosen


class TestVerdict:
    def test_is_the_idle_time_at_the_queue_over_the_wall_clock(self):
        found = record()
        # 17 of each 30 ms; the launch that follows is none of it.
        assert found.input_ratio == pytest.approx(17 / 30, abs=0.01)
        assert found.level == "high"
        assert found.step_count == found.steady_steps
        (line,) = found.lines
        assert (line.path, line.line, line.basis) == ("train.py", 5, "exact")
        assert line.per_step_ps == pytest.approx(17 * MS, rel=0.02)
        assert line.waiting_ps == found.input_ps == sum(line.classes.values())
        assert found.input_ps <= found.idle_ps <= found.wall_ps
        assert "input-of-other-classes" not in codes(found)

    @pytest.mark.parametrize(("waits_ms", "level"), [(1, "low"), (2, "moderate"), (5, "moderate"), (6, "high")])
    def test_bands_are_those_of_xprof(self, waits_ms, level):
        rows = [(at * 30 + begin, at_) for at in range(4) for begin, at_ in ((0, 2), (27 - waits_ms, 0), (27, 1))]
        found = record(main=stands(main_stands().stacks, *rows))
        assert found.level == level
        assert ("input-bound" in codes(found)) == (level != "low")

    def test_steps_that_compile_are_in_no_mean(self):
        made = input_profile()
        compiling = Spans(np.array([31 * MS]), np.array([5 * MS]))
        found = input_record(attrs.evolve(made, compiling=compiling), GET_OPTIONS)
        assert (found.step_count, found.steady_steps) == (record().step_count, record().step_count - 1)
        assert values(found, "input-steps-compile") == {"steps": 1, "of": found.step_count}
        assert [each.is_steady for each in found.steps].count(False) == 1

    def test_device_side_has_mean_deviation_range_and_devices(self):
        spread = {each.quantity: each for each in record().spreads}
        assert spread["step"].mean_ps == 30 * MS
        assert spread["step"].sigma_ps == 0
        assert spread["idle"].mean_ps == pytest.approx(20 * MS, rel=0.01)
        assert spread["input"].least_ps <= spread["input"].mean_ps <= spread["input"].greatest_ps
        assert spread["input"].least_device_ps == spread["input"].greatest_device_ps

    def test_launches_that_met_an_idle_device_are_counted_by_step(self):
        found = record()
        assert found.launches == found.idle_launches == sum(each.launches for each in found.steps)


class TestStages:
    def test_lines_of_the_thread_that_fills_the_queue_have_their_times(self):
        found = record()
        decode, augment = stage(found, 3), stage(found, 4)
        assert decode.self_ps == 4 * 12 * MS
        assert augment.self_ps == 4 * 17 * MS
        assert (decode.count, augment.count, decode.thread_names) == (4, 4, ("reader",))
        assert decode.self_ratio == pytest.approx(12 / 30, abs=0.01)
        assert decode.basis == "exact"

    def test_what_waits_has_no_share(self):
        waits = next(each for each in record().stages if each.path == "train.py")
        assert (waits.work, waits.self_ratio, waits.total_ratio) == (None, None, None)

    def test_the_suspect_of_a_step_is_what_worked_longest_while_devices_waited(self):
        found = record()
        assert stage(found, 4).suspect_steps == found.step_count
        assert {each.suspect for each in found.steps} == {stage(found, 4).key}
        assert stage(found, 3).suspect_steps == 0

    def test_samples_cannot_count_and_say_that_they_estimate(self):
        found = record(main=main_stands(is_exact=False), reader=reader_stands(is_exact=False))
        assert (stage(found, 3).count, stage(found, 3).basis) == (None, "estimated")
        assert "input-lines-sampled" in codes(found)

    def test_reading_is_told_by_what_a_line_calls(self):
        text = GET_OPTIONS.text
        reads = attrs.evolve(
            GET_OPTIONS,
            text=lambda file, line: "x = np.load(path)" if (file, line) == (READER, 3) else text(file, line),
        )
        found = input_record(input_profile(), reads)
        assert stage(found, 3).work == "read-ahead"
        assert {each.work: each.time_ps for each in found.categories}["read-ahead"] == 4 * 12 * MS
        assert sum(each.share_ratio for each in found.categories) == pytest.approx(1)


def grain_events():
    """In each step the thread that reads ahead is in a batch for 28 ms, and in its source for the first of them."""
    stages = (Stage("grain", "Batch(8)", "preprocessing", 2), Stage("grain", "Range", "read", 4))
    rows = [each for at in range(4) for each in ((at * 30, at * 30 + 28, 0), (at * 30, at * 30 + 1, 1))]
    start_ms, end_ms, number = np.array(rows, dtype=np.int64).T
    return StageEvents(stages, [ThreadStages(0, READER_ID, "python", start_ms * MS, end_ms * MS, number)])


def operation(id_, name, *inputs, **more):
    return RecordedOperation(id_, "grain", name, inputs, **more)


TREE = (
    operation(1, "PrefetchDatasetIterator", 2, threads=1, capacity=4),
    operation(2, "BatchMapDataset", 3),
    operation(3, "MapMapDataset", 4, called="Decode", function=(READER, "read", 1)),
    operation(4, "RangeMapDataset"),
)


def grain_record(sizes=None, **parts):
    waits = queue(STARVED if sizes is None else sizes, kind="grain", ends={(LINE_ID, "__next__"): 9}, id_=1)
    return record(queues=[waits], operations=TREE, stages=grain_events(), **parts)


class TestGrain:
    def test_a_function_that_an_operation_calls_is_no_time_of_what_is_around_it(self):
        found = {each.name: each for each in grain_record().stages if each.name}
        # The function's thread is in it all the time; the source is called by its operation, not by the function.
        assert found["Range"].self_ps == 4 * MS
        assert found["Batch(8)"].self_ps == 0
        assert found["Batch(8)"].total_ps == 4 * 28 * MS
        assert found["Decode"].self_ps == pytest.approx((WHOLE_MS - 4) * MS)
        assert (found["Decode"].kind, found["Decode"].line) == ("function", 1)
        assert (found["Range"].work, found["Batch(8)"].work) == ("read-ahead", "preprocessing")

    def test_its_tree_is_the_graph_up_to_the_device(self):
        found = grain_record()
        names = {each.key: each.name for each in found.operations}
        chain = [(each.kind, each.name, tuple(names[key] for key in each.inputs)) for each in found.operations]
        assert chain == [
            ("grain", "Range", ()),
            ("grain", "Map(Decode)", ("Range",)),
            ("grain", "Batch", ("Map(Decode)",)),
            ("grain", "Prefetch", ("Batch",)),
            ("script", "train", ("Prefetch",)),
            ("device", "", ("train",)),
        ]
        assert [each.queue for each in found.operations if each.name == "Prefetch"] == [found.queues[0].key]

    def test_what_works_longest_before_the_empty_queue_is_suspected(self):
        found = grain_record()
        (suspected,) = (each for each in found.operations if each.suspected)
        assert (suspected.name, suspected.suspected, suspected.key) == ("Map(Decode)", "sure", found.suspected)
        assert values(found, "input-grain")["name"] == "Map(Decode)"

    def test_a_tree_that_was_not_recorded_is_said_and_not_guessed(self):
        found = record(queues=[], stages=grain_events())
        assert "input-grain-unseen" in codes(found)
        assert "grain" not in {each.kind for each in found.operations}


class TestOperations:
    def test_a_thread_that_fills_a_queue_is_one_with_its_longest_line(self):
        found = record()
        filler = found.operations[0]
        assert (filler.kind, filler.name, filler.workers, filler.line) == ("threads", "reader", 1, 4)
        assert filler.busy_ratio == pytest.approx(1, abs=0.04)
        assert filler.suspected == "sure"
        assert values(found, "input-fillers") == {"number": 1, "name": "reader"}

    def test_a_thread_that_was_seen_to_wait_for_room_fills_it(self):
        ends = {(LINE_ID, "get"): 9, (READER_ID, "put"): 3}
        without_text = LineOptions(roots=("/home/me",))
        found = input_record(input_profile(queues=[queue(STARVED, ends=ends)]), without_text)
        assert found.queues[0].producers == ("reader",)

    def test_workers_of_torch_stand_beside_it(self):
        loader = RecordedOperation(5, "torch", "_MultiProcessingDataLoaderIter", [6], processes=[77, 78], capacity=4)
        dataset = RecordedOperation(6, "torch", "Slow", [], called="Slow", function=(READER, "Slow.__getitem__", 3))
        waits = queue(STARVED, kind="torch", ends={(LINE_ID, "_next_data"): 9}, id_=5)
        found = record(queues=[waits], operations=(loader, dataset))
        assert [(each.name, each.workers) for each in found.operations[:2]] == [("Slow", None), ("DataLoader", 2)]
        assert [each.name for each in found.stages if each.kind == "worker"] == ["77", "78"]
        assert {"input-torch", "input-workers-unseen"} <= set(codes(found))

    def test_inputs_that_go_round_in_a_circle_end(self):
        circle = (operation(1, "A", 2), operation(2, "B", 1), operation(3, "C", 3, 99))
        found = record(operations=circle)
        assert {"A", "B", "C"} <= {each.name for each in found.operations}

    def test_nothing_is_suspected_where_the_steps_do_not_wait(self):
        rows = [(at * 30 + begin, at_) for at in range(4) for begin, at_ in ((0, 2), (26, 0), (27, 1))]
        found = record(main=stands(main_stands().stacks, *rows))
        assert found.suspected is None
        assert all(each.suspected is None for each in found.operations)

    def test_tf_data_is_said_to_be_unseen(self):
        found = record(files=["/venv/tensorflow/python/data/ops/iterator_ops.py"])
        assert "input-tf-data-unseen" in codes(found)
        assert [each.kind for each in found.operations if each.kind == "tf.data"] == ["tf.data"]


def test_a_lambda_is_found_by_the_name_of_its_program():
    traced = (Frame(TRAIN, 3, "<lambda>"), Frame(TRAIN, 9, "<module>"))
    assert call_stack("jit__lambda", [traced]) == call_stack("jit__lambda_", [traced]) == traced[1:]
    assert call_stack("jit_step", [(Frame(TRAIN, 3, "main.<locals>.step"), *traced[1:])]) == traced[1:]
    assert call_stack("jit_other", [traced]) == ()


class TestNothing:
    def test_a_profile_without_executions_says_why(self):
        nothing, runs = finish(Tables(), 0)
        made = Profile(Path("made"), nothing, runs, (), 0)
        assert codes(input_record(made), "empty") == ["input-nothing-ran"]

    @pytest.mark.parametrize("view", [input_record, hot_lines, flame_of])
    @pytest.mark.parametrize("said", [(), (warning("no-steps", program_runs=3), warning("window-by-time"))])
    def test_why_there_are_no_steps_is_said_once_though_the_capture_said_so_too(self, view, said):
        runs = [(0, at_ms * MS, MS) for at_ms in (0, 2)]
        made = profile([module("jit_step", "1", (), ())], runs)
        made = attrs.evolve(made, capture=RunInformation(findings=said), device_steps=())
        found = view(made)
        assert [each for each in codes(found) if each in ("no-steps", "no-program-runs")] == ["no-steps"]
        if view is input_record:
            assert codes(found, "empty") == ["input-no-steps"]

    def test_a_trace_without_a_host_says_that_it_cannot_know(self):
        runs = [(0, at * 30 * MS, 10 * MS) for at in range(4)]
        found = input_record(profile([module("jit_step", "1", (), ())], runs))
        assert codes(found, "empty") == ["input-host-not-traced"]
        assert found.input_ratio is None

    def test_without_a_recording_only_what_the_trace_marks_counts(self):
        made = attrs.evolve(input_profile(), host_records=dict)
        found = input_record(made, GET_OPTIONS)
        assert "input-lines-unknown" in codes(found)
        assert (found.input_ratio, found.level, found.input_ps, found.lines) == (None, None, None, ())
        assert [each.quantity for each in found.spreads] == ["step", "idle"]
        assert {(each.input_ps, each.least_input_ps, each.greatest_input_ps) for each in found.steps} == {(None,) * 3}
        assert {each.input_ps for each in found.devices} == {None}
        assert "waits for input" not in printed(found)
        assert (found.queues, found.stages, found.operations) == ((), (), ())
        (states,) = made.host_states
        marks = attrs.evolve(
            states,
            state=np.append(states.state, np.int8(HostState.INPUT)),
            start_ps=np.append(states.start_ps, 40 * MS),
            end_ps=np.append(states.end_ps, 50 * MS),
        )
        found = input_record(attrs.evolve(made, host_states=[marks]), GET_OPTIONS)
        assert found.input_ps == 10 * MS


def test_paths_are_the_users():
    assert TRAIN.startswith("/home/me/")
    assert DECODE.path == READER


IDS = st.integers(0, 6)
OPERATIONS = st.lists(
    st.builds(
        RecordedOperation,
        id=IDS,
        kind=st.sampled_from(["grain", "torch", "?"]),
        name=st.text(max_size=9),
        inputs=st.lists(IDS, max_size=4),
        called=st.text(max_size=5),
        function=st.none() | st.tuples(st.sampled_from([READER, ""]), st.just("read"), st.integers(-1, 1 << 40)),
        threads=st.none() | st.integers(-1, 1 << 40),
        processes=st.lists(st.integers(-1, 9), max_size=2),
    ),
    max_size=6,
)
SIZES = st.dictionaries(st.integers(-50, 200), st.integers(-3, 1 << 40), max_size=20)
ENDS = st.dictionaries(
    st.tuples(st.sampled_from([LINE_ID, READER_ID, 99]), st.sampled_from(["get", "put", "_next_data", ""])),
    st.integers(-1, 9),
    max_size=4,
)
QUEUES = st.lists(
    st.builds(
        lambda sizes, capacity, ends, kind, id_: queue(sizes, capacity=capacity, ends=ends, kind=kind, id_=id_),
        SIZES,
        st.integers(-2, 5),
        ENDS,
        st.sampled_from(["queue", "processes", "torch", "grain", "?"]),
        IDS,
    ),
    max_size=3,
)
EVENTS = st.lists(
    st.tuples(st.sampled_from([LINE_ID, READER_ID, 99]), st.integers(-20, 150), st.integers(0, 80), IDS), max_size=12
)


@settings(max_examples=60, deadline=None)
@given(operations=OPERATIONS, queues=QUEUES, events=EVENTS)
def test_whatever_a_recording_says_times_add_up(operations, queues, events):
    stages = tuple(Stage("grain", f"s{each}", ("read", "prefetch", "?")[each % 3], each) for each in range(7))
    threads = []
    for line_id in {each[0] for each in events}:
        rows = np.array([each[1:] for each in events if each[0] == line_id], dtype=np.int64)
        start_ps, end_ps = rows[:, 0] * MS, (rows[:, 0] + rows[:, 1]) * MS
        order = np.lexsort((-end_ps, start_ps))
        threads.append(ThreadStages(0, line_id, "python", start_ps[order], end_ps[order], rows[order, 2]))
    found = record(queues=queues, operations=tuple(operations), stages=StageEvents(stages, threads))
    assert found.input_ratio == pytest.approx(17 / 30, abs=0.01)
    assert found.verdict not in ("keeps-up", "consumer", "barely"), "devices wait"
    threads_ps = WHOLE_MS * MS * 3
    assert sum(each.self_ps for each in found.stages if each.self_ps is not None) <= threads_ps
    assert all(each.self_ps <= each.total_ps for each in found.stages if each.self_ps is not None)
    keys = {each.key for each in found.operations}
    assert all(set(each.inputs) <= keys for each in found.operations)
    for each in found.queues:
        assert 0 <= each.empty_gets <= each.gets <= len(each.step_held)
        assert each.use_ratio is None or 0 <= each.use_ratio <= 1


def test_of_two_queues_the_one_that_is_starved_although_the_one_behind_is_full():
    def named(name, *inputs, **more):
        return InputOperation(name, "threads", name, None, None, None, inputs, **more)

    def held(key, use_ratio, empty_gets=0):
        return attrs.evolve(record().queues[0], key=key, use_ratio=use_ratio, gets=10, empty_gets=empty_gets)

    reads = named("reads", queue="behind", busy_ratio=0.2)
    augments = named("augments", "reads", queue="front", busy_ratio=0.75)
    loop = attrs.evolve(named("loop", "augments"), kind="script")
    graph = (reads, augments, loop)
    found = suspected_of(graph, (held("front", 0.1), held("behind", 0.9)))
    assert (found.operation.name, found.certainty) == ("augments", "likely")
    busy = attrs.evolve(augments, busy_ratio=0.95)
    assert suspected_of((reads, busy, loop), (held("front", 0.1), held("behind", 0.9))).certainty == "sure"
    # It is not sure that what reads has all that it needs.
    assert suspected_of((reads, busy, loop), (held("front", 0.1), held("behind", 0.5))).certainty == "likely"
    found = suspected_of(graph, (held("front", 0.1), held("behind", 0.1)))
    assert (found.operation.name, found.certainty) == ("reads", "likely")
    assert suspected_of(graph, (held("front", 0.5), held("behind", 0.9))) is None
    found = suspected_of(graph[1:], (held("front", 0.5, empty_gets=4),))
    assert (found.operation.name, found.certainty) == ("augments", "likely")


def test_of_functions_in_the_loop_the_one_that_works_longest():
    def named(name, kind="function", *inputs, **more):
        return InputOperation(name, kind, name, None, None, None, inputs, **more)

    takes, augments = named("takes", self_ps=2), named("augments", self_ps=20)
    fills = named("fills", "threads", queue="front", self_ps=90)
    loop = named("loop", "script", "fills", "takes", "augments")
    front = attrs.evolve(record().queues[0], key="front", use_ratio=0.1)
    assert suspected_of((takes, augments, loop), ()).operation.name == "augments"
    assert suspected_of((fills, takes, augments, loop), (front,)).operation.name == "fills"
    assert suspected_of((fills, takes, augments, loop), (front,), in_the_loop=True).operation.name == "augments"
    assert suspected_of((fills, attrs.evolve(loop, inputs=("fills",))), (front,), in_the_loop=True) is None
