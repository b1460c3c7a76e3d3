"""Which runs a folder holds, described by their ``run.json``."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from scopelight.formats.errors import FormatError
from scopelight.model.devices.table import device_model
from scopelight.model.opening.paths import captures_below
from scopelight.model.run.capture_process import is_live
from scopelight.model.run.information import RunInformation, ScriptError
from scopelight.model.run.log_directories import RunWindow, SessionRecord, iso_time, sessions_of
from scopelight.model.run.names import RUN_FILE, RUNS_FOLDER
from scopelight.model.run.prediction import was_cancelled
from scopelight.model.run.run_file import find_run_information


@attrs.frozen(slots=True)
class RunRecord:
    """One captured run. ``problem`` says why a run cannot be read; its other fields are then unknown.

    ``state`` is ``running`` until the profile is on disk, then ``captured`` or ``failed``; ``failure`` says why in a
    sentence. ``python`` is the interpreter and ``pid`` the capture's process. ``pinned`` runs are never deleted by
    retention. ``created`` is an ISO 8601 time. ``device_kind`` is what the devices are called in full (``TPU v6e``).
    ``predicted_for``: the TPU that its programs were compiled for without having run there; ``was_cancelled``: not all
    of them were, since that was ended before.
    ``sessions``: what of it can be opened alone, the newest first. ``is_live``: its job still runs, and another window
    of it can be captured.
    ``revision`` is the commit of its folder, short, with a ``*`` where tracked files differed from it.
    ``out_of_memory``: the script ended for want of memory; ``error`` is the exception that ended it.
    """

    path: str
    created: str | None = None
    script: str | None = None
    args: tuple[str, ...] = ()
    cwd: str | None = None
    python: str | None = None
    is_module: bool = False
    state: str | None = None
    failure: str | None = None
    pid: int | None = None
    backend: str | None = None
    predicted_for: str | None = None
    was_cancelled: bool = False
    devices: int | None = None
    device_kind: str | None = None
    steps: int | None = None
    exit_code: int | None = None
    size_bytes: int = 0
    pinned: bool = False
    out_of_memory: bool = False
    error: ScriptError | None = None
    problem: str | None = None
    sessions: tuple[SessionRecord, ...] = ()
    is_live: bool = False
    revision: str | None = None


def find_runs(folder: Path) -> list[RunRecord]:
    """The runs in ``folder`` (a run, a folder of runs, or a folder that has a ``.scopelight``), newest first."""
    places = [folder, *_folders(folder), *_folders(folder / RUNS_FOLDER)]
    found = [describe_run(place) for place in places if (place / RUN_FILE).is_file()]
    return sorted(found, key=lambda run: (run.created or "", run.path), reverse=True)


def describe_run(path: Path) -> RunRecord:
    """The run in the directory ``path``, as far as its ``run.json`` can be read."""
    size_bytes = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    try:
        run = find_run_information(path) or RunInformation()
    except FormatError as error:
        return RunRecord(str(path), size_bytes=size_bytes, problem=error.sentence)
    own = {name: getattr(run, name) for name in attrs.fields_dict(RunRecord) if hasattr(run, name)}
    derived = {
        "path": str(path),
        "was_cancelled": run.predicted_for is not None and was_cancelled(path),
        "pid": None if run.progress is None else run.progress.pid,
        "devices": None if run.devices is None else len(run.devices),
        "device_kind": ", ".join(map(kind_in_full, run.device_kinds)) or None,
        "steps": None if run.window is None else run.window.complete_steps,
        "size_bytes": size_bytes,
        "out_of_memory": run.out_of_memory is not None,
        "sessions": sessions_of(captures_below(path), _windows(path, run)),
        "is_live": is_live(run),
        "revision": None if run.git is None else run.git.short,
    }
    return RunRecord(**own | derived)


def kind_in_full(kind: str) -> str:
    """What jax calls a kind of device, as people know it: ``TPU v6e`` for ``TPU v6 lite``, ``CPU`` for ``cpu``."""
    model = device_model(kind)
    return model.name if model is not None else kind.upper() if kind.islower() else kind


def _windows(path: Path, run: RunInformation) -> Mapping[Path, RunWindow]:
    """The windows of the run at ``path`` by the folders that hold them."""
    return {
        path / each.session: RunWindow(
            number=number,
            kind=each.kind,
            started=None if each.started_ns is None else iso_time(each.started_ns / 1e9),
            seconds=each.seconds,
            steps=each.complete_steps,
            first_step=each.first_step,
            last_step=each.last_step,
            slow_steps=each.slow_steps,
        )
        for number, each in enumerate(run.windows, 1)
        if each.session is not None
    }


def _folders(folder: Path) -> Sequence[Path]:
    try:
        return sorted(each for each in folder.iterdir() if each.is_dir())
    except OSError:
        return ()
