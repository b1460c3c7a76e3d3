"""Start the user's script as the user would, with the shim in front, and hear what it says."""

import contextlib
import json
import os
import queue
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

import scopelight_agent
from scopelight.capture.conducting.job import Agent, Ended, HostExtent, Message
from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.publishing.run_directory import this_host

SHIM = Path(scopelight_agent.__file__).parent / "shim"
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


class Launched:
    """A running script. ``messages`` are the events of the agent in it, and at last `Ended`."""

    def __init__(self, process: subprocess.Popen[bytes], agent: Agent, messages: queue.SimpleQueue[Message]) -> None:
        self.process = process
        self.messages = messages
        self._agent = agent
        threading.Thread(target=self._wait, daemon=True).start()

    def trace(self, file: Path, after_seconds: float, seconds: float | None, *, is_window: bool) -> None:
        """As `Job.trace`."""
        self._agent.trace(file, after_seconds, seconds, is_window=is_window)

    def stop(self, next_file: Path | None = None) -> None:
        """As `Job.stop`."""
        self._agent.stop(next_file)

    def follow_steps(self, do: str, *, files: Sequence[Path] = (), **fields: object) -> None:
        """As `Job.follow_steps`."""
        self._agent.follow_steps(do, files=files, **fields)

    def glance(self, file: Path, seconds: float, steps_of: str | None, *, of_programs: bool) -> None:
        """As `Job.glance`."""
        self._agent.glance(file, seconds, steps_of, of_programs=of_programs)

    def by_process(self, traces: Sequence[Path]) -> Mapping[str, Sequence[Path]]:
        """The script is one process of this machine."""
        return {this_host(): traces}

    def pids(self) -> Mapping[str, int]:
        """There is no other process than the one that decides."""
        return {}

    @property
    def processes(self) -> int:
        """What the script starts is not captured."""
        return 1

    def missing(self) -> Sequence[tuple[str, str]]:
        """None ever is."""
        return ()

    def signal(self, number: int) -> None:
        """Pass a signal on to the script."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(number)

    def _wait(self) -> None:
        returncode = self.process.wait()
        self._agent.wait(LAST_WORDS_SECONDS)
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
    output: int | None = None,
) -> Launched:
    """Start the script, with an agent in it that begins as `Agent.begin` says.

    What it prints goes to the file of the descriptor ``output``, where there is one. Raises `CaptureFailure` where the
    interpreter cannot be started.
    """
    launched, agent = _start(script, python, cwd, environment, output, output)
    # The agent starts the first trace before it asks anyone; its command waits in the socket.
    agent.begin(first_trace, memory_folder, records_host)
    return launched


def launch_preflight(
    script: Script,
    python: str,
    cwd: Path,
    environment: Mapping[str, str],
    settings: Mapping[str, object],
    *,
    keeps_output_apart: bool = False,
) -> tuple[Launched, Agent]:
    """Start the script, with an agent in it that catches its programs: ``settings`` are those of its `Preflight`.

    With ``keeps_output_apart`` what it prints goes to our standard error. Raises `CaptureFailure` where the interpreter
    cannot be started.
    """
    output = sys.stderr.fileno() if keeps_output_apart else None
    return _start(script, python, cwd, {**environment, "SCOPELIGHT_SHIM_PREFLIGHT": json.dumps(settings)}, output)


def _start(
    script: Script,
    python: str,
    cwd: Path,
    environment: Mapping[str, str],
    output: int | None = None,
    errors: int | None = None,
) -> tuple[Launched, Agent]:
    ours, theirs = socket.socketpair()
    child_environment = dict(environment)
    own_path = environment.get("PYTHONPATH")
    if own_path is not None:
        child_environment["SCOPELIGHT_SHIM_PYTHONPATH"] = own_path
    child_environment["PYTHONPATH"] = os.pathsep.join([str(SHIM), *([own_path] if own_path else [])])
    child_environment["SCOPELIGHT_SHIM_CONTROL"] = str(theirs.fileno())
    messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
    agent = Agent(ours, messages.put)
    theirs.set_inheritable(True)
    try:
        # Other descriptors that the user handed to us are the script's too.
        process = subprocess.Popen(
            script.command(python), cwd=cwd, env=child_environment, close_fds=False, stdout=output, stderr=errors
        )
    except OSError as error:
        raise CaptureFailure(
            f"{python} cannot be started ({error.strerror or error}): name another interpreter with --python.",
            Exit.INTERPRETER_MISSING,
        ) from error
    finally:
        theirs.close()
    return Launched(process, agent, messages), agent
