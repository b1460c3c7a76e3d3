"""Stands in for the conductor where no interpreter can run it: a simpler capture, which says so.

It hears the agent's events and answers with commands, as the conductor does, in the agent's own thread. The window is
one of time, once nothing has been compiled for a while: it looks into no trace. All of the user's files that are
imported are kept, since which of them a trace names is not known here.
"""

import hashlib
import json
import os
import re
import shutil
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from .options import Options

QUIET_SECONDS = 1.0
"""Compilation has settled when nothing was compiled for so long."""
WINDOW_SECONDS = 2.0
MOST_FILE_BYTES = 8 << 20
_RECORDING = ".host"
_WINDOW = "window"


class Alone:
    """What the agent takes for its connection. ``script`` is the command that this process runs, and ``reason`` why
    nothing else follows it."""

    def __init__(self, options: Options, run: str, script: Sequence[str], reason: str) -> None:
        self.alive = True
        self._options = options
        self._run = run
        self._wake_read, self._wake_write = os.pipe()
        self._commands: list[dict[str, Any]] = []
        self._is_window_open = self._is_done = False
        self._last_probe: dict[str, Any] | None = None
        name, arguments = (script[0] if script else None), list(script[1:])
        self._information: dict[str, Any] = {
            "format_version": 1,
            "directory": run,
            "state": "running",
            "created": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
            "command": [sys.executable, *script],
            "script": name,
            "args": arguments,
            "cwd": os.getcwd(),  # noqa: PTH109
            "python": sys.executable,
            "calibrates": False,
            "reads_resources": False,
            "windows": [],
            "findings": [{"severity": "warning", "code": "captured-alone", "values": {"reason": reason}}],
        }
        self._write()

    def fileno(self) -> int:
        """The descriptor that is readable while a command waits."""
        return self._wake_read

    def receive(self) -> list[dict[str, Any]]:
        """The commands that were answered with since."""
        os.read(self._wake_read, 4096)
        commands, self._commands = self._commands, []
        return commands

    def close(self) -> None:
        """In a forked child: it is not ours."""
        self.alive = False

    def send(self, event: str, **fields: Any) -> None:  # noqa: ANN401 (anything that JSON can hold)
        """Hear an event of the agent's; what goes wrong here is no reason to disturb the script."""
        if self.alive:
            with suppress(OSError, ValueError):
                self._hear(event, fields)

    def _hear(self, event: str, fields: dict[str, Any]) -> None:
        if event == "backend":
            known = ("backend", "devices", "versions", "environment")
            self._information |= {name: fields[name] for name in known}
            self._keep_sources(fields["files"])
            self._window_soon()
        elif event == "compiled":
            self._window_soon()
        elif event == "traced":
            self._traced(fields)
        elif event == "exiting":
            self._keep_sources(fields["files"])
        elif event == "left":
            self._end()

    def _window_soon(self) -> None:
        """The window opens when nothing more is compiled for a while."""
        if self._options.start and not (self._is_window_open or self._is_done or self._options.whole):
            seconds = self._options.seconds or WINDOW_SECONDS
            self._command(do="trace", file=self._probe(_WINDOW), after=QUIET_SECONDS, seconds=seconds, is_window=True)

    def _traced(self, fields: dict[str, Any]) -> None:
        name = os.path.basename(fields["file"])  # noqa: PTH119
        if fields["by_code"]:
            self._publish(fields, "code")
        elif name.startswith(_WINDOW):
            self._is_done = True
            self._publish(fields, "seconds" if self._options.seconds else "time")
        else:
            self._last_probe = fields

    def _end(self) -> None:
        if self._last_probe is not None and not self._information["windows"]:
            self._publish(self._last_probe, "whole" if self._options.whole else "probe")
        shutil.rmtree(os.path.join(self._run, ".probes"), ignore_errors=True)  # noqa: PTH118
        if not self._information["windows"]:
            self._information |= {"state": "failed", "failure": "The script ended before a trace was saved."}
        self._write()

    def _publish(self, traced: dict[str, Any], kind: str) -> None:
        stamp = time.strftime("%Y_%m_%d_%H_%M_%S", time.localtime(traced["stopped"]))
        session = f"plugins/profile/{stamp}"
        os.makedirs(os.path.join(self._run, session), exist_ok=True)  # noqa: PTH103, PTH118
        host = re.sub(r"[^\w.-]", "_", socket.gethostname()) or "localhost"
        target = os.path.join(self._run, session, f"{host}_{os.getpid()}.xplane.pb")  # noqa: PTH118
        os.replace(traced["file"], target)  # noqa: PTH105
        with suppress(OSError):
            os.replace(traced["file"] + _RECORDING, target + _RECORDING)  # noqa: PTH105
        window = {
            "kind": kind,
            "seconds": traced["seconds"],
            "started_ns": int(traced["started"] * 1e9),
            "closed_ns": int(traced["stopped"] * 1e9),
            "session": session,
        }
        self._information["windows"].append(window)
        self._information |= {"state": "captured", "window": window, "jax_options": traced["jax_options"]}
        self._information["pause_seconds"] = traced["start_seconds"] + traced["stop_seconds"]
        self._write()

    def _keep_sources(self, files: Sequence[str]) -> None:
        """The user's files as they are, by their paths."""
        folder = os.path.join(self._run, "sources")  # noqa: PTH118
        index: dict[str, Any] = {}
        for path in files:
            with suppress(OSError):
                if os.path.getsize(path) > MOST_FILE_BYTES:  # noqa: PTH202
                    continue
                with open(path, "rb") as file:  # noqa: PTH123
                    content = file.read()
                stored = os.path.splitdrive(path)[1].lstrip(os.sep)
                target = os.path.join(folder, stored)  # noqa: PTH118
                os.makedirs(os.path.dirname(target), exist_ok=True)  # noqa: PTH103, PTH120
                with open(target, "wb") as kept:  # noqa: PTH123
                    kept.write(content)
                index[path] = {"file": stored, "sha256": hashlib.sha256(content).hexdigest()}
        os.makedirs(folder, exist_ok=True)  # noqa: PTH103
        with open(os.path.join(folder, "index.json"), "w") as file_of_index:  # noqa: PTH118, PTH123
            json.dump(index, file_of_index)

    def _command(self, **command: Any) -> None:  # noqa: ANN401
        self._commands.append(command)
        os.write(self._wake_write, b".")

    def _probe(self, name: str) -> str:
        return os.path.join(self._run, ".probes", f"{name}.xspace")  # noqa: PTH118

    def _write(self) -> None:
        partial = os.path.join(self._run, "run.json.partial")  # noqa: PTH118
        with open(partial, "w") as file:  # noqa: PTH123
            json.dump(self._information, file, indent=1)
        os.replace(partial, os.path.join(self._run, "run.json"))  # noqa: PTH105, PTH118
