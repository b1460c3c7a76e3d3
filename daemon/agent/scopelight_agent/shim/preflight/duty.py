"""The agent's work in a script whose programs are caught: tell each, count calls, and wait at the end for questions."""

import atexit
import os
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from .. import jax_process, script_error, settings
from .answers import Answers
from .asked_devices import AskedDevices
from .caught import Caught
from .hook import Hook
from .judging import Judging
from .own_frames import leave_out_own_frames
from .pretended import present_devices, pretend
from .read_zeros import ReadZeros
from .written_files import WrittenFiles

if TYPE_CHECKING:
    from ..connection import Connection

TOLD_EVERY_SECONDS = 0.25
"""So often it is told which programs were called."""
_SPAWNING = ("multiprocessing.popen_spawn_posix", "multiprocessing.popen_forkserver")
"""Imported with the first process that is started in such a way. One that is forked once jax is imported is as dry as
its parent."""


class EnoughError(SystemExit):
    """Ends a script that would call or compile for ever: on zeros, what it waits for does not come."""

    def __init__(self) -> None:
        super().__init__(0)


class Preflight:
    """``folder`` takes modules; after ``most_calls`` of programs, or ``most_programs``, the script ends.

    ``mode`` says whether programs run: those of a ``dry`` run do not.
    """

    def __init__(
        self, connection: "Connection", folder: str, most_calls: int, most_programs: int, mode: str = "dry"
    ) -> None:
        self._connection = connection
        self._folder = folder
        self._is_dry = mode == "dry"
        self._most_calls = most_calls
        self._most_programs = most_programs
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._calls: list[int] = []
        self._called = 0
        self._programs = 0
        self._told = 0.0
        self._judging = Judging(connection, folder)
        self._written = WrittenFiles(os.path.dirname(folder))  # noqa: PTH120
        self._asked = AskedDevices()
        self._read = ReadZeros()
        self._hook = Hook(self._caught, self._refused, self._was_called, Answers(connection, self._lock))

    def begin(self) -> None:
        """Take up work in a process whose jax has just been imported."""
        self._connection.send("jax", versions=jax_process.versions())
        os.register_at_fork(after_in_child=self._connection.close)
        atexit.register(self._exit)
        leave_out_own_frames()
        self._judging.begin()
        jax: Any = sys.modules["jax"]
        # Older versions have a way of its own for pmap, which leads past the hook.
        with suppress(Exception):
            jax.config.update("jax_pmap_shmap_merge", True)
        self._asked.listen(hears_backend=not self._is_dry)
        if not self._is_dry:
            self._hook.observe()
            return
        self._hook.dry()
        pretend(self._connection.send)
        self._read.listen()
        self._written.listen()

    def _caught(self, caught: Caught) -> None:
        if os.getpid() != self._process:
            return
        self._judging.add(caught)
        file = os.path.join(self._folder, f"{caught.number}.mlir")  # noqa: PTH118
        try:
            caught.write(file)
        except OSError as error:
            self._connection.send("unwritten", **caught.description(), message=error.strerror or str(error))
        else:
            self._connection.send("program", file=file, **caught.description())
        self._programs += 1
        if self._programs > self._most_programs:
            self._end("programs", self._most_programs)

    def _refused(self, caught: Caught, error: Exception) -> None:
        self._judging.add(caught)
        self._connection.send("refused", **caught.description(), kind=type(error).__name__, message=str(error)[:10_000])

    def _was_called(self, caught: Caught) -> None:
        with self._lock:
            self._calls.append(caught.number)
            self._called += 1
            if time.monotonic() - self._told > TOLD_EVERY_SECONDS:
                self._tell_calls()
        if self._called > self._most_calls:
            self._end("calls", self._most_calls)

    def _tell_calls(self) -> None:
        calls, self._calls, self._told = self._calls, [], time.monotonic()
        if calls:
            self._connection.send("called", programs=calls)

    def _end(self, of: str, most: int) -> None:
        self._connection.send("enough", of=of, most=most)
        raise EnoughError

    def _exit(self) -> None:
        if os.getpid() != self._process:
            return
        # Whoever interrupts it now wants no more than that it ends.
        with suppress(KeyboardInterrupt):
            self._tell_end()
            with suppress(Exception):
                self._judging.run()

    def _tell_end(self) -> None:
        with self._lock:
            self._tell_calls()
        self._connection.send(
            "exiting",
            files=jax_process.user_files(),
            versions=jax_process.versions(),
            jax_options=settings.jax_options(),
            devices=present_devices(),
            written=self._written.paths,
            asked=self._asked.told(),
            read=self._read.told(),
            spawned=self._is_dry and any(each in sys.modules for each in _SPAWNING),
        )
        raised = script_error.told()
        if raised is not None:
            self._connection.send("script-error", **raised)
