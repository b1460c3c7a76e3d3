"""The run directory on disk: its paths, its name, and ``run.json``."""

import json
import re
import shutil
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.model.run.information import RUN_FILE, RUN_FORMAT_VERSION, RUNS_FOLDER, write_run_information


class RunDirectory:
    """One captured run. ``information`` is what ``run.json`` holds."""

    def __init__(self, path: Path, information: dict[str, Any]) -> None:
        self.path = path
        self.information = information

    @property
    def probes(self) -> Path:
        """Folder of traces that are not the profile; empty or absent once the run is captured."""
        return self.path / ".probes"

    @property
    def sources(self) -> Path:
        """Folder of the user's files as they were."""
        return self.path / "sources"

    @classmethod
    def create(cls, out: Path | None, cwd: Path, stem: str, information: Mapping[str, Any]) -> "RunDirectory":
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
            run = cls(place, {"format_version": RUN_FORMAT_VERSION, "directory": str(place), **information})
            run.probes.mkdir(exist_ok=True)
            run.write()
        except OSError as error:
            raise CaptureFailure(
                f"The run directory {path} cannot be written ({error.strerror or error}):"
                " choose another folder with --out.",
                Exit.UNWRITABLE,
            ) from error
        return run

    def update(self, **fields: Any) -> None:  # noqa: ANN401 (anything that JSON can hold)
        """Change fields of ``run.json`` on disk."""
        self.information.update(fields)
        self.write()

    def warn(self, sentence: str) -> None:
        """Record a warning, once."""
        warnings = self.information.setdefault("warnings", [])
        if sentence not in warnings:
            warnings.append(sentence)
            self.write()

    def write(self) -> None:
        """Write ``run.json``."""
        write_run_information(self.path, self.information)

    def publish(self, trace: Path, *, copy: bool = False) -> Path:
        """Make a trace the profile, where TensorBoard looks for it; the newest session is the one that opens."""
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
        host = re.sub(r"[^\w.-]", "_", socket.gethostname()) or "localhost"
        file = session / (trace.name if trace.name.endswith(".xplane.pb") else f"{host}.xplane.pb")
        if copy:
            shutil.copyfile(trace, file)
        else:
            trace.replace(file)
        return file

    def publish_part(self, trace: Path, first: Path, number: int) -> None:
        """Put a later part of the same process's profile beside the first."""
        trace.replace(first.with_name(first.name.replace(".xplane.pb", f".part{number}.xplane.pb")))

    def discard_probes(self) -> None:
        """Remove the traces that did not become the profile."""
        shutil.rmtree(self.probes, ignore_errors=True)


def _is_ours(file: Path) -> bool:
    try:
        information = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(information, dict) and "format_version" in information and "state" in information


def _unused(runs: Path, stem: str) -> Path:
    name = f"{time.strftime('%Y%m%d-%H%M%S')}-{re.sub(r'[^A-Za-z0-9_.-]', '_', stem) or 'script'}"
    path, number = runs / name, 1
    while path.exists():
        number += 1
        path = runs / f"{name}-{number}"
    return path
