"""Which file has the budgets of a run: the ``pyproject.toml`` nearest above its script, or above where it is asked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from scopelight.model.run.information import RunInformation
from scopelight.model.run.names import RUNS_FOLDER

FILE_NAME: Final = "pyproject.toml"
LARGEST_BYTES: Final = 4 << 20
_MENTION: Final = "scopelight"


def read_config(file: Path) -> str | None:
    """The text of a file of budgets; None where there is none that can be one."""
    try:
        if not file.is_file() or file.stat().st_size > LARGEST_BYTES:
            return None
        return file.read_bytes().decode("utf-8-sig", errors="replace")
    except (OSError, ValueError):
        return None


def config_of(run: RunInformation | None, *folders: Path) -> Path | None:
    """The file of budgets of a run: the first that speaks of Scopelight, else the first that there is.

    It is looked for above the run's script, where the run lies, above where it was captured, and above ``folders``.
    """
    found = [file for folder in _begins(run, folders) for file in _above(folder)]
    speaking = (file for file in found if _MENTION in (read_config(file) or ""))
    return next(speaking, next(iter(found), None))


def _begins(run: RunInformation | None, folders: tuple[Path, ...]) -> Iterator[Path]:
    if run is not None:
        project = run.path.absolute().parent.parent if run.path is not None else None
        if project is not None and run.path is not None and run.path.absolute().parent.name != RUNS_FOLDER:
            project = None
        # A project that was copied together with its runs is meant where it is now.
        for base in (project, Path(run.cwd) if run.cwd else None):
            if base is None:
                continue
            if run.script and not run.is_module and "\0" not in run.script:
                yield (base / run.script).parent
            yield base
    yield from folders


def _above(folder: Path) -> Iterator[Path]:
    """The files of the name in a folder and all above it, the nearest first."""
    try:
        whole = folder.absolute()
        yield from (each / FILE_NAME for each in (whole, *whole.parents) if (each / FILE_NAME).is_file())
    except (OSError, ValueError):
        return
