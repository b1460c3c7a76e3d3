"""The processes of a job whose agents come to us: the first decides, and all trace at the same times.

Where the first is killed the next one decides in its place."""

import contextlib
import fcntl
import functools
import queue
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from scopelight.capture.conducting.job import Agent, Ended, Message
from scopelight.capture.joining.gathering import Gathering
from scopelight.capture.publishing.run_directory import this_host

PATIENCE_SECONDS = 10.0
"""So long a trace of another process is waited for, once the first one's is there."""
ACCEPTING_SECONDS = 0.1
"""So long it takes at most to hear of a process that has just come."""
LEAVING_SECONDS = 1.0
"""Where no process is left the job has ended, unless one comes within this time: launchers start them one by one."""


class Process:
    """One process of the job: its number among them, and what is known of it. ``traces`` are by their numbers."""

    def __init__(self, order: int) -> None:
        self.order = order
        self.agent: Agent | None = None
        self.pid = 0
        self.is_told = False
        """Whether it was told what stands."""
        self.rank: int | None = None
        self.traces: dict[str, Path] = {}
        self.said: list[dict[str, Any]] = []
        """What the conductor would have to hear of it if it decided."""
        self.has_left = self.is_exiting = False
        self.problem = ""
        self.returncode: int | None = None

    @property
    def number(self) -> int:
        """What its launcher calls it, or when it came."""
        return self.order if self.rank is None else self.rank


@attrs.frozen
class _Standing:
    """What is said of steps, as `Job.follow_steps` has it."""

    do: str
    files: tuple[Path, ...]
    fields: Mapping[str, object]

    def tell(self, process: Process, agent: Agent) -> None:
        """Say it to a process, whose files are its own."""
        agent.follow_steps(self.do, files=[_of_process(each, process) for each in self.files], **self.fields)


class JoinedJob:
    """Hears the agents that connect to ``listener``. ``description`` is what the first one says of itself."""

    def __init__(self, listener: socket.socket) -> None:
        self.messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self.description: dict[str, Any] = {}
        self._is_described = threading.Event()
        self._listener = listener
        self._place = Path(listener.getsockname())
        self._processes: list[Process] = []
        self._changed = threading.Condition()
        self._missing: list[tuple[str, str]] = []
        self._pids: dict[str, int] = {}
        self._gathering = Gathering(self.messages.put)
        self._is_first_trace = True
        self._decides = 0
        """The order of the process that does."""
        self._standing: list[_Standing] = []
        """What processes that come later are told of steps too."""
        self._heard: set[str] = set()
        """What the conductor has heard of processes that decide."""
        threading.Thread(target=self._accept, name="processes", daemon=True).start()

    def wait_for_the_first(self, seconds: float) -> bool:
        """Whether a process has come and described itself within this time."""
        return self._is_described.wait(seconds)

    def leave(self) -> None:
        """Leave the job to itself: it goes on untouched."""
        self._listener.close()
        for _, agent in self._present():
            agent.close()

    def trace(self, file: Path, after_seconds: float, seconds: float | None, *, is_window: bool) -> None:
        """As `Job.trace`."""
        self._is_first_trace = False
        for process, agent in self._present():
            agent.trace(_of_process(file, process), after_seconds, seconds, is_window=is_window)

    def stop(self, next_file: Path | None = None) -> None:
        """As `Job.stop`."""
        self._is_first_trace = False
        for process, agent in self._present():
            agent.stop(None if next_file is None else _of_process(next_file, process))

    def follow_steps(self, do: str, *, files: Sequence[Path] = (), **fields: object) -> None:
        """As `Job.follow_steps`."""
        with self._changed:
            self._standing = [each for each in self._standing if each.do != do]
            self._standing.append(_Standing(do, tuple(files), fields))
            for process, agent in self._present():
                if process.is_told:
                    self._standing[-1].tell(process, agent)

    def glance(self, file: Path, seconds: float, steps_of: str | None, *, of_programs: bool) -> None:
        """As `Job.glance`: the first process that is there looks."""
        for _, agent in self._present()[:1]:
            agent.glance(file, seconds, steps_of, of_programs=of_programs)

    def signal(self, number: int) -> None:
        """The job is not ours to end."""

    def by_process(self, traces: Sequence[Path]) -> Mapping[str, Sequence[Path]]:
        """As `Job.by_process`: waits for those of other processes that are still to come."""
        numbers = [_number(each) for each in traces]
        with self._changed:
            self._changed.wait_for(lambda: not self._owing(numbers[-1:]), PATIENCE_SECONDS)
            processes = list(self._processes)
            self._pids = {} if len(processes) == 1 else {_name(each): each.pid for each in processes}
            self._missing = [(_name(each), _why(each)) for each in processes if not set(numbers) & set(each.traces)]
        found = {each: [each.traces[number] for number in numbers if number in each.traces] for each in processes}
        if len(processes) == 1:
            return {this_host(): traces}
        return {_name(process): its for process, its in found.items() if its}

    def pids(self) -> Mapping[str, int]:
        """As `Job.pids`."""
        return self._pids

    def missing(self) -> Sequence[tuple[str, str]]:
        """As `Job.missing`."""
        return self._missing

    @property
    def processes(self) -> int:
        """As `Job.processes`."""
        return len(self._processes)

    def _present(self) -> list[tuple[Process, Agent]]:
        with self._changed:
            # Files are named after processes, which say first of all who they are.
            known = [each for each in self._processes if each.pid and not each.has_left]
            return [(each, each.agent) for each in known if each.agent is not None]

    def _owing(self, numbers: Sequence[str]) -> list[Process]:
        """Processes that are tracing still what the first has traced."""
        return [each for each in self._processes if not each.has_left and not set(numbers) <= set(each.traces)]

    def _accept(self) -> None:
        while True:
            try:
                control, _ = self._listener.accept()
            except OSError:
                return
            with self._changed:
                process = Process(len(self._processes))
                self._processes.append(process)
            # Not before it is known: its first words may come at once.
            process.agent = Agent(
                control, functools.partial(self._hear, process), functools.partial(self._left, process)
            )
            with self._changed:
                self._tell_standing(process)

    def _hear(self, process: Process, event: dict[str, Any]) -> None:
        kind = event.get("event")
        if kind == "joined":
            with self._changed:
                process.pid, process.rank = int(event["pid"]), event.get("rank")
                self._tell_standing(process)
            if process.order == 0:
                self.description = event
                self._gathering.expect(int(event.get("local_processes") or 1))
                self._is_described.set()
            return
        if kind == "traced":
            with self._changed:
                file = Path(event["file"])
                process.traces[_number(file)] = file
                self._changed.notify_all()
        elif kind in ("not-traced", "problem"):
            process.problem = str(event.get("message", ""))
        elif kind == "exiting":
            process.is_exiting = True
        elif kind == "left":
            process.returncode = 1 if event.get("failed") else 0
        with self._changed:
            is_first = process.order == self._decides
            if kind in ("backend", "traced"):
                process.said.append(event)
                if is_first:
                    self._heard.add(_words(event))
        if is_first:
            self._gathering.hear(event)
        elif kind in _OF_ALL:
            self.messages.put({**event, "event": f"another-{kind}"})
        if kind == "backend":
            self._gathering.is_here(process.order)
            if not self._is_first_trace and not is_first and process.agent is not None:
                # It came too late for what the others trace, and nobody would end what it has begun.
                process.agent.stop()

    def _left(self, process: Process) -> None:
        with self._changed:
            process.has_left = True
            self._gathering.is_here(process.order)
            self._changed.notify_all()
            if process.order == self._decides and not process.is_exiting:
                self._have_another_decide()
            if not all(each.has_left for each in self._processes):
                return
        time.sleep(LEAVING_SECONDS)
        self._meet_no_more()
        with self._changed:
            if all(each.has_left for each in self._processes):
                self._listener.close()
                self._gathering.wait_no_more()
                self.messages.put(Ended(self._processes[0].returncode))

    def _tell_standing(self, process: Process) -> None:
        """Tell a process what was said before it came, once it has said who it is."""
        if process.agent is not None and process.pid and not process.is_told:
            process.is_told = True
            for each in self._standing:
                each.tell(process, process.agent)

    def _have_another_decide(self) -> None:
        """The process that did was killed: what another has said meanwhile is heard, and what it says from now on."""
        successor = next((each for each in self._processes if not each.has_left), None)
        if successor is None:
            return
        self._decides = successor.order
        for event in successor.said:
            if _words(event) not in self._heard:
                self._heard.add(_words(event))
                self._gathering.hear(event)

    def _meet_no_more(self) -> None:
        """Processes that come from now on find nobody here, and are a job of their own; who has come already stays."""
        # Where the job has been left nobody listens any more.
        with contextlib.suppress(OSError), (self._place.parent / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._place.unlink(missing_ok=True)
            self._place.with_suffix(".run").unlink(missing_ok=True)
        time.sleep(ACCEPTING_SECONDS)


_OF_ALL = ("backend", "exiting")
"""What is heard of every process: its devices, and its files."""


def _number(file: Path) -> str:
    """What a trace is called in every process."""
    return file.name.partition(".")[0]


def _words(event: dict[str, Any]) -> str:
    """By what it is known that the same was heard of another process: a backend, or a trace's number."""
    return "backend" if event["event"] == "backend" else _number(Path(event["file"]))


def _of_process(file: Path, process: Process) -> Path:
    return file if process.order == 0 else file.with_name(f"{file.stem}.{process.pid}{file.suffix}")


def _name(process: Process) -> str:
    return f"{this_host()}_{process.number}"


def _why(process: Process) -> str:
    if process.problem:
        return process.problem.rstrip(".")
    if process.has_left and process.returncode is None:
        return "it was killed, or left without Python's usual exit, before its trace was saved"
    if process.has_left:
        return "it had ended before"
    return f"it was not traced then, or did not save its trace within {PATIENCE_SECONDS:.0f} s"
