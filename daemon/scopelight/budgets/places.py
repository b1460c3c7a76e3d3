"""Where the places of budgets are now: the file, and the line of the function in it, whatever was edited since."""

import os
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path

import attrs

from scopelight.analysis.budgets.inside import same_file
from scopelight.analysis.budgets.records import Budget, BudgetRow
from scopelight.findings import Finding, warning
from scopelight.source.definitions import Definitions

Read = Callable[[Path], Sequence[str] | None]
"""The present lines of a file, those of an editor before those on the disk; None where there is none."""


@attrs.frozen
class Located:
    """A 1-based ``line`` of a ``file``, whose ``path`` is relative to the folder of the file of budgets.

    ``function`` is the qualified name of the one that a budget means, which may name it by its last part.
    """

    path: str
    file: Path
    line: int
    function: str | None = None


class Places:
    """Finds the places of budgets; each file is read once."""

    def __init__(self, config: Path, known: Iterable[str], read: Read) -> None:
        """``known`` are the files that the run names: one of them is meant where none is at the place itself."""
        self._folder = config.parent
        self._known = tuple(dict.fromkeys(known))
        self._read = read
        self._definitions: dict[Path, Definitions | None] = {}

    def find(self, budget: Budget) -> Located | Finding:
        """Where the function or the file of a budget is; what is wrong where there is none."""
        assert budget.file is not None
        for file in self._candidates(budget.file):
            known = self._of(file)
            if known is None:
                continue
            line = 1 if budget.function is None else known.line(budget.function)
            if line is None:
                nearest = _nearest(budget.function or "", known.lines)
                return warning("budget-function-unknown", function=budget.function, file=budget.file, nearest=nearest)
            function = known.named(budget.function) if budget.function is not None and known.is_qualified else None
            return Located(self._relative(file), file, line, function)
        files = [self._relative(Path(each)) for each in self._known if each.endswith(".py")]
        return warning("budget-file-unknown", file=budget.file, nearest=_nearest(budget.file, files))

    def _candidates(self, asked: str) -> Iterable[Path]:
        if "\0" in asked:
            return
        yield self._folder / asked
        yield from (Path(each) for each in self._known if same_file(each, asked) and Path(each).is_absolute())

    def _of(self, file: Path) -> Definitions | None:
        if file not in self._definitions:
            lines = self._read(file)
            self._definitions[file] = Definitions.of(lines) if lines is not None else None
        return self._definitions[file]

    def _relative(self, file: Path) -> str:
        try:
            return Path(os.path.relpath(file, self._folder)).as_posix()
        except ValueError:
            # Of another drive.
            return str(file)


def placed(row: BudgetRow, place: Located) -> BudgetRow:
    """A row at the place that it is to be shown at."""
    return attrs.evolve(row, path=place.path, file=str(place.file), line=place.line)


def _nearest(name: str, known: Iterable[str]) -> str | None:
    return next(iter(get_close_matches(name, list(known), 1, 0.5)), None)
