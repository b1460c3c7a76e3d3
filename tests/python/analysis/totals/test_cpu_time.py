"""CPU time: what clocks of threads tell is divided among ops, steps and what lies beside them, and none is lost."""

from pathlib import Path
from types import SimpleNamespace

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.executions import executions_of, named, profile_of_executions
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.totals.cpu_time import cpu_time
from scopelight.formats.xspace.reader import LinePlace
from scopelight.model.host.thread_cpu import CpuIntervals, HostCpu
from scopelight.model.profile import Trace

MS = 1_000_000_000
WORKER, HELPER, PYTHON = 7, 8, 9
FIRST, SECOND = named("first"), named("second")
FILE = Path("made.xplane.pb")


def intervals(*of):
    """From (start, end, time on a core)."""
    rows = np.array(of, dtype=np.int64).reshape(-1, 3)
    return CpuIntervals(*rows.T)


def profile_with(executions, lane_threads, clocks, *, python=(), process=None, names=None, duration_ps=100 * MS):
    """A profile of which these clocks were read, by thread."""
    record = SimpleNamespace(cpu=HostCpu(process or intervals(), clocks), threads=dict.fromkeys(python))
    made = profile_of_executions(
        attrs.evolve(
            executions,
            lanes=tuple(names or (f"lane {row}" for row in range(len(lane_threads)))),
            lane_places=tuple(LinePlace(FILE, row) for row in range(len(lane_threads))),
            lane_threads=tuple(lane_threads),
        ),
        duration_ps,
    )
    return attrs.evolve(made, host_records=lambda: {0: record}, traces=(Trace(FILE, 0, "host"),))


def steps_of(*edges):
    """Steps from (start, end)."""
    start, end = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    return Steps(start_ps=start, duration_ps=end - start, source="annotations", name="step")


def by_op(found, ops=2):
    sums = np.zeros(ops, dtype=np.int64)
    np.add.at(sums, found.op, found.cpu_ps)
    return (sums / MS).tolist()


NO_STEPS = steps_of()
TWO = executions_of([(FIRST, 0, 10 * MS), (SECOND, 10 * MS, 30 * MS)], kind="cpu")


def test_readings_at_the_ends_of_ops_tell_theirs():
    clock = intervals((0, 10 * MS, 4 * MS), (10 * MS, 30 * MS, 20 * MS))
    assert by_op(cpu_time(profile_with(TWO, [WORKER], {WORKER: clock}), NO_STEPS)) == [4, 20]


def test_between_two_readings_it_is_divided_by_self_time():
    clock = intervals((0, 30 * MS, 15 * MS))
    found = cpu_time(profile_with(TWO, [WORKER], {WORKER: clock}), NO_STEPS)
    assert by_op(found) == [5, 10]
    assert found.unattributed_ps.sum() == 0


def test_threads_that_help_have_a_part_in_what_runs_meanwhile():
    clocks = {WORKER: intervals((0, 30 * MS, 30 * MS)), HELPER: intervals((0, 10 * MS, 6 * MS))}
    assert by_op(cpu_time(profile_with(TWO, [WORKER, HELPER], clocks), NO_STEPS)) == [16, 20]


def test_beyond_what_ops_ran_for_it_is_no_ops():
    executions = executions_of([(FIRST, 10 * MS, 20 * MS), (SECOND, 60 * MS, 70 * MS)], kind="cpu")
    clock = intervals((0, 40 * MS, 25 * MS), (50 * MS, 90 * MS, 4 * MS))
    steps = steps_of((0, 40 * MS), (50 * MS, 90 * MS))
    found = cpu_time(profile_with(executions, [WORKER], {WORKER: clock}), steps)
    assert by_op(found) == [10, 4]
    assert (found.unattributed_ps / MS).tolist() == [15, 0, 0]
    assert found.step.tolist() == [0, 1]


def test_threads_that_compile_help_no_op():
    clocks = {WORKER: intervals((0, 30 * MS, 15 * MS)), HELPER: intervals((0, 30 * MS, 30 * MS))}
    names = ("tf_XLAEigen/7", "tf_xla-cpu-codegen/8")
    found = cpu_time(profile_with(TWO, [WORKER, HELPER], clocks, names=names), NO_STEPS)
    assert by_op(found) == [5, 10]
    assert found.unattributed_ps.sum() == 0


def test_of_what_python_does_beside_its_ops_nothing_is_said():
    executions = executions_of([(FIRST, 0, 10 * MS), (SECOND, 10 * MS, 30 * MS)], kind="cpu", lanes=[0, 1])
    clocks = {PYTHON: intervals((0, 40 * MS, 40 * MS)), WORKER: intervals((0, 40 * MS, 15 * MS))}
    found = cpu_time(profile_with(executions, [PYTHON, WORKER], clocks, python=[PYTHON]), NO_STEPS)
    assert by_op(found) == [10, 15]
    assert found.unattributed_ps.sum() == 0


def test_what_a_step_of_the_process_took_is_read_from_its_own_clock():
    process = intervals((0, 20 * MS, 10 * MS), (20 * MS, 40 * MS, 40 * MS))
    made = profile_with(TWO, [WORKER], {WORKER: intervals((0, 30 * MS, 15 * MS))}, process=process)
    assert (cpu_time(made, steps_of((0, 10 * MS), (10 * MS, 30 * MS))).process_ps / MS).tolist() == [5, 25]


def test_a_thread_that_began_ops_itself_works_for_no_others_meanwhile():
    executions = executions_of([(FIRST, 0, 20 * MS), (SECOND, 10 * MS, 30 * MS)], kind="cpu", lanes=[0, 1])
    clocks = {
        WORKER: intervals((0, 20 * MS, 8 * MS), (20 * MS, 30 * MS, 3 * MS)),
        HELPER: intervals((0, 30 * MS, 9 * MS)),
    }
    found = cpu_time(profile_with(executions, [WORKER, HELPER], clocks), NO_STEPS)
    # What the first has after its own op, it does for the other.
    assert by_op(found) == [8, 12]


@pytest.mark.parametrize(
    "made",
    [
        profile_with(TWO, [WORKER], {}),
        profile_with(TWO, [None], {WORKER: intervals((0, 30 * MS, MS))}),
        profile_with(executions_of([(FIRST, 0, MS)], kind="gpu"), [WORKER], {WORKER: intervals((0, 30 * MS, MS))}),
        profile_of_executions(TWO, 30 * MS),
        profile_with(TWO, [WORKER, HELPER], {WORKER: intervals((0, 30 * MS, MS))}),
    ],
    ids=["no clock of the thread", "no thread of the lane", "a GPU", "no recording", "no clock of a thread that helps"],
)
def test_where_it_is_not_known_there_is_none(made):
    assert cpu_time(made, NO_STEPS) is None


@given(
    lengths=st.lists(st.tuples(st.integers(0, 9 * MS), st.integers(1, 9 * MS), st.integers(0, 100)), min_size=1),
    readings=st.lists(st.tuples(st.integers(1, 20 * MS), st.integers(0, 100)), min_size=1),
    cut=st.integers(1, 50 * MS),
)
def test_ops_steps_and_the_rest_sum_to_what_the_clock_told(lengths, readings, cut):
    rows, at = [], 0
    for number, (gap, length, _) in enumerate(lengths):
        rows.append((FIRST if number % 2 else SECOND, at + gap, at + gap + length))
        at += gap + length
    executions = executions_of(rows, kind="cpu")
    works = np.array([percent for *_, percent in lengths])
    executions = attrs.evolve(executions, self_ps=executions.duration_ps * works // 100)
    told, at_reading = [], 0
    for length, percent in readings:
        told.append((at_reading, at_reading + length, length * percent // 100))
        at_reading += length
    whole_ps = max(at, at_reading)
    made = profile_with(executions, [WORKER], {WORKER: intervals(*told)}, duration_ps=whole_ps)
    found = cpu_time(made, steps_of((0, min(cut, whole_ps))))
    cpu_ps = sum(of for *_, of in told)
    assert abs(found.cpu_ps.sum() + found.unattributed_ps.sum() - cpu_ps) <= 2 * len(rows) + 1e-6 * cpu_ps + 4
    assert (found.cpu_ps >= 0).all()
    assert (found.unattributed_ps >= 0).all()
