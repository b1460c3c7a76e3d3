"""Rounds of two revisions that were captured in turn: which folder is meant, and the runs of its two sides."""

from pathlib import Path
from typing import TYPE_CHECKING

from scopelight.agents.answer import ToolError
from scopelight.agents.foreign import is_called, plain_place
from scopelight.agents.tool import call
from scopelight.model.run.names import RUNS_FOLDER

if TYPE_CHECKING:
    from scopelight.agents.folders import Folders
    from scopelight.model.run.experiment import ListedExperiment

Sides = tuple[tuple[Path, ...], tuple[Path, ...]]


def experiments_of(folders: "Folders") -> "list[ListedExperiment]":
    """Those of a workspace, newest first."""
    from scopelight.model.run.experiment import find_experiments  # noqa: PLC0415 (as all that describes runs)

    found = {
        each.path: each for root in folders.roots for each in find_experiments(root) if folders.holds(Path(each.path))
    }
    return sorted(found.values(), key=lambda each: (each.created or "", each.path), reverse=True)


def experiment_named(folders: "Folders", named: str) -> Path | None:
    """The folder of the experiment of a name or path; None where it names none."""
    from scopelight.model.run.sides import is_experiment  # noqa: PLC0415

    if not named or "\0" in named:
        return None
    # A path that is absolute stays what it is.
    for folder in (place / named for root in folders.roots for place in (root / RUNS_FOLDER, root)):
        if folders.holds(folder) and is_experiment(folder):
            return folder.resolve()
    if (folders.base / named).exists():
        return None
    known = (Path(each.path) for each in experiments_of(folders))
    return next((each for each in known if is_called(folders.name_of(each), named)), None)


def experiment_around(run: Path) -> Path | None:
    """The experiment that a run is a round of; None where it is none."""
    from scopelight.model.run.sides import AFTER, BEFORE, is_experiment  # noqa: PLC0415

    folder = run.parent.parent
    return folder if run.parent.name in (BEFORE, AFTER) and is_experiment(folder) else None


def sides_of(folders: "Folders", experiment: Path) -> Sides:
    """The runs of both sides, a round each. Raises `ToolError` where no round is of both."""
    from scopelight.model.run.experiment import complete_rounds  # noqa: PLC0415

    before, after = complete_rounds(experiment)
    if not after:
        name = plain_place(folders.name_of(experiment))
        raise ToolError(f"{name} has no round that was captured of both sides.", call("list_runs"))
    return before, after
