"""The wall clock of a device, divided among what runs: against a count of every picosecond."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.executions import executions_of, named
from scopelight.analysis.device_time.busy import busy_spans
from scopelight.analysis.flame.wall import wall_of_executions, whole_sums
from scopelight.model.opening.profile import open_profile

LEAF, OTHER, LOOP = named("fusion.1", "fusion"), named("fusion.2", "fusion"), named("while.1", "while")


def wall_of(rows, lanes=None, devices=None):
    executions = executions_of(rows, lanes=lanes, devices=devices)
    wall_ps, busy_ps = wall_of_executions(executions)
    return wall_ps.tolist(), busy_ps


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


@given(
    rows=st.lists(
        st.tuples(st.sampled_from([LEAF, OTHER, LOOP]), st.integers(0, 30), st.integers(0, 12), st.integers(0, 2)),
        min_size=1,
        max_size=14,
    )
)
def test_every_picosecond_is_divided_once(rows):
    rows.sort(key=lambda row: (row[1], -row[2]))
    wall_ps, busy_ps = wall_of([(op, start, start + length) for op, start, length, _ in rows], [row[3] for row in rows])
    expected = Counter()
    for now in range(50):
        running = [row for row, (_, start, length, _) in enumerate(rows) if start <= now < start + length]
        # Of a lane the one that began last; of those the loops only where there is nothing else.
        last = {rows[row][3]: row for row in running}
        counted = [row for row in last.values() if rows[row][0] is not LOOP] or list(last.values())
        for row in counted:
            expected[row] += Fraction(1, len(counted))
    assert wall_ps == pytest.approx([float(expected[row]) for row in range(len(rows))])
    assert busy_ps == sum(expected.values())


def test_the_sum_is_the_time_in_which_devices_were_busy(shared_data):
    for name in ("mi300x-conv/tw003.xplane.pb", "tpu-v6e-host-offload/tpu_inference_2.xplane.pb"):
        profile = open_profile(shared_data / name)
        devices = range(len(profile.executions.devices))
        busy_ps = sum(int(busy_spans(profile, device).duration_ps.sum()) for device in devices)
        wall_ps, whole_ps = wall_of_executions(profile.executions)
        assert whole_ps == busy_ps
        assert wall_ps.sum() == pytest.approx(busy_ps)


@given(st.lists(st.floats(0, 1e15), min_size=1, max_size=20))
def test_whole_sums_keep_the_total_and_are_off_by_less_than_one(parts):
    by_op = np.array(parts)
    total = round(float(by_op.sum()))
    whole = whole_sums(by_op, total)
    assert whole.sum() == total
    assert (whole >= 0).all()
    assert np.abs(whole - by_op).max() <= 1 + len(parts) * by_op.sum() * 2**-52
