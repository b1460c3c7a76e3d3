"""The user's files as they were when the script ran, saved beside the profile."""

import hashlib
import json
import os
import sysconfig
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from typing import Any

import attrs

from scopelight.capture.publishing.cells import Cells
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.findings import Finding, warning
from scopelight.model.run.information import StoredSource
from scopelight.model.run.names import SOURCES_INDEX

MOST_FILE_BYTES = 8 << 20
"""Nobody writes a source file of this size by hand."""

_INSTALLED = {"site-packages", "dist-packages"}


class Sources:
    """Reads files early, when the script has just imported them, and stores those that the profile names.

    ``cwd`` is the script's; ``started`` the time (of the epoch, in seconds) at which it began.
    """

    def __init__(self, cwd: Path, started: float) -> None:
        self._cwd = cwd
        self._started = started
        self._read: dict[str, bytes] = {}
        self._cells = Cells()

    def remember(self, paths: Iterable[str]) -> None:
        """Keep what these files hold now; the first reading of a file is the one that counts."""
        for path in paths:
            file = str(self._cwd / path)
            if file not in self._read and is_user_file(file):
                content = _content(Path(file))
                if content is not None:
                    self._read[file] = content

    def remember_cells(self, message: Mapping[str, Any]) -> None:
        """Keep the text of cells of a notebook, as the agent tells it: they have no file that could be read."""
        for file, text in self._cells.hear(message).items():
            self._read[str(self._cwd / file)] = text.encode("utf-8", errors="replace")

    def save(self, run: RunDirectory, recorded: Iterable[str]) -> list[Finding]:
        """Store the files that frames name, by their recorded paths; warnings for those edited meanwhile."""
        warnings = []
        index: dict[str, StoredSource] = {}
        for path in sorted(set(recorded)):
            file = self._cwd / path
            if not is_user_file(str(file)):
                continue
            content = self._read.get(str(file))
            if content is None:
                content = _content(file)
                if content is None:
                    continue
                if file.stat().st_mtime > self._started:
                    warnings.append(warning("source-edited-meanwhile", path=path))
            # Normalised, not resolved: the recorded path leads back through its links.
            absolute = PurePath(os.path.normpath(file))
            stored = absolute.relative_to(absolute.anchor)
            target = run.sources / stored
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            index[path] = StoredSource(stored.as_posix(), hashlib.sha256(content).hexdigest())
        run.sources.mkdir(exist_ok=True)
        text = json.dumps(index, indent=1, default=attrs.asdict) + "\n"
        (run.sources / SOURCES_INDEX).write_text(text, encoding="utf-8")
        self._cells.save(run.sources, index)
        return warnings


def named_files(trace: Path) -> set[str]:
    """Paths, as recorded, of all files that a frame of the programs in a trace names; none where it cannot be read."""
    from scopelight.formats.errors import FormatError  # noqa: PLC0415 (decoders load while the script runs)
    from scopelight.model.opening.profile import open_profile  # noqa: PLC0415
    from scopelight.model.profile import recorded_paths  # noqa: PLC0415

    try:
        profile = open_profile(trace)
    except FormatError:
        return set()
    return {path for path in recorded_paths(profile) if path}


def is_user_file(path: str) -> bool:
    """Whether a file is neither of an installed package, of a virtual environment nor of the standard library."""
    file = Path(path)
    if path.startswith("<") or _INSTALLED & set(file.parts):
        return False
    library = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
    if any(file.is_relative_to(each) for each in library if each):
        return False
    return not any(
        (parent / "pyvenv.cfg").exists() or ((parent / "os.py").exists() and (parent / "site.py").exists())
        for parent in file.parents
    )


def _content(file: Path) -> bytes | None:
    try:
        if file.stat().st_size > MOST_FILE_BYTES or not file.is_file():
            return None
        return file.read_bytes()
    except OSError:
        return None
