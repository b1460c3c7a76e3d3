"""The file of a notebook (``.ipynb``): the text of its cells."""

from collections.abc import Sequence
from pathlib import Path

import attrs

from scopelight.formats.lenient import read_object

LARGEST_NOTEBOOK_BYTES = 64 << 20
"""Pictures in outputs make notebooks large; a larger one is not read."""


@attrs.frozen(slots=True)
class FileCell:
    """A cell of code. ``number`` is its place among all cells of the notebook, from 1, as editors count them."""

    number: int
    text: str


def read_cells(notebook: Path) -> Sequence[FileCell]:
    """The cells of code of a notebook's file; none where it cannot be read or is none."""
    try:
        if not notebook.is_file() or notebook.stat().st_size > LARGEST_NOTEBOOK_BYTES:
            return ()
        document = read_object(notebook.read_bytes()) or {}
    except (OSError, ValueError):
        return ()
    cells = document.get("cells")
    found = []
    for number, cell in enumerate(cells if isinstance(cells, list) else (), 1):
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            source = cell.get("source")
            lines = [source] if isinstance(source, str) else source
            if isinstance(lines, list) and all(isinstance(line, str) for line in lines):
                found.append(FileCell(number, "".join(lines)))
    return found
