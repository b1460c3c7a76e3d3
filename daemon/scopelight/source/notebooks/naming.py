"""What cells are called in records: ``train.ipynb, cell 3``, by what the run knows of them or what notebooks hold now.

The number is the cell's place in its notebook, as editors count cells; in brackets it is that of its execution.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from scopelight.formats.lenient import from_json, read_object
from scopelight.formats.notebook.cell_names import hash_in_name, hashes_of_cell
from scopelight.formats.notebook.notebook_file import read_cells
from scopelight.model.run.cells import RecordedCell
from scopelight.model.run.names import CELLS_INDEX
from scopelight.source.matching import MOST_FILES
from scopelight.source.reading import LARGEST_FILE_BYTES

MOST_NOTEBOOKS = 200
"""Looked into below the roots for cells of which it is not known where they are."""
_SKIPPED_FOLDERS = frozenset(("node_modules", "__pycache__", "site-packages", "dist-packages"))


def recorded_cells(sources: Path | None) -> Mapping[str, RecordedCell]:
    """What a run knows of its cells, by recorded path; ``sources`` is its folder of copies."""
    index = None if sources is None else sources / CELLS_INDEX
    # To read a pipe waits for a writer.
    if index is None or not index.is_file() or index.stat().st_size > LARGEST_FILE_BYTES:
        return {}
    try:
        entries = read_object(index.read_bytes()) or {}
    except OSError:
        return {}
    known = ((path, from_json(entry, RecordedCell)) for path, entry in entries.items())
    return {path: cell for path, cell in known if cell is not None}


def named_cells(
    recorded: Iterable[str], sources: Path | None, cwd: str | None, roots: Sequence[Path]
) -> dict[str, str]:
    """Recorded paths of cells to what they are called, as if it were a file beside the notebook.

    A cell of which nothing is known, and that no notebook below the ``roots`` holds, is left out.
    """
    hashes = {path: hashed for path in recorded if (hashed := hash_in_name(path)) is not None}
    if not hashes:
        return {}
    known = recorded_cells(sources)
    named = {}
    for path in hashes:
        cell = known.get(path)
        if cell is not None and cell.notebook and cell.number and _is_here(cell.notebook):
            named[path] = _name(cell.notebook, f"cell {cell.number}")
    if len(named) < len(hashes):
        here = _cells_here(known, roots)
        named.update((path, here[hashed]) for path, hashed in hashes.items() if path not in named and hashed in here)
    for path in hashes.keys() - named.keys():
        said = _as_recorded(known.get(path), cwd)
        if said is not None:
            named[path] = said
    return named


def _as_recorded(cell: RecordedCell | None, cwd: str | None) -> str | None:
    """What a cell is called that is in no notebook here."""
    if cell is None or (cell.number is None and cell.execution_count is None):
        return None
    which = f"cell {cell.number}" if cell.notebook and cell.number else f"cell [{cell.execution_count}]"
    return _name(cell.notebook, which) if cell.notebook else str(Path(cwd or os.sep, which))


def _name(notebook: str, cell: str) -> str:
    return f"{notebook}, {cell}"


def _cells_here(known: Mapping[str, RecordedCell], roots: Sequence[Path]) -> Mapping[int, str]:
    """Hash to name of the cells in notebooks that the run names, and in those below the roots; the first ones count."""
    named = (cell.notebook for cell in known.values() if cell.notebook and _is_here(cell.notebook))
    found: dict[int, str] = {}
    for notebook in dict.fromkeys((*named, *_notebooks(roots))):
        for cell in read_cells(Path(notebook)):
            for hashed in hashes_of_cell(cell.text):
                found.setdefault(hashed, _name(notebook, f"cell {cell.number}"))
    return found


def _notebooks(roots: Sequence[Path]) -> Sequence[str]:
    """Notebooks below the roots; hidden folders and environments are left out."""
    found: dict[str, None] = {}
    count = 0
    for root in roots:
        for folder, folders, names in os.walk(root):
            if "pyvenv.cfg" in names:
                folders.clear()
                continue
            folders[:] = [each for each in sorted(folders) if not each.startswith(".") and each not in _SKIPPED_FOLDERS]
            found.update((os.path.join(folder, name), None) for name in sorted(names) if name.endswith(".ipynb"))  # noqa: PTH118
            count += len(names)
            if count > MOST_FILES or len(found) >= MOST_NOTEBOOKS:
                return list(found)[:MOST_NOTEBOOKS]
    return list(found)


def _is_here(notebook: str) -> bool:
    # A recorded path is any text at all.
    return "\0" not in notebook and Path(notebook).is_absolute() and Path(notebook).is_file()
