"""The wall clock of a device, divided among what runs: against a count of every picosecond."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.executions import executions_of, named
from made.recorded import PROFILES
from scopelight.analysis.device_time.busy import busy_spans, covered_ps
from scopelight.analysis.device_time.division import divide
from scopelight.analysis.device_time.stalls import STALLS
from scopelight.analysis.steps.steps import find_steps
from scopelight.model.opening.profile import open_profile

LEAF, OTHER, LOOP = named("fusion.1", "fusion"), named("fusion.2", "fusion"), named("while.1", "while")
COPY, GATHER = named("copy-done.1", "copy-done"), named("all-gather.1", "all-gather")
RECEIVE, INFEED = named("recv-done.1", "recv"), named("infeed.1", "infeed")


def division_of(rows, lanes=None, devices=None, steps=()):
    bounds = np.array(steps, dtype=np.int64).reshape(-1, 2)
    return divide(executions_of(rows, lanes=lanes, devices=devices), bounds[:, 0], bounds[:, 1])


def parts_of(division):
    """Execution, step and part of the wall clock of all that have one."""
    own = zip(range(len(division.step)), division.step.tolist(), division.wall_ps.tolist(), strict=True)
    columns = (division.more_execution, division.more_step, division.more_wall_ps)
    more = zip(*(column.tolist() for column in columns), strict=True)
    return [each for each in (*own, *more) if each[2]]


def by_execution(division, count):
    sums = Counter()
    for row, _, part in parts_of(division):
        sums[row] += part
    return [sums[row] for row in range(count)]


def wall_of(rows, lanes=None, devices=None):
    division = division_of(rows, lanes, devices)
    return by_execution(division, len(rows)), int(division.busy_ps.sum())


def test_what_runs_alone_has_all_of_its_time():
    assert wall_of([(LEAF, 0, 10), (OTHER, 20, 25)]) == ([10, 5], 15)


def test_what_runs_at_once_has_equal_parts():
    assert wall_of([(LEAF, 0, 10), (OTHER, 4, 10)], lanes=[0, 1]) == ([7, 3], 10)


def test_what_is_nested_in_a_lane_has_its_time_and_the_outer_one_the_rest():
    assert wall_of([(LEAF, 0, 10), (OTHER, 4, 6)]) == ([8, 2], 10)


def test_a_loop_has_what_nothing_that_runs_on_any_lane_covers():
    assert wall_of([(LOOP, 0, 20), (LEAF, 5, 10), (OTHER, 8, 15)], lanes=[0, 1, 2]) == ([10, 4, 6], 20)


def test_devices_have_clocks_of_their_own():
    assert wall_of([(LEAF, 0, 10), (LEAF, 0, 10)], devices=[0, 1]) == ([10, 10], 20)


def test_a_device_that_only_waits_is_stalled_by_cause_and_busy_while_anything_computes():
    rows = [(COPY, 0, 10), (GATHER, 10, 14), (RECEIVE, 14, 17), (INFEED, 17, 19), (COPY, 20, 30), (LEAF, 22, 26)]
    division = division_of(rows, lanes=[0, 0, 0, 0, 0, 1])
    assert by_execution(division, len(rows)) == [10, 4, 3, 2, 6, 4]
    assert dict(zip(STALLS, division.stalled_ps[0, 0].tolist(), strict=True)) == {
        "copy": 16,
        "collective": 4,
        "peer": 3,
        "host": 2,
    }
    assert division.busy_ps.tolist() == [[4]]


def test_a_wait_inside_a_loop_is_no_work_of_the_loop():
    division = division_of([(LOOP, 0, 20), (COPY, 5, 15)])
    assert (division.busy_ps.tolist(), int(division.stalled_ps.sum())) == ([[10]], 10)


def test_what_reaches_into_another_step_has_a_part_in_each():
    division = division_of([(LEAF, 5, 35), (OTHER, 36, 38)], steps=[(0, 10), (10, 20), (30, 40)])
    assert sorted(parts_of(division)) == [(0, -1, 10), (0, 0, 5), (0, 1, 10), (0, 2, 5), (1, 2, 2)]
    assert division.busy_ps.tolist() == [[5, 10, 7, 10]]


@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from([LEAF, OTHER, LOOP, COPY, GATHER]),
            st.integers(0, 30),
            st.integers(0, 12),
            st.integers(0, 2),
        ),
        min_size=1,
        max_size=14,
    ),
    cuts=st.lists(st.integers(0, 50), max_size=8, unique=True),
)
def test_every_picosecond_is_divided_once(rows, cuts):
    rows.sort(key=lambda row: (row[1], -row[2]))
    cuts = sorted(cuts)[: len(cuts) // 2 * 2]
    steps = list(zip(cuts[::2], cuts[1::2], strict=True))
    division = division_of(
        [(op, start, start + length) for op, start, length, _ in rows], [row[3] for row in rows], steps=steps
    )
    expected, busy, stalled = Counter(), Counter(), Counter()
    for now in range(50):
        step = next((number for number, (start, end) in enumerate(steps) if start <= now < end), -1)
        running = [row for row, (_, start, length, _) in enumerate(rows) if start <= now < start + length]
        # Of a lane the one that began last; of those what computes, else what waits, else the loops.
        last = list({rows[row][3]: row for row in running}.values())
        working = [row for row in last if rows[row][0] in (LEAF, OTHER)]
        waiting = [row for row in last if rows[row][0] in (COPY, GATHER)]
        counted = working or waiting or last
        for row in counted:
            expected[row, step] += Fraction(1, len(counted))
        if counted:
            (stalled if waiting and not working else busy)[step] += 1
    found = Counter()
    for row, step, part in parts_of(division):
        found[row, step] += part
    # In whole picoseconds: none is more than one off, and every step has exactly its time.
    assert all(abs(found[key] - expected[key]) <= 1 for key in found.keys() | expected.keys())
    for step in range(-1, len(steps)):
        assert division.busy_ps[0, step] == busy[step]
        assert division.stalled_ps[0, step].sum() == stalled[step]
        assert sum(part for (_, of), part in found.items() if of == step) == busy[step] + stalled[step]


@pytest.mark.parametrize("name", PROFILES)
def test_busy_and_stalled_are_the_time_in_which_devices_ran_anything(shared_data, name):
    profile = open_profile(shared_data / name)
    steps = find_steps(profile)
    ends_ps = steps.start_ps + steps.duration_ps
    division = divide(profile.executions, steps.start_ps, ends_ps)
    for device in range(len(profile.executions.devices)):
        spans = busy_spans(profile.executions, device)
        ran_ps = division.busy_ps[device] + division.stalled_ps[device].sum(axis=1)
        assert ran_ps[:-1].tolist() == covered_ps(spans, steps.start_ps, ends_ps).tolist()
        assert ran_ps.sum() == spans.duration_ps.sum()
        own = division.wall_ps[profile.executions.device == device].sum()
        more = division.more_wall_ps[profile.executions.device[division.more_execution] == device].sum()
        assert own + more == ran_ps.sum()
