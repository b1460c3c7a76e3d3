"""Log directories that other tools wrote, and the sessions and hosts in them and in runs."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import Final

import attrs

from scopelight.model.opening.below import files_below
from scopelight.model.opening.paths import captures_of_files
from scopelight.model.opening.sessions import XSPACE, Capture, Folder, directory_of, host_name
from scopelight.model.run.information import WindowKind
from scopelight.model.run.names import RUN_FILE

LISTED_DEPTH: Final = 9
LISTED_FOLDERS: Final = 3_000
"""That are looked into for a list, which is made often: fewer than for a folder that is opened."""
_PASSED_OVER: Final = frozenset({"node_modules", "site-packages", "__pycache__", "venv"})


@attrs.frozen(slots=True)
class HostRecord:
    """One host of a session. ``path`` opens it alone; None where it recorded in parts, which open together only."""

    name: str
    path: str | None
    size_bytes: int | None


@attrs.frozen(slots=True)
class RunWindow:
    """A window of a job, the ``number``-th that was captured of it, counted from 1.

    Its ``steps`` are complete ones; ``first_step`` and ``last_step`` have the numbers that the script's own count gives
    them, ``slow_steps`` are those of them for which it was kept. ``started`` is an ISO 8601 time. None is unknown.
    """

    number: int
    kind: WindowKind | None = None
    started: str | None = None
    seconds: float | None = None
    steps: int | None = None
    first_step: int | None = None
    last_step: int | None = None
    slow_steps: tuple[int, ...] = ()


@attrs.frozen(slots=True)
class SessionRecord:
    """A session as it opens: with those beside it that are of the same capture, whose number is ``folders``.

    ``path`` opens it, ``ended`` is when it was captured, an ISO 8601 time; None where that is not known. ``window`` is
    the one of its run that it holds.
    """

    path: str
    name: str
    ended: str | None
    folders: int
    hosts: tuple[HostRecord, ...]
    size_bytes: int | None
    window: RunWindow | None = None


@attrs.frozen(slots=True)
class LogDirectoryRecord:
    """A log directory that is no run: a path, or the address of one on a server. The newest session comes first."""

    path: str
    sessions: tuple[SessionRecord, ...]


def find_log_directories(folder: Path) -> list[LogDirectoryRecord]:
    """The log directories below ``folder`` that are no runs, those with the newest sessions first."""
    found = files_below(folder, XSPACE, depth=LISTED_DEPTH, folders=LISTED_FOLDERS, passes_over=_is_passed_over)
    by_directory: dict[Path, list[Path]] = {}
    for file in found:
        by_directory.setdefault(directory_of(file.parent), []).append(file)
    listed = [
        (captures_of_files(files), directory)
        for directory, files in by_directory.items()
        if not (directory / RUN_FILE).is_file()
    ]
    listed.sort(key=lambda each: each[0][0].newest.ended_seconds, reverse=True)
    return [LogDirectoryRecord(str(directory), sessions_of(captures)) for captures, directory in listed]


def sessions_of(
    captures: Sequence[Capture[Path]], windows: Mapping[Path, RunWindow] | None = None
) -> tuple[SessionRecord, ...]:
    """Sessions of this machine as records; ``windows`` of a run are named by the folders that hold them."""
    return tuple(_with_window(each, windows or {}) for each in captures)


def _with_window(capture: Capture[Path], windows: Mapping[Path, RunWindow]) -> SessionRecord:
    held = (windows.get(session.folder) for session in capture.sessions)
    record = session_record(capture, str, _size_bytes)
    return attrs.evolve(record, window=next((each for each in held if each is not None), None))


def session_record(
    capture: Capture[Folder], path_of: Callable[[Folder], str], size_of: Callable[[Folder], int | None]
) -> SessionRecord:
    """A session as a record."""
    by_host: dict[str, list[Folder]] = {}
    for file in capture.files:
        by_host.setdefault(host_name(file), []).append(file)
    hosts = tuple(
        HostRecord(name, path_of(files[0]) if len(files) == 1 else None, _sum(map(size_of, files)))
        for name, files in by_host.items()
    )
    newest = capture.newest
    return SessionRecord(
        path=path_of(newest.folder),
        name=newest.folder.name,
        ended=iso_time(newest.ended_seconds),
        folders=len(capture.sessions),
        hosts=hosts,
        size_bytes=_sum(each.size_bytes for each in hosts),
    )


def _sum(sizes: Iterable[int | None]) -> int | None:
    known = list(sizes)
    return None if None in known else sum(each or 0 for each in known)


def iso_time(seconds: float) -> str | None:
    """A time since the epoch as ISO 8601; None where it is none."""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds") if seconds > 0 else None
    except (ValueError, OverflowError, OSError):
        return None


def _size_bytes(file: PurePath) -> int | None:
    try:
        return os.stat(file).st_size  # noqa: PTH116 (of a path that is pure by its type)
    except OSError:
        return None


def _is_passed_over(name: str) -> bool:
    return name.startswith(".") or name in _PASSED_OVER
