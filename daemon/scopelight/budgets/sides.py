"""Which runs are meant: the newest here, a path's own or all in a folder, or the newest of a revision."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from scopelight.formats.errors import FormatError
from scopelight.model.run.listing import RunRecord, find_runs
from scopelight.model.run.lookup import run_folder
from scopelight.model.run.run_file import find_run_information
from scopelight.phrase import Phrase

_GIT_SECONDS = 10.0


class NoRunError(Exception):
    """There is no run that could be meant; the message is a sentence."""


def newest_run(folder: Path) -> Path:
    """The newest run that was captured in a folder, a prediction only where there is no other.

    Raises `NoRunError` where there is none.
    """
    found = [each for each in find_runs(folder) if each.state == "captured"]
    if not found:
        raise NoRunError(
            Phrase("No run was captured in {folder}. Capture one: scopelight run SCRIPT.", folder=folder.absolute())
        )
    return Path(next((each for each in found if each.predicted_for is None), found[0]).path)


def runs_named(name: str, folder: Path) -> Sequence[Path]:
    """The runs that a name means, the oldest first: that at a path, all in it, or the newest of a revision of git.

    Raises `NoRunError` where there is none.
    """
    path = Path(name)
    if path.exists():
        if run_folder(path) is not None or not path.is_dir():
            return (path,)
        inside = [Path(each.path) for each in reversed(find_runs(path)) if each.state == "captured"]
        # A log directory of other origin is one run.
        return inside or (path,)
    commit = _commit(name, folder)
    if commit is None:
        raise NoRunError(
            Phrase("{name} is no run, no folder of runs and no revision of git that is known here.", name=name)
        )
    of_commit = next((Path(each.path) for each in find_runs(folder) if _is_of(each, commit)), None)
    if of_commit is None:
        raise NoRunError(
            Phrase(
                "No run of {name} ({commit}) was captured in {folder}.", name=name, commit=commit[:12], folder=folder
            )
        )
    return (of_commit,)


def _is_of(run: RunRecord, commit: str) -> bool:
    if run.state != "captured":
        return False
    try:
        information = find_run_information(Path(run.path))
    except FormatError:
        return False
    return information is not None and information.git is not None and information.git.commit == commit


def _commit(revision: str, folder: Path) -> str | None:
    """The whole name of a commit; None where git, or what it is asked about, is not there."""
    if revision.startswith("-"):
        return None
    command = ["git", "-C", str(folder), "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=_GIT_SECONDS, check=False)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return ended.stdout.strip() or None if ended.returncode == 0 else None
