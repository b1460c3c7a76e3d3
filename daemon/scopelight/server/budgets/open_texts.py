"""Files as they are in the editor, saved or not, for workers to read."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from scopelight.server.documents.documents import Documents
from scopelight.source.reading import read_lines


@attrs.frozen
class OpenTexts:
    """The lines of what is open, by path; all else is read from the disk."""

    lines: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, documents: Documents) -> "OpenTexts":
        """Those that are open now."""
        return cls({each.path: each.lines for each in documents if each.path is not None and each.notebook is None})

    def read(self, file: Path) -> Sequence[str] | None:
        """The lines of a file; None where there is none."""
        opened = self.lines.get(str(file))
        return opened if opened is not None else read_lines(file)
