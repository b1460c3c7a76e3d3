"""Gathering: the summaries of all hosts of a capture, each from beside its files, else from the files themselves."""

import contextlib
from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError, Executor, Future
from pathlib import Path

import attrs

from scopelight.analysis.hosts.summarising import summarise
from scopelight.analysis.hosts.summary import Summary, merge
from scopelight.findings import Finding
from scopelight.formats.errors import FormatError
from scopelight.model.devices.global_ids import ProcessPlace
from scopelight.model.opening.hosts import host_unreadable
from scopelight.model.opening.profile import open_files
from scopelight.model.opening.sessions import host_name
from scopelight.summaries.beside import keep_summary, kept_summary
from scopelight.summaries.encoding import decode, encode
from scopelight.summaries.engines import engine


@attrs.frozen
class Gathered:
    """The summaries of hosts as one; None where no file could be read. ``findings`` name the hosts that could not."""

    summary: Summary | None
    findings: tuple[Finding, ...]


def by_host(files: Sequence[Path]) -> Mapping[str, tuple[Path, ...]]:
    """The files of each host, by its name: a process may have recorded several parts."""
    found: dict[str, list[Path]] = {}
    for each in sorted(files, key=lambda file: (file.name, file)):
        found.setdefault(host_name(each), []).append(each)
    return {name: tuple(parts) for name, parts in found.items()}


def gather(files: Sequence[Path], name: str | None = None) -> Gathered:
    """The summaries of the hosts of ``files``; those that are not beside them are made by the engine of that name.

    Where there are several hosts, what was made is written beside their files.

    Raises `OptionError` where there is no such engine.
    """
    hosts = by_host(files)
    places = {host: (number, len(hosts)) for number, host in enumerate(hosts)}
    found: dict[str, Summary | FormatError] = {}
    for host, of_host in hosts.items():
        kept = kept_summary(of_host, places[host])
        if kept is not None:
            found[host] = kept
    missing = [host for host in hosts if host not in found]
    if missing:
        with engine(name, len(missing)) as executor:
            made = _made(executor, {host: (hosts[host], places[host]) for host in missing})
        for host, summary in made.items():
            found[host] = summary
            # One alone is merged with nothing: it is read in full wherever it is opened.
            if isinstance(summary, Summary) and len(hosts) > 1:
                keep_summary(hosts[host], places[host], summary)
    elif name is not None:
        # A wrong name is said also where there is nothing to do.
        with engine(name, 0):
            pass
    readable = [each for each in (found[host] for host in hosts) if isinstance(each, Summary)]
    unreadable = [host_unreadable(each) for each in (found[host] for host in hosts) if isinstance(each, FormatError)]
    return Gathered(merge(readable) if readable else None, tuple(unreadable))


def _made(
    executor: Executor, wanted: Mapping[str, tuple[tuple[Path, ...], tuple[int, int]]]
) -> Mapping[str, Summary | FormatError]:
    found: dict[str, Summary | FormatError] = {}
    futures: dict[str, Future[bytes | FormatError] | None] = {}
    for host, of_host in wanted.items():
        try:
            futures[host] = executor.submit(summarised, *of_host)
        except Exception:
            # Workers may be gone before all is handed over.
            futures[host] = None
    for host, future in futures.items():
        answer: bytes | FormatError | None = None
        # A worker that is gone takes nothing with it: what it had is done here.
        with contextlib.suppress(Exception, CancelledError):
            answer = future.result() if future is not None else None
        if answer is None:
            answer = summarised(*wanted[host])
        found[host] = decode(answer) if isinstance(answer, bytes) else answer
    return found


def summarised(files: tuple[Path, ...], place: tuple[int, int]) -> bytes | FormatError:
    """The summary of the files of one host, encoded; or why they cannot be read."""
    try:
        profile = open_files(files[0], files)
    except FormatError as error:
        return error
    return encode(summarise(profile, host_name(files[0]), ProcessPlace(*place)))
