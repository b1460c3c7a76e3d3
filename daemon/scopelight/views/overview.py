"""The overview, and of several hosts which of them costs the steps."""

from typing import Final

import attrs

from scopelight.analysis.hosts.options import HostsOptions
from scopelight.analysis.overview.options import OverviewOptions
from scopelight.analysis.overview.records import OverviewRecord
from scopelight.analysis.overview.view import overview as overview_of_run
from scopelight.analysis.subject import Subject
from scopelight.findings import show_view

_OF_HOSTS: Final = frozenset(("host-slow", "link-slow"))


def overview(subject: Subject, options: OverviewOptions) -> OverviewRecord:
    """One page of a run."""
    record = overview_of_run(subject, options)
    if len(subject.profile.host_names) < 2:
        return record
    from scopelight.views.hosts import hosts  # noqa: PLC0415 (few runs have several hosts)

    slow = [each for each in hosts(subject, HostsOptions()).findings if each.code in _OF_HOSTS]
    told = tuple(attrs.evolve(each, action=show_view("hosts")) for each in slow)
    return attrs.evolve(record, findings=(*told, *record.findings))
