"""What ``run.json`` says of a capture, read back."""

import json
from pathlib import Path
from typing import Any

from scopelight.formats.errors import FormatError
from scopelight.model.profile import CaptureInformation

RUNS_FOLDER = ".scopelight"
"""Where the runs of a folder's scripts are kept."""
RUN_FILE = "run.json"
RUN_FORMAT_VERSION = 1
"""Newest format that this version reads, and the one that it writes."""


def read_run_information(path: Path) -> dict[str, Any]:
    """The fields of a run directory's ``run.json``. Raises `FormatError` where it is damaged or of a newer format."""
    file = path / RUN_FILE
    try:
        information = json.loads(file.read_text(encoding="utf-8"))
        version = int(information.get("format_version", 0))
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise FormatError("it is not the description of a run", path=file, kind="run") from error
    if version > RUN_FORMAT_VERSION:
        raise FormatError(
            f"it has format version {version}, newer than this Scopelight reads ({RUN_FORMAT_VERSION}):"
            " update Scopelight",
            path=file,
            kind="run",
        )
    assert isinstance(information, dict)
    return information


def read_capture_information(path: Path) -> CaptureInformation | None:
    """What is known of the capture that made a run directory; None where the path is none.

    Fields of another type than they should have count as absent.
    """
    if not (path / RUN_FILE).is_file():
        return None
    run = read_run_information(path)
    sources = path / "sources"
    return CaptureInformation(
        script=_text(run.get("script")),
        cwd=_text(run.get("cwd")),
        command=_texts(run.get("command")),
        exit_code=run["exit_code"] if isinstance(run.get("exit_code"), int) else None,
        warnings=_texts(run.get("warnings")),
        window=run["window"] if isinstance(run.get("window"), dict) else None,
        sources=sources if sources.is_dir() else None,
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: object) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()
