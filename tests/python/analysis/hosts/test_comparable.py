"""Which hosts are compared: those of one job that are whole enough."""

import attrs
import pytest

from analysis.hosts.pods import Pod, summary_of
from scopelight.analysis.hosts.comparable import comparable
from scopelight.analysis.hosts.summary import SummarisedHost, merge
from scopelight.findings import warning

DAY_NS = 86_400 * 10**9
CUT_OFF = warning("file-cut-off", path="a", offset=1, fault="", planes=1)


@pytest.fixture
def parts(tmp_path):
    return [summary_of(file) for file in Pod(hosts=4, devices=1).write(tmp_path)]


def with_host(part, **changes):
    return attrs.evolve(part, hosts=(attrs.evolve(part.hosts[0], **changes),))


def few(part):
    """What is left of a host of whose file most was lost."""
    columns = ("op", "device", "run", "occurrence", "start_ps", "awaited_ps", "end_ps", "row")
    collectives = attrs.evolve(part.collectives, **{each: getattr(part.collectives, each)[:2] for each in columns})
    cores = attrs.evolve(
        part.cores,
        **{each: getattr(part.cores, each)[:0] for each in ("exposed_collective", "exposed_core", "exposed_ps")},
    )
    return attrs.evolve(part, collectives=collectives, cores=cores)


def left(summary):
    return [each.name for each in summary.hosts]


def test_whole_hosts_of_one_job_are_all_compared(parts):
    whole = merge(parts)
    assert comparable(whole) == (whole, ())


def test_a_host_that_started_days_apart_is_of_something_else(parts):
    parts[3] = with_host(parts[3], started_ns=parts[3].hosts[0].started_ns + 40 * DAY_NS)
    summary, findings = comparable(merge(parts))
    assert left(summary) == ["host0", "host1", "host2"]
    assert [(each.code, each.values["host"]) for each in findings] == [("host-foreign", "host3")]


def test_of_two_hosts_it_is_not_known_which_is_foreign(parts):
    parts[1] = with_host(parts[1], started_ns=parts[1].hosts[0].started_ns + 40 * DAY_NS)
    summary, findings = comparable(merge(parts[:2]))
    assert left(summary) == ["host0", "host1"]
    assert not findings


def test_a_host_whose_file_was_cut_off_costs_itself_alone(parts):
    parts[0] = with_host(few(parts[0]), findings=(CUT_OFF,))
    summary, findings = comparable(merge(parts))
    assert left(summary) == ["host1", "host2", "host3"]
    assert [(each.code, each.values["host"]) for each in findings] == [("host-cut-off", "host0")]


def test_a_file_that_was_cut_off_behind_what_is_compared_stays(parts):
    parts[0] = with_host(parts[0], findings=(CUT_OFF,))
    assert left(comparable(merge(parts))[0]) == ["host0", "host1", "host2", "host3"]


def test_a_host_that_met_others_seldom_stays_where_its_file_is_whole(parts):
    parts[0] = few(parts[0])
    assert left(comparable(merge(parts))[0]) == ["host0", "host1", "host2", "host3"]


def test_one_host_is_compared_with_nobody(parts):
    assert comparable(parts[0]) == (parts[0], ())
    assert isinstance(parts[0].hosts[0], SummarisedHost)
