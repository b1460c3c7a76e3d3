"""A server's files: what lies in a folder, and how one is copied to here."""

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import quote, unquote, urlsplit

import attrs

from scopelight.formats.errors import FormatError
from scopelight.model.opening.below import Looked
from scopelight.model.remote.addresses import EXTRAS, is_safe_name, scheme_of, shown
from scopelight.model.remote.faults import in_sentences

MOST_DEPTH: Final = 8
MOST_FOLDERS: Final = 1_000
"""That are listed: each is a question to a server."""
CONNECT_SECONDS: Final = 10
READ_SECONDS: Final = 60

_AT_ONCE: Final = 8
_VERSIONS: Final = ("ETag", "etag", "generation", "md5Hash", "Content-MD5", "Digest", "Last-Modified")
_TIMES: Final = ("LastModified", "mtime", "updated", "last_modified")


@attrs.frozen
class RemoteFile:
    """A file on a server. ``name`` is its path there, ``place`` what the library calls it; ``version`` changes with
    its content. What the server does not say is None."""

    name: PurePosixPath
    place: str
    size_bytes: int | None
    version: str | None
    modified_seconds: float


@attrs.frozen
class Server:
    """What answers for addresses of one kind: ``files`` is a file system of fsspec."""

    address: str
    scheme: str
    files: Any

    @property
    def root(self) -> PurePosixPath:
        """The folder or file that the address names, as a path on the server: bucket or host first."""
        return self._name(self.files._strip_protocol(shown(self.address)))

    def address_of(self, name: PurePosixPath) -> str:
        """The address of a file or folder."""
        if not self._is_http:
            return f"{self.scheme}://{name}"
        # What it says of a user belongs to the server.
        return f"{self.scheme}://{urlsplit(self.address).netloc}/{quote(str(PurePosixPath(*name.parts[1:])))}".rstrip(
            "./"
        )

    def children(self, folder: PurePosixPath) -> tuple[list[PurePosixPath], list[RemoteFile]]:
        """Folders and files in a folder. Raises `FormatError`."""
        folders: list[PurePosixPath] = []
        files: list[RemoteFile] = []
        place = self.address_of(folder) + "/"
        with in_sentences(self.address):
            listed = self.files.ls(place, detail=True)
        for entry in listed:
            if "?" in entry["name"] and self._is_http:
                # How an index sorts itself.
                continue
            name = self._name(entry["name"])
            if name.parent != folder or not is_safe_name(PurePosixPath(name.name)):
                continue
            if entry["type"] == "directory":
                folders.append(name)
            else:
                files.append(_file(name, entry))
        return sorted(set(folders)), sorted(files, key=lambda each: each.name)

    def below(self, folder: PurePosixPath, looked: Looked | None = None) -> list[RemoteFile]:
        """Files below a folder, as far as is looked. Raises `FormatError`."""
        found: list[RemoteFile] = []
        level = [folder]
        left = MOST_FOLDERS
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for _ in range(MOST_DEPTH):
                if len(level) > left and looked is not None:
                    looked.is_partial = True
                level, left = level[:left], left - len(level[:left])
                answers = list(pool.map(self.children, level))
                found.extend(file for _, files in answers for file in files)
                level = [each for folders, _ in answers for each in folders]
                if not level:
                    return found
        if looked is not None:
            looked.is_partial = True
        return found

    def file(self) -> RemoteFile | None:
        """The file that the address names; None where it names a folder. Raises `FormatError`."""
        if self.address.endswith("/"):
            return None
        with in_sentences(self.address):
            if self._is_http:
                if not self.root.suffix:
                    return None
                # What a signed address ends in is part of the question, and not of the name.
                return _file(self.root, {**self.files.info(self.address), "name": self.address})
            entry = self.files.info(self.address)
        return None if entry["type"] == "directory" else _file(self.root, entry)

    def described(self, file: RemoteFile) -> RemoteFile:
        """The file with its size and version, where listings do not tell them. Raises `FormatError`."""
        if file.size_bytes is not None and file.version is not None:
            return file
        with in_sentences(self.address):
            return _file(file.name, {**self.files.info(file.place), "name": file.place})

    def copy(self, file: RemoteFile, target: Path, advanced: Callable[[int], None]) -> None:
        """Copy a file here; ``advanced`` is told bytes, and ends it by raising. Raises `FormatError`."""
        from fsspec.callbacks import Callback  # noqa: PLC0415 (few paths are addresses)

        class Advancing(Callback):  # type: ignore[misc]
            def relative_update(self, inc: int = 1) -> None:
                advanced(inc)

        with in_sentences(self.address):
            self.files.get_file(file.place, str(target), callback=Advancing())

    @property
    def _is_http(self) -> bool:
        return self.scheme in ("http", "https")

    def _name(self, place: str) -> PurePosixPath:
        if not self._is_http:
            return PurePosixPath(str(place).partition("://")[2] or place)
        parts = urlsplit(place)
        return PurePosixPath(parts.netloc.rpartition("@")[2] + unquote(parts.path))


def server_of(address: str) -> Server:
    """The server of an address. Raises `FormatError` where what speaks to it is not installed."""
    scheme = scheme_of(address)
    with in_sentences(address):
        try:
            import fsspec  # noqa: PLC0415 (few paths are addresses)

            files = fsspec.filesystem(scheme, skip_instance_cache=True, use_listings_cache=False, **_options(scheme))
        except ImportError as error:
            raise FormatError(
                'what reads {scheme}:// is not installed: pip install "scopelight[{extra}]", in the environment of'
                " Scopelight ({python})",
                path=shown(address),
                scheme=scheme,
                extra=EXTRAS[scheme],
                python=sys.executable,
            ) from error
    return Server(address, scheme, files)


def _options(scheme: str) -> dict[str, Any]:
    """That a server which does not answer is given up within a time in which a person still waits."""
    match EXTRAS[scheme]:
        case "s3":
            limits = {"connect_timeout": CONNECT_SECONDS, "read_timeout": READ_SECONDS, "retries": {"max_attempts": 1}}
            return {"config_kwargs": limits}
        case "http":
            import aiohttp  # noqa: PLC0415

            timeout = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS, sock_read=READ_SECONDS)
            return {"client_kwargs": {"timeout": timeout, "trust_env": True}}
        case _:
            return {}


def _file(name: PurePosixPath, entry: dict[str, Any]) -> RemoteFile:
    size = entry.get("size")
    versions = [f"{key} {entry[key]}" for key in _VERSIONS if entry.get(key)]
    return RemoteFile(
        name,
        str(entry["name"]),
        size if isinstance(size, int) and size >= 0 else None,
        versions[0] if versions else None,
        next(_seconds(entry), 0.0),
    )


def _seconds(entry: dict[str, Any]) -> Iterator[float]:
    for key in _TIMES:
        value = entry.get(key)
        with contextlib.suppress(ValueError, OverflowError):
            if isinstance(value, str):
                value = datetime.fromisoformat(value)
            if isinstance(value, datetime):
                yield value.timestamp()


def described_all(server: Server, files: Sequence[RemoteFile]) -> list[RemoteFile]:
    """As `Server.described` of each, several at once."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(server.described, files))
