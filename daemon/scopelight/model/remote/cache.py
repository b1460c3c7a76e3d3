"""What was downloaded, in the user's cache folder: kept while there is room, and while servers have nothing newer."""

import contextlib
import hashlib
import json
import os
import sys
import time
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final

import attrs

from scopelight.formats.errors import FormatError
from scopelight.formats.lenient import read_object
from scopelight.model.remote.server import RemoteFile

SIZE_VARIABLE: Final = "SCOPELIGHT_CACHE_BYTES"
"""Environment: how much is kept."""
MOST_BYTES: Final = 20 << 30
"""Without that variable."""

_ABANDONED_SECONDS: Final = 86_400.0
"""What was not downloaded whole within that time never is."""


@attrs.frozen
class Cache:
    """A folder of downloaded files. Each lies below ``KEY/log/``, where KEY is of the log directory's address, and has
    a stamp in ``KEY/stamps/``: size and version that it was downloaded in; when that was last used is its time."""

    folder: Path
    most_bytes: int

    def root_of(self, address: str, name: str) -> Path:
        """Where the files of a log directory lie, called as it is there."""
        return self.folder / hashlib.sha256(address.encode()).hexdigest()[:24] / "log" / name

    def has(self, root: Path, name: PurePosixPath, file: RemoteFile) -> bool:
        """Whether a file lies below ``root`` as it is on the server; that it is used now is noted."""
        stamp = _stamp(root, name)
        try:
            fields = read_object(stamp.read_bytes()) or {}
            is_same = (fields.get("size"), fields.get("version")) == ((root / name).stat().st_size, file.version)
            if file.version is None or not is_same or file.size_bytes not in (None, fields.get("size")):
                return False
            os.utime(stamp)
        except (OSError, ValueError):
            return False
        return True

    def put(self, root: Path, name: PurePosixPath, file: RemoteFile, download: Callable[[Path], None]) -> None:
        """Have a file lie below ``root``, whole or not at all. Raises `OSError`, and what ``download`` raises."""
        target, stamp = root / name, _stamp(root, name)
        for folder in (target.parent, stamp.parent):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        partial = stamp.with_suffix(f".{uuid.uuid4().hex}.partial")
        try:
            download(partial)
            stamp.unlink(missing_ok=True)
            partial.replace(target)
            partial.write_text(
                json.dumps({"name": str(name), "size": target.stat().st_size, "version": file.version}), "utf-8"
            )
            partial.replace(stamp)
        finally:
            partial.unlink(missing_ok=True)

    def drop(self, root: Path, name: PurePosixPath) -> None:
        """Have a file no longer."""
        _stamp(root, name).unlink(missing_ok=True)
        (root / name).unlink(missing_ok=True)

    def make_room(self, needed_bytes: int, used: Collection[Path], address: str) -> None:
        """Remove what was used longest ago until ``needed_bytes`` more may come; ``used`` stays in any case.

        Raises `FormatError` where what is at ``address`` does not fit.
        """
        entries = sorted(self._entries(), key=lambda each: each.used_seconds)
        kept = sum(each.size_bytes for each in entries if each.file in used)
        if kept + needed_bytes > self.most_bytes:
            raise FormatError(
                "it takes {needed} MiB, and {most} MiB are kept at most: set {variable} to more bytes",
                path=address,
                needed=f"{(kept + needed_bytes) / 2**20:,.0f}",
                most=f"{self.most_bytes / 2**20:,.0f}",
                variable=SIZE_VARIABLE,
            )
        total = sum(each.size_bytes for each in entries)
        for each in entries:
            if total + needed_bytes <= self.most_bytes:
                return
            if each.file not in used:
                each.stamp.unlink(missing_ok=True)
                each.file.unlink(missing_ok=True)
                _remove_empty(each.file.parent, self.folder)
                total -= each.size_bytes

    def _entries(self) -> Iterator["_Entry"]:
        for partial in self.folder.glob("*/stamps/*.partial"):
            with contextlib.suppress(OSError):
                if partial.stat().st_mtime < time.time() - _ABANDONED_SECONDS:
                    partial.unlink()
        for stamp in self.folder.glob("*/stamps/*.json"):
            with contextlib.suppress(OSError, ValueError, StopIteration):
                fields = read_object(stamp.read_bytes()) or {}
                root = next((stamp.parent.parent / "log").iterdir())
                file = root / str(fields["name"])
                yield _Entry(stamp, file, file.stat().st_size, stamp.stat().st_mtime)


@attrs.frozen
class _Entry:
    stamp: Path
    file: Path
    size_bytes: int
    used_seconds: float


def cache_of(address: str, environment: Mapping[str, str] = os.environ) -> Cache:
    """The cache of this user, for what is at ``address``.

    Raises `FormatError` where the variable of its size is no number.
    """
    said = environment.get(SIZE_VARIABLE, "").strip()
    if said and not (said.isascii() and said.isdigit()):
        raise FormatError(
            "{variable} is {said}, and no number of bytes", path=address, variable=SIZE_VARIABLE, said=repr(said)
        )
    return Cache(_folder(environment) / "scopelight" / "logs", int(said) if said else MOST_BYTES)


def _folder(environment: Mapping[str, str]) -> Path:
    named = Path(environment.get("XDG_CACHE_HOME", ""))
    if named.is_absolute():
        return named
    if sys.platform == "win32" and environment.get("LOCALAPPDATA"):
        return Path(environment["LOCALAPPDATA"])
    home = Path(environment.get("HOME") or Path.home())
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache")


def _stamp(root: Path, name: PurePosixPath) -> Path:
    digest = hashlib.sha256(str(name).encode(errors="surrogateescape")).hexdigest()[:32]
    return root.parent.parent / "stamps" / f"{digest}.json"


def _remove_empty(folder: Path, top: Path) -> None:
    while folder != top and top in folder.parents:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent
