"""Links: what they move at their best, which is slower than others of its kind, and that nobody else is blamed."""

import attrs
import numpy as np
import pytest

from analysis.hosts.pods import MORE_WORK_PS, MOVE_PS, MS_PS, compared
from scopelight.analysis.hosts.link_rows import link_rows
from scopelight.analysis.hosts.links import MANY, LinkTimes, bytes_per_s, link_times, slow_links
from scopelight.analysis.hosts.record import hosts_record
from scopelight.analysis.totals.frames import LineOptions, UserFrames

BYTES = 65536 * 4


def frames():
    return UserFrames(LineOptions(), None)


def edges(comparison):
    return {each.devices: each for each in link_times(comparison) if each.is_edge}


def test_an_edge_takes_from_when_both_have_come_to_the_end_of_the_receiver(tmp_path):
    found = edges(compared(tmp_path))
    assert sorted(found) == sorted((each, (each + 1) % 8) for each in range(8))
    for each in found.values():
        assert len(each.latency_ps) == 8
        # Who came a little later than its sender may have been waited for.
        assert each.best_ps == pytest.approx(MOVE_PS, rel=0.05)
        assert each.bytes == BYTES


def test_a_sender_that_comes_late_is_told_apart_from_the_link(tmp_path):
    found = edges(compared(tmp_path, later_ps={}, slower_ps={}, jitter_ps=MS_PS))
    assert any(each.delay_ps.max() > MS_PS // 10 for each in found.values())
    for each in found.values():
        assert each.latency_ps.max() <= MOVE_PS + MS_PS
        assert each.delay_ps.max() <= 2 * MS_PS
        assert each.delay_ps.min() >= 0


def test_a_receiver_that_another_held_tells_nothing_of_the_link_where_clocks_are_in_doubt(tmp_path):
    comparison = compared(tmp_path)
    instances = comparison.instances
    permuted = np.flatnonzero(instances.is_point_to_point)
    # In half of the steps device 3 passes on only when device 4 has come, which seems to come a little later.
    held = permuted[::2]
    arrival_ps = instances.arrival_ps.copy()
    arrival_ps[held, 4] = instances.departure_ps[held, 3] + MS_PS // 50
    told = attrs.evolve(
        instances, arrival_ps=arrival_ps, awaited_ps=arrival_ps, doubt_ps=np.full(instances.source.shape, MS_PS // 10)
    )
    found = edges(attrs.evolve(comparison, instances=told))[2, 3]
    assert (len(found.rows), len(found.delay_ps), len(found.latency_ps)) == (8, 8, 4)
    assert found.best_ps == pytest.approx(MOVE_PS, rel=0.05)


def test_a_group_of_a_collective_is_a_link_of_its_devices(tmp_path):
    groups = [each for each in link_times(compared(tmp_path)) if not each.is_edge]
    assert [each.devices for each in groups] == [tuple(range(8))]
    # An all-reduce of so many sends nearly twice its result.
    assert groups[0].bytes == 2 * 7 * BYTES // 8


def test_a_slow_edge_is_named_with_its_rate_and_neither_of_its_ends(tmp_path):
    comparison = compared(tmp_path, slow_edge_ps={(3, 4): 5 * MS_PS})
    record = hosts_record(comparison, frames())
    named = [each for each in record.links if each.is_named]
    assert [(each.source, each.destination) for each in named] == [
        ("host1 /device:TPU:1", "host2 /device:TPU:0"),
    ]
    assert (named[0].source_host, named[0].destination_host) == ("host1", "host2")
    assert record.links[0] is named[0]
    assert named[0].best_bytes_per_s == pytest.approx(BYTES / 5.5e-3, rel=0.02)
    assert named[0].slower_ratio == pytest.approx(11, rel=0.05)
    assert named[0].cost_per_step_ps == pytest.approx(5 * MS_PS, rel=0.02)
    assert not any(each.is_named for each in record.hosts)
    assert not any(each.is_named for each in record.cores)
    said = [each for each in record.findings if each.code.endswith("-slow")]
    assert [each.code for each in said] == ["link-slow"]
    assert said[0].values["source_host"] == "host1"
    assert said[0].values["best_bytes_per_s"] == named[0].best_bytes_per_s


def test_a_link_that_is_slow_and_costs_next_to_nothing_is_not_named(tmp_path):
    comparison = compared(tmp_path, slow_edge_ps={(3, 4): MS_PS * 7 // 10})
    rows = link_rows(comparison, link_times(comparison), frames(), 100 * MS_PS)
    slow = [each for each in rows if each.slower_ratio is not None]
    assert [each.source for each in slow] == ["host1 /device:TPU:1"]
    assert not any(each.is_named for each in rows)


def test_a_link_that_is_as_slow_each_time_is_told_from_one_that_something_was_in_the_way_of(tmp_path):
    comparison = compared(tmp_path)
    links = [each for each in link_times(comparison) if each.is_edge]

    def slow(latency_ps):
        return [*slow_links(comparison, [attrs.evolve(links[0], latency_ps=np.array(latency_ps)), *links[1:]])]

    assert slow([3 * MOVE_PS] * 8) == [0]
    assert slow([3 * MOVE_PS] * 4 + [9 * MOVE_PS] * 4) == [0]
    assert slow([3 * MOVE_PS] * 2 + [25 * MOVE_PS] * 6) == []


def test_a_host_that_is_slow_makes_no_link_slow(tmp_path):
    comparison = compared(tmp_path, slower_ps={2: 3 * MS_PS}, later_ps={1: MS_PS})
    assert slow_links(comparison, link_times(comparison)) == {}


def test_fewer_than_three_of_a_kind_name_nobody(tmp_path):
    # Of two edges, both between two hosts, one is slow.
    comparison = compared(tmp_path, hosts=2, devices=1, slow_edge_ps={(0, 1): 5 * MS_PS})
    assert len(edges(comparison)) == 2
    assert slow_links(comparison, link_times(comparison)) == {}


def test_edges_within_a_host_are_not_held_against_those_between_hosts(tmp_path):
    # All four edges between hosts are as slow as each other, and the four within hosts are quick.
    slow = {(2 * host + 1, (2 * host + 2) % 8): 5 * MS_PS for host in range(4)}
    comparison = compared(tmp_path, slow_edge_ps=slow)
    assert slow_links(comparison, link_times(comparison)) == {}


def test_of_many_executions_the_quickest_tenth_counts():
    def times(latency_ps):
        column = np.array(latency_ps)
        return LinkTimes(0, (0, 1), True, column, column, column, None)

    assert times([9, 7, 8]).best_ps == 7
    assert times(range(MANY, 0, -1)).best_ps == MANY // 10 + 1


def test_a_rate_is_of_bytes_and_a_time_that_are_known():
    assert bytes_per_s(1000, MS_PS) == 1e6
    assert bytes_per_s(None, MS_PS) is bytes_per_s(0, MS_PS) is bytes_per_s(1000, 0) is None


def test_the_work_between_is_no_part_of_a_link(tmp_path):
    assert max(each.latency_ps.max() for each in link_times(compared(tmp_path))) < MORE_WORK_PS
