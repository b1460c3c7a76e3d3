"""Stands in for the conductor where no interpreter can run it: a simpler capture, which says so.

It hears the agent's events and answers with commands, as the conductor does, in the agent's own thread. It looks into
no trace: steps are what the agent counts itself, the calls of the compiled function that came again first, and the
window is one of time only where none did. All of the user's files that are imported are kept, since which of them a
trace names is not known here.
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
NO_STEPS_SECONDS = 10.0
"""A window of time comes where no step began for so long."""
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
        self._is_conditional = options.slow_ratio is not None or any(
            each is not None for each in (options.from_step, options.every, options.epoch)
        )
        self._last_probe: dict[str, Any] | None = None
        self._process_index: int | None = None
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
            self._process_index = fields.get("process_index")
            self._keep_sources(fields["files"])
            if self._is_conditional and self._options.start:
                self._arm_conditional()
            else:
                self._window_soon()
        elif event == "compiled" and not self._is_conditional:
            self._window_soon()
        elif event == "steps-began":
            self._is_window_open = True
        elif event == "traced":
            self._traced(fields)
        elif event == "exiting":
            self._keep_sources(fields["files"])
        elif event == "left":
            self._end()

    def _window_soon(self) -> None:
        """The window opens when nothing more is compiled for a while."""
        options = self._options
        if not options.start or self._is_window_open or self._is_done or options.whole:
            return
        after, most = QUIET_SECONDS, options.most_seconds
        if options.seconds is None:
            self._arm(steps=options.steps, after_seconds=QUIET_SECONDS)
            after += NO_STEPS_SECONDS
        seconds = min(options.seconds or WINDOW_SECONDS, most or float("inf"))
        self._command(do="trace", file=self._probe(_WINDOW), after=after, seconds=seconds, is_window=True)

    def _arm_conditional(self) -> None:
        """Windows begin where the agent's own count says so: nothing is traced before."""
        options = self._options
        self._command(do="stop", next=None)
        is_slow = options.slow_ratio is not None
        self._arm(
            windows=options.most_windows if is_slow or options.every is not None else 1,
            steps=options.steps,
            first=options.every if options.from_step is None else options.from_step,
            every=options.every,
            epoch=options.epoch,
            slow_ratio=options.slow_ratio,
            after_slow=options.slow_by == "timer",
            most_cost_ratio=options.most_cost_ratio,
        )

    def _arm(self, windows: int = 1, **fields: Any) -> None:  # noqa: ANN401 (the fields of `Armed`)
        files = [self._probe(f"{_WINDOW}{number}") for number in range(1, windows + 1)]
        self._command(do="trace-steps", files=files, most_seconds=self._options.most_seconds, **fields)

    def _traced(self, fields: dict[str, Any]) -> None:
        name = os.path.basename(fields["file"])  # noqa: PTH119
        if fields["by_code"]:
            self._publish(fields, "code")
        elif fields["steps"] is not None:
            self._is_done, self._is_window_open = True, False
            if fields["steps"]["count"]:
                self._publish(fields, "steps", fields["steps"])
        elif name.startswith(_WINDOW):
            self._is_done = True
            self._publish(fields, "seconds" if self._options.seconds else "time")
        else:
            self._last_probe = fields

    def _end(self) -> None:
        if self._last_probe is not None and not self._information["windows"] and not self._is_conditional:
            self._publish(self._last_probe, "whole" if self._options.whole else "probe")
        shutil.rmtree(os.path.join(self._run, ".probes"), ignore_errors=True)  # noqa: PTH118
        if not self._information["windows"]:
            awaited = "a window came that was asked for" if self._is_conditional else "a trace was saved"
            self._information |= {"state": "failed", "failure": f"The script ended before {awaited}."}
        self._write()

    def _publish(self, traced: dict[str, Any], kind: str, steps: "dict[str, Any] | None" = None) -> None:
        stamp = time.strftime("%Y_%m_%d_%H_%M_%S", time.localtime(traced["stopped"]))
        session = f"plugins/profile/{stamp}"
        os.makedirs(os.path.join(self._run, session), exist_ok=True)  # noqa: PTH103, PTH118
        host = re.sub(r"[^\w.-]", "_", socket.gethostname()) or "localhost"
        name = f"{host}_{os.getpid()}"
        target = os.path.join(self._run, session, f"{name}.xplane.pb")  # noqa: PTH118
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
        if steps is not None:
            window |= {
                "steps": steps["count"],
                "complete_steps": steps["count"],
                "step_name": steps["name"],
                "first_step": steps["first"],
                "last_step": steps["first"] + steps["count"] - 1,
                "epoch": steps["epoch"],
                "slow_steps": steps["slow"],
            }
        self._information["windows"].append(window)
        self._information["hosts"] = [{"name": name, "process_index": self._process_index, "pid": os.getpid()}]
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
