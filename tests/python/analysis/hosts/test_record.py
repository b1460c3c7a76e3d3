"""The record of hosts: who is named by which rule, what findings say of it, and numbers that sum."""

import attrs
import numpy as np
import pytest

from analysis.hosts.pods import MS_PS, Pod, compared, summary_of
from scopelight.analysis.hosts.breakdown import PARTS
from scopelight.analysis.hosts.comparison import compare
from scopelight.analysis.hosts.costs import LEAST_COST_RATIO, LEAST_TIMES_NEXT, Costs, costs_of_hosts
from scopelight.analysis.hosts.record import LatePlace, hosts_record, with_late_place
from scopelight.analysis.hosts.replay import Cost
from scopelight.analysis.hosts.summary import merge
from scopelight.analysis.totals.frames import LineOptions, UserFrames
from scopelight.program.hlo.frames import Frame

FRAMES = UserFrames(LineOptions(roots=("/job",)), "/job")


def record_of(folder, **pod):
    return hosts_record(compared(folder, **pod), FRAMES)


def test_hosts_are_in_the_order_of_what_they_cost(tmp_path):
    record = record_of(tmp_path, slower_ps={2: 3 * MS_PS, 0: 2 * MS_PS})
    costs_ps = [each.cost_per_step_ps for each in record.hosts]
    assert record.hosts[0].host == "host2"
    assert costs_ps == sorted(costs_ps, reverse=True)
    assert {each.host for each in record.hosts} == {f"host{each}" for each in range(4)}


def test_a_host_that_works_longer_is_named_with_the_line_that_takes_it(tmp_path):
    record = record_of(tmp_path, slower_ps={2: 3 * MS_PS})
    first = record.hosts[0]
    assert (first.host, first.is_named, first.reason) == ("host2", True, "worked-longer")
    assert (first.path, first.line, first.op) == ("train.py", 12, "jit(step)/mul")
    assert first.excess_per_step_ps == pytest.approx(3 * MS_PS, rel=0.02)
    assert not any(each.is_named for each in record.hosts[1:])
    said = next(each for each in record.findings if each.code == "host-slow")
    assert said.severity == "advice"
    assert said.values["host"] == "host2"
    assert said.values["cost_ps"] == first.cost_per_step_ps
    assert said.values["step_ps"] == record.step_ps
    assert said.values["reason"] == "worked-longer"
    assert (said.values["path"], said.values["line"], said.values["op"]) == (first.path, first.line, first.op)


def test_a_host_that_launches_late_is_named_with_where_it_stood(tmp_path):
    record = record_of(tmp_path, later_ps={1: 3 * MS_PS})
    first = record.hosts[0]
    assert (first.host, first.reason, first.op, first.line) == ("host1", "launched-late", None, None)
    place = LatePlace(Frame("/job/data.py", 30, "load"), None, 3 * MS_PS)
    told = with_late_place(record, place, FRAMES)
    assert (told.hosts[0].path, told.hosts[0].line) == ("data.py", 30)
    assert told.hosts[0].excess_per_step_ps == 3 * MS_PS
    assert [each for each in told.hosts if each.host != "host1"] == list(record.hosts[1:])
    said = next(each for each in told.findings if each.code == "host-slow")
    assert (said.values["path"], said.values["line"]) == ("data.py", 30)
    assert [each.code for each in told.findings] == [each.code for each in record.findings]


def test_where_a_host_stood_is_said_only_of_one_that_launched_late(tmp_path):
    place = LatePlace(Frame("/job/data.py", 30, "load"), None, 3 * MS_PS)
    for pod in ({}, {"slower_ps": {2: 3 * MS_PS}}):
        record = record_of(tmp_path, **pod)
        assert with_late_place(record, place, FRAMES) == record
    late = record_of(tmp_path, later_ps={1: 3 * MS_PS})
    assert with_late_place(late, None, FRAMES) == late
    marked = with_late_place(late, LatePlace(None, "load_batch", MS_PS), FRAMES)
    assert (marked.hosts[0].where, marked.hosts[0].path) == ("load_batch", None)


def costs_named(monkeypatch, comparison, totals_ps, step_ps):
    """Who is named where hosts cost so much."""
    by_host = dict(enumerate(totals_ps))
    monkeypatch.setattr(
        type(comparison.replay),
        "cost_of",
        lambda _, chosen: Cost(by_host[int(comparison.host_of_device[np.argmax(chosen)])], 0, 0),
    )
    monkeypatch.setattr(type(comparison), "per_step_ps", lambda _, cost_ps: cost_ps)
    found = costs_of_hosts(comparison, step_ps)
    assert {each: cost.total_ps for each, cost in found.per_step.items()} == by_host
    return found.named


def test_a_host_is_named_that_costs_enough_and_much_more_than_the_next(tmp_path, monkeypatch):
    comparison = compared(tmp_path)
    assert (LEAST_COST_RATIO, LEAST_TIMES_NEXT) == (0.05, 3)
    for totals_ps, named in (
        ((0, 50, 16, 0), 1),
        ((0, 49, 0, 0), None),
        ((0, 60, 20, 0), 1),
        ((0, 60, 21, 0), None),
        ((300, 300, 0, 0), None),
        ((0, 0, 0, 0), None),
    ):
        assert costs_named(monkeypatch, comparison, totals_ps, 1000) == named
    assert costs_named(monkeypatch, comparison, (0, 50, 0, 0), None) is None


def test_a_clean_pod_names_nobody_and_has_nothing_to_doubt(tmp_path):
    record = record_of(tmp_path)
    assert record.findings == ()
    assert not any(each.is_named for each in (*record.hosts, *record.cores, *record.links))
    assert record.instances == record.complete_instances == 16
    assert record.executions == 16 * 8


def test_the_parts_of_a_core_sum_to_its_steps_and_to_the_mean_of_them(tmp_path):
    record = record_of(tmp_path, slower_ps={2: 3 * MS_PS}, jitter_ps=MS_PS)
    assert len(record.cores) == 8
    for number, core in enumerate(record.cores):
        assert tuple(core.parts) == PARTS
        assert sum(core.parts.values()) == core.step_ps
        steps = [each for step in record.steps for each in step.cores if each.core == number]
        assert len(steps) == record.step_count
        assert all(sum(each.parts.values()) == each.duration_ps for each in steps)
        assert core.step_ps == pytest.approx(np.mean([each.duration_ps for each in steps]), abs=1)
        for part in PARTS:
            assert core.parts[part] == pytest.approx(np.mean([each.parts[part] for each in steps]), abs=1)


def test_a_core_is_told_by_its_chip_and_its_id(tmp_path):
    cores = record_of(tmp_path).cores
    assert [(each.host, each.ordinal, each.id, each.chip) for each in cores[2:4]] == [
        ("host1", 0, 2, 2),
        ("host1", 1, 3, 3),
    ]


def test_steps_are_those_that_all_hosts_have(tmp_path):
    record = record_of(tmp_path, first_run={1: 2})
    whole = record_of(tmp_path / "whole")
    assert record.step_count == len(record.steps) == whole.step_count - 2
    # They count from the first event of any host.
    assert record.steps[0].start_ps == whole.steps[2].start_ps
    assert [each.number for each in record.steps] == list(range(1, len(record.steps) + 1))
    assert [each.start_ps for each in record.steps] == sorted(each.start_ps for each in record.steps)
    # What the others did before that host recorded is not whole.
    said = next(each for each in record.findings if each.code == "hosts-incomplete-instances")
    assert said.values["instances"] == 4
    assert record.complete_instances == record.instances - 4


def test_a_collective_says_what_it_waits_and_moves_and_who_comes_last(tmp_path):
    record = record_of(tmp_path, slower_ps={2: 3 * MS_PS})
    found = {each.name: each for each in record.collectives}
    reduced = found["all-reduce.2"]
    assert (reduced.kind, reduced.participants, reduced.per_step) == ("all-reduce", 8, 1)
    assert (reduced.latest, reduced.latest_ratio) == ("host2", 1)
    # Six of eight devices wait 3 ms.
    assert reduced.wait_per_step_ps == pytest.approx(3 * MS_PS * 6 / 8, rel=0.02)
    assert reduced.move_per_step_ps == pytest.approx(MS_PS / 2, rel=0.05)
    assert (reduced.path, reduced.line) == ("train.py", 13)
    assert reduced.bytes == 2 * 7 * 65536 * 4 // 8
    assert reduced.bytes_per_s == pytest.approx(reduced.bytes / 0.5e-3, rel=0.05)
    assert found["collective-permute.4"].wait_per_step_ps < MS_PS // 10


def test_clocks_are_told_with_what_may_be_wrong_about_them(tmp_path):
    record = record_of(tmp_path, clock_ps={1: 70 * MS_PS})
    first, other = record.clocks[:2]
    assert (first.offset_ps, first.offset_error_ps, first.applied_offset_ps) == (0, 0, 0)
    assert abs(other.offset_ps - 70 * MS_PS) <= other.offset_error_ps
    assert other.applied_offset_ps == other.offset_ps
    assert other.meetings == 8
    row = next(each for each in record.hosts if each.host == "host1")
    assert (row.offset_ps, row.offset_error_ps) == (other.offset_ps, other.offset_error_ps)


def test_one_host_is_compared_with_nobody_but_its_devices_are(tmp_path):
    record = record_of(tmp_path, hosts=1, devices=4)
    assert record.hosts[0].cost_per_step_ps is None
    assert [each.code for each in record.findings] == ["hosts-one-host"]
    assert all(each.cost_per_step_ps is not None for each in record.cores)


def test_hosts_that_never_met_are_shown_and_cost_nothing(tmp_path):
    files = Pod(hosts=2).write(tmp_path)
    record = hosts_record(compare(merge(_without_collectives(summary_of(each)) for each in files)), FRAMES)
    assert "hosts-nothing-met" in [each.code for each in record.findings]
    assert [each.cost_per_step_ps for each in record.hosts] == [None, None]
    assert [each.offset_ps for each in record.clocks] == [0, None]
    assert record.links == record.collectives == ()


def _without_collectives(summary):
    columns = ("op", "device", "run", "occurrence", "start_ps", "awaited_ps", "end_ps", "row")
    exposed = ("exposed_collective", "exposed_core", "exposed_ps")
    collectives, cores = (
        attrs.evolve(of, **{name: getattr(of, name)[:0] for name in names})
        for of, names in ((summary.collectives, columns), (summary.cores, exposed))
    )
    return attrs.evolve(summary, collectives=collectives, cores=cores)


def test_the_reason_is_what_most_of_the_cost_is():
    assert Costs({0: Cost(10, 6, 4)}, 0).reason == "launched-late"
    assert Costs({0: Cost(10, 5, 5)}, 0).reason == "worked-longer"
    assert Costs({0: Cost(10, 6, 4)}).reason is None
