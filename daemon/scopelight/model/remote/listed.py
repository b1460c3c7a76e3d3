"""The log directories below an address, as they are listed."""

from pathlib import PurePosixPath

from scopelight.model.opening.sessions import Capture
from scopelight.model.opening.sessions import directory_of as log_directory_of
from scopelight.model.remote.addresses import shown
from scopelight.model.remote.directories import directory_of
from scopelight.model.remote.server import server_of
from scopelight.model.run.log_directories import LogDirectoryRecord, session_record


def list_directories(address: str) -> list[LogDirectoryRecord]:
    """What can be opened below an address, nothing of which is downloaded; those with the newest sessions first.

    Raises `FormatError` where it cannot be listed, or has no profile.
    """
    server = server_of(address)
    directory = directory_of(server)
    by_directory: dict[PurePosixPath, list[Capture[PurePosixPath]]] = {}
    for capture in directory.captures:
        by_directory.setdefault(log_directory_of(capture.newest.folder), []).append(capture)

    def path_of(name: PurePosixPath) -> str:
        return server.address_of(name) if name in directory.files else f"{server.address_of(name)}/"

    def size_of(name: PurePosixPath) -> int | None:
        return directory.files[name].size_bytes

    return [
        LogDirectoryRecord(
            shown(server.address_of(name)), tuple(session_record(each, path_of, size_of) for each in captures)
        )
        for name, captures in by_directory.items()
    ]
