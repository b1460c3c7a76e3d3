"""Parts of steps and of their intervals, and the advice: that they say of a moment what Hot Lines says of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.host.idle import LIBRARY, OPTIONS, Thread, at, frame, idle_profile, op, stands
from made.program.training_loops import marks
from scopelight.analysis.advice.advice import advice_record
from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.analysis.overview.options import OverviewOptions
from scopelight.analysis.overview.view import overview
from scopelight.analysis.step_trace.options import StepTraceOptions
from scopelight.analysis.step_trace.view import step_trace
from scopelight.analysis.subject import Subject
from scopelight.model.host.states import HostState

US = 1_000_000
STEPS, STEP_US, WORKS_US, LAUNCHES_US = 5, 1000, 400, 50
ADD = op("add", frame(3, "step"), frame(11))
SLEEP, STEP, READ = range(3)
STACKS = ((frame(1, "sleep", LIBRARY), frame(10)), at(11), at(12))
"""A line that sleeps, one that launches the step, and one that reads its result."""


def subject(sleeps_us, reads_us, *, sleeps_last=False):
    """Steps of 1 ms: the host launches, reads the result until so long after the device is done, and sleeps.

    What it does besides is on the line that reads. Where it ``sleeps_last`` a step begins with its launch.
    """
    states, stood, rows, launches = [], [(0, STEP)], [], []
    for number in range(STEPS):
        begin = number * STEP_US
        launch = begin + (0 if sleeps_last else STEP_US - LAUNCHES_US - WORKS_US - reads_us)
        works, done = launch + LAUNCHES_US, launch + LAUNCHES_US + WORKS_US
        states += [(HostState.DISPATCH, launch, works), (HostState.SYNC, works, done + reads_us)]
        sleeps = done + reads_us if sleeps_last else begin
        stood += [(begin, READ), (sleeps, SLEEP), (sleeps + sleeps_us, READ), (launch, STEP), (works, READ)]
        rows.append((ADD, works * US, done * US))
        launches.append(launch * US)
    stood.sort(key=lambda each: each[0])
    thread = Thread(
        states=tuple((state, start * US, end * US) for state, start, end in states),
        stood=stands(*((start * US, row) for start, row in stood), stacks=STACKS),
    )
    made = idle_profile(
        rows,
        thread,
        duration_ps=STEPS * STEP_US * US,
        runs=range(STEPS),
        launches=launches,
        step_marks=[marks([number * STEP_US * US for number in range(STEPS)], STEP_US * US)],
    )
    return Subject.of(made, OPTIONS)


def us_per_step(times_ps):
    return {name: time_ps / US / STEPS for name, time_ps in times_ps.items()}


@pytest.mark.parametrize("sleeps_last", [False, True])
def test_a_sleep_that_comes_after_a_wait_for_a_result_is_no_reading(sleeps_last):
    of = subject(480, 70, sleeps_last=sleeps_last)
    lines = hot_lines(of.profile, OPTIONS)
    assert us_per_step(lines.idle_classes) == {"python": 480, "sync": 70, "dispatch": 50}
    slept = next(each for each in lines.lines if each.line == 10)
    assert us_per_step(slept.waiting_classes) == {"python": 480}
    # That it began as a wait was over is said beside that, of most of it at least.
    assert sum(each.waiting_ps for each in slept.exposed_by if each.line == 12) > slept.waiting_ps / 2
    page = overview(of, OverviewOptions())
    assert us_per_step(page.parts) == {"compute": 400, "python": 480, "sync": 70, "dispatch": 50}


def test_a_wait_for_a_result_and_nothing_else_is_reading():
    of = subject(0, 550)
    assert us_per_step(hot_lines(of.profile, OPTIONS).idle_classes) == {"sync": 550, "dispatch": 50}
    assert us_per_step(overview(of, OverviewOptions()).parts) == {"compute": 400, "sync": 550, "dispatch": 50}


def test_the_interval_of_a_step_goes_to_where_the_script_stood():
    mean = step_trace(subject(480, 70), StepTraceOptions()).mean
    assert {name: time_ps / US for name, time_ps in mean.interval_parts.items()} == {"python": 480, "dispatch": 50}


@given(reads_us=st.integers(0, 550), in_ratio=st.floats(0, 1), sleeps_last=st.booleans())
def test_each_part_is_what_lines_have_of_its_class_to_the_picosecond(reads_us, in_ratio, sleeps_last):
    of = subject(int((550 - reads_us) * in_ratio), reads_us, sleeps_last=sleeps_last)
    lines, page = hot_lines(of.profile, OPTIONS), overview(of, OverviewOptions())
    idle = {name: time_ps for name, time_ps in page.parts.items() if name != "compute"}
    assert idle == {name: time_ps for name, time_ps in lines.idle_classes.items() if time_ps}
    assert all(sum(step.parts.values()) == step.wall_ps for step in page.steps)
    for row in step_trace(of, StepTraceOptions()).rows:
        assert sum(row.interval_parts.values()) == row.interval_ps


def advised(of):
    return next(each for each in advice_record(of).findings if each.code == "sync-in-step")


@pytest.mark.parametrize("sleeps_last", [False, True])
def test_the_advice_names_the_line_of_what_begins_when_the_result_is_read(sleeps_last):
    said = advised(subject(480, 70, sleeps_last=sleeps_last))
    assert (said.line, said.values["line"]) == (12, 10)
    assert said.values["file"].endswith("train.py")


def test_the_advice_names_no_other_line_where_the_script_only_reads():
    said = advised(subject(0, 550))
    assert (said.line, said.values["file"], said.values["line"]) == (12, None, None)
