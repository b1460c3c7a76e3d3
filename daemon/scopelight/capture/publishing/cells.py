"""Cells of notebooks: what a kernel tells of those that ran, written down for those that programs come from."""

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import attrs

from scopelight.formats.lenient import from_json
from scopelight.formats.notebook.cell_names import hash_in_name, hashes_of_cell
from scopelight.formats.notebook.notebook_file import read_cells
from scopelight.model.run.cells import RecordedCell
from scopelight.model.run.names import CELLS_INDEX


@attrs.frozen
class _Told:
    """A cell as the agent tells of it."""

    file: str
    text: str
    execution_count: int | None = None


@attrs.frozen
class _Message:
    notebook: str | None = None
    cells: tuple[_Told, ...] = ()


class Cells:
    """The cells that ran so far, by the paths that their frames have."""

    def __init__(self) -> None:
        self._cells: dict[str, RecordedCell] = {}

    def hear(self, message: Mapping[str, Any]) -> Mapping[str, str]:
        """The texts that a message of the agent tells, by path; places in the notebook are those that it has now."""
        told = from_json(dict(message), _Message) or _Message()
        places = {} if told.notebook is None or not told.cells else _places(Path(told.notebook))
        for each in told.cells:
            number = places.get(hash_in_name(each.file))
            self._cells[each.file] = RecordedCell(told.notebook, number, each.execution_count)
        return {each.file: each.text for each in told.cells}

    def save(self, sources: Path, files: Collection[str]) -> None:
        """Write down what is known of those cells that ``files`` are."""
        known = {file: cell for file, cell in self._cells.items() if file in files}
        if known:
            text = json.dumps(known, indent=1, default=attrs.asdict) + "\n"
            (sources / CELLS_INDEX).write_text(text, encoding="utf-8")


def _places(notebook: Path) -> Mapping[int | None, int]:
    """Hash of a cell's text to its place in its notebook, from 1; the first of those with the same text."""
    cells = read_cells(notebook) if notebook.is_absolute() else ()
    return {hashed: cell.number for cell in reversed(cells) for hashed in hashes_of_cell(cell.text)}
