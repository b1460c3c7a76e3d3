"""The text of a line of source, as the profile's own copy has it or else as the file has it now."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from scopelight.source.reading import read_lines
from scopelight.source.recorded import RecordedSources


class SourceText:
    """Lines of text of any file: as a run recorded it, else as it is on the disk now. Each file is read once."""

    def __init__(
        self, sources: Path | None = None, cwd: str | None = None, renamed: Mapping[str, str] | None = None
    ) -> None:
        self._recorded = RecordedSources(sources, cwd, renamed)
        self._lines: dict[str, Sequence[str]] = {}

    def line(self, file: str, line: int) -> str | None:
        """Text of a 1-based line, stripped; None where there is no such file or line."""
        if file not in self._lines:
            recorded = self._recorded.lines(file)
            self._lines[file] = (read_lines(Path(file)) or ()) if recorded is None else recorded
        lines = self._lines[file]
        return lines[line - 1].strip() if 1 <= line <= len(lines) else None
