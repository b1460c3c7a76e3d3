"""A job that is followed: what the agents in its processes say, and what they are told."""

import contextlib
import json
import queue
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

import attrs

HostExtent = Literal["window", "whole"]
"""What of a script tells its lines where only frequent samples do: the window, or all of it."""


@attrs.frozen
class Ended:
    """The job has ended: its exit code, negative for the signal that killed it; None where nobody waited for it."""

    returncode: int | None


Message = dict[str, Any] | Ended


class Job(Protocol):
    """``messages`` are the events of the agent that decides, and at last `Ended`."""

    messages: queue.SimpleQueue[Message]

    @property
    def processes(self) -> int:
        """How many have come so far."""

    def trace(self, file: Path, after_seconds: float, seconds: float | None, *, is_window: bool) -> None:
        """Have the job traced into ``file``; at both ends of the window its memory is looked at."""

    def stop(self, next_file: Path | None = None) -> None:
        """Have the running trace stopped and saved, and with ``next_file`` another begun at once."""

    def follow_steps(self, do: str, *, files: Sequence[Path] = (), **fields: object) -> None:
        """Have the job count its steps, or trace windows of them into files."""

    def glance(self, file: Path, seconds: float, steps_of: str | None, *, of_programs: bool) -> None:
        """Have the process that decides look at itself: a short trace into ``file`` that gives way to any other.

        ``steps_of`` is the program or annotation whose runs are known to be the steps; ``of_programs``: with what was
        compiled.
        """

    def signal(self, number: int) -> None:
        """Pass a signal on to the script, where it is ours."""

    def by_process(self, traces: Sequence[Path]) -> Mapping[str, Sequence[Path]]:
        """Traces of the process that decides, and those of others from the same times, by the names of processes."""

    def pids(self) -> Mapping[str, int]:
        """The process ids of the newest of these, by name, as far as they are other processes than the one that
        decides."""

    def missing(self) -> Sequence[tuple[str, str]]:
        """The processes that made no trace in the newest of these, by name, and why."""


class Agent:
    """The connection to the agent in one process: ``hear`` is called with its events, then ``left``, by a thread."""

    def __init__(
        self, control: socket.socket, hear: Callable[[dict[str, Any]], None], left: Callable[[], None] = lambda: None
    ) -> None:
        self._control = control
        self._hear = hear
        self._left = left
        self._reader = threading.Thread(target=self._read, name="agent", daemon=True)
        self._reader.start()

    def begin(self, first_trace: Path, memory_folder: Path | None, records_host: HostExtent | None) -> None:
        """Have the first trace begin with the process's backend, and what is watched besides it.

        What is seen of memory is put into ``memory_folder``; without one nothing is watched. With ``records_host``
        where threads stand is recorded beside each trace; None: it is not.
        """
        self.trace(first_trace, 0.0, None, is_window=False)
        if memory_folder is not None:
            self.send("watch-memory", folder=str(memory_folder))
        if records_host is not None:
            self.send("record-host", of=records_host)

    def trace(self, file: Path, after_seconds: float, seconds: float | None, *, is_window: bool) -> None:
        """As `Job.trace`, of one process."""
        self.send("trace", file=str(file), after=after_seconds, seconds=seconds, is_window=is_window)

    def stop(self, next_file: Path | None = None) -> None:
        """As `Job.stop`, of one process."""
        self.send("stop", next=None if next_file is None else str(next_file))

    def follow_steps(self, do: str, *, files: Sequence[Path] = (), **fields: object) -> None:
        """As `Job.follow_steps`, of one process."""
        self.send(do, files=[str(each) for each in files], **fields)

    def glance(self, file: Path, seconds: float, steps_of: str | None, *, of_programs: bool) -> None:
        """As `Job.glance`."""
        self.send("glance", file=str(file), seconds=seconds, steps_of=steps_of, of_programs=of_programs)

    def send(self, do: str, **fields: object) -> None:
        """Tell the agent what to do; one that has gone is told nothing."""
        with contextlib.suppress(OSError):
            self._control.sendall(json.dumps({"do": do, **fields}).encode() + b"\n")

    def close(self) -> None:
        """Leave the agent to itself."""
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)

    def wait(self, seconds: float) -> None:
        """Wait until the agent has said its last, for so long at most."""
        self._reader.join(seconds)

    def _read(self) -> None:
        with contextlib.suppress(OSError), self._control.makefile("rb") as lines:
            for line in lines:
                with contextlib.suppress(ValueError):
                    event = json.loads(line)
                    if isinstance(event, dict):
                        self._hear(event)
        self._left()
