"""The overview of several hosts names the one that costs the steps."""

from analysis.hosts.pods import MS_PS, Pod
from scopelight.analysis.overview.options import OverviewOptions
from scopelight.views.opening import open_subject
from scopelight.views.table import VIEWS


def overview_of(folder, **pod):
    folder.mkdir()
    Pod(**pod).write(folder)
    return VIEWS["overview"].ask(open_subject(folder), OverviewOptions())


def test_a_slow_host_is_said_first_and_leads_to_hosts(tmp_path):
    first = overview_of(tmp_path / "a", slower_ps={2: 3 * MS_PS}).findings[0]
    assert (first.code, first.values["host"]) == ("host-slow", "host2")
    assert first.action.arguments == {"view": "hosts"}


def test_where_no_host_is_slow_nothing_is_said_of_hosts(tmp_path):
    codes = {each.code for each in overview_of(tmp_path / "a").findings}
    assert not codes & {"host-slow", "link-slow"}
