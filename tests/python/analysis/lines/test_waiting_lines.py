"""What devices waited for, in the record of lines: exact sums, spread, what exposed it, what others did meanwhile."""

import statistics
from types import SimpleNamespace

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from made.findings import codes, values
from made.host.idle import LOADER, OPTIONS, Thread, at, frame, idle_profile, op, stands
from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.formats.host_recording.reader import SampleRows
from scopelight.model.host.states import HostState
from scopelight.model.profile import StepMarks

US = 1_000_000
STEP_US = 1000
STACKS = (at(10), at(11), at(12), (frame(5, "load", LOADER), frame(10, "train")))
NEXT, STEP, READ, LOAD = range(4)
ADD = op("add", frame(3, "step"), frame(11))
SOURCE = {10: "batch = next(batches)", 11: "loss = step(batch)", 12: "print(loss)"}


def run(work_us=400, *, loads_us=(300,) * 4, devices=1, is_exact=True, others=(), **more):
    """Steps of 1 ms: the host reads the last loss, loads for so long, launches; devices work in the rest."""
    rows, states, stood, marks = [], [], [], []
    for at_step, loads in enumerate(loads_us):
        begin = at_step * STEP_US
        launch = STEP_US - work_us - 50
        # It loads until it launches, and reads the loss before.
        reads = launch - loads
        states += [(HostState.SYNC, begin, begin + reads), (HostState.DISPATCH, begin + launch, begin + launch + 50)]
        stood += [(begin, READ), (begin + reads, NEXT), (begin + reads + 10, LOAD), (begin + launch, STEP)]
        marks.append((at_step, begin, STEP_US))
        rows += [(device, begin + launch + 50, begin + STEP_US, at_step) for device in range(devices)]
    rows.sort()
    number, start, duration = np.array(marks, dtype=np.int64).T
    thread = Thread(
        states=tuple((state, start * US, end * US) for state, start, end in states),
        stood=stands(*((start * US, row) for start, row in stood), stacks=STACKS, is_exact=is_exact),
    )
    return idle_profile(
        [(ADD, start * US, end * US) for _, start, end, _ in rows],
        thread,
        *others,
        duration_ps=len(loads_us) * STEP_US * US,
        devices=[device for device, *_ in rows],
        runs=[run for *_, run in rows],
        launches=[(at_step * STEP_US + STEP_US - work_us - 50) * US for at_step in range(len(loads_us))],
        step_marks=[StepMarks("train", number, start * US, duration * US)],
        **more,
    )


def lines_of(profile, **options):
    record = hot_lines(profile, OPTIONS, **options)
    return record, {(line.path, line.line): line for line in record.lines}


def test_each_line_has_what_waited_for_it_and_what_waited_in_what_it_called():
    record, lines = lines_of(run())
    assert record.extent.steps == 4
    of = {key: (each.waiting_ps / US / 4, each.waiting_inclusive_ps / US / 4) for key, each in lines.items()}
    assert of == {
        ("train.py", 12): (250, 250),
        ("train.py", 10): (10, 300),
        ("loader.py", 5): (290, 290),
        ("train.py", 11): (50, 50),
        ("train.py", 3): (0, 0),
    }
    assert lines["train.py", 12].waiting_classes == {"sync": 1000 * US}
    assert lines["train.py", 11].waiting_classes == {"dispatch": 200 * US}
    assert record.idle_ps == 2400 * US
    assert record.idle_classes["sync"] == 1000 * US


def test_compute_and_waiting_are_ranked_together_as_shares_of_the_step():
    record, lines = lines_of(run())
    assert [line.line for line in record.lines][:3] == [3, 5, 12]
    shares = {line.line: line.share_ratio for line in record.lines}
    assert shares == pytest.approx({3: 0.4, 5: 0.29, 12: 0.25, 11: 0.05, 10: 0.01})
    assert sum(shares.values()) == pytest.approx(1)
    assert lines["train.py", 10].inclusive_share_ratio == pytest.approx(0.3)
    # What was launched on the line and what waited for it are both in what it holds.
    assert lines["train.py", 11].inclusive_share_ratio == pytest.approx(0.45)
    assert lines["loader.py", 5].waiting_share_ratio == pytest.approx(0.29)


def test_times_per_step_are_of_steps_and_devices():
    for devices in (1, 2):
        record, lines = lines_of(run(devices=devices))
        assert lines["loader.py", 5].waiting_ps == 4 * 290 * US * devices
        assert lines["loader.py", 5].waiting_per_step_ps == lines["loader.py", 5].per_step_ps == 290 * US
        assert lines["train.py", 10].inclusive_per_step_ps == 300 * US
        assert record.wall.idle_ps == 4 * 600 * US * devices


def test_the_basis_is_whether_the_interpreter_told():
    assert {line.basis for line in lines_of(run())[0].lines if line.waiting_ps} == {"exact"}
    record, _ = lines_of(run(is_exact=False))
    assert {line.basis for line in record.lines if line.waiting_ps} == {"estimated"}
    assert {line.basis for line in record.lines if not line.waiting_ps} == {None}


def test_the_spread_of_a_line_is_that_of_its_waiting_over_the_steps():
    _, lines = lines_of(run(loads_us=(100, 200, 300, 400)))
    assert lines["loader.py", 5].per_step_spread_ps == round(statistics.pstdev([90, 190, 290, 390]) * US)
    assert lines["train.py", 10].per_step_spread_ps == 0
    assert lines["train.py", 12].per_step_spread_ps == lines["loader.py", 5].per_step_spread_ps


def test_the_spread_is_the_same_on_several_devices():
    of_one, of_two = (lines_of(run(loads_us=(100, 200, 300, 400), devices=devices))[1] for devices in (1, 2))
    assert of_one["loader.py", 5].per_step_spread_ps == of_two["loader.py", 5].per_step_spread_ps > 0


def test_a_wait_that_is_over_as_the_device_stops_exposed_what_comes_then():
    profile = run()
    # The device works until the host has read the loss.
    executions = profile.executions
    duration_ps = np.array([250, 650, 650, 650], dtype=np.int64) * US
    moved = attrs.evolve(
        executions,
        start_ps=np.array([0, 600, 1600, 2600], dtype=np.int64) * US,
        duration_ps=duration_ps,
        self_ps=duration_ps,
    )
    record, lines = lines_of(attrs.evolve(profile, executions=moved))
    exposed = {key: [(each.line, each.waiting_ps // US) for each in line.exposed_by] for key, line in lines.items()}
    assert exposed["loader.py", 5] == [(12, 4 * 290)]
    # After the last run nothing comes, and the host stays where it is.
    assert exposed["train.py", 11] == [(12, 4 * 50 + 400)]
    (sync,) = record.syncs
    assert (sync.path, sync.line, sync.waits_per_step) == ("train.py", 12, 1)
    assert sync.exposed_ps == record.idle_ps == (4 * 350 + 400) * US
    assert not sync.shares_cores


def test_what_a_step_takes_at_best_without_a_wait():
    (sync,) = lines_of(run())[0].syncs
    # While it waits nothing runs: without it the step is as long.
    assert sync.at_best_step_ps == 1000 * US


def test_other_threads_stand_somewhere_meanwhile():
    loader = Thread(
        8,
        "loader",
        stood=stands(
            *((at_step * STEP_US * US + start * US, row) for at_step in range(4) for start, row in ((0, 0), (400, 1))),
            stacks=((frame(20, "work", LOADER),), (frame(21, "work", LOADER),)),
        ),
    )
    _, lines = lines_of(run(others=(loader,)))
    # The main thread is in the loader from 260 to 550.
    found = [(each.thread, each.path, each.line, each.share_ratio) for each in lines["loader.py", 5].meanwhile]
    assert found == [
        ("loader", "loader.py", 21, pytest.approx(150 / 290)),
        ("loader", "loader.py", 20, pytest.approx(140 / 290)),
    ]
    assert [each.line for each in lines["train.py", 12].meanwhile] == [20]
    assert lines["train.py", 3].meanwhile == ()


def test_threads_of_one_name_are_told_apart():
    stood = stands((0, 0), stacks=((frame(20, "work", LOADER),),))
    _, lines = lines_of(run(others=tuple(Thread(8 + row, "", stood=stood) for row in range(3))))
    of = lines["loader.py", 5].meanwhile
    assert [(each.thread, each.line, each.share_ratio) for each in of] == [("", 20, 1.0)] * 3


def test_functions_have_what_waited_for_their_lines():
    record, _ = lines_of(run())
    of = {
        each.function: (each.waiting_ps // US // 4, each.waiting_inclusive_ps // US // 4) for each in record.functions
    }
    assert of["train"] == (250 + 10 + 50, 600)
    assert of["load"] == (290, 290)


def check_sums(record):
    """What holds of all waiting, to the picosecond."""
    assert sum(line.waiting_ps for line in record.lines) + record.unattributed_waiting_ps == record.idle_ps
    assert record.idle_ps == sum(record.idle_classes.values()) == record.wall.idle_ps
    assert sum(stack.waiting_ps for stack in record.stacks) + record.unattributed_waiting_ps == record.idle_ps
    for row, line in enumerate(record.lines):
        assert sum(line.waiting_classes.values()) == line.waiting_ps <= line.waiting_inclusive_ps
        holding = [stack for stack in record.stacks if row in stack.lines]
        assert line.waiting_inclusive_ps == sum(stack.waiting_ps for stack in holding)
        assert line.waiting_ps == sum(stack.waiting_ps for stack in holding if stack.lines[0] == row)
        assert sum(each.waiting_ps for each in line.exposed_by) <= line.waiting_ps
    for each in record.functions:
        assert each.waiting_ps == sum(
            line.waiting_ps for line in record.lines if (line.path, line.function) == (each.path, each.function)
        )
        assert each.waiting_inclusive_ps >= each.waiting_ps
    for step in record.steps:
        assert sum(step.idle_classes.values()) == step.idle_ps
        assert list(step.idle_classes.values()) == sorted(step.idle_classes.values(), reverse=True)


@settings(max_examples=40)
@given(
    st.integers(0, 400),
    st.lists(st.integers(0, 500), min_size=1, max_size=5),
    st.integers(1, 2),
    st.booleans(),
    st.sampled_from(["steps", "window", "outside"]),
)
def test_all_idle_time_is_somewhere_whatever_is_looked_at(work, loads, devices, is_exact, scope):
    profile = run(work + 1, loads_us=tuple(loads), devices=devices, is_exact=is_exact)
    record, _ = lines_of(profile, scope=scope)
    if record.wall is not None:
        check_sums(record)


def test_steps_and_what_is_outside_of_them_are_the_whole_window():
    profile = run(loads_us=(300, 200, 100, 300))
    whole = hot_lines(profile, OPTIONS, scope="window")
    inside, outside = (hot_lines(profile, OPTIONS, scope=scope) for scope in ("steps", "outside"))
    assert whole.idle_ps == inside.idle_ps + outside.idle_ps


def test_what_was_not_recorded_is_on_no_line():
    record, lines = lines_of(run(has_record=False))
    check_sums(record)
    # Of a launch the program itself says where it is.
    assert lines["train.py", 11].waiting_classes == {"dispatch": 200 * US}
    assert record.unattributed_waiting_ps == 4 * 550 * US
    assert {each.code for each in record.findings} >= {"host-not-in-profile"}


def sampled(*, every_us, python="3.11.7", is_exact=False, has_lines=False):
    """Steps of 1 ms, of a host that was recorded by samples."""
    profile = run(is_exact=is_exact)
    taken_ns = np.arange(0, 4 * STEP_US, every_us, dtype=np.int64) * 1000
    nothing = np.zeros_like(taken_ns)
    # At one time all threads are looked at.
    rows = SampleRows(*(np.repeat(each, 2) for each in (taken_ns, taken_ns, nothing, nothing)))
    record = profile.host_records()[0]
    record.recordings = [
        SimpleNamespace(python=python, has_lines=has_lines, samples=rows, codes=(), dark=(), quiet=(), clocks=())
    ]
    return profile


@pytest.mark.parametrize("apart_us", [1500, 700])
def test_of_steps_that_are_short_for_samples_it_is_said(apart_us):
    record, _ = lines_of(sampled(every_us=apart_us))
    assert values(record, "steps-short-for-samples") == {"step_ps": STEP_US * US, "apart_ps": apart_us * US}
    assert "host-lines-sampled" not in codes(record)


def test_of_longer_steps_it_is_said_that_lines_are_estimates():
    found = codes(lines_of(sampled(every_us=450))[0])
    assert "host-lines-sampled" in found
    assert "steps-short-for-samples" not in found


@pytest.mark.parametrize(
    "of",
    [
        {"python": "3.12.1"},
        {"python": "3.13.0rc1"},
        {"is_exact": True, "has_lines": True, "python": "3.12.1"},
        # Nothing waited for a line of which only samples tell.
        {"is_exact": True},
    ],
)
def test_where_python_tells_of_lines_nothing_is_said_of_samples(of):
    found = codes(lines_of(sampled(every_us=1500, **of))[0])
    assert not {"host-lines-sampled", "steps-short-for-samples"} & set(found)


def test_functions_whose_lines_are_not_told_each_time_are_named():
    profile = sampled(every_us=450, python="3.12.1", is_exact=True, has_lines=True)
    (recording,) = profile.host_records()[0].recordings
    recording.codes = [SimpleNamespace(function=each) for each in ("decode", "train", "augment")]
    recording.dark, recording.quiet = [0, 2], [1]
    record, _ = lines_of(profile)
    assert values(record, "lines-not-told-apart") == {"names": ("decode", "augment"), "more": 0}
    assert values(record, "lines-of-loops-told-once") == {"names": ("train",), "more": 0}
