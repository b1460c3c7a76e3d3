"""Recorded sources: the user's files as they were when a run was captured, and how a file of source is read."""

import posixpath
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path, PurePosixPath

from scopelight.analysis.totals.frames import whole_path
from scopelight.formats.lenient import from_json, read_object
from scopelight.model.run.names import SOURCES_INDEX
from scopelight.source.reading import LARGEST_FILE_BYTES, read_lines


class RecordedSources:
    """The copies that a run keeps of the files that its frames name, each read once.

    ``sources`` is the run's folder of copies, with its ``index.json``: recorded path to stored file. Recorded paths may
    be relative to ``cwd``. ``renamed`` is `LineOptions.renamed`: by it a file recorded elsewhere has its path here.
    """

    def __init__(
        self, sources: Path | None = None, cwd: str | None = None, renamed: Mapping[str, str] | None = None
    ) -> None:
        self._sources = sources
        self._stored = _stored_files(sources, cwd, renamed or {}) if sources is not None else {}
        self._lines: dict[Path, Sequence[str] | None] = {}

    @property
    def files(self) -> Collection[str]:
        """The files of which the run keeps a copy, named as `LineRecord.file` names them."""
        return self._stored.keys()

    def lines(self, file: str) -> Sequence[str] | None:
        """The recorded lines of a file, named as `LineRecord.file` names it; None where the run has no copy."""
        stored = self._stored.get(posixpath.normpath(file))
        if stored is None:
            return None
        if stored not in self._lines:
            self._lines[stored] = read_lines(stored) if self._is_inside(stored) else None
        return self._lines[stored]

    def _is_inside(self, stored: Path) -> bool:
        """Whether a copy is in the run: one that came from elsewhere may hold links that lead out of it."""
        try:
            return self._sources is not None and stored.resolve().is_relative_to(self._sources.resolve())
        except (OSError, RuntimeError, ValueError):
            return False


def _stored_files(sources: Path, cwd: str | None, renamed: Mapping[str, str]) -> dict[str, Path]:
    """Absolute path of each saved file to where its copy is. A damaged index saves nothing."""
    index_file = sources / SOURCES_INDEX
    # To read a pipe waits for a writer.
    if not index_file.is_file() or index_file.stat().st_size > LARGEST_FILE_BYTES:
        return {}
    # Files alone have no sources.
    from scopelight.model.run.information import StoredSource  # noqa: PLC0415

    try:
        index = read_object(index_file.read_bytes()) or {}
    except OSError:
        return {}
    stored = {}
    for recorded, entry in index.items():
        known = from_json(entry, StoredSource)
        if known is None:
            continue
        file = known.file
        # The index is of the run, which may come from anywhere: it must not name files outside of it.
        parts = PurePosixPath(file).parts
        if file.startswith("/") or ".." in parts or "\0" in file:
            continue
        here = renamed.get(recorded, whole_path(recorded, cwd))
        stored[posixpath.normpath(here)] = sources.joinpath(*parts)
    return stored


class SourceText:
    """Lines of text of any file: as a run recorded it, else as it is on the disk now. Each file is read once.

    ``may_read`` says which files may be read on the disk, all without it: profiles name whatever they like.
    """

    def __init__(
        self,
        sources: Path | None = None,
        cwd: str | None = None,
        renamed: Mapping[str, str] | None = None,
        may_read: Callable[[Path], bool] | None = None,
    ) -> None:
        self._recorded = RecordedSources(sources, cwd, renamed)
        self._may_read = may_read
        self._lines: dict[str, Sequence[str]] = {}

    def line(self, file: str, line: int) -> str | None:
        """Text of a 1-based line, stripped; None where there is no such file or line."""
        text = self.indented(file, line)
        return None if text is None else text.strip()

    def indented(self, file: str, line: int) -> str | None:
        """The same with its indentation: lines that follow on each other can be parsed."""
        if file not in self._lines:
            recorded = self._recorded.lines(file)
            self._lines[file] = self._on_disk(Path(file)) if recorded is None else recorded
        lines = self._lines[file]
        return lines[line - 1].rstrip() if 1 <= line <= len(lines) else None

    def _on_disk(self, file: Path) -> Sequence[str]:
        if self._may_read is not None and not self._may_read(file):
            return ()
        return read_lines(file) or ()
