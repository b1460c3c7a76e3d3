"""The captures in a log directory on a server, and the files that one consists of."""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

import attrs

from scopelight.formats.errors import FormatError
from scopelight.model.opening.below import Looked
from scopelight.model.opening.sessions import (
    XSPACE,
    Capture,
    captures_of,
    has_siblings,
    session_of,
)
from scopelight.model.remote.server import RemoteFile, Server
from scopelight.model.run.names import RUN_FILE, SNAPSHOTS_FOLDER, SOURCES_FOLDER

_FOLDERS_OF_RUN: Final = (SOURCES_FOLDER, SNAPSHOTS_FOLDER)


@attrs.frozen
class RemoteDirectory:
    """What lies below an address. ``captures`` are the newest first; ``files`` are all that were listed, by name."""

    server: Server
    captures: Sequence[Capture[PurePosixPath]]
    files: dict[PurePosixPath, RemoteFile]
    looked: Looked


def directory_of(server: Server) -> RemoteDirectory:
    """What lies below the address of a server; of a session what it is one of, those beside it included.

    Raises `FormatError` where it cannot be listed, or has no profile.
    """
    looked = Looked()
    root = server.root
    files = {file.name: file for file in server.below(root, looked)}
    is_session = has_siblings(root) and any(_is_profile(name) and name.parent == root for name in files)
    if is_session:
        beside, _ = server.children(root.parent)
        for folder in beside:
            if folder != root:
                files.update((file.name, file) for file in server.children(folder)[1])
    captures = _captures(files)
    if is_session:
        captures = [each for each in captures if any(session.folder == root for session in each.sessions)]
    if not captures:
        raise FormatError("the directory holds no profile (no *.xplane.pb file)", path=server.address)
    return RemoteDirectory(server, captures, files, looked)


def files_of_run(server: Server, base: PurePosixPath) -> list[RemoteFile]:
    """What a run keeps beside its sessions; nothing where a log directory is no run. Raises `FormatError`."""
    folders, files = server.children(base)
    if not any(file.name.name == RUN_FILE for file in files):
        return []
    return [*files, *(file for each in folders if each.name in _FOLDERS_OF_RUN for file in server.below(each))]


def files_of_capture(directory: RemoteDirectory, capture: Capture[PurePosixPath]) -> list[RemoteFile]:
    """The profiles of a capture, and what was recorded beside them."""
    folders = {each.folder for each in capture.sessions}
    return [file for name, file in directory.files.items() if name.parent in folders and XSPACE in name.name]


def _captures(files: dict[PurePosixPath, RemoteFile]) -> list[Capture[PurePosixPath]]:
    by_folder: dict[PurePosixPath, list[PurePosixPath]] = {}
    for name in filter(_is_profile, files):
        by_folder.setdefault(name.parent, []).append(name)
    return captures_of(
        session_of(folder, names, max(files[name].modified_seconds for name in names))
        for folder, names in by_folder.items()
    )


def _is_profile(name: PurePosixPath) -> bool:
    return name.name.endswith(XSPACE)
