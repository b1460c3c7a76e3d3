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
    """The name of the newest run in a folder that captured the same script with the same arguments; None without."""
    return next((path.name for path in _newest_first(folder) if _is_of_same(path, new)), None)


def _newest_first(folder: Path) -> Iterator[Path]:
    try:
        files = [file for file in folder.glob(f"*/{RUN_FILE}") if file.is_file()]
        files.sort(key=lambda file: file.stat().st_mtime, reverse=True)
    except OSError:
        files = []
    return (file.parent for file in files[:_MOST])


def _is_of_same(path: Path, new: RunInformation) -> bool:
    try:
        run = find_run_information(path)
    except (FormatError, OSError):
        return False
    return (
        run is not None
        and run.state == "captured"
        and (run.script, run.is_module, run.args, run.cwd) == (new.script, new.is_module, new.args, new.cwd)
    )
