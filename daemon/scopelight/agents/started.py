"""A command of ours that runs the user's script in a process of its own, and the runs that it made."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

import attrs

from scopelight.agents.desk import Client
from scopelight.formats.errors import FormatError
from scopelight.model.run.information import RunInformation
from scopelight.model.run.names import RUN_FILE, RUNS_FOLDER
from scopelight.model.run.run_file import find_run_information

_POLL_SECONDS: Final = 0.1
_GRACE_SECONDS: Final = 20.0
"""After an interrupt: what was captured is saved then."""
_KEPT_LINES: Final = 12
_OURS: Final = "scopelight: "


@attrs.frozen
class Started:
    """What came of a command: its exit code, the last lines of what it and the script said, the runs that it made.

    ``was_stopped``: it was interrupted as it had what was asked for. ``was_cancelled``: the client did not wait.
    """

    code: int
    said: tuple[str, ...]
    ours: tuple[str, ...]
    output: tuple[str, ...]
    runs: tuple[Path, ...]
    was_stopped: bool
    was_cancelled: bool


def start(
    arguments: Sequence[str], folder: Path, client: Client, is_enough: Callable[[RunInformation], bool]
) -> Started:
    """Run ``scopelight`` with these arguments in a folder until it ends, the client cancels, or a run is enough.

    The script reads nothing, and what it prints reaches no one else's output.
    """
    if client.is_cancelled():
        return Started(0, (), (), (), (), was_stopped=False, was_cancelled=True)
    before = _folders(folder)
    # Without -P the workspace's own files would be imported for ours.
    command = [sys.executable, "-P", "-m", "scopelight.cli.main", *arguments]
    with subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=os.name == "posix",
    ) as process:
        output, said = _Tail(process.stdout), _Tail(process.stderr, client.tells)
        was_stopped = was_cancelled = False
        while process.poll() is None:
            was_cancelled = client.is_cancelled()
            was_stopped = not was_cancelled and any(map(is_enough, _runs(folder, before)))
            if was_cancelled or was_stopped:
                end_command(process)
                break
            time.sleep(_POLL_SECONDS)
        code = process.wait()
        # What the script started may hold the pipes open.
        output.join()
        said.join()
    made = tuple(each.path for each in _runs(folder, before) if each.path is not None)
    ours = tuple(line.removeprefix(_OURS) for line in said.lines if line.startswith(_OURS))
    theirs = tuple(line for line in said.lines if not line.startswith(_OURS))
    return Started(code, theirs, ours, tuple(output.lines), made, was_stopped, was_cancelled)


class _Tail:
    """The last lines that a process writes, read as it writes them."""

    def __init__(self, stream: IO[bytes] | None, tells: Callable[[str], None] = lambda _: None) -> None:
        self.lines: deque[str] = deque(maxlen=_KEPT_LINES)
        self._tells = tells
        assert stream is not None
        self._thread = threading.Thread(target=self._read, args=(stream,), daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Wait for the end, not for long."""
        self._thread.join(2.0)

    def _read(self, stream: IO[bytes]) -> None:
        while data := stream.readline(1 << 16):
            line = data.decode("utf-8", errors="replace").rstrip()
            self.lines.append(line)
            if line.startswith(_OURS):
                self._tells(line.removeprefix(_OURS))


def end_command(process: subprocess.Popen[bytes]) -> None:
    """Interrupt a command as a person would, and kill what of it, or of what it started, does not end with that.

    It leads a group of processes of its own.
    """
    process.send_signal(signal.SIGINT)
    try:
        process.wait(_GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
    if os.name == "posix":
        # One that was interrupted before it could take care of that leaves its script behind.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _folders(folder: Path) -> frozenset[Path]:
    try:
        return frozenset(each for each in (folder / RUNS_FOLDER).iterdir() if each.is_dir())
    except OSError:
        return frozenset()


def _runs(folder: Path, before: frozenset[Path]) -> list[RunInformation]:
    """The runs that were made since, oldest first."""
    found = []
    for place in sorted(_folders(folder) - before):
        for each in (place, *sorted(file.parent for file in place.glob(f"*/{RUN_FILE}"))):
            try:
                information = find_run_information(each)
            except FormatError:
                continue
            if information is not None:
                found.append(information)
    return found
