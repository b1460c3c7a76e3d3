"""From an address to a path: what one capture consists of is downloaded once, and nothing else."""

import functools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath
from threading import Event, Lock
from typing import Final

from scopelight.findings import Finding, warning
from scopelight.formats.errors import FormatError
from scopelight.model.opening.sessions import SESSIONS_FOLDER, directory_of
from scopelight.model.remote.addresses import is_safe_name, shown
from scopelight.model.remote.cache import Cache, cache_of
from scopelight.model.remote.directories import directory_of as remote_directory_of
from scopelight.model.remote.directories import files_of_capture, files_of_run
from scopelight.model.remote.fetched import Fetched
from scopelight.model.remote.server import RemoteFile, Server, described_all, server_of

Report = Callable[[int, int], None]
"""Told how many bytes are here, and of how many; what it raises ends the download."""

_AT_ONCE: Final = 4


def fetch(address: str, report: Report = lambda _done, _total: None, cache: Cache | None = None) -> Fetched:
    """Have what an address stands for on this machine: one file, or the newest capture below a folder with its run.

    Raises `FormatError` with a sentence where that cannot be had.
    """
    server = server_of(address)
    try:
        return _fetch(server, cache or cache_of(shown(address)), report)
    except OSError as error:
        raise FormatError(
            "it cannot be kept here ({reason}: {file})",
            path=shown(address),
            reason=error.strerror or error,
            file=error.filename or "",
        ) from error


def _fetch(server: Server, cache: Cache, report: Report) -> Fetched:
    file = server.file()
    findings: list[Finding] = []
    if file is not None:
        base = directory_of(file.name.parent)
        chosen, opened = [file], file.name
    else:
        directory = remote_directory_of(server)
        newest = directory.captures[0]
        opened = newest.newest.folder
        base = directory_of(opened)
        chosen = files_of_capture(directory, newest)
        place = server.address_of(opened)
        said = shown(server.address)
        if len(directory.captures) > 1:
            count = len(directory.captures)
            findings.append(warning("several-sessions", path=said, sessions=count, newest=shown(place)))
        if directory.looked.is_partial:
            findings.append(warning("folder-seen-in-part", path=said))
    sessions = {each.name.parent for each in chosen}
    if base != opened and opened.parts[len(base.parts) :][:2] == SESSIONS_FOLDER:
        chosen = [*chosen, *files_of_run(server, base)]
    local = cache.root_of(shown(server.address_of(base)), _local_name(base))
    downloaded = _download(server, cache, local, base, chosen, report)
    if file is None:
        _drop_gone(cache, local, base, sessions, {each.name for each in chosen})
    return Fetched(server.address, local / opened.relative_to(base), tuple(findings), downloaded)


def _local_name(base: PurePosixPath) -> str:
    return base.name if is_safe_name(PurePosixPath(base.name)) else "log"


def _download(
    server: Server, cache: Cache, local: Path, base: PurePosixPath, files: Sequence[RemoteFile], report: Report
) -> int:
    """Download those that are not here as they are there; how many bytes that were."""
    named = [(each.name.relative_to(base), each) for each in described_all(server, files)]
    for name, _ in named:
        if not is_safe_name(name):
            raise FormatError(
                "a name of the server's is none that a file may have here: {name}",
                path=shown(server.address),
                name=repr(str(name)),
            )
    missing = [(name, each) for name, each in named if not cache.has(local, name, each)]
    if not missing:
        return 0
    total = sum(each.size_bytes or 0 for _, each in missing)
    absent = {local / name for name, _ in missing}
    cache.make_room(total, {local / name for name, _ in named} - absent, shown(server.address))
    progress = _Progress(shown(server.address), total, cache.most_bytes, report)

    def download(name: PurePosixPath, file: RemoteFile) -> None:
        def to(partial: Path) -> None:
            server.copy(file, partial, progress.advance)
            if file.size_bytes is not None and partial.stat().st_size != file.size_bytes:
                raise FormatError(
                    "{name} changed while it was downloaded: try again",
                    path=shown(server.address),
                    name=str(file.name),
                )

        try:
            progress.check()
            cache.put(local, name, file, to)
        except BaseException:
            progress.stopped.set()
            raise

    report(0, total)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        # The first that fails says why: what others say is that it had.
        waiting = [pool.submit(functools.partial(download, name, each)) for name, each in missing]
        failed = [error for error in (each.exception() for each in waiting) if error is not None]
    if failed:
        raise next((error for error in failed if not isinstance(error, _StoppedError)), failed[0])
    return progress.done


class _StoppedError(Exception):
    """Another download failed."""


class _Progress:
    """How far all downloads together are: told by the threads that download."""

    def __init__(self, address: str, total: int, most_bytes: int, report: Report) -> None:
        self.done = 0
        self._address = address
        self.stopped = Event()
        self._total = total
        self._most = most_bytes
        self._report = report
        self._lock = Lock()

    def check(self) -> None:
        if self.stopped.is_set():
            raise _StoppedError

    def advance(self, some: int) -> None:
        self.check()
        with self._lock:
            self.done += some
            if self.done > self._most:
                raise FormatError("it is larger than its server says, and than may be kept here", path=self._address)
            self._report(self.done, max(self._total, self.done))


def _drop_gone(
    cache: Cache, local: Path, base: PurePosixPath, sessions: set[PurePosixPath], present: set[PurePosixPath]
) -> None:
    """Have no longer what the server has no longer in these sessions."""
    for session in sessions:
        folder = local / session.relative_to(base)
        for file in folder.iterdir():
            if session / file.name not in present:
                cache.drop(local, (session / file.name).relative_to(base))
