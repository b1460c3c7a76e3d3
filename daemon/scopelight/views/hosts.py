"""The views of hosts: what each costs the steps, their links, and their clocks."""

from collections.abc import Sequence
from pathlib import Path

from scopelight.analysis.hosts.comparable import comparable
from scopelight.analysis.hosts.comparison import compare
from scopelight.analysis.hosts.late import late_place
from scopelight.analysis.hosts.options import HostsOptions
from scopelight.analysis.hosts.record import hosts_record, with_late_place
from scopelight.analysis.hosts.records import ClocksRecord, HostsRecord, LinksRecord
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import centre_of
from scopelight.analysis.totals.frames import UserFrames
from scopelight.findings import empty
from scopelight.formats.errors import FormatError
from scopelight.model.opening.paths import find_xspaces, is_memory_alone, is_program
from scopelight.model.opening.profile import open_files
from scopelight.summaries.gathering import by_host, gather


def hosts(subject: Subject, options: HostsOptions) -> HostsRecord:
    """What each host costs the steps, and why."""
    return subject.once("hosts", options, lambda: _hosts(subject, options))


def links(subject: Subject, options: HostsOptions) -> LinksRecord:
    """What devices sent each other, and how fast."""
    record = hosts(subject, options)
    return LinksRecord(record.links, findings=record.findings)


def clocks(subject: Subject, options: HostsOptions) -> ClocksRecord:
    """By how much the clocks of the hosts differ."""
    record = hosts(subject, options)
    is_consistent = all(each.code != "clocks-inconsistent" for each in record.findings)
    return ClocksRecord(record.clocks, is_consistent, findings=record.findings)


def _hosts(subject: Subject, options: HostsOptions) -> HostsRecord:
    if is_program(subject.path) or is_memory_alone(subject.path):
        return HostsRecord((), (), None, 0, (), (), (), 0, 0, 0, (), (), findings=(empty("hosts-nothing-ran"),))
    files, several = find_xspaces(subject.path)
    gathered = gather(files, options.engine)
    capture = subject.profile.capture
    frames = UserFrames(subject.line_options, capture.cwd if capture is not None else None)
    if gathered.summary is None:
        raise FormatError("none of the files of its hosts can be read", path=subject.path)
    summary, left_out = comparable(gathered.summary)
    comparison = compare(summary)
    recorded = (capture.devices or ()) if capture is not None else ()
    record = hosts_record(comparison, frames, recorded, (*several, *gathered.findings, *left_out))
    return _with_reason(subject, record, files, frames)


def _with_reason(subject: Subject, record: HostsRecord, files: Sequence[Path], frames: UserFrames) -> HostsRecord:
    """The record with where the host stood that launched late: its files are opened for it, and no others."""
    named = next((each for each in record.hosts if each.is_named and each.reason == "launched-late"), None)
    if named is None:
        return record
    try:
        profile = open_files(subject.path, by_host(files)[named.host])
    except FormatError:
        return record
    centre = centre_of(profile, subject.line_options)
    return with_late_place(record, late_place(profile, centre), frames)
