"""The folders that tools are shut into: what lies in them, what it is called, and which runs there are."""

from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from scopelight.model.run.names import RUNS_FOLDER

if TYPE_CHECKING:
    from scopelight.model.run.listing import RunRecord


@attrs.frozen
class Folders:
    """Folders with symbolic links resolved. Nothing outside of them is read."""

    roots: tuple[Path, ...]

    @property
    def base(self) -> Path:
        """The folder that paths are written relative to."""
        return self.roots[0]

    def holds(self, path: Path) -> bool:
        """Whether a path, wherever its links lead, is inside."""
        try:
            where = path.resolve()
        except (OSError, RuntimeError, ValueError):
            return False
        return any(where.is_relative_to(root) for root in self.roots)

    def relative(self, path: Path) -> str:
        """A path as it is told: relative to the folder that holds it."""
        for root in self.roots:
            if path.is_relative_to(root):
                return str(path.relative_to(root))
        return str(path)

    def name_of(self, path: Path) -> str:
        """What a run is asked for by: the name of its folder where it is in the usual place, else its path."""
        if any(path.parent == root / RUNS_FOLDER for root in self.roots):
            return path.name
        return self.relative(path)

    def runs(self) -> "list[RunRecord]":
        """The runs of the workspace, newest first."""
        from scopelight.model.run.listing import find_runs  # noqa: PLC0415 (a tenth of a second, which clients wait for)
        from scopelight.report.run.listed import as_it_is  # noqa: PLC0415

        found = {
            run.path: as_it_is(run) for root in self.roots for run in find_runs(root) if self.holds(Path(run.path))
        }
        return sorted(found.values(), key=lambda run: (run.created or "", run.path), reverse=True)
