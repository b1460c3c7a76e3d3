"""Replay: recorded times give what was measured, and others what the steps would have taken."""

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.hosts.pods import MS_PS, compared
from analysis.hosts.simulation import DEVICES_OF_HOST, simulated
from model.rendezvous.met import instances_of
from scopelight.analysis.hosts.replay import Cost, DeviceRuns, Replay
from scopelight.model.rendezvous.instances import ABSENT_PS


@st.composite
def pods(draw):
    """Devices that meet in groups and along edges in which barriers hold; each takes part in some, in order of time."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    devices, runs, per_run = draw(st.integers(2, 6)), draw(st.integers(1, 4)), draw(st.integers(1, 4))
    kinds = tuple(
        draw(st.lists(st.sampled_from(["all-reduce", "collective-permute"]), min_size=per_run, max_size=per_run))
    )
    group = random.integers(0, 2, (per_run, devices))
    source = np.array([random.permutation(devices) for _ in kinds])
    takes_part = random.random((per_run, devices)) < draw(st.sampled_from([0.7, 1.0]))
    hidden = draw(st.booleans())
    now = random.integers(0, 1000, devices)
    columns = {name: [] for name in ("arrival", "awaited", "departure", "start", "end")}
    for _ in range(runs):
        now = now + random.integers(0, 300, devices)
        columns["start"].append(now)
        for op, kind in enumerate(kinds):
            begun = now + random.integers(0, 1000, devices)
            # Asynchronous ones begin before the work that hides them ends.
            awaited = begun + random.integers(0, 400, devices) * hidden
            came = np.where(takes_part[op], begun, 0)
            if kind == "all-reduce":
                last = np.array([came[(group[op] == each) & takes_part[op]].max(initial=0) for each in group[op]])
            else:
                last = np.maximum(came, came[source[op]])
            left = np.maximum(last, awaited) + random.integers(0, 500, devices)
            for name, times in (("arrival", begun), ("awaited", awaited), ("departure", left)):
                columns[name].append(np.where(takes_part[op], times, ABSENT_PS))
            now = np.where(takes_part[op], left, now)
        now = now + random.integers(0, 50, devices)
        columns["end"].append(now)
    arrival, awaited, departure = (np.array(columns[name]) for name in ("arrival", "awaited", "departure"))
    instances = instances_of(
        arrival,
        departure,
        awaited_ps=awaited,
        op=np.tile(np.arange(per_run), runs),
        moment=np.repeat(np.arange(runs), per_run),
        kinds=kinds,
        group=group,
        source=source,
    )
    return instances, DeviceRuns(np.array(columns["start"]), np.array(columns["end"]))


@given(pods())
def test_recorded_times_replayed_end_when_the_last_run_ended(pod):
    instances, runs = pod
    met = instances.took_part.any(axis=0)
    replay = Replay(instances, runs)
    assert replay.measured_ps == runs.end_ps[:, met].max(initial=0)


@given(pods(), st.integers(0, 5))
def test_no_device_is_made_slower(pod, chosen):
    instances, runs = pod
    replay = Replay(instances, runs)
    is_chosen = np.arange(instances.devices) == chosen % instances.devices
    cost = replay.cost_of(is_chosen)
    assert min(attrs.astuple(cost)) >= 0
    # What both reasons cost is at least what either one does.
    assert cost.total_ps >= max(cost.launched_late_ps, cost.worked_longer_ps)
    assert replay.cost_of_moving(np.zeros_like(instances.arrival_ps)) >= 0
    unlimited = np.full_like(instances.arrival_ps, np.iinfo(np.int64).max)
    assert replay.cost_of_moving(unlimited) == 0


@given(pods())
def test_all_devices_or_none_have_nobody_to_be_like(pod):
    replay = Replay(*pod)
    devices = pod[0].devices
    assert replay.cost_of(np.ones(devices, np.bool_)) == replay.cost_of(np.zeros(devices, np.bool_)) == Cost(0, 0, 0)


def costs(comparison):
    """By host its cost in a step."""
    hosts = range(len(comparison.summary.hosts))
    return [
        Cost(*(comparison.per_step_ps(each) for each in attrs.astuple(comparison.replay.cost_of(own))))
        for own in map(comparison.is_of_host, hosts)
    ]


@pytest.mark.parametrize("hosts", [2, 4])
def test_a_host_that_works_longer_costs_what_it_does(tmp_path, hosts):
    found = costs(compared(tmp_path, hosts=hosts, slower_ps={1: 3 * MS_PS}))
    assert found[1].total_ps == pytest.approx(3 * MS_PS, rel=0.01)
    assert found[1].worked_longer_ps == pytest.approx(3 * MS_PS, rel=0.01)
    assert found[1].launched_late_ps < MS_PS // 50
    assert max(each.total_ps for each in (found[0], *found[2:])) < MS_PS // 50


@pytest.mark.parametrize("hosts", [2, 4])
def test_a_host_that_launches_late_costs_what_it_does(tmp_path, hosts):
    found = costs(compared(tmp_path, hosts=hosts, later_ps={0: 2 * MS_PS}))
    # Before the first run of all nobody knows what was late.
    assert found[0].total_ps == pytest.approx(2 * MS_PS * 7 / 8, rel=0.01)
    assert found[0].launched_late_ps == pytest.approx(2 * MS_PS * 7 / 8, rel=0.01)
    assert found[0].worked_longer_ps < MS_PS // 50
    assert max(each.total_ps for each in found[1:]) < MS_PS // 50


def test_clocks_that_differ_change_no_cost(tmp_path):
    apart = {0: 0, 1: 7 * MS_PS, 2: -3_500_000_000, 3: 120 * MS_PS}
    together = costs(compared(tmp_path / "a", slower_ps={2: 3 * MS_PS}))
    differing = costs(compared(tmp_path / "b", slower_ps={2: 3 * MS_PS}, clock_ps=apart))
    assert differing[2].total_ps == pytest.approx(together[2].total_ps, rel=0.02)
    assert max(each.total_ps for row, each in enumerate(differing) if row != 2) < MS_PS // 20


RING_ROUNDS, RING_EXCESS_PS, RING_ERROR_PS = 20, 8 * MS_PS, MS_PS // 3


def ring_of_waiting_senders():
    """Four hosts of one device that pass on to the next, then meet: who sends is held until its receiver has come."""
    random = np.random.default_rng(3)
    ring = np.arange(4)
    arrival_ps, departure_ps, now_ps = [], [], np.zeros(4, np.int64)
    for _ in range(RING_ROUNDS):
        came_ps = now_ps + 4 * MS_PS + random.integers(0, MS_PS // 10, 4) + (ring == 2) * RING_EXCESS_PS
        both_ps = np.maximum(came_ps, np.maximum(came_ps[ring - 1], came_ps[(ring + 1) % 4]))
        passed_ps = both_ps + random.integers(MS_PS // 50, MS_PS // 10, 4)
        now_ps = passed_ps.max() + random.integers(MS_PS // 50, MS_PS // 10, 4)
        arrival_ps += came_ps, passed_ps
        departure_ps += passed_ps, now_ps
    return np.array(arrival_ps), np.array(departure_ps)


@given(st.lists(st.integers(-RING_ERROR_PS, RING_ERROR_PS), min_size=4, max_size=4))
def test_clocks_that_are_wrong_within_their_error_change_little(offset_ps):
    arrival_ps, departure_ps = ring_of_waiting_senders()
    host, error_ps = np.arange(4, dtype=np.int32), np.full(4, RING_ERROR_PS)
    is_slow = host == 2

    def cost_ps(moved_ps):
        instances = instances_of(
            arrival_ps + moved_ps,
            departure_ps + moved_ps,
            op=np.tile([0, 1], RING_ROUNDS),
            kinds=("collective-permute", "all-reduce"),
            source=[[3, 0, 1, 2], [-1] * 4],
        )
        told = instances.in_doubt(host, error_ps)
        runs = DeviceRuns(np.zeros((1, 4), np.int64) + moved_ps, departure_ps[-1:] + moved_ps)
        return Replay(told, runs).cost_of(is_slow).total_ps

    true_ps = cost_ps(np.zeros(4, np.int64))
    assert true_ps == pytest.approx(RING_ROUNDS * RING_EXCESS_PS, rel=0.05)
    # In each round one clock may be off to one side, and another to the other.
    assert abs(cost_ps(np.array(offset_ps)) - true_ps) <= 2 * RING_ERROR_PS * RING_ROUNDS


def test_two_slow_hosts_hide_each_other(tmp_path):
    found = costs(compared(tmp_path, slower_ps={1: 3 * MS_PS, 2: 4 * MS_PS}))
    # Without host 2 the step would still wait for host 1.
    assert found[2].total_ps == pytest.approx(MS_PS, rel=0.03)
    assert found[1].total_ps < MS_PS // 50


def test_a_slow_edge_costs_what_it_takes_longer_and_no_host(tmp_path):
    comparison = compared(tmp_path, slow_edge_ps={(3, 4): 5 * MS_PS})
    assert max(each.total_ps for each in costs(comparison)) < MS_PS // 20
    most_ps = np.full_like(comparison.instances.arrival_ps, np.iinfo(np.int64).max)
    most_ps[comparison.instances.is_point_to_point, 4] = MS_PS // 2
    cost_ps = comparison.per_step_ps(comparison.replay.cost_of_moving(most_ps))
    assert cost_ps == pytest.approx(5 * MS_PS, rel=0.02)


def test_among_many_hosts_the_one_that_is_slow_costs_most():
    slow, excess_ps = 123, MS_PS // 2
    instances, runs = simulated(2048, 200, per_run=100, slow_host=slow, excess_ps=excess_ps)
    replay = Replay(instances, runs)
    assert replay.measured_ps == runs.end_ps.max()
    host = (np.arange(2048) // DEVICES_OF_HOST).astype(np.int32)
    excess = replay.excess_ps(host, 512)
    suspects = np.argsort(-excess, kind="stable")[:3].tolist()
    assert suspects[0] == slow
    found = [replay.cost_of(host == each) for each in suspects]
    assert found[0].total_ps > 20 * max(each.total_ps for each in found[1:])
    assert found[0].total_ps == found[0].worked_longer_ps
    # Some of its 200 × 0.5 ms hides behind whoever else would have come last.
    assert 0.8 * 200 * excess_ps < found[0].total_ps <= 200 * excess_ps


def test_a_late_host_is_first_among_many_too():
    instances, runs = simulated(
        256, 200, per_run=10, slow_host=-1, excess_ps=0, late_host=9, late_ps=3 * MS_PS, side=16
    )
    replay = Replay(instances, runs)
    host = (np.arange(256) // DEVICES_OF_HOST).astype(np.int32)
    assert int(np.argmax(replay.excess_ps(host, 64))) == 9
    cost = replay.cost_of(host == 9)
    assert cost.launched_late_ps == pytest.approx(19 * 3 * MS_PS, rel=0.05)
    assert cost.worked_longer_ps < cost.launched_late_ps / 20
