"""What ``run.json`` says of a capture, read back."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args

import attrs

from scopelight.formats.errors import FormatError
from scopelight.model.profile import CaptureInformation

RUNS_FOLDER = ".scopelight"
"""Where the runs of a folder's scripts are kept."""
RUN_FILE = "run.json"
RUN_FORMAT_VERSION = 1
"""Newest format that this version reads, and the one that it writes."""


CaptureStage = Literal["starting", "compiling", "measuring", "capturing", "captured", "failed"]
"""``measuring``: compilation has settled and the length of a step is being found."""


@attrs.frozen(slots=True)
class CaptureProgress:
    """How far a capture has come.

    ``programs`` were compiled so far. While ``capturing`` the window of ``steps`` steps (None: a window that is not of
    steps) opens at ``started_ns`` (epoch) and lasts ``seconds`` (None: to the script's end); a step takes
    ``period_seconds``. ``pid`` is the capture's process; ``failure`` says in a sentence why it ``failed``.
    """

    stage: CaptureStage
    programs: int = 0
    steps: int | None = None
    started_ns: int | None = None
    period_seconds: float | None = None
    seconds: float | None = None
    pid: int | None = None
    failure: str | None = None


def read_progress(path: Path) -> CaptureProgress:
    """The progress of the capture that fills the run directory ``path``.

    A directory without a ``run.json`` is about to be filled: its stage is ``starting``. Raises `FormatError` where it
    is damaged.
    """
    if not (path / RUN_FILE).is_file():
        return CaptureProgress("starting")
    run = read_run_information(path)
    progress = run["progress"] if isinstance(run.get("progress"), dict) else {}
    known: dict[object, CaptureStage] = {each: each for each in get_args(CaptureStage)}
    is_over = run.get("state") in ("captured", "failed")
    stage = run.get("state") if is_over else progress.get("stage")
    return CaptureProgress(
        stage=known.get(stage, "starting") if isinstance(stage, str) else "starting",
        programs=_whole(progress.get("programs")) or 0,
        steps=_whole(progress.get("steps")),
        started_ns=_whole(progress.get("started_ns")),
        period_seconds=_number(progress.get("period_seconds")),
        seconds=_number(progress.get("seconds")),
        pid=_whole(progress.get("pid")),
        failure=_text(run.get("failure")),
    )


def write_run_information(path: Path, information: Mapping[str, Any]) -> None:
    """Replace a run directory's ``run.json`` in one step: a reader sees the old one or the new one."""
    partial = path / f"{RUN_FILE}.partial"
    partial.write_text(json.dumps(information, indent=1) + "\n", encoding="utf-8")
    partial.replace(path / RUN_FILE)


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
        directory=path.resolve(),
        captured_directory=_text(run.get("directory")),
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _texts(value: object) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()
