"""Clocks by collectives: nobody leaves before everybody has come, and nothing more is concluded."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from model.rendezvous.met import instances_of
from scopelight.model.rendezvous.clocks import Clocks, clocks_of

MS_PS = 10**9


@st.composite
def pods(draw):
    """Hosts of two devices each with clocks that differ, and collectives of some of them in which barriers hold."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    hosts, rows = draw(st.integers(2, 6)), draw(st.integers(1, 12))
    most_ps = draw(st.sampled_from([1000, MS_PS // 10, 40 * MS_PS]))
    offset_ps = random.integers(-300 * MS_PS, 300 * MS_PS, hosts)
    offset_ps[0] = 0
    host = np.repeat(np.arange(hosts), 2)
    arrival_ps = np.arange(rows)[:, None] * 200 * MS_PS + random.integers(0, most_ps + 1, (rows, len(host)))
    group = np.array(draw(st.lists(st.integers(0, 1), min_size=len(host), max_size=len(host))))
    takes_part = random.random((rows, len(host))) < draw(st.sampled_from([0.6, 1.0]))
    departure_ps = np.empty_like(arrival_ps)
    for each in range(2):
        own = takes_part & (group == each)
        last_ps = np.where(own, arrival_ps, -1).max(axis=1, keepdims=True)
        left_ps = last_ps + random.integers(0, most_ps + 1, arrival_ps.shape)
        departure_ps = np.where(group == each, left_ps, departure_ps)
    recorded = [
        [int(time) if part else None for time, part in zip(times, parts, strict=True)]
        for times, parts in zip(arrival_ps - offset_ps[host], takes_part, strict=True)
    ]
    return instances_of(recorded, departure_ps - offset_ps[host], group=group), host, offset_ps


def reference_of(clocks):
    """The host whose clock is right: the only one that is wrong by nothing."""
    (found,) = np.flatnonzero(clocks.error_ps == 0).tolist()
    return found


@given(pods())
def test_the_truth_is_within_the_stated_error(pod):
    instances, host, offset_ps = pod
    clocks = clocks_of(instances, host.astype(np.int32), len(offset_ps))
    assert clocks.is_consistent
    known = clocks.error_ps >= 0
    truth_ps = offset_ps - offset_ps[reference_of(clocks)]
    assert (np.abs(clocks.offset_ps - truth_ps)[known] <= clocks.error_ps[known]).all()
    assert (clocks.offset_ps[~known] == 0).all()


@given(pods())
def test_exactly_those_are_known_that_met_the_reference_or_one_that_is(pod):
    instances, host, offset_ps = pod
    clocks = clocks_of(instances, host.astype(np.int32), len(offset_ps))
    reached = {reference_of(clocks)}
    for _ in offset_ps:
        for row in instances.took_part:
            for group in range(2):
                met = set(host[row & (instances.group[0] == group)].tolist())
                reached |= met if met & reached else set()
    assert set(np.flatnonzero(clocks.error_ps >= 0).tolist()) == reached


def test_a_first_host_that_met_nobody_is_no_reference():
    arrival, departure = [[None, 0, 5 * MS_PS]], [[0, 2_000_000, 5 * MS_PS + 2_000_000]]
    clocks = clocks_of(instances_of(arrival, departure), np.arange(3, dtype=np.int32), 3)
    assert clocks.error_ps.tolist() == [-1, 0, 2_000_000]
    assert clocks.offset_ps.tolist() == [0, 0, -5 * MS_PS]


def test_hosts_that_meet_only_through_others_are_held_against_the_first_too():
    # Host 1 is 5 ms behind host 0, host 2 is 7 ms behind host 1; each meeting is 2 µs long.
    arrival = [[10 * MS_PS, 5 * MS_PS, None], [None, 15 * MS_PS, 8 * MS_PS]]
    departure = [[10 * MS_PS + 2_000_000, 5 * MS_PS + 2_000_000, 0], [0, 15 * MS_PS + 2_000_000, 8 * MS_PS + 2_000_000]]
    clocks = clocks_of(instances_of(arrival, departure), np.arange(3, dtype=np.int32), 3)
    assert clocks.offset_ps.tolist() == [0, 5 * MS_PS, 12 * MS_PS]
    # What may be wrong adds up along the way.
    assert clocks.error_ps.tolist() == [0, 2_000_000, 4_000_000]
    assert clocks.applied_ps.tolist() == clocks.offset_ps.tolist()


def test_others_bound_a_clock_that_one_meeting_leaves_open():
    # Hosts 0 and 2 meet for 80 ms, but both meet host 1 for 1 µs.
    arrival = [[0, None, 0], [100 * MS_PS, 100 * MS_PS, None], [None, 200 * MS_PS, 203 * MS_PS]]
    departure = [[each + 10**6 for each in (time or 0 for time in row)] for row in arrival]
    departure[0] = [80 * MS_PS, 0, 80 * MS_PS]
    clocks = clocks_of(instances_of(arrival, departure), np.arange(3, dtype=np.int32), 3)
    assert clocks.offset_ps.tolist() == [0, 0, -3 * MS_PS]
    assert clocks.error_ps[2] == 2 * 10**6


def test_within_wide_bounds_the_ends_tell_more_than_the_middle():
    # All wait 50 ms for somebody else, and leave together: the clock of host 1 is 1 ms behind.
    leaves_ps = [100 * MS_PS, 300 * MS_PS, 500 * MS_PS]
    arrival = [[each - 50 * MS_PS, each - 57 * MS_PS] for each in leaves_ps]
    departure = [[each, each - MS_PS] for each in leaves_ps]
    clocks = clocks_of(instances_of(arrival, departure), np.arange(2, dtype=np.int32), 2)
    # Host 0 left before 300 ms by its clock and host 1 came at 243 by its own: it can be 57 ms behind, or 49 ahead.
    assert clocks.offset_ps.tolist() == [0, MS_PS]
    assert clocks.error_ps.tolist() == [0, 56 * MS_PS]
    # So little is not worth moving a clock by, when so much may be wrong about it.
    assert clocks.applied_ps.tolist() == [0, 0]


def test_of_hosts_that_nobody_met_nothing_is_known_and_nothing_applied():
    alone = instances_of([[0, None], [None, 40]], [[10, 0], [0, 50]])
    apart = instances_of([[0, 0]], [[10, 10]], group=[0, 1])
    paired = instances_of([[0, 5]], [[10, 10]], kinds=("collective-permute",), source=[-1, 0])
    nothing = instances_of(np.zeros((0, 2)), np.zeros((0, 2)))
    for instances in (alone, apart, paired, nothing):
        clocks = clocks_of(instances, np.arange(2, dtype=np.int32), 2)
        assert clocks.error_ps.tolist() == [0, -1]
        assert clocks.offset_ps.tolist() == clocks.applied_ps.tolist() == [0, 0]
        assert clocks.is_consistent


def test_devices_of_one_host_need_not_agree_about_its_clock():
    clocks = clocks_of(instances_of([[0, 3]], [[10, 10]]), np.zeros(2, dtype=np.int32), 1)
    assert clocks.offset_ps.tolist() == clocks.error_ps.tolist() == [0]


def test_clocks_that_drift_apart_have_no_offset():
    # Host 1 was 4 ms behind, later 4 ms ahead.
    arrival = [[10 * MS_PS, 6 * MS_PS], [1000 * MS_PS, 1004 * MS_PS]]
    departure = [[each + MS_PS for each in row] for row in arrival]
    assert not clocks_of(instances_of(arrival, departure), np.arange(2, dtype=np.int32), 2).is_consistent
    assert clocks_of(instances_of(arrival[:1], departure[:1]), np.arange(2, dtype=np.int32), 2).is_consistent


@given(st.lists(st.tuples(st.integers(-1000, 1000), st.integers(-1, 1000)), min_size=1))
def test_no_clock_is_moved_by_less_than_what_may_be_wrong_about_it(known):
    offset_ps, error_ps = (np.array(column) for column in zip(*known, strict=True))
    applied_ps = Clocks(offset_ps, error_ps).applied_ps
    for offset, error, applied in zip(offset_ps.tolist(), error_ps.tolist(), applied_ps.tolist(), strict=True):
        assert applied == (offset if error >= 0 and abs(offset) > error else 0)
