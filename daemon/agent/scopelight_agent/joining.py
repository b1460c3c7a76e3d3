"""To the conductor of this process's job: the one that is there, or a new one in a clean child.

The child is none of the job's: it is started by a shell that ends at once, in a session of its own, with an environment
that asks for no capture. It ends when the last process of the job does.
"""

import fcntl
import importlib.util
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from itertools import count
from typing import Any, NamedTuple

from .job import JOB_VARIABLE, MEMBER_VARIABLE, job_key, local_processes, meeting_folder, rank
from .options import MINDSPORE_VARIABLE, VARIABLE, Options
from .shim.connection import Connection
from .shim.jax_process import versions

PROBES_FOLDER = ".probes"
"""In a run directory: the traces that have not become its profile."""
RUNS_FOLDER = ".scopelight"
LEAST_PYTHON = (3, 11)
"""The oldest that Scopelight itself runs on."""


class Joined(NamedTuple):
    """The connection, the run directory that it fills, and whether this process is the first of its job."""

    connection: Connection
    run: str
    is_first: bool


class NoConductorError(Exception):
    """A sentence says why none can be started."""


class UnwritableError(OSError):
    """A clause says which run directory cannot be written, and why."""


def join(options: Options, script: Sequence[str]) -> Joined:
    """Be connected to the job's conductor; ``script`` is the command that this process runs.

    Raises `NoConductorError`, and `UnwritableError` where the run directory cannot be made.
    """
    python = conductor_python(options)
    folder = meeting_folder()
    place = os.path.join(folder, job_key(os.environ))  # noqa: PTH118
    with open(os.path.join(folder, "lock"), "w") as lock:  # noqa: PTH118, PTH123
        fcntl.flock(lock, fcntl.LOCK_EX)
        control = _connected(f"{place}.socket")
        is_first = control is None
        if control is None:
            run = new_run(options, script)
            _start_conductor(python, options, run, f"{place}.socket")
            control = _connected(f"{place}.socket")
            if control is None:
                raise NoConductorError("it did not begin to listen")
            with open(f"{place}.run", "w") as file:  # noqa: PTH123
                file.write(run)
        else:
            with open(f"{place}.run") as file:  # noqa: PTH123
                run = file.read()
    return Joined(_introduced(control, script), run, is_first)


def joined_at(place: str, script: Sequence[str], captured_already: str | None = None) -> Connection:
    """Be connected to who listens at ``place``; where a process is ``captured_already``, into which run.

    Raises `OSError` where nobody listens.
    """
    control = _connected(place)
    if control is None:
        raise OSError(f"nobody listens at {place}")
    return _introduced(control, script, captured_already)


def probe_file(run: str, *, is_first: bool) -> str:
    """Where this process's first trace goes: others are told from the first process's by their number."""
    name = "1.xspace" if is_first else f"1.{os.getpid()}.xspace"
    return os.path.join(run, PROBES_FOLDER, name)  # noqa: PTH118


def script_name(script: Sequence[str]) -> str:
    """What a run of this process is named after."""
    name = next((each for each in script if each != "-m"), "")
    stem = os.path.splitext(os.path.basename(name))[0]  # noqa: PTH119, PTH122
    return re.sub(r"[^A-Za-z0-9_.-]", "_", stem) or "script"


def _introduced(control: socket.socket, script: Sequence[str], captured_already: str | None = None) -> Connection:
    connection = Connection(control.detach())
    connection.send("joined", **_description(script), captured_already=captured_already)
    return connection


def _description(script: Sequence[str]) -> dict[str, Any]:
    return {
        "pid": os.getpid(),
        "rank": rank(os.environ),
        "local_processes": local_processes(os.environ),
        "script": list(script),
        "cwd": os.getcwd(),  # noqa: PTH109
        "python": sys.executable,
        "versions": versions(),
    }


def _connected(path: str) -> "socket.socket | None":
    control = socket.socket(socket.AF_UNIX)
    try:
        control.connect(path)
    except OSError:
        control.close()
        return None
    return control


def new_run(options: Options, script: Sequence[str]) -> str:
    """Make the run directory, with a place for the first trace. Raises `UnwritableError` where it cannot be made."""
    if options.out is not None:
        run = os.path.abspath(options.out)  # noqa: PTH100
    else:
        runs = os.path.abspath(options.output_path or RUNS_FOLDER)  # noqa: PTH100
        run = first = os.path.join(runs, f"{time.strftime('%Y%m%d-%H%M%S')}-{script_name(script)}")  # noqa: PTH118
        with _written(run):
            os.makedirs(runs, exist_ok=True)  # noqa: PTH103
            for number in count(2):
                # Processes that start together each make their own.
                with suppress(FileExistsError):
                    os.mkdir(run)  # noqa: PTH102
                    break
                run = f"{first}-{number}"
    with _written(run):
        os.makedirs(os.path.join(run, PROBES_FOLDER), exist_ok=True)  # noqa: PTH103, PTH118
    return run


@contextmanager
def _written(run: str) -> Iterator[None]:
    """While a run directory is written, have what goes wrong said of it. Raises `UnwritableError`."""
    try:
        yield
    except OSError as error:
        raise UnwritableError(f"the run directory {run} cannot be written ({error.strerror or error})") from error


def _start_conductor(python: str, options: Options, run: str, path: str) -> None:
    if os.path.exists(path):  # noqa: PTH110
        os.unlink(path)  # noqa: PTH108
    with _written(run):
        log = open(os.path.join(run, "conductor.log"), "ab")  # noqa: PTH118, PTH123, SIM115 (closed below)
    with log, socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(64)
        asked = json.dumps({"run": run, "listener": listener.fileno(), "options": asdict(options)})
        # The shell leaves it to itself, so that the script has no child that it did not start.
        shell = subprocess.Popen(
            ["/bin/sh", "-c", 'exec "$@" &', "sh", python, "-m", "scopelight.capture.joining", asked],
            pass_fds=[listener.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            env=clean_environment(),
        )
        shell.wait()


def conductor_python(options: Options) -> str:
    """An interpreter that has Scopelight: the one that was named, this one, or that of the command.

    Raises `NoConductorError` where there is none.
    """
    if options.conductor is not None:
        if shutil.which(options.conductor) is None:
            raise NoConductorError(f"{options.conductor} is no interpreter that can be started")
        return options.conductor
    if sys.version_info >= LEAST_PYTHON and sys.executable and importlib.util.find_spec("scopelight") is not None:
        return sys.executable
    command = shutil.which("scopelight")
    if command is not None:
        with open(command, "rb") as file:  # noqa: PTH123
            first = file.readline(4096).rstrip()
        if first.startswith(b"#!") and shutil.which(first[2:]) is not None:
            return os.fsdecode(first[2:])
    raise NoConductorError("no interpreter with Scopelight was found")


def clean_environment() -> dict[str, str]:
    """One in which nothing is captured."""
    ours = {VARIABLE, MINDSPORE_VARIABLE, JOB_VARIABLE, MEMBER_VARIABLE}
    return {name: value for name, value in os.environ.items() if name not in ours}
