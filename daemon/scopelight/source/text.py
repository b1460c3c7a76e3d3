"""The text of a line of source, as the profile's own copy has it or else as the file has it now."""

import json
import posixpath
from pathlib import Path, PurePosixPath

LARGEST_FILE_BYTES = 16 << 20
"""A larger file is not source that a person reads."""


class SourceText:
    """Reads lines of files, each file once.

    ``sources`` is a run's folder of saved files, with its ``index.json``: recorded path to stored file. A path that it
    does not hold is read from the disk as it is now.
    """

    def __init__(self, sources: Path | None = None, cwd: str | None = None) -> None:
        self._stored = _stored_files(sources, cwd) if sources is not None else {}
        self._lines: dict[str, tuple[str, ...]] = {}

    def line(self, path: str, line: int) -> str | None:
        """Text of a 1-based line of the file at ``path``, stripped; None where there is no such file or line."""
        if path not in self._lines:
            self._lines[path] = _read_lines(self._stored.get(posixpath.normpath(path), Path(path)))
        lines = self._lines[path]
        return lines[line - 1].strip() if 1 <= line <= len(lines) else None


def _stored_files(sources: Path, cwd: str | None) -> dict[str, Path]:
    """Absolute path of each saved file to where its copy is. A damaged index saves nothing."""
    try:
        index = json.loads((sources / "index.json").read_text(encoding="utf-8"))
        entries = [(str(recorded), str(entry["file"])) for recorded, entry in index.items()]
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}
    stored = {}
    for recorded, file in entries:
        # The index is of the run, which may come from anywhere: it must not name files outside of it.
        parts = PurePosixPath(file).parts
        if file.startswith("/") or ".." in parts or "\0" in file:
            continue
        stored[posixpath.normpath(posixpath.join(cwd or "/", recorded))] = sources.joinpath(*parts)
    return stored


def _read_lines(file: Path) -> tuple[str, ...]:
    try:
        if not file.is_file() or file.stat().st_size > LARGEST_FILE_BYTES:
            return ()
        return tuple(file.read_text(encoding="utf-8", errors="replace").splitlines())
    except (OSError, ValueError):
        return ()
