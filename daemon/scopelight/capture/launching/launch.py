"""Start the user's script as the user would, with the shim in front, and hear what it says."""

import contextlib
import json
import os
import queue
import socket
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import attrs

import scopelight_agent
from scopelight.capture.failures import CaptureFailure, Exit

SHIM = Path(scopelight_agent.__file__).parent / "shim"
HostExtent = Literal["window", "whole"]
"""What of a script tells its lines where only frequent samples do: the window, or all of it."""
LAST_WORDS_SECONDS = 5.0
"""How long the connection is listened to after the script's end: a stray child may hold it open."""


@attrs.frozen
class Script:
    """What is to run: a file, or a module where ``is_module``; with its arguments."""

    name: str
    arguments: tuple[str, ...] = ()
    is_module: bool = False

    @property
    def stem(self) -> str:
        """A short name for the run directory."""
        return self.name.rpartition(".")[2] if self.is_module else Path(self.name).stem

    def command(self, python: str) -> list[str]:
        """The command line that runs it as without Scopelight."""
        return [python, *(["-m"] if self.is_module else []), self.name, *self.arguments]

    def first_path(self, cwd: Path) -> Path:
        """What it will have as ``sys.path[0]``."""
        return cwd if self.is_module else (cwd / self.name).resolve().parent


@attrs.frozen
class Ended:
    """The script has ended: its exit code, negative for the signal that killed it."""

    returncode: int


Message = dict[str, Any] | Ended


class Launched:
    """A running script. ``messages`` are the shim's events and at last `Ended`."""

    def __init__(self, process: subprocess.Popen[bytes], control: socket.socket) -> None:
        self.process = process
        self.messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._control = control
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        threading.Thread(target=self._wait, daemon=True).start()

    def trace(self, file: Path, after_seconds: float, seconds: float | None, *, is_window: bool) -> None:
        """Have the script traced into ``file``; at both ends of the window its memory is looked at."""
        self._send(do="trace", file=str(file), after=after_seconds, seconds=seconds, is_window=is_window)

    def stop(self, next_file: Path | None = None) -> None:
        """Have the running trace stopped and saved, and with ``next_file`` another begun at once."""
        self._send(do="stop", next=None if next_file is None else str(next_file))

    def signal(self, number: int) -> None:
        """Pass a signal on to the script."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(number)

    def _send(self, **command: object) -> None:
        with contextlib.suppress(OSError):
            self._control.sendall(json.dumps(command).encode() + b"\n")

    def _read(self) -> None:
        with contextlib.suppress(OSError), self._control.makefile("rb") as lines:
            for line in lines:
                with contextlib.suppress(ValueError):
                    self.messages.put(json.loads(line))

    def _wait(self) -> None:
        returncode = self.process.wait()
        self._reader.join(LAST_WORDS_SECONDS)
        self.messages.put(Ended(returncode))


def launch(
    script: Script,
    python: str,
    cwd: Path,
    environment: Mapping[str, str],
    first_trace: Path,
    memory_folder: Path | None = None,
    *,
    records_host: HostExtent | None = "window",
) -> Launched:
    """Start the script; tracing into ``first_trace`` begins with its backend, and so does watching its memory.

    What is seen of that is put into ``memory_folder``; without one nothing is watched. With ``records_host`` where its
    threads stand is recorded beside each trace; None: it is not.
    Raises `CaptureFailure` where the interpreter cannot be started.
    """
    ours, theirs = socket.socketpair()
    child_environment = dict(environment)
    own_path = environment.get("PYTHONPATH")
    if own_path is not None:
        child_environment["SCOPELIGHT_SHIM_PYTHONPATH"] = own_path
    child_environment["PYTHONPATH"] = os.pathsep.join([str(SHIM), *([own_path] if own_path else [])])
    child_environment["SCOPELIGHT_SHIM_CONTROL"] = str(theirs.fileno())
    # The shim starts the first trace before it asks anyone; its command waits in the socket.
    first = {"do": "trace", "file": str(first_trace), "after": 0.0, "seconds": None, "is_window": False}
    watch = [] if memory_folder is None else [{"do": "watch-memory", "folder": str(memory_folder)}]
    record = [{"do": "record-host", "of": records_host}] if records_host is not None else []
    for command in (first, *watch, *record):
        ours.sendall(json.dumps(command).encode() + b"\n")
    theirs.set_inheritable(True)
    try:
        # Other descriptors that the user handed to us are the script's too.
        process = subprocess.Popen(script.command(python), cwd=cwd, env=child_environment, close_fds=False)
    except OSError as error:
        raise CaptureFailure(
            f"{python} cannot be started ({error.strerror or error}): name another interpreter with --python.",
            Exit.INTERPRETER_MISSING,
        ) from error
    finally:
        theirs.close()
    return Launched(process, ours)
