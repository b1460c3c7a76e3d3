"""What a side of a comparison names: a run, a folder of them, an experiment's rounds, or a revision."""

import subprocess
from collections.abc import Collection, Sequence
from pathlib import Path

from scopelight.model.run.experiment import EXPERIMENT_FILE, complete_rounds
from scopelight.model.run.listing import find_runs
from scopelight.model.run.names import RUN_FILE
from scopelight.model.run.run_file import find_run_information

BEFORE, AFTER = "before", "after"
"""Folders of an experiment: the rounds of either side."""
_GIT_SECONDS = 10


class UnknownSideError(LookupError):
    """Nothing that could be compared has this name. ``given`` is it, ``revision`` the commit that it names, if any."""

    def __init__(self, given: str, revision: str | None = None) -> None:
        super().__init__(given)
        self.given = given
        self.revision = revision


def is_experiment(path: Path) -> bool:
    """Whether a folder holds the rounds of two sides."""
    return all((path / each).is_dir() for each in (BEFORE, AFTER))


def rounds_in(folder: Path) -> tuple[Path, ...]:
    """The captured runs in a folder, in the order in which they were made; none where it holds none.

    Of a side of an experiment they are those of the rounds that it has of both: sides are paired by position.
    """
    if folder.name in (BEFORE, AFTER) and (folder.parent / EXPERIMENT_FILE).is_file():
        whole = complete_rounds(folder.parent)[(BEFORE, AFTER).index(folder.name)]
        if whole:
            return whole
    runs = [run for run in find_runs(folder) if run.state == "captured" and Path(run.path) != folder]
    return tuple(Path(run.path) for run in reversed(runs))


def runs_of_side(given: str, folder: Path, but: Collection[Path] = ()) -> tuple[Path, ...]:
    """The runs that ``given`` names: a path, relative to ``folder``, else a revision of the repository around it.

    Of a revision it is the newest run that was made of that commit, with nothing changed since. Runs of the other
    side, ``but``, are never meant: of a path that holds no other there is none. Raises `UnknownSideError`.
    """
    others = {each.resolve() for each in but}
    path = folder / given
    if given and path.exists():
        is_folder = path.is_dir() and not (path / RUN_FILE).is_file()
        runs = (rounds_in(path) if is_folder else ()) or (path,)
        return tuple(each for each in runs if each.resolve() not in others)
    commit = commit_of(given, folder)
    if commit is None:
        raise UnknownSideError(given)
    run = _newest_of(commit, folder, others)
    if run is None:
        raise UnknownSideError(given, commit)
    return (run,)


def commit_of(revision: str, folder: Path) -> str | None:
    """The commit that a revision names in the repository around a folder; None without either."""
    if revision.startswith("-"):
        return None
    try:
        found = subprocess.run(
            ["git", "-C", str(folder), "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"],
            capture_output=True,
            text=True,
            timeout=_GIT_SECONDS,
            check=True,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return found.stdout.strip() or None


def _newest_of(commit: str, folder: Path, but: Collection[Path]) -> Path | None:
    captured: Sequence[str] = [run.path for run in find_runs(folder) if run.state == "captured"]
    for path in captured:
        if Path(path).resolve() in but:
            continue
        information = find_run_information(Path(path))
        git = None if information is None else information.git
        if git is not None and git.commit == commit and not git.dirty:
            return Path(path)
    return None
