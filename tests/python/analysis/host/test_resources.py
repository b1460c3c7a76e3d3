"""Resources beside steps: what sums must agree, what is unknown, and what is advised."""

from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from made.findings import codes, values
from made.host.host_resources import EPOCH_NS, MS, machine, process, read, reading, thread
from made.host.input_host import GET_OPTIONS, STARVED, input_profile, queue
from made.profiles import module, profile
from scopelight.analysis.host.resources import series as series_module
from scopelight.analysis.host.resources.measured import resources_record
from scopelight.analysis.host.resources.series import common_name
from scopelight.analysis.host.resources.spans import MOST_INTERVALS
from scopelight.analysis.host.resources.view import resources
from scopelight.analysis.options import NoOptions
from scopelight.analysis.subject import Subject
from scopelight.formats.host_recording.reader import RecordedOperation, RecordedThread
from scopelight.model.host.resources import HostDevice
from scopelight.model.run.information import RunInformation
from scopelight.report.host.resources import render_resources

PS = 1000 * MS
"""In a millisecond of the profile's times."""
NAMES = {"MainThread": 41, "prefetch": 42, "of another process": 43, "Dummy-1": 44, "ended": None}
PROGRAM = module("jit_step", "1", (), ())
CAPTURE = RunInformation(backend="cpu")


def made_profile(resources, *, steps=6, step_ms=100, capture=CAPTURE, started_ns=EPOCH_NS):
    """Of steps that run for half of their time, each a run of one program; what was read beside it."""
    runs = [(0, at * step_ms * PS, step_ms * PS // 2) for at in range(steps)]
    made = profile([PROGRAM], runs, capture=capture)
    return attrs.evolve(made, started_ns=started_ns, duration_ps=steps * step_ms * PS, resources=lambda: resources)


def printed(record):
    console = Console(file=StringIO(), width=400)
    render_resources(record, console, base=Path("/"), limit=20)
    return console.file.getvalue()


def series(record, quantity, name=""):
    (found,) = (each for each in record.series if each.quantity == quantity and each.name == name)
    return found


@pytest.fixture
def file(tmp_path):
    return tmp_path / "file"


def busy_lines(user, system, *, script=0.0, waiting=0.0, switches=0, every_ms=50, until_ms=700):
    """Four cores of which so many are in user code and in the kernel, the script on so many and waiting for so many."""
    lines = [
        reading(-100, new_processes=[process(1, 41, started_ms=-100)], new_threads=[thread(2, 1, 41, "loader")]),
    ]
    for at in range(-50, until_ms, every_ms):
        since = at + 100
        fields = machine(
            at, user * since, system * since, (4 - user - system) * since, switches=switches * since // 1000
        )
        on_core, waited = int(script * since * MS), int(waiting * since * MS)
        lines.append(
            {
                **fields,
                "processes": [[1, on_core, every_ms * MS]],
                "threads": [[2, on_core, waited, since, every_ms * MS]],
            }
        )
    return lines


class TestSeries:
    def test_shares_of_all_cores_in_time_and_in_steps(self, file):
        record = resources_record(made_profile(read(file, *busy_lines(2, 1))))
        assert series(record, "cpu_user_ratio").steps_mean == pytest.approx(0.5)
        assert series(record, "cpu_system_ratio").window_mean == pytest.approx(0.25)
        assert series(record, "cpu_idle_ratio").run_mean == pytest.approx(0.25)
        assert record.span == "steps"
        assert len(series(record, "cpu_user_ratio").step_values) == len(record.steps)
        assert all(each == pytest.approx(0.5) for each in series(record, "cpu_user_ratio").step_values)

    def test_times_count_from_the_profiles_first_event(self, file):
        record = resources_record(made_profile(read(file, *busy_lines(1, 0))))
        assert record.edges_ps[0] == -100 * PS
        assert record.steps[0].start_ps == 0
        assert record.window_ps == 600 * PS
        assert record.period_ps == 50 * PS

    def test_threads_and_processes_of_a_core(self, file):
        record = resources_record(made_profile(read(file, *busy_lines(1, 0, script=0.75, waiting=0.5))))
        assert series(record, "process_core_ratio", "loader").steps_mean == pytest.approx(0.75)
        assert series(record, "thread_waiting_ratio", "loader").steps_mean == pytest.approx(0.5)
        (of_thread,) = record.threads
        assert of_thread.core_ratio == pytest.approx(0.75)
        assert of_thread.waiting_ratio == pytest.approx(0.5)
        assert of_thread.switches_per_s == pytest.approx(1000)
        (of_process,) = record.processes
        assert of_process.core_ratio == pytest.approx(0.75)
        # The last step ends with the window, and no run of the program follows it to say so.
        assert of_process.steps_cpu_ps == pytest.approx(0.75 * record.span_ps)
        assert of_process.window_cpu_ps == pytest.approx(0.75 * 600 * PS)

    def test_user_and_system_time_of_a_process_sum_to_its_time_on_a_core(self, file):
        lines = busy_lines(1, 0, script=0.75)
        lines[1]["details"] = [[1, 100 * MS, 0, 1, 0, 0]]
        lines[-1]["details"] = [[1, 400 * MS, 100 * MS, 1, 0, 0]]
        (row,) = resources_record(made_profile(read(file, *lines))).processes
        assert (row.user_ratio, row.system_ratio) == (pytest.approx(0.75 * 0.75), pytest.approx(0.75 * 0.25))
        # Of one that is read once it is not known.
        del lines[-1]["details"]
        (row,) = resources_record(made_profile(read(file, *lines))).processes
        assert (row.user_ratio, row.system_ratio) == (None, None)

    def test_the_main_thread_is_apart_from_others_of_its_name(self, file):
        lines = [
            reading(
                0,
                new_processes=[process(1, 41), process(2, 50, parent=1)],
                new_threads=[thread(3, 1, 41), thread(4, 1, 42), thread(5, 2, 50)],
            ),
            reading(600, threads=[[at, 100 * at * MS, 0, 1, 600 * MS] for at in (3, 4, 5)]),
        ]
        record = resources_record(made_profile(read(file, *lines)))
        of_threads = [each for each in record.series if each.quantity == "thread_core_ratio"]
        assert [(each.name, each.pid, each.is_main) for each in of_threads] == [
            ("python", 50, True),
            ("python", 41, False),
            ("python", 41, True),
        ]

    def test_threads_have_the_names_that_python_has_for_them(self, file):
        threads = [thread(3, 1, 41), thread(4, 1, 42), thread(5, 2, 43), thread(6, 1, 44, "tf_XLAEigen")]
        lines = [
            reading(0, new_processes=[process(1, 41), process(2, 50, parent=1)], new_threads=threads),
            reading(600, threads=[[at, 100 * (9 - at) * MS, 0, 1, 600 * MS] for at in (3, 4, 5, 6)]),
        ]
        names = {at: RecordedThread(name, tid) for at, (name, tid) in enumerate(NAMES.items())}
        made = made_profile(read(file, *lines))
        record = resources_record(attrs.evolve(made, host_records=lambda: {0: SimpleNamespace(threads=names)}))
        # Of the main thread, of another process and of a library the system's own are better.
        assert [each.name for each in record.threads] == ["python", "prefetch", "python", "tf_XLAEigen"]

    def test_what_is_not_told_is_unknown_and_never_0(self, file):
        lines = [
            reading(0, new_processes=[process(1, 41)], new_threads=[thread(2, 1, 41)]),
            reading(300, processes=[[1, 9 * MS, 300 * MS]], threads=[[2, 9 * MS, None, None, 300 * MS]]),
            reading(600),
        ]
        record = resources_record(made_profile(read(file, *lines, head=None)))
        assert {each.quantity for each in record.series} == {"process_core_ratio", "thread_core_ratio"}
        (of_process,) = record.processes
        assert (of_process.user_ratio, of_process.resident_bytes, of_process.waiting_ratio) == (None, None, None)
        assert (record.threads[0].waiting_ratio, record.threads[0].switches_per_s) == (None, None)
        assert (record.cores, record.memory_bytes, record.reading_ratio) == (None, None, None)

    def test_what_of_a_process_is_over_is_unknown_after_it(self, file):
        lines = [
            reading(0, new_processes=[process(1, 41)], details=[[1, 0, 0, 4096, 0, 0]]),
            reading(100, ended=[1]),
            reading(200),
        ]
        record = resources_record(made_profile(read(file, *lines)))
        assert series(record, "process_resident_bytes", "python").values == (4096, None)

    def test_a_long_run_is_thinned_and_the_window_is_not(self, file):
        lines = [machine(at * 50, at * 50 + 100_000) for at in range(-2000, 2000)]
        record = resources_record(made_profile(read(file, *lines)))
        assert len(record.edges_ps) <= MOST_INTERVALS
        inside = [each for each in record.edges_ps if 0 <= each < record.window_ps]
        assert len(inside) == 12
        assert series(record, "cpu_user_ratio").run_mean == pytest.approx(1)

    def test_many_threads_of_many_names_are_summed_up(self, file):
        names = [f"pool{chr(97 + at)}-{number}" for at in range(12) for number in range(2)]
        lines = [
            reading(
                0,
                new_processes=[process(1, 41)],
                new_threads=[thread(10 + at, 1, 100 + at, name) for at, name in enumerate(names)],
            ),
            reading(600, threads=[[10 + at, (24 - at) * MS, 0, 1, 600 * MS] for at in range(24)]),
        ]
        record = resources_record(made_profile(read(file, *lines)))
        of_threads = [each for each in record.series if each.quantity == "thread_core_ratio"]
        assert [(each.name, each.number, each.is_rest) for each in of_threads[:2]] == [
            ("poola", 2, False),
            ("poolb", 2, False),
        ]
        assert [(each.name, each.number, each.is_rest) for each in of_threads[8:]] == [("", 8, True)]
        assert sum(each.run_mean for each in of_threads) == pytest.approx(sum(range(1, 25)) / 600)

    @pytest.mark.parametrize(
        ("name", "common"),
        [("llvm-worker-12", "llvm-worker"), ("tf_XLAEigen", "tf_XLAEigen"), ("ThreadPool_0", "ThreadPool"), ("7", "7")],
    )
    def test_threads_of_a_pool_have_a_name_in_common(self, name, common):
        assert common_name(name) == common


@st.composite
def histories(draw):
    """Two processes and three threads that do some time on a core and wait for some, at readings of any distance."""
    gaps = draw(st.lists(st.integers(5, 400), min_size=2, max_size=12))
    lines, at = [], -50
    totals = dict.fromkeys((2, 3, 4), 0)
    unseen = 0
    for row, gap in enumerate(gaps):
        at += gap
        rows = []
        for number, before in list(totals.items()):
            grown = totals[number] = before + draw(st.integers(0, gap * MS))
            rows.append([number, grown, draw(st.integers(0, 1)) and grown // 2, row, gap * MS])
        unseen += draw(st.integers(0, gap * MS // 2))
        fields = {"new_processes": [process(1, 41), process(9, 50, parent=1)]} if row == 0 else {}
        fields |= {"new_threads": [thread(2, 1, 41), thread(3, 1, 42), thread(4, 9, 50)]} if row == 0 else {}
        whole = draw(st.integers(1, 4 * gap))
        lines.append(
            {
                **machine(at, *(sum(each) for each in zip((row * whole, row, row * 3), (0, 0, 1), strict=True))),
                **fields,
                "processes": [[1, totals[2] + totals[3] + unseen, gap * MS], [9, totals[4], gap * MS]],
                "threads": rows,
            }
        )
    return lines


@settings(max_examples=60, deadline=None)
@given(histories(), st.integers(2, 6), st.integers(20, 150))
def test_threads_sum_to_their_process_and_shares_to_all_cores(tmp_path_factory, lines, steps, step_ms):
    resources = read(tmp_path_factory.mktemp("made") / "file", *lines)
    record = resources_record(made_profile(resources, steps=steps, step_ms=step_ms))
    for of_process in record.processes:
        own = [each for each in record.threads if each.pid == of_process.pid]
        for field in ("steps_cpu_ps", "window_cpu_ps", "run_cpu_ps"):
            whole = getattr(of_process, field)
            if whole is not None:
                parts = sum(getattr(each, field) for each in own)
                assert parts == pytest.approx(whole, abs=len(own) + 2), (field, "a rounding each")
        if of_process.window_cpu_ps is not None:
            assert (of_process.steps_cpu_ps or 0) <= of_process.window_cpu_ps + 2 <= of_process.run_cpu_ps + 4
    shares = [
        each.values for each in record.series if each.quantity.startswith("cpu_") and "pressure" not in each.quantity
    ]
    for parts in zip(*shares, strict=True):
        assert None in parts or sum(parts) == pytest.approx(1, abs=1e-4)
    for each in record.series:
        assert len(each.values) == len(record.edges_ps) - 1


class TestWhatIsSaid:
    def test_why_there_is_nothing(self):
        nothing = made_profile(None, capture=None)
        assert codes(resources_record(nothing), "empty") == ["resources-of-another"]
        assert codes(resources_record(attrs.evolve(nothing, capture=CAPTURE)), "empty") == ["resources-older-run"]
        declined = RunInformation(reads_resources=False)
        assert codes(resources_record(attrs.evolve(nothing, capture=declined)), "empty") == ["resources-not-read"]

    def test_one_reading_is_too_few(self, file):
        record = resources_record(made_profile(read(file, machine(0), machine(0))))
        assert codes(record, "empty") == ["resources-too-few"]

    def test_without_a_clock_there_are_no_steps(self, file):
        record = resources_record(made_profile(read(file, *busy_lines(1, 0)), started_ns=None))
        assert (record.steps, record.span, record.window_ps, record.edges_ps[0]) == ((), "run", None, 0)
        assert codes(record, "note") == ["resources-without-clock"]

    def test_a_run_that_was_read_at_another_time_is_told(self, file):
        record = resources_record(made_profile(read(file, *busy_lines(1, 0)), started_ns=EPOCH_NS + 10**12))
        assert codes(record, "note") == ["resources-outside-window"]
        assert record.span == "run"
        assert all(each is None for each in series(record, "cpu_user_ratio").step_values)

    def test_steps_that_are_shorter_than_the_period(self, file):
        record = resources_record(made_profile(read(file, *busy_lines(1, 0)), step_ms=60))
        assert values(record, "resources-coarse") == {"period_ps": 50 * PS, "step_ps": 60 * PS}
        assert "resources-short-span" not in codes(record)
        # The panel has the means of each step, the terminal has none.
        assert "A step takes" not in printed(record)

    def test_that_short_steps_have_no_means_of_their_own_is_nothing_to_say(self, file, monkeypatch):
        monkeypatch.setattr(series_module, "MOST_STEPS", 3)
        record = resources_record(made_profile(read(file, *busy_lines(1, 0)), step_ms=60))
        assert not any(each.step_values for each in record.series)
        assert not {"resources-coarse", "resources-short-span"} & set(codes(record))

    def test_steps_that_are_shorter_than_the_period_together_are_told_by_what_is_around_them(self, file):
        record = resources_record(made_profile(read(file, *busy_lines(1, 0)), step_ms=10))
        assert values(record, "resources-short-span") == {"period_ps": 50 * PS, "span_ps": record.span_ps}
        assert "resources-coarse" not in codes(record)
        assert "that is read around them" in printed(record)

    @pytest.mark.parametrize(("backend", "code"), [("tpu", "resources-tpu-unknown"), ("gpu", "resources-gpu-unknown")])
    def test_accelerators_of_which_nothing_is_told(self, file, backend, code):
        resources = read(file, *busy_lines(1, 0))
        run = RunInformation(backend=backend)
        assert code in codes(resources_record(made_profile(resources, capture=run)), "note")
        device = {"kind": backend, "index": 0, "name": "A", "busy_ratio": 0.5, "used_bytes": 7, "total_bytes": 9}
        told = read(file, *busy_lines(1, 0), *(reading(at, devices=[device]) for at in (-100, 300)))
        record = resources_record(made_profile(told, capture=run))
        assert code not in codes(record, "note")
        (of_device,) = record.devices
        assert (of_device.busy_ratio, of_device.used_bytes, of_device.total_bytes) == (0.5, 7, 9)
        assert isinstance(told.devices[0], HostDevice)


class TestAdvice:
    def advised(self, file, *arguments, empty_gets_ratio=None, input_ratio=None, **fields):
        resources = read(file, *busy_lines(*arguments, **fields))
        return resources_record(made_profile(resources), empty_gets_ratio=empty_gets_ratio, input_ratio=input_ratio)

    def test_idle_cores_and_an_empty_queue_ask_for_more_workers(self, file):
        record = self.advised(file, 1, 0, script=1.0, empty_gets_ratio=0.6)
        assert values(record, "resources-more-workers") == {
            "user_ratio": pytest.approx(0.25),
            "empty_gets_ratio": 0.6,
            "free_cores": 3.0,
        }

    def test_a_queue_that_is_full_asks_for_none(self, file):
        assert not codes(self.advised(file, 1, 0, script=1.0, empty_gets_ratio=0.1), "advice")

    def test_of_an_unknown_queue_it_is_said_what_to_look_at(self, file):
        record = self.advised(file, 1, 0, script=1.0)
        assert codes(record, "advice") == ["resources-more-workers-perhaps"]
        assert values(record, "resources-more-workers-perhaps")["idle_device_ratio"] == pytest.approx(0.5, abs=0.1)

    def test_steps_that_do_not_wait_for_input_ask_for_none(self, file):
        assert not codes(self.advised(file, 1, 0, script=1.0, input_ratio=0.036), "advice")
        assert not codes(self.advised(file, 1, 0, script=1.0, input_ratio=0.036, empty_gets_ratio=0.9), "advice")

    def test_steps_that_do_ask_for_more_without_a_condition(self, file):
        record = self.advised(file, 1, 0, script=1.0, input_ratio=0.4)
        assert codes(record, "advice") == ["resources-more-workers-input"]
        assert values(record, "resources-more-workers-input")["input_ratio"] == 0.4
        record = self.advised(file, 1, 0, script=1.0, input_ratio=0.4, empty_gets_ratio=0.6)
        assert codes(record, "advice") == ["resources-more-workers"]

    def test_busy_cores_ask_for_none(self, file):
        assert not codes(self.advised(file, 3, 0, script=3.0, empty_gets_ratio=0.9), "advice")

    def test_where_the_kernel_takes_the_rest_no_core_is_left_for_more(self, file):
        record = self.advised(file, 1.5, 2.25, script=3.0, empty_gets_ratio=0.9)
        assert "resources-more-workers" not in codes(record)

    def test_a_busy_kernel_with_many_switches_asks_for_fewer_workers(self, file):
        record = self.advised(file, 2, 1, script=3.0, switches=100_000)
        assert codes(record, "advice") == ["resources-fewer-workers"]
        assert values(record, "resources-fewer-workers")["switches"] == pytest.approx(100_000, rel=0.01)
        assert not codes(self.advised(file, 2, 1, script=3.0, switches=1_000), "advice")

    def test_a_core_that_is_waited_for_asks_for_fewer_threads(self, file):
        record = self.advised(file, 4, 0, script=3.8, waiting=2.0)
        assert values(record, "resources-fewer-threads")["thread"] == "loader"
        assert values(record, "resources-fewer-threads")["waiting_ratio"] == pytest.approx(2 / 5.8)
        (found,) = (each for each in record.findings if each.severity == "advice")
        assert found.evidence == (record.threads[0].key,)

    def test_other_programs_that_take_the_cores_are_told(self, file):
        record = self.advised(file, 4, 0, script=2.0, waiting=2.0)
        assert values(record, "resources-others")["others_cores"] == pytest.approx(2.0)

    def test_a_limit_that_holds_the_script_back_is_told(self, file):
        lines = busy_lines(3, 0, script=1.0)
        for at, each in enumerate(lines[1:]):
            each["machine"]["throttled_ns"] = at * 10 * MS
        record = resources_record(made_profile(read(file, *lines)))
        assert values(record, "resources-throttled")["throttled_ratio"] == pytest.approx(0.2)


class TestWork:
    def made(self, file, **input_parts):
        """Four cores, and a script whose main thread is 41 and whose thread 42 fills the queue of its steps."""
        lines = [
            {
                **machine(0),
                "new_processes": [process(1, 41), process(2, 77, parent=1)],
                "new_threads": [thread(3, 1, 41), thread(4, 1, 42), thread(5, 2, 77), thread(6, 1, 43)],
            },
            {**machine(120, 120, 0, 360), "threads": [[at, at * MS, 0, 1, 120 * MS] for at in (3, 4, 5, 6)]},
        ]
        found = read(file, *lines)
        made = attrs.evolve(input_profile(**input_parts), started_ns=EPOCH_NS, resources=lambda: found)
        return resources(Subject.of(made, GET_OPTIONS), NoOptions())

    def test_threads_have_the_operation_that_they_work_for(self, file):
        found = {each.tid: each.works_for for each in self.made(file).threads if each.tid is not None}
        assert found == {41: ("train",), 42: ("reader",), 43: (), 77: ()}

    def test_processes_and_their_threads_have_theirs(self, file):
        loader = RecordedOperation(5, "torch", "_MultiProcessingDataLoaderIter", [], processes=[77])
        record = self.made(file, operations=(loader,))
        assert {each.pid: each.works_for for each in record.processes} == {41: (), 77: ("DataLoader",)}
        assert {each.tid: each.works_for for each in record.threads}[77] == ("DataLoader",)

    def test_the_queue_of_the_steps_says_whether_more_workers_help(self, file):
        assert values(self.made(file), "resources-more-workers")["empty_gets_ratio"] == 1
        full = self.made(file, queues=[queue(dict.fromkeys(STARVED, 4))])
        assert "resources-more-workers" not in codes(full)
