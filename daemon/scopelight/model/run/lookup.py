"""What a path records of itself as a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scopelight.model.run.names import RUN_FILE

if TYPE_CHECKING:
    from scopelight.model.run.information import RunInformation


def run_at(path: Path) -> RunInformation | None:
    """As `find_run_information`, which is imported where there is a ``run.json``: files alone have none."""
    if not (path / RUN_FILE).is_file():
        return None
    from scopelight.model.run.run_file import find_run_information  # noqa: PLC0415

    return find_run_information(path)
