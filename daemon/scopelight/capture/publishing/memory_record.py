"""What ``run.json`` says of the memory of a script: its snapshots, what watching took, and how it ran out of it."""

import contextlib
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import attrs

from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.findings import warning
from scopelight.formats.lenient import from_json
from scopelight.model.run.information import RecordedMemory, RecordedOutOfMemory, RecordedSnapshot
from scopelight.model.run.names import PROGRAM_WITHOUT_ROOM, SNAPSHOTS_FOLDER

_KERNEL_COUNTERS = Path("/proc/vmstat")


class MemoryRecord:
    """Hears what the shim says of memory, and writes it down."""

    def __init__(self, run: RunDirectory) -> None:
        self._run = run
        self._memory = RecordedMemory()
        self._made: dict[str, Any] | None = None
        self._left_with: dict[str, Any] | None = None
        self._kills = _kills_for_want_of_memory()
        self._began = time.time() - 1

    def hear(self, message: dict[str, Any]) -> None:
        """One of the shim's events; those of other things are let pass."""
        event = message.get("event")
        if event == "snapshot":
            kept = from_json(message, RecordedSnapshot)
            self._keep(message["name"], *([kept] if kept is not None else []))
        elif event == "snapshot-dropped":
            self._keep(message["name"])
        elif event == "memory-watched":
            self._memory = attrs.evolve(self._memory, readings=message["readings"], seconds=message["seconds"])
            self._run.update(memory=self._memory)
            for problem in message["problems"]:
                self._run.warn(warning("memory-not-sampled", problem=problem.rstrip(".")))
        elif event == "out-of-memory":
            if message["is_certain"]:
                self._ran_out(message)
            else:
                self._left_with = message
        elif event == "memory-error":
            self._made = message
        elif event == "other-error":
            self._made = None

    def _keep(self, name: str, *taken: RecordedSnapshot) -> None:
        """Keep a snapshot in place of one of the same name."""
        others = (each for each in self._memory.snapshots if each.name != name)
        self._memory = attrs.evolve(self._memory, snapshots=(*others, *taken))
        self._run.update(memory=self._memory)

    def _ran_out(self, message: dict[str, Any], *, caught: bool = False) -> None:
        self._run.update(out_of_memory=from_json({**message, "caught": caught}, RecordedOutOfMemory))
        if message["during_compilation"] and message["dump"] is not None:
            self._keep_the_plan(Path(message["dump"]))

    def _keep_the_plan(self, dump: Path) -> None:
        """Copy what the compiler wrote last of a program: it is the one that it found no room for."""
        try:
            files = [each for each in dump.glob("*.after_optimizations.hlo.pb") if each.stat().st_mtime >= self._began]
            if files:
                newest = max(files, key=lambda each: each.stat().st_mtime_ns)
                folder = self._run.path / SNAPSHOTS_FOLDER
                folder.mkdir(exist_ok=True)
                shutil.copyfile(newest, folder / PROGRAM_WITHOUT_ROOM)
        except OSError as error:
            problem = error.strerror or str(error)
            self._run.warn(warning("plan-not-kept", path=str(dump), problem=problem))

    def ended(self, returncode: int | None) -> None:
        """The script has ended.

        It caught an error of memory and left with it: it failed of that, unless it says that all went well. One that it
        caught before, and left with a code of its own, is told as well: nothing else is known to have failed. Where
        the kernel killed a process for want of memory meanwhile, it was this one.
        """
        caught = self._left_with if self._left_with is not None or _was_killed(returncode) else self._made
        if returncode != 0 and caught is not None and self._run.information.out_of_memory is None:
            self._ran_out(caught, caught=True)
        if returncode != -signal.SIGKILL or self._run.information.out_of_memory is not None:
            return
        before, after = self._kills, _kills_for_want_of_memory()
        if before is not None and after is not None and after > before:
            sentence = "The system killed the script: the machine, or its control group, had no memory left."
            self._run.update(out_of_memory=RecordedOutOfMemory(sentence))


def _was_killed(returncode: int | None) -> bool:
    return returncode is not None and returncode < 0


def _kills_for_want_of_memory() -> int | None:
    """How many processes the kernel has killed for want of memory since it started; None where it does not say."""
    with contextlib.suppress(OSError, ValueError):
        for line in _KERNEL_COUNTERS.read_text(encoding="ascii").splitlines():
            name, _, value = line.partition(" ")
            if name == "oom_kill":
                return int(value)
    return None
