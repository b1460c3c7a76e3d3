"""What of a collective's time is waiting for the last to come, and what is moving."""

import attrs
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from model.rendezvous.met import instances_of
from scopelight.analysis.device_time.collective_waits import collective_waits
from scopelight.model.rendezvous.instances import ABSENT_PS

RING = [2, 0, 1]
"""By device who sends to it."""


def permute(arrival_ps, departure_ps, source=RING):
    return instances_of([arrival_ps], [departure_ps], kinds=("collective-permute",), source=source)


def split(instances):
    waits = collective_waits(instances)
    row, device = np.nonzero(instances.took_part)
    moved_ps = np.zeros(instances.arrival_ps.shape, dtype=np.int64)
    moved_ps[row, device] = waits.move_ps(row, device)
    return waits, waits.wait_ps.tolist(), moved_ps.tolist()


def test_all_wait_for_the_last_of_their_group():
    group = [0, 0, 1, 1]
    instances = instances_of([[10, 30, 5, 0]], [[40, 41, 12, 11]], group=group)
    waits, wait_ps, move_ps = split(instances)
    assert wait_ps == [[20, 0, 0, 5]]
    assert move_ps == [[10, 11, 7, 6]]
    assert waits.last.tolist() == [[1, 1, 2, 2]]
    assert waits.last_ps(np.array([0, 0]), np.array([0, 3])).tolist() == [30, 5]


def test_who_took_no_part_is_waited_for_by_nobody():
    waits, wait_ps, move_ps = split(instances_of([[10, None, 12]], [[20, 0, 22]]))
    assert wait_ps == [[2, 0, 0]]
    assert move_ps == [[8, 0, 10]]
    assert waits.last.tolist() == [[2, -1, 2]]


def test_by_clocks_that_are_wrong_nobody_waits_longer_than_it_is_there():
    _, wait_ps, move_ps = split(instances_of([[10, 90]], [[20, 95]]))
    assert wait_ps == [[10, 0]]
    assert move_ps == [[0, 5]]


def test_an_asynchronous_collective_waits_only_from_where_nothing_else_goes_on():
    instances = instances_of([[0, 0]], [[100, 100]], awaited_ps=[[70, 20]])
    assert split(instances)[1:] == ([[0, 0]], [[30, 80]])
    late = instances_of([[0, 60]], [[100, 100]], awaited_ps=[[40, 90]])
    assert split(late)[1:] == ([[20, 0]], [[40, 10]])


def test_the_receiver_of_a_permute_waits_for_its_sender_alone():
    # 0 → 1 → 2, and nobody sends to 0.
    waits, wait_ps, move_ps = split(permute([50, 10, 0], [52, 60, 20], [-1, 0, 1]))
    assert wait_ps == [[0, 40, 10]]
    assert move_ps == [[2, 10, 10]]
    assert waits.last.tolist() == [[0, 0, 1]]


def test_a_sender_that_left_before_its_receiver_came_did_not_wait_for_it():
    waits, wait_ps, _ = split(permute([0, 80], [10, 90], [-1, 0]))
    assert wait_ps == [[0, 0]]
    assert waits.last.tolist() == [[0, 1]]


def test_a_sender_that_left_only_after_its_receiver_came_had_to_wait():
    waits, wait_ps, move_ps = split(permute([0, 80], [90, 90], [-1, 0]))
    assert wait_ps == [[80, 0]]
    assert move_ps == [[10, 10]]
    assert waits.last.tolist() == [[1, 1]]


def test_a_sender_that_left_a_little_before_its_receiver_came_waited_as_far_as_clocks_can_tell():
    def waited(receiver_ps, doubt_ps):
        instances = permute([0, receiver_ps], [90, receiver_ps + 20], [-1, 0])
        return split(attrs.evolve(instances, doubt_ps=np.array([[doubt_ps, 0]])))

    waits, wait_ps, move_ps = waited(95, 5)
    assert (wait_ps[0][0], move_ps[0][0], waits.last[0, 0]) == (90, 0, 1)
    assert waited(95, 4)[1][0][0] == 0
    # Where it came that little later than all else it may as well be chance.
    assert waited(95, 96)[1][0][0] == 0


def test_only_clocks_of_different_hosts_are_in_doubt():
    instances = permute([0, 0, 0], [1, 1, 1])
    error_ps = np.array([0, 7, -1])
    # 0 → 1 → 2 → 0; nothing is known of a third host.
    for host, expected in (([0, 0, 1], [[0, 7, 7]]), ([1, 2, 2], [[7, 0, 7]])):
        assert instances.in_doubt(np.array(host), error_ps[host]).doubt_ps.tolist() == expected


def test_a_receive_waits_for_what_was_sent_by_the_send_of_its_channel():
    # Both devices send and receive; what comes to device 1 was sent by device 0 in another op.
    instances = instances_of(
        [[50, 60], [5, 10]], [[51, 61], [70, 80]], op=[0, 1], kinds=("send", "recv"), source=[[-1, -1], [-1, 0]]
    )
    waits, wait_ps, move_ps = split(instances)
    assert wait_ps == [[0, 0], [0, 40]]
    assert move_ps[1] == [65, 30]
    assert waits.last[1].tolist() == [0, 0]
    assert instances.sent_row.tolist() == [0, 0]


def test_a_receive_whose_send_was_not_seen_waits_for_nobody():
    instances = instances_of([[0, 10]], [[70, 80]], kinds=("recv",), source=[-1, 0])
    assert split(instances)[1] == [[0, 0]]
    assert instances.sent_row.tolist() == [-1]


def test_each_execution_has_groups_of_its_own_op():
    instances = instances_of(
        [[0, 10, 20], [100, 110, 120]],
        [[30, 30, 30], [130, 130, 130]],
        op=[0, 1],
        kinds=("all-reduce", "all-gather"),
        group=[[0, 0, 0], [0, 1, 0]],
    )
    assert split(instances)[1] == [[20, 10, 0], [20, 0, 0]]


@st.composite
def meetings(draw):
    rows, devices = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    came = random.integers(0, 1000, (rows, devices))
    awaited = came + random.integers(0, 50, came.shape)
    left = awaited + random.integers(0, 500, came.shape)
    present = random.random(came.shape) < 0.8
    arrival, awaited, left = (np.where(present, each, ABSENT_PS) for each in (came, awaited, left))
    kinds = tuple(draw(st.lists(st.sampled_from(["all-reduce", "collective-permute"]), min_size=2, max_size=2)))
    source = [random.permutation(devices), random.permutation(devices)]
    group = random.integers(0, 3, (2, devices))
    op = random.integers(0, 2, rows)
    return instances_of(arrival, left, awaited_ps=awaited, op=op, kinds=kinds, source=source, group=group)


@given(meetings())
def test_waiting_and_moving_sum_to_the_time_with_nothing_else(instances):
    waits = collective_waits(instances)
    row, device = np.nonzero(instances.took_part)
    move_ps = waits.move_ps(row, device)
    alone_ps = instances.departure_ps[row, device] - instances.awaited_ps[row, device]
    assert (waits.wait_ps[row, device] + move_ps == alone_ps).all()
    assert (move_ps >= 0).all()
    assert (waits.wait_ps >= 0).all()
    assert (waits.wait_ps[~instances.took_part] == 0).all()
    assert ((waits.last >= 0) == instances.took_part).all()
    wait_sum_ps, move_sum_ps = waits.by_device()
    assert wait_sum_ps.tolist() == waits.wait_ps.sum(axis=0).tolist()
    sums_ps = np.zeros(instances.devices, dtype=np.int64)
    np.add.at(sums_ps, device, move_ps)
    assert move_sum_ps.tolist() == sums_ps.tolist()


@given(meetings())
def test_the_one_that_is_waited_for_is_the_last_of_those_that_must_be(instances):
    waits = collective_waits(instances)
    for row, device in zip(*np.nonzero(instances.took_part), strict=True):
        op, last = instances.op[row], waits.last[row, device]
        arrival = instances.arrival_ps[row]
        if instances.is_point_to_point[row]:
            sender, receiver = instances.source[op, device], instances.target[op, device]
            assert last in (device, sender, receiver)
            if arrival[sender] != ABSENT_PS:
                assert arrival[last] >= arrival[sender]
        else:
            members = (instances.group[op] == instances.group[op, device]) & instances.took_part[row]
            assert arrival[last] == arrival[members].max()
            assert members[last]
