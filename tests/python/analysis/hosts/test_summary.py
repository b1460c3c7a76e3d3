"""Summaries of hosts are merged in whatever order, and what they say of each other does not depend on it."""

import time

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.hosts.pods import MS_PS, Pod, summary_of
from scopelight.analysis.hosts.comparison import compare
from scopelight.analysis.hosts.record import hosts_record
from scopelight.analysis.hosts.summarising import summarise
from scopelight.analysis.hosts.summary import Summary, merge
from scopelight.analysis.totals.frames import LineOptions, UserFrames
from scopelight.model.opening.profile import open_files

HOSTS = 5


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """The summaries of hosts that differ in what they ran, and one that ran nothing in which devices met."""
    folder = tmp_path_factory.mktemp("pod")
    found = [summary_of(each) for each in Pod(hosts=HOSTS, devices=2, steps=5, slower_ps={1: MS_PS}).write(folder)]
    found[3] = attrs.evolve(found[3], work=attrs.evolve(found[3].work, ops=found[3].work.ops[::-1]))
    return found


def told(summary: Summary):
    """All that a summary holds, as values that are compared by ``==``."""
    columns = {}
    for table in ("collectives", "runs", "steps", "cores", "work"):
        of = getattr(summary, table)
        for field in attrs.fields(type(of)):
            value = getattr(of, field.name)
            columns[table, field.name] = (
                (str(value.dtype), value.shape, value.tobytes()) if isinstance(value, np.ndarray) else attrs_told(value)
            )
    return summary.hosts, summary.devices, dict(summary.program_names), columns


def attrs_told(values):
    # Some fields of ops do not count when they are compared.
    return [attrs.asdict(each) for each in values]


@given(st.data())
def test_in_whatever_order_and_groups_summaries_are_merged_they_are_one(parts, data):
    whole = told(merge(parts))
    order = data.draw(st.permutations(range(HOSTS)))
    pending = [parts[each] for each in order]
    while len(pending) > 1:
        size = data.draw(st.integers(2, len(pending)))
        first = data.draw(st.integers(0, len(pending) - size))
        pending[first : first + size] = [merge(pending[first : first + size])]
    assert told(pending[0]) == whole


def test_a_summary_alone_is_itself(parts):
    assert merge([parts[2]]) is parts[2]
    with pytest.raises(ValueError, match="no summaries"):
        merge([])


def test_what_is_of_a_host_stays_so(parts):
    whole = merge(parts)
    assert [each.name for each in whole.hosts] == [f"host{each}" for each in range(HOSTS)]
    assert whole.host_of_device.tolist() == [each // 2 for each in range(2 * HOSTS)]
    assert whole.ids.tolist() == list(range(2 * HOSTS))
    first = 0
    for number, part in enumerate(parts):
        rows = np.flatnonzero(whole.host_of_device[whole.runs.device] == number)
        assert whole.runs.start_ps[rows].tolist() == part.runs.start_ps.tolist()
        own = np.flatnonzero(whole.steps.host == number)
        assert (whole.host_of_device[whole.runs.device[whole.steps.run[own]]] == number).all()
        exposed = np.flatnonzero(whole.host_of_device[whole.cores.device[whole.cores.exposed_core]] == number)
        met = whole.cores.exposed_collective[exposed]
        assert (whole.host_of_device[whole.collectives.device[met]] == number).all()
        work = whole.host_of_device[whole.work.device] == number
        names = [whole.work.ops[op].name for op in whole.work.op[work]]
        assert names == [part.work.ops[op].name for op in part.work.op]
        first += len(part.runs.device)
    assert first == len(whole.runs.device)


def test_an_op_of_all_hosts_is_there_once(parts):
    whole = merge(parts)
    assert [each.name for each in whole.collectives.ops] == ["all-reduce.2", "collective-permute.4"]
    assert whole.collectives.group.shape == (2, 2 * HOSTS)
    assert whole.collectives.source[1].tolist() == [9, *range(9)]


def test_a_comparison_of_summaries_is_that_of_the_whole(parts):
    frames = UserFrames(LineOptions(), None)
    by_twos = merge([merge(parts[3:]), merge(parts[:3])])
    assert hosts_record(compare(by_twos), frames) == hosts_record(compare(merge(parts)), frames)


def test_a_summary_is_that_of_the_profile(parts, tmp_path):
    file = Pod(hosts=1, devices=2, steps=5).write(tmp_path)[0]
    profile = open_files(file, [file])
    summary = summarise(profile, "a")
    assert summary.hosts[0].started_ns == profile.started_ns
    assert len(summary.runs.device) == len(profile.runs) == 10
    assert (summary.runs.end_ps - summary.runs.start_ps).tolist() == profile.runs.duration_ps.tolist()
    assert len(summary.collectives) == 2 * 5 * 2
    kept = {each.name: 0 for each in summary.work.ops}
    for op, self_ps in zip(summary.work.op.tolist(), summary.work.self_ps.tolist(), strict=True):
        kept[summary.work.ops[op].name] += self_ps
    # Collectives are no work; what is too little to explain anything is left out.
    assert kept.keys() == {"dot.1", "add.3"}
    steps = summary.steps
    inside = np.searchsorted(steps.start_ps, profile.executions.start_ps, side="right") - 1
    is_dot = np.array([profile.executions.ops[op].name == "dot.1" for op in profile.executions.op])
    ends_ps = (steps.start_ps + steps.duration_ps)[inside]
    counted = is_dot & (inside >= 0) & (profile.executions.start_ps < ends_ps)
    assert kept["dot.1"] == profile.executions.self_ps[counted].sum()


def test_hundreds_of_summaries_are_merged_in_no_time(parts):
    small = [
        attrs.evolve(parts[each % HOSTS], hosts=(attrs.evolve(parts[0].hosts[0], name=f"host{each:03}"),))
        for each in range(512)
    ]
    began = time.process_time()
    whole = merge(small)
    assert time.process_time() - began < 3
    assert len(whole.devices) == 1024
    assert len(whole.collectives.ops) == 2
