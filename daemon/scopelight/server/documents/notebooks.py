"""The open notebooks, as the client has them: which cells are in them, and in which order.

The texts of cells are documents like others.
"""

from collections.abc import Iterator, Sequence

import attrs
from lsprotocol import types
from pygls.uris import to_fs_path

SYNCHRONISED = types.NotebookDocumentSyncOptions([types.NotebookDocumentFilterWithNotebook("*")])
"""What the server asks clients to tell of notebooks: all cells, whose places are counted, in notebooks of any kind."""


@attrs.frozen
class Notebook:
    """One open notebook, with the URIs of all its cells; ``path`` is that of its file, or its URI where it has none."""

    uri: str
    path: str
    cells: Sequence[str]


class Notebooks:
    """Follows the notebooks that the client opens, changes and closes."""

    def __init__(self) -> None:
        self._open: dict[str, Notebook] = {}

    def __iter__(self) -> Iterator[Notebook]:
        return iter(tuple(self._open.values()))

    def at(self, path: str) -> Notebook | None:
        """The open notebook of a path."""
        return next((each for each in self._open.values() if each.path == path), None)

    def get(self, uri: str) -> Notebook | None:
        """An open notebook."""
        return self._open.get(uri)

    def opened(self, document: types.NotebookDocument) -> Notebook:
        """The client opened a notebook."""
        uri = document.uri
        notebook = Notebook(uri, to_fs_path(uri) or uri, tuple(cell.document for cell in document.cells))
        self._open[uri] = notebook
        return notebook

    def changed(self, uri: str, change: types.NotebookCellArrayChange) -> None:
        """Cells of a notebook were put in and taken out."""
        notebook = self._open.get(uri)
        if notebook is not None:
            cells = list(notebook.cells)
            cells[change.start : change.start + change.delete_count] = [each.document for each in change.cells or ()]
            self._open[uri] = attrs.evolve(notebook, cells=tuple(cells))

    def closed(self, uri: str) -> None:
        """The client closed a notebook."""
        self._open.pop(uri, None)
