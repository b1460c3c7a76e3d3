"""Which recorded cells of a run the cells of notebooks are now.

A cell that holds the very text that ran is found by the hash in its recorded path, whichever kernel ran it. One that
was edited since is the recorded one that it was before, as long as it is followed, else the one that it resembles most
in a notebook that holds the run's cells.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import attrs

from scopelight.formats.notebook.cell_names import hash_in_name, hashes_of_cell
from scopelight.source.drift.document import same_share

LEAST_SAME_RATIO = 0.4
"""Share of the lines that a cell has in common with the recorded one that it is an edit of."""


@attrs.frozen(eq=False, repr=False)
class PresentCell:
    """A cell of code in a notebook; ``key`` is for the caller to know it by, ``number`` its place, from 1."""

    key: str
    notebook: str
    number: int
    lines: Sequence[str]
    hashes: Collection[int] = attrs.field(
        init=False, default=attrs.Factory(lambda self: hashes_of_cell("\n".join(self.lines)), takes_self=True)
    )


@attrs.frozen(eq=False, repr=False)
class RunCell:
    """A recorded cell: ``hashes`` of its text, and the text where the run keeps a copy."""

    hashes: Collection[int]
    lines: Sequence[str] | None


class RunCells:
    """The cells of one run, by the names of their files in its records."""

    def __init__(
        self,
        recorded: Iterable[str],
        renamed: Mapping[str, str],
        copy: Callable[[str], Sequence[str] | None],
    ) -> None:
        """``recorded`` are the paths that the run names, ``renamed`` is `LineOptions.renamed`, and ``copy`` gives the
        run's copy of a file by its name in records."""
        hashes: dict[str, set[int]] = {}
        for path in recorded:
            hashed = hash_in_name(path)
            if hashed is not None:
                hashes.setdefault(renamed.get(path, path), set()).add(hashed)
        self._cells = {file: RunCell(each, copy(file)) for file, each in hashes.items()}

    def __contains__(self, file: object) -> bool:
        return file in self._cells

    def __bool__(self) -> bool:
        return bool(self._cells)

    def notebook_of(self, file: str) -> str | None:
        """The path of the notebook of a cell as its name says; None where that is not known."""
        notebook, comma, _ = file.rpartition(", cell ")
        return notebook if comma else None

    def match(self, present: Sequence[PresentCell], before: Mapping[str, str]) -> Mapping[str, str]:
        """The key of each present cell that is a recorded one to its file; ``before`` is what was matched last."""
        matched = self._unchanged(present, before)
        taken = set(matched.values())
        for cell in present:
            file = before.get(cell.key)
            if file is not None and cell.key not in matched and file in self._cells and file not in taken:
                matched[cell.key] = file
                taken.add(file)
        matched.update(self._edited(present, matched))
        return matched

    def _unchanged(self, present: Sequence[PresentCell], before: Mapping[str, str]) -> dict[str, str]:
        """Cells that hold a recorded text. Of several that hold the same it is the one in the recorded place, else the
        one that it was, else the first."""
        by_hash: dict[int, list[PresentCell]] = {}
        for cell in present:
            for hashed in cell.hashes:
                by_hash.setdefault(hashed, []).append(cell)
        matched: dict[str, str] = {}
        for file, recorded in self._cells.items():
            holding = [
                cell for hashed in recorded.hashes for cell in by_hash.get(hashed, ()) if cell.key not in matched
            ]
            if holding:
                best = max(holding, key=lambda cell: (_name_of(cell) == file, before.get(cell.key) == file))
                matched[best.key] = file
        return matched

    def _edited(self, present: Sequence[PresentCell], matched: Mapping[str, str]) -> Mapping[str, str]:
        """Cells that resemble recorded ones whose text no cell holds any more."""
        taken = set(matched.values())
        left = {file: cell.lines for file, cell in self._cells.items() if file not in taken and cell.lines is not None}
        if not left:
            return {}
        files = (*left, *matched.values())
        notebooks = {notebook for file in files if (notebook := self.notebook_of(file)) is not None}
        notebooks.update(cell.notebook for cell in present if cell.key in matched)
        free = [cell for cell in present if cell.key not in matched and cell.notebook in notebooks]
        shares = Counter(
            {
                (file, cell.key): same_share(lines, cell.lines, LEAST_SAME_RATIO)
                for file, lines in left.items()
                for cell in free
            }
        )
        found: dict[str, str] = {}
        for (file, key), share in shares.most_common():
            if share >= LEAST_SAME_RATIO and key not in found and file not in found.values():
                found[key] = file
        return found


def _name_of(cell: PresentCell) -> str:
    return f"{cell.notebook}, cell {cell.number}"
