"""Which cells of open notebooks the recorded cells of runs are; what was matched once is followed through edits."""

from collections.abc import Mapping
from pathlib import Path

from scopelight.formats.notebook.notebook_file import read_cells
from scopelight.server.documents.documents import Document, Documents
from scopelight.server.documents.notebooks import Notebook, Notebooks
from scopelight.server.runs.loading import LoadedRun
from scopelight.source.notebooks.matching import PresentCell
from scopelight.source.reading import split_lines


class PlacedCells:
    """Matches the cells of runs; a version of a cell is looked at once. Used on the event loop only."""

    def __init__(self, documents: Documents, notebooks: Notebooks) -> None:
        self._documents = documents
        self._notebooks = notebooks
        self._present: dict[str, tuple[Document, PresentCell]] = {}
        self._matched: dict[Path, Mapping[str, str]] = {}
        """By run, what was matched last: the URI of a cell to its recorded file."""

    def files(self, run: LoadedRun) -> Mapping[str, str]:
        """The URIs of open cells to the recorded files that they are."""
        if not run.cells:
            return {}
        present = [cell for notebook in self._notebooks for cell in self._cells_of(notebook)]
        matched = run.cells.match(present, self._matched.get(run.path, {}))
        # Those of a notebook that was closed meanwhile are other ones when it is opened again.
        self._matched[run.path] = matched
        return matched

    def _cells_of(self, notebook: Notebook) -> list[PresentCell]:
        cells = []
        for number, uri in enumerate(notebook.cells, 1):
            document = self._documents.get(uri)
            if document is None:
                continue
            known = self._present.get(uri)
            if known is None or known[0] is not document or known[1].number != number:
                known = (document, PresentCell(uri, notebook.path, number, document.lines))
                self._present[uri] = known
            cells.append(known[1])
        return cells


def cell_on_disk(run: LoadedRun, file: str) -> PresentCell | None:
    """The cell that a recorded one is in its notebook as it was saved; None where it is in none here."""
    notebook = run.cells.notebook_of(file)
    if notebook is None or not Path(notebook).is_absolute():
        return None
    present = [
        PresentCell(str(cell.number), notebook, cell.number, split_lines(cell.text))
        for cell in read_cells(Path(notebook))
    ]
    keys = {each: key for key, each in run.cells.match(present, {}).items()}
    return next((cell for cell in present if cell.key == keys.get(file)), None)
