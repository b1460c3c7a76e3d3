"""What a path records of itself as a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from scopelight.model.run.names import RUN_FILE

if TYPE_CHECKING:
    from scopelight.model.run.information import RunInformation


def run_folder(path: Path) -> Path | None:
    """The run that a path is, or is a session or a file of a session of; None where that is no run."""
    if (path / RUN_FILE).is_file():
        return path
    whole = path.absolute()
    for session in (whole, whole.parent):
        if session.parent.name == "profile" and session.parent.parent.name == "plugins":
            run = session.parent.parent.parent
            return run if (run / RUN_FILE).is_file() else None
    return None


def run_at(path: Path) -> RunInformation | None:
    """As `find_run_information` of the run that a path is or lies in; it is imported where there is a ``run.json``."""
    run = run_folder(path)
    if run is None:
        return None
    from scopelight.model.run.run_file import find_run_information  # noqa: PLC0415

    return find_run_information(run)


def of_session(run: RunInformation, session: Path) -> RunInformation:
    """What a run says of itself where the window in a folder of profiles is the one that is opened."""
    if run.path is None:
        return run
    opened = session.resolve()
    window = next((each for each in run.windows if each.session and run.path / each.session == opened), None)
    return run if window is None or window == run.window else attrs.evolve(run, window=window)
