"""What ``run.json`` says of a capture, read back."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args

import attrs

from scopelight.formats.errors import FormatError
from scopelight.model.devices.calibration import read_calibration
from scopelight.model.profile import CaptureInformation, RecordedOutOfMemory
from scopelight.program.hlo.frames import Frame

RUNS_FOLDER = ".scopelight"
"""Where the runs of a folder's scripts are kept."""
SNAPSHOTS_FOLDER = "memory"
"""In a run: snapshots of what was in memory."""
PROGRAM_WITHOUT_ROOM = "without-room.hlo.pb"
"""In that folder: the program for which the compiler found no room, from the dump that it was told to make."""
RUN_FILE = "run.json"
RUN_FORMAT_VERSION = 1
"""Newest format that this version reads, and the one that it writes."""


CaptureStage = Literal["starting", "compiling", "measuring", "capturing", "calibrating", "captured", "failed"]
"""``measuring``: compilation has settled and the length of a step is being found. ``calibrating``: the script has ended
before its window closed, and what the machine can do at most is being measured."""


@attrs.frozen(slots=True)
class CaptureProgress:
    """How far a capture has come.

    ``programs`` were compiled so far. While ``capturing`` the window of ``steps`` steps (None: a window that is not of
    steps) opens at ``started_ns`` (epoch) and lasts ``seconds`` (None: to the script's end); a step takes
    ``period_seconds``. ``pid`` is the capture's process; ``failure`` says in a sentence why it ``failed``.
    ``out_of_memory``: the script has ended for want of memory.
    """

    stage: CaptureStage
    programs: int = 0
    steps: int | None = None
    started_ns: int | None = None
    period_seconds: float | None = None
    seconds: float | None = None
    pid: int | None = None
    failure: str | None = None
    out_of_memory: bool = False


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
        programs=whole_or_none(progress.get("programs")) or 0,
        steps=whole_or_none(progress.get("steps")),
        started_ns=whole_or_none(progress.get("started_ns")),
        period_seconds=_number(progress.get("period_seconds")),
        seconds=_number(progress.get("seconds")),
        pid=whole_or_none(progress.get("pid")),
        failure=text_or_none(run.get("failure")),
        out_of_memory=isinstance(run.get("out_of_memory"), dict),
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
        script=text_or_none(run.get("script")),
        cwd=text_or_none(run.get("cwd")),
        command=_texts(run.get("command")),
        exit_code=run["exit_code"] if isinstance(run.get("exit_code"), int) else None,
        warnings=_texts(run.get("warnings")),
        window=run["window"] if isinstance(run.get("window"), dict) else None,
        sources=sources if sources.is_dir() else None,
        directory=path.resolve(),
        captured_directory=text_or_none(run.get("directory")),
        device_kinds=_device_kinds(run.get("devices")),
        calibration=read_calibration(run.get("calibration")),
        out_of_memory=_out_of_memory(run.get("out_of_memory")),
        calibrates=run.get("calibrates") is not False,
        watches_memory=run.get("watches_memory") is not False,
    )


def text_or_none(value: object) -> str | None:
    """A field of ``run.json`` that should be text."""
    return value if isinstance(value, str) else None


def whole_or_none(value: object) -> int | None:
    """A field of ``run.json`` that should be a whole number."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _out_of_memory(value: object) -> RecordedOutOfMemory | None:
    if not isinstance(value, dict):
        return None
    stack = value.get("stack")
    frames = [each for each in stack if isinstance(each, dict)] if isinstance(stack, list) else []
    return RecordedOutOfMemory(
        message=text_or_none(value.get("message")) or "",
        stack=tuple(
            Frame(
                text_or_none(each.get("path")) or "",
                max(0, whole_or_none(each.get("line")) or 0),
                text_or_none(each.get("function")) or "",
            )
            for each in frames
        ),
        during_compilation=value.get("during_compilation") is True,
        in_thread=value.get("in_thread") is True,
        caught=value.get("caught") is True,
        waits=bool(frames) and frames[0].get("waits") is True,
    )


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _texts(value: object) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _device_kinds(value: object) -> tuple[str, ...]:
    devices = value if isinstance(value, list) else []
    kinds = (each.get("kind") for each in devices if isinstance(each, dict))
    return tuple(dict.fromkeys(kind for kind in kinds if isinstance(kind, str)))
