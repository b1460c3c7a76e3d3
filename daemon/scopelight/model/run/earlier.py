"""The run that a new one follows: of the same script, captured before it in the same folder."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from scopelight.formats.errors import FormatError
from scopelight.model.run.information import RunInformation
from scopelight.model.run.names import RUN_FILE
from scopelight.model.run.run_file import find_run_information

_MOST: Final = 50
"""Run directories that are looked into, the newest first: a folder may hold very many."""


def earlier_run(folder: Path, new: RunInformation) -> str | None:
    """The name of the newest run in a folder that captured the same script with the same arguments; None without.

    Of what was measured only what was measured is an earlier one, and of a prediction only one for the same TPU.
    """
    found = (path.name for path, run in runs_of_same_script(folder, new) if run.predicted_for == new.predicted_for)
    return next(found, None)


def runs_of_same_script(folder: Path, new: RunInformation) -> Iterator[tuple[Path, RunInformation]]:
    """What was captured or predicted in a folder of the script of ``new`` with its arguments, the newest first."""
    for path in _newest_first(folder):
        try:
            run = find_run_information(path)
        except (FormatError, OSError):
            continue
        if (
            run is not None
            and run.state == "captured"
            and (run.script, run.is_module, run.args, run.cwd) == (new.script, new.is_module, new.args, new.cwd)
        ):
            yield path, run


def _newest_first(folder: Path) -> Iterator[Path]:
    try:
        files = [file for file in folder.glob(f"*/{RUN_FILE}") if file.is_file()]
        files.sort(key=lambda file: file.stat().st_mtime, reverse=True)
    except OSError:
        files = []
    return (file.parent for file in files[:_MOST])
