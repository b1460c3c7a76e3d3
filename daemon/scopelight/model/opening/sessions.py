"""Sessions: folders into which the processes of a job wrote their profiles, and which of them are of one capture.

What this says of a folder it says of one on a server as well: it asks no disk.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import PurePath
from typing import Final, Generic, TypeVar

import attrs

Folder = TypeVar("Folder", bound=PurePath)

XSPACE: Final = ".xplane.pb"
SESSIONS_FOLDER: Final = ("plugins", "profile")
"""Where a log directory of TensorBoard has its sessions."""
JOINED_SECONDS: Final = 60.0
"""Processes of one capture stop within that of each other, and name their folders after the second."""

_TIME: Final = re.compile(r"\d{4}(_\d\d){5}")
_PART: Final = re.compile(r"\.part\d+$")


@attrs.frozen
class Session(Generic[Folder]):
    """A folder of profiles; ``ended_seconds`` is when its processes stopped, in seconds since the epoch: from its name
    where that is a time of this machine's clock, else from its files. ``files`` are in order of their names."""

    folder: Folder
    files: tuple[Folder, ...]
    ended_seconds: float

    @property
    def hosts(self) -> Sequence[str]:
        """The hosts that its files come from."""
        return list(dict.fromkeys(map(host_name, self.files)))


@attrs.frozen
class Capture(Generic[Folder]):
    """Sessions of one capture, the newest first."""

    sessions: tuple[Session[Folder], ...]

    @property
    def files(self) -> list[Folder]:
        """Of all hosts, in order of their names: hosts are numbered by it."""
        return sorted((file for each in self.sessions for file in each.files), key=lambda file: (file.name, file))

    @property
    def newest(self) -> Session[Folder]:
        """The session that it is called after."""
        return self.sessions[0]


def host_name(file: PurePath) -> str:
    """The host that a file comes from: what one process recorded in parts, ``HOST.part2.xplane.pb``, is of one host."""
    return _PART.sub("", file.name.removesuffix(XSPACE))


def session_of(folder: Folder, files: Iterable[Folder], modified_seconds: float) -> Session[Folder]:
    """The session of a folder, whose files were last written at a time."""
    named = _time_of(folder.name)
    return Session(folder, tuple(sorted(files)), modified_seconds if named is None else named)


def has_siblings(folder: PurePath) -> bool:
    """Whether what lies beside a folder may be sessions too: other folders of profiles are what people put together."""
    return folder.parts[-3:-1] == SESSIONS_FOLDER or _time_of(folder.name) is not None


def directory_of(session: Folder) -> Folder:
    """The log directory that a session is in: what TensorBoard is started with, or the folder of profiles itself."""
    if session.parts[-3:-1] == SESSIONS_FOLDER and len(session.parts) > 3:
        return session.parent.parent.parent
    # Sessions beside it may be of its capture.
    return session.parent if has_siblings(session) and len(session.parts) > 1 else session


def captures_of(sessions: Iterable[Session[Folder]]) -> list[Capture[Folder]]:
    """The sessions by captures, the newest first.

    Siblings that ended within a minute of each other and have no host in common are one capture; the same host twice is
    two captures. The nearest are joined first, of equally near ones the newest.
    """
    ordered = sorted(sessions, key=_age)
    groups = [[each] for each in ordered]
    last_of: dict[PurePath, int] = {}
    pairs: list[tuple[float, int, int]] = []
    for number, each in enumerate(ordered):
        if not has_siblings(each.folder):
            continue
        before = last_of.get(each.folder.parent)
        if before is not None:
            pairs.append((each.ended_seconds - ordered[before].ended_seconds, before, number))
        last_of[each.folder.parent] = number
    for apart_seconds, before, after in sorted(pairs, key=lambda pair: (pair[0], -pair[1])):
        if apart_seconds > JOINED_SECONDS:
            break
        one, other = groups[before], groups[after]
        if _belong_together(one, other):
            # A minute holds few sessions, so few are in a group.
            one.extend(other)
            for number in (number for number in range(len(groups)) if groups[number] is other):
                groups[number] = one
    found = [
        Capture(tuple(sorted(group, key=_age, reverse=True)))
        for number, group in enumerate(groups)
        if group[0] is ordered[number]
    ]
    return sorted(found, key=lambda each: _age(each.newest), reverse=True)


def _belong_together(one: Sequence[Session[Folder]], other: Sequence[Session[Folder]]) -> bool:
    ended = [each.ended_seconds for each in (*one, *other)]
    if max(ended) - min(ended) > JOINED_SECONDS:
        return False
    return not {host for each in one for host in each.hosts} & {host for each in other for host in each.hosts}


def _age(session: Session[Folder]) -> tuple[float, str, Folder]:
    return (session.ended_seconds, session.folder.name, session.folder)


def _time_of(name: str) -> float | None:
    if not _TIME.fullmatch(name):
        return None
    try:
        return datetime.strptime(name, "%Y_%m_%d_%H_%M_%S").timestamp()
    except (ValueError, OverflowError, OSError):
        return None
