"""The run directory on disk: its paths, its name, and ``run.json``."""

import contextlib
import re
import shutil
import socket
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.findings import Finding
from scopelight.formats.lenient import read_object
from scopelight.model.run.information import RunInformation
from scopelight.model.run.names import CAPTURE_NOW_FILE, RECORDING_SUFFIX, RUN_FILE, RUNS_FOLDER, SOURCES_FOLDER
from scopelight.model.run.run_file import write_run_information

_LONGEST_NAME = 200
"""Of a file, leaving room for its endings."""


class RunDirectory:
    """One captured run. ``information`` is what ``run.json`` holds."""

    def __init__(self, path: Path, information: RunInformation) -> None:
        self.path = path
        self.information = information

    @property
    def probes(self) -> Path:
        """Folder of traces that are not the profile; empty or absent once the run is captured."""
        return self.path / ".probes"

    @property
    def windows(self) -> Path:
        """Folder of traces of windows that are not profiles yet; empty or absent once the run is captured."""
        return self.path / ".windows"

    @property
    def sources(self) -> Path:
        """Folder of the user's files as they were."""
        return self.path / SOURCES_FOLDER

    @classmethod
    def create(cls, out: Path | None, cwd: Path, stem: str, information: RunInformation) -> "RunDirectory":
        """Make the directory: ``out`` itself, else a new one named by time and script under ``.scopelight``.

        A folder that holds something already is added to, as TensorBoard's log directories are, unless it holds a
        ``run.json`` that is not ours. Raises `CaptureFailure` there, and where it cannot be written.
        """
        path = out if out is not None else _unused(cwd / RUNS_FOLDER, stem)
        if (path / RUN_FILE).exists() and not _is_ours(path / RUN_FILE):
            raise CaptureFailure(
                f"{path / RUN_FILE} is not Scopelight's and would be overwritten: choose another folder with --out.",
                Exit.UNWRITABLE,
            )
        try:
            is_ours = not path.exists() or not any(path.iterdir())
            path.mkdir(parents=True, exist_ok=True)
            if is_ours:
                (path / ".gitignore").write_text("*\n", encoding="utf-8")
            place = path.resolve()
            run = cls(place, attrs.evolve(information, directory=str(place), path=place))
            run.probes.mkdir(exist_ok=True)
            run.write()
        except OSError as error:
            raise CaptureFailure(
                f"The run directory {path} cannot be written ({error.strerror or error}):"
                " choose another folder with --out.",
                Exit.UNWRITABLE,
            ) from error
        return run

    def update(self, **fields: Any) -> None:  # noqa: ANN401 (fields of `RunInformation`)
        """Change fields of ``run.json`` on disk."""
        self.information = attrs.evolve(self.information, **fields)
        self.write()

    def warn(self, finding: Finding) -> None:
        """Record a warning, once."""
        if finding not in self.information.findings:
            self.update(findings=(*self.information.findings, finding))

    def write(self) -> None:
        """Write ``run.json``."""
        write_run_information(self.path, self.information)

    def add_profile(self, processes: Mapping[str, Sequence[Path]], *, copies: bool = False) -> Path:
        """Move or copy traces to where TensorBoard looks for a profile: one session, with a file for each process.

        ``processes`` are the traces of each, one after the other, by the name that its file is to have; it may come
        from outside. Returns the session's folder. Of several the newest is the one that opens: this one.
        """
        session = self._new_session()
        names = file_names(processes)
        for name, traces in processes.items():
            _put(session, names[name], traces, copies=copies)
        return session

    def _new_session(self) -> Path:
        sessions = self.path / "plugins" / "profile"
        sessions.mkdir(parents=True, exist_ok=True)
        moment = time.time()
        newest = max((each.name for each in sessions.iterdir()), default="")
        while (name := time.strftime("%Y_%m_%d_%H_%M_%S", time.localtime(moment))) <= newest:
            moment += 1
            if moment > time.time() + 60:
                break
        session = sessions / name
        session.mkdir(exist_ok=True)
        return session

    def is_window_asked_for(self) -> bool:
        """Whether someone has asked for the window; asking counts once."""
        try:
            (self.path / CAPTURE_NOW_FILE).unlink()
        except OSError:
            return False
        return True

    def discard_windows(self) -> None:
        """Remove what is left of the traces of windows."""
        shutil.rmtree(self.windows, ignore_errors=True)

    def discard_probes(self, *, until_ns: int | None = None) -> None:
        """Remove the traces that did not become the profile: all, or those written up to a time (of the epoch)."""
        if until_ns is None:
            shutil.rmtree(self.probes, ignore_errors=True)
            return
        for each in self.probes.glob("*"):
            with contextlib.suppress(OSError):
                if each.stat().st_mtime_ns <= until_ns:
                    each.unlink()


def this_host() -> str:
    """The name of this machine."""
    return socket.gethostname() or "localhost"


def file_name(name: str) -> str:
    """A name from outside as one that stays in its folder, and is seen there."""
    return re.sub(r"[^\w.-]", "_", name)[:_LONGEST_NAME].lstrip(".") or "localhost"


def file_names(names: Iterable[str]) -> dict[str, str]:
    """What the files of one session are called, by the names of the processes that they are of."""
    taken: set[str] = set()
    return {each: _unlike(taken, file_name(each)) for each in names}


def _unlike(taken: set[str], name: str) -> str:
    number, other = 1, name
    while other in taken:
        number += 1
        other = f"{name}_{number}"
    taken.add(other)
    return other


def _put(session: Path, name: str, traces: Sequence[Path], *, copies: bool) -> None:
    for number, each in enumerate(traces, 1):
        part = "" if number == 1 else f".part{number}"
        target = session / f"{name}{part}.xplane.pb"
        put: Callable[[Path, Path], object] = shutil.copyfile if copies else shutil.move
        put(each, target)
        recording = each.with_name(each.name + RECORDING_SUFFIX)
        if recording.exists():
            put(recording, target.with_name(target.name + RECORDING_SUFFIX))


def _is_ours(file: Path) -> bool:
    try:
        information = read_object(file.read_bytes())
    except OSError:
        return False
    return information is not None and "format_version" in information and "state" in information


def _unused(runs: Path, stem: str) -> Path:
    name = f"{time.strftime('%Y%m%d-%H%M%S')}-{re.sub(r'[^A-Za-z0-9_.-]', '_', stem) or 'script'}"
    path, number = runs / name, 1
    while path.exists():
        number += 1
        path = runs / f"{name}-{number}"
    return path
