"""Operations on data: loaders without workers, processes, pools; what their workers did, and what is advised."""

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
    READER,
    READER_ID,
    STARVED,
    STEP,
    input_profile,
    queue,
    stands,
)
from made.host.waiting_host import LINE_ID, MS
from scopelight.analysis.host.input import pools as pools_module
from scopelight.analysis.host.input.advice import advice_of
from scopelight.analysis.host.input.core_use import CoreUse, MachineUse, machine_use, mean_use
from scopelight.analysis.host.input.graph_records import InputOperation
from scopelight.analysis.host.input.host_parts import host_parts
from scopelight.analysis.host.input.records import InputRecord
from scopelight.analysis.host.input.suspected import Suspected
from scopelight.analysis.host.input.view import input_record
from scopelight.analysis.host.resources.records import ResourceProcess, ResourceSeries, ResourcesRecord
from scopelight.analysis.totals.centre import centre_of
from scopelight.formats.host_recording.reader import RecordedOperation
from scopelight.program.hlo.frames import Frame

FUTURES = "/usr/lib/python3.12/concurrent/futures/_base.py"
RESULT = (Frame("/usr/lib/python3.12/threading.py", 355, "Condition.wait"), Frame(FUTURES, 451, "Future.result"))
WORKER = Frame("/usr/lib/python3.12/concurrent/futures/thread.py", 90, "_worker")
NEXT = Frame("/venv/site-packages/torch/utils/data/dataloader.py", 741, "_BaseDataLoaderIter.__next__")
FETCH = Frame("/venv/site-packages/torch/utils/data/_utils/fetch.py", 54, "_MapDatasetFetcher.fetch")
DATASET = (READER, "read", 1)


def record(**parts):
    return input_record(input_profile(queues=[], **parts), GET_OPTIONS)


def chain(found):
    names = {each.key: each.name for each in found.operations}
    return [(each.kind, each.name, tuple(names[key] for key in each.inputs)) for each in found.operations]


class TestLoaderOfTorchWithoutWorkers:
    OPERATIONS = (
        RecordedOperation(5, "torch", "_SingleProcessDataLoaderIter", [6]),
        RecordedOperation(6, "torch", "stack", [7], called="stack", function=("/home/me/stack.py", "stack", 1)),
        RecordedOperation(7, "torch", "Slow", [], called="Slow", function=DATASET),
    )

    def found(self):
        """In each step of 30 ms: 10 of reading the last result, 12 and 5 in two lines of the dataset, 3 launching."""
        stacks = [(DECODE, GET, MAIN), (AUGMENT, GET, MAIN), (STEP, MAIN), (LOG, MAIN)]
        rows = [(at * 30 + begin, stack) for at in range(4) for begin, stack in ((0, 3), (10, 0), (22, 1), (27, 2))]
        inside = (FETCH, NEXT, GET, MAIN)
        sampled = {LINE_ID: [inside, (DECODE, *inside), (AUGMENT, *inside)], READER_ID: []}
        # No thread reads ahead.
        elsewhere = stands([(Frame("/usr/lib/x.py", 1, "x"),)], (0, 0))
        return record(main=stands(stacks, *rows), reader=elsewhere, operations=self.OPERATIONS, sampled=sampled)

    def test_is_an_operation_that_reads_from_its_dataset_without_workers(self):
        found = self.found()
        assert chain(found) == [
            ("torch", "Slow", ()),
            ("torch", "stack", ("Slow",)),
            ("torch", "DataLoader", ("stack",)),
            ("script", "train", ("DataLoader",)),
            ("device", "", ("train",)),
        ]
        assert [each.workers for each in found.operations[:3]] == [None, None, 0]

    def test_the_dataset_has_the_time_of_its_lines(self):
        slow, stack, _, *_ = self.found().operations
        assert slow.self_ps == pytest.approx(4 * 17 * MS, rel=0.02)
        assert slow.busy_ratio == pytest.approx(17 / 30, abs=0.03)
        assert slow.line == 1
        assert slow.stage == next(each.key for each in self.found().stages if each.line == DECODE.line)
        assert stack.self_ps == 0

    def test_workers_are_advised(self):
        found = self.found()
        assert found.suspected == found.operations[0].key
        assert values(found, "input-torch-in-the-loop") == {"name": "Slow"}
        assert not {"input-torch", "input-workers-unseen", "input-in-the-loop"} & set(codes(found))

    def test_the_line_that_asks_does_not_only_wait(self):
        works = {each.line: each.work for each in self.found().stages if each.path == "train.py"}
        assert works[GET.line] == "other"


class TestProcessesOfGrain:
    OPERATIONS = (
        RecordedOperation(1, "grain", "ProcessPrefetchDatasetIterator", [2], processes=[77, 78], capacity=6),
        RecordedOperation(2, "grain", "BatchMapDataset", [3], threads=1),
        RecordedOperation(3, "grain", "MapMapDataset", [], called="Decode", function=DATASET),
    )

    def found(self, operations=OPERATIONS):
        waits = queue(STARVED, kind="grain-processes", capacity=6, ends={(LINE_ID, "__next__"): 9}, id_=1)
        return input_record(input_profile(queues=[waits], operations=operations), GET_OPTIONS)

    def test_are_one_operation_over_those_that_run_in_them(self):
        found = self.found()
        assert chain(found)[:3] == [
            ("grain", "Map(Decode)", ()),
            ("grain", "Batch", ("Map(Decode)",)),
            ("grain", "ProcessPrefetch", ("Batch",)),
        ]
        decode, batch, processes, *_ = found.operations
        assert (processes.workers, processes.process_ids, processes.runs_in) == (2, (77, 78), None)
        assert decode.runs_in == batch.runs_in == processes.key
        assert (decode.line, decode.self_ps, decode.busy_ratio) == (1, None, None)
        assert processes.queue == found.queues[0].key

    def test_threads_that_read_from_them_work_for_them(self, monkeypatch):
        monkeypatch.setattr(pools_module, "line_id_of", {1: READER_ID}.get)
        processes, *others = self.OPERATIONS
        found = self.found((attrs.evolve(processes, members=[1]), *others))
        assert found.operations[2].thread_ids == (42,)
        assert [each.thread_ids for each in found.operations[:2]] == [(), ()]

    def test_that_their_lines_are_not_seen_is_said(self):
        found = self.found()
        assert {"input-workers-unseen", "input-grain-processes"} <= set(codes(found))
        assert [each.name for each in found.stages if each.kind == "worker"] == ["77", "78"]

    def test_what_runs_in_them_is_suspected_by_its_line(self):
        found = self.found()
        assert found.suspected == found.operations[0].key

    def test_of_several_functions_none_is_guessed(self):
        source = RecordedOperation(4, "grain", "SourceMapDataset", [], called="Records", function=(READER, "source", 1))
        *others, decode = self.OPERATIONS
        found = self.found((*others, attrs.evolve(decode, inputs=[4]), source))
        (suspected,) = (each for each in found.operations if each.suspected)
        assert (suspected.name, suspected.suspected) == ("ProcessPrefetch", "likely")


class TestPools:
    POOL = RecordedOperation(9, "threads", "ThreadPoolExecutor", [], called="decoder", threads=2, members=[1])

    @pytest.fixture(autouse=True)
    def _members(self, monkeypatch):
        monkeypatch.setattr(pools_module, "line_id_of", {1: READER_ID}.get)

    def found(self, *, asks=(*RESULT, GET, MAIN), pool=POOL, **parts):
        return record(operations=(pool,), sampled={LINE_ID: [asks]}, **parts)

    def test_of_threads_are_an_operation_with_their_longest_line(self):
        found = self.found()
        assert chain(found)[:2] == [
            ("threads", "ThreadPoolExecutor(decoder)", ()),
            ("script", "train", ("ThreadPoolExecutor(decoder)",)),
        ]
        pool = found.operations[0]
        assert (pool.line, pool.self_ps, pool.thread_ids) == (AUGMENT.line, found.window_ps, (42,))
        # One of the two that it may have works all the time.
        assert (pool.workers, pool.busy_ratio) == (2, pytest.approx(0.5, abs=0.02))
        assert found.lines[0].line == GET.line
        assert {each.line for each in found.stages if each.path == "reader.py"} == {3, 4, 5}

    def test_idle_workers_are_asked_for_more_and_busy_ones_are_too_few(self):
        idle = stands(
            [(DECODE,), (WORKER,)], *((at * 30 + begin, of) for at in range(4) for begin, of in ((0, 0), (9, 1)))
        )
        alone = attrs.evolve(self.POOL, threads=1)
        found = self.found(pool=alone, reader=attrs.evolve(idle, is_exact=False))
        assert values(found, "input-pool-idle") == {
            "workers": 1,
            "name": "ThreadPoolExecutor(decoder)",
            "busy_ratio": pytest.approx(0.3, abs=0.02),
        }
        found = self.found(pool=alone)
        assert values(found, "input-pool-busy")["busy_ratio"] == pytest.approx(1, abs=0.02)
        assert found.operations[0].suspected == "sure"
        assert "input-in-the-loop" not in codes(found)

    def test_of_processes_have_their_numbers_and_no_lines(self):
        pool = RecordedOperation(9, "processes", "ProcessPoolExecutor", [], "decode", DATASET, 2, processes=[77, 78])
        found = self.found(pool=pool)
        assert chain(found)[0] == ("processes", "ProcessPoolExecutor(decode)", ())
        assert (found.operations[0].process_ids, found.operations[0].line) == ((77, 78), 1)
        assert {"input-pool", "input-workers-unseen"} <= set(codes(found))

    def test_that_the_script_never_asks_are_no_operation(self):
        assert "threads" not in {each.kind for each in self.found(asks=(LOG, MAIN)).operations}

    def test_that_a_library_waits_for_are_no_operation(self):
        of_library = Frame("/venv/site-packages/grain/_src/python/dataset/transformations/prefetch.py", 1, "x.__next__")
        found = self.found(asks=(*RESULT, of_library, GET, MAIN))
        assert "threads" not in {each.kind for each in found.operations}

    def test_that_did_nothing_are_no_operation(self):
        found = self.found(reader=attrs.evolve(stands([(WORKER,)], (0, 0)), is_exact=False))
        assert "threads" not in {each.kind for each in found.operations}


class TestCores:
    def test_of_workers_are_their_mean(self):
        uses = {77: CoreUse(0.5, 0.1), 78: CoreUse(0.7, 0.3), 79: CoreUse(0.1, None)}
        assert mean_use(uses, [77, 78, 99]) == CoreUse(0.6, 0.2)
        assert mean_use(uses, [77, 79]) == CoreUse(0.3, None)
        assert mean_use(uses, [99]) is None

    def test_and_the_wait_for_one_stand_with_each_operation(self):
        uses = {42: CoreUse(0.9, 0.25), 41: CoreUse(0.2, 0.0)}
        made = input_profile()
        parts = host_parts(made, centre_of(made, GET_OPTIONS), uses)
        reader, loop, _ = parts.operations
        assert (reader.thread_ids, reader.core_ratio, reader.core_waiting_ratio) == ((42,), 0.9, 0.25)
        assert (loop.thread_ids, loop.core_ratio) == ((41,), 0.2)


def operation(kind, **more):
    return InputOperation("0:a", kind, "A", None, None, None, (), **more)


@pytest.mark.parametrize(
    ("worker", "code"),
    [
        (operation("grain", workers=2, process_ids=(1, 2), core_ratio=0.9), "input-grain-processes-busy"),
        (operation("grain", workers=2, process_ids=(1, 2), core_ratio=0.1), "input-grain-processes-waits"),
        (operation("grain", workers=2, process_ids=(1, 2)), "input-grain-processes"),
        (operation("torch", workers=2, core_ratio=0.9), "input-torch-busy"),
        (operation("torch", workers=0), "input-torch-in-the-loop"),
        (operation("threads", workers=2, busy_ratio=0.95), "input-pool-busy"),
        (operation("threads", workers=2, busy_ratio=0.7), "input-pool"),
        (operation("threads", workers=2, busy_ratio=0.4), "input-pool-idle"),
        (operation("threads", workers=2, busy_ratio=0.4, queue="q"), "input-fillers"),
        (operation("processes", workers=2, core_ratio=0.9), "input-pool-cores"),
        (operation("processes", workers=2, core_ratio=0.1), "input-pool-waits"),
        (operation("processes", workers=2), "input-pool"),
    ],
)
def test_what_is_advised_depends_on_who_works_and_how_much(worker, code):
    waits = InputRecord(level="high")
    found = list(advice_of(waits, Suspected(worker, "sure", worker), MachineUse()))
    assert [each.code for each in found][1:] == [code]
    taken = MachineUse(busy_ratio=0.95, own_ratio=0.93)
    found = [each.code for each in advice_of(waits, Suspected(worker, "sure", worker), taken)]
    # More workers would not help where no core is free. To make it elsewhere, or to ask for it sooner, would.
    kept = ("input-torch-in-the-loop", "input-pool-idle")
    waiting = ("input-grain-processes-waits", "input-pool-waits")
    assert found[1:] == ([code] if code in (*kept, *waiting) else ["input-cores-taken"])


class TestTakenCores:
    WORKER = operation("torch", workers=2, core_ratio=0.4, core_waiting_ratio=0.65)

    def advised(self, machine, worker=WORKER):
        found = advice_of(InputRecord(level="high"), Suspected(worker, "sure", worker), machine)
        return list(found)[1]

    def test_by_the_script_itself_say_that_more_workers_would_not_help(self):
        found = self.advised(MachineUse(busy_ratio=1.0, own_ratio=0.93))
        assert (found.code, dict(found.values)) == ("input-cores-taken", {"own_ratio": 0.93, "name": "A"})
        # Of a few cores of many: those that it may use.
        assert self.advised(MachineUse(busy_ratio=0.2, own_ratio=0.97)).code == "input-cores-taken"

    def test_by_other_programs_as_well_say_so(self):
        found = self.advised(MachineUse(busy_ratio=1.0, own_ratio=0.42, others_ratio=0.58))
        assert found.code == "input-cores-others"
        assert dict(found.values) == {"cores_ratio": 1.0, "own_ratio": 0.42, "others_ratio": 0.58, "name": "A"}

    def test_are_not_taken_where_some_are_free_or_nobody_knows(self):
        assert self.advised(MachineUse(busy_ratio=0.7, own_ratio=0.4, others_ratio=0.3)).code == "input-torch"
        assert self.advised(MachineUse()).code == "input-torch"

    def test_do_not_matter_to_workers_that_sleep(self):
        sleeps = attrs.evolve(self.WORKER, core_ratio=0.05, core_waiting_ratio=0.02)
        assert self.advised(MachineUse(1.0, 0.1, 0.9), sleeps).code == "input-torch-waits"
        # What waits for a core may be kept from working by that alone.
        kept_off = attrs.evolve(sleeps, core_waiting_ratio=0.9)
        assert self.advised(MachineUse(1.0, 0.1, 0.9), kept_off).code == "input-cores-others"

    def test_are_the_machines_and_those_of_the_scripts_processes(self):
        def series(quantity, mean):
            return ResourceSeries("", quantity, "", 1, False, None, False, (), (), mean, None, None)

        def process(core_ratio):
            return ResourceProcess("", "", 1, None, 0, None, 1, core_ratio, *(None,) * 11, ())

        resources = ResourcesRecord(
            cores=4,
            usable_cores=2.0,
            span="steps",
            series=(series("cpu_idle_ratio", 0.1),),
            processes=(process(0.5), process(0.25)),
        )
        # Of the cores that it may use, and others' of all.
        assert machine_use(resources) == MachineUse(0.9, 0.375, pytest.approx(0.9 - 0.75 / 4))
        alone = attrs.evolve(resources, usable_cores=None, processes=(process(3.7),))
        assert machine_use(alone) == MachineUse(0.9, pytest.approx(0.925), 0.0)
        assert machine_use(ResourcesRecord()) == MachineUse()
