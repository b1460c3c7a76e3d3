"""The agent in the user's process: one unseen thread that traces when the launcher says so and tells what happens.

All work of the profiler is done by that thread, so that a signal, which Python handles in the main thread, never
interrupts it. The thread starts with the first backend and not before: a script that only forks stays single-threaded.
"""

import os
import select
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from . import cells, how_it_ended, jax_process, own_trace, settings, step_borders
from .connection import Connection
from .glances import Glances
from .held_script import HeldScript, wait_for_devices
from .host.recording import NamedQueue, Recorded, Recording
from .memory_errors import MemoryErrors
from .memory_watch import MemoryWatch
from .planned import Planned
from .steps.followed import FollowedSteps
from .tracer import Tracer, words_of
from .unseen_thread import UnseenThread

if TYPE_CHECKING:
    from ..alone import Alone

WANT_SECONDS = 1.0
"""At most so long a script that finds no more memory waits for the snapshot of what is alive."""
FIRST_TRACE_SECONDS = 2.0
"""At most so long the first program of a script waits for the first trace."""
CUT_SECONDS = 1.0
"""At most so long a step waits to begin for the trace in which it will be whole."""


class Agent:
    """Commands ``watch-memory`` (folder), ``record-host`` (of, the window or the whole script), ``trace`` (file, after,
    seconds, is_window; a running trace is cut there) and ``stop`` (next, a file to go on in at once) come in; events go
    out.

    ``first`` are the commands that it begins with; None: they wait in the connection. Windows that the script asks for
    itself go into ``folder``, or where the first trace goes. The variable ``mark`` is set for the processes that it
    starts once it uses jax."""

    def __init__(
        self,
        connection: "Connection | Alone",
        first: Sequence[dict[str, Any]] | None = None,
        folder: str | None = None,
        mark: str | None = None,
    ) -> None:
        self.connection = connection
        self._first = first
        self._folder = folder
        self._mark = mark
        self.tracer = Tracer()
        self.process = os.getpid()
        self._wake_read, self._wake_write = os.pipe()
        self._requests: list[tuple[str | Callable[[], None], threading.Event]] = []
        self._thread: UnseenThread | None = None
        self._starting = threading.Lock()
        self._own_trace = own_trace.OwnTrace()
        # Ours waits while the script is about to trace, or does.
        self._yielding = False
        self._planned: Planned | None = None
        # What is due, on the clock of time.monotonic: a cut from a time on at the next step, and at a time at last.
        self._start_at: float | None = None
        self._stop_at: float | None = None
        self._cut_from: float | None = None
        self._cut_at: float | None = None
        # Not while a step waits for it.
        self._is_cut = threading.Event()
        self._is_cut.set()
        self._script = HeldScript(CUT_SECONDS)
        self._is_window = False
        # The script has asked for a window, which is open or opens with its backend; they are numbered.
        self.has_code_window = False
        self._code_windows = 0
        self._by_code = False
        self._memory: MemoryWatch | None = None
        self.host: Recording | None = None
        self._recorded: Recorded | None = None
        self.named_queues: list[NamedQueue] = []
        self._is_compiling = False
        self._failure: dict[str, Any] | None = None
        # Whether the first trace runs, or none is to begin with the backend.
        self._has_begun = threading.Event()
        self._waits_for_it = True
        self.borders = step_borders.StepBorders(self._a_step_began)
        self.steps = FollowedSteps(self)
        self._glances = Glances(self)
        self.memory_errors = MemoryErrors(self._memory_ran_out, lambda: self._is_compiling)

    @property
    def run(self) -> str | None:
        """The run directory that its traces go into."""
        return None if self._folder is None else os.path.dirname(self._folder)  # noqa: PTH120

    # Called from the script's threads.

    def backend_appeared(self) -> None:
        """Start the agent's thread; called under jax's lock, so it asks jax nothing."""
        with self._starting:
            if self._thread is None and os.getpid() == self.process and self.connection.alive:
                self._thread = UnseenThread(self._run)
                if self._mark is not None:
                    os.environ[self._mark] = str(self.process)

    def change_hands(self, connection: Connection, first: Sequence[dict[str, Any]], folder: str) -> None:
        """Have another connection, after nobody was at the other end of the last."""
        self.connection.close()
        self.connection, self._first, self._folder = connection, first, folder
        self._has_begun, self._waits_for_it = threading.Event(), True
        self._planned = self._start_at = self._memory = self.host = self._thread = None

    def compile_ended(self, stage: str, seconds: float, facts: dict[str, Any]) -> None:
        """Tell that a program went to the compiler or came back."""
        if os.getpid() != self.process:
            return
        self._wait_for_the_first_trace()
        self._is_compiling = stage == "lowered"
        if stage == "compiled":
            self.tracer.compiles += 1
        self.connection.send(stage, seconds=seconds, **facts)
        self.steps.compile_ended(stage, facts["program"])

    def _wait_for_the_first_trace(self) -> None:
        """Keep the first program from running before it: on a busy machine a short script would else have ended.

        Where it does not begin in time no later program waits as well.
        """
        if self._waits_for_it and self._thread is not None and not self._is_own_thread():
            self._has_begun.wait(FIRST_TRACE_SECONDS)
            self._waits_for_it = False

    def _a_step_began(self) -> None:
        """The running trace was to be cut here: return when another runs."""
        if os.getpid() == self.process and self._cut_at is not None:
            self._is_cut.clear()
            self._cut_at = 0.0
            os.write(self._wake_write, b".")
            self._is_cut.wait(CUT_SECONDS)

    def epoch_began(self, number: int | None = None) -> None:
        """The script says that an epoch begins, by default the one after the last."""
        if os.getpid() == self.process:
            self.steps.windows.epoch_began(number)

    def script_is_at_the_profiler(self) -> None:
        """Make room: the script is about to start or stop a trace of its own."""
        if os.getpid() == self.process and not self._is_own_thread():
            self.ask("yield")

    def script_was_at_the_profiler(self) -> None:
        """Tell what became of the script's own trace."""
        if os.getpid() != self.process or self._is_own_thread():
            return
        if not self._own_trace.look(self.connection.send) and self._yielding:
            self._yielding = False
            os.write(self._wake_write, b".")

    def open_window(self) -> None:
        """The script asks for a window: return when it is traced, or will be with the first backend."""
        self.has_code_window = True
        self._code_windows += 1
        self.connection.send("code-window-opened")
        self.ask("open-window")

    def close_window(self) -> None:
        """The window that the script asked for ends: return when its devices have run what they have, and it is
        saved."""
        self.ask("close-window")
        self.has_code_window = False

    def exit(self) -> None:
        """Stop and save what is there; runs at the interpreter's exit, however the script ended."""
        if os.getpid() != self.process:
            return
        self.connection.send("exiting", files=jax_process.user_files(), versions=jax_process.versions())
        self._failure = how_it_ended.tell(self.connection.send, self.memory_errors, is_compiling=self._is_compiling)
        self.steps.exit()
        self.ask("exit")

    def leave_the_child(self) -> None:
        """In a forked child: it is not profiled, and must not hold the connection open."""
        self.connection.close()
        self.steps.leave_the_child()
        self.memory_errors.forget()
        if self.host is not None:
            self.host.leave_the_child()
        for descriptor in (self._wake_read, self._wake_write):
            with suppress(OSError):
                os.close(descriptor)

    def _memory_ran_out(self, words: dict[str, Any]) -> None:
        """Jax makes an error that says so: what is alive now may be gone when the script has caught it."""
        if os.getpid() != self.process:
            return
        self.connection.send("memory-error", **words, in_thread=False)
        # Not while a backend comes up: the agent's thread then waits for a lock that this one may hold.
        if self._has_begun.is_set() and not self._is_own_thread():
            self.ask("want", longest_seconds=WANT_SECONDS)

    def _is_own_thread(self) -> bool:
        return self._thread is not None and self._thread.is_current

    def ask(self, request: str | Callable[[], None], longest_seconds: float | None = None) -> None:
        """Have the agent's thread answer, or do something."""
        thread = self._thread
        if thread is None or not thread.is_alive:
            return
        done = threading.Event()
        self._requests.append((request, done))
        os.write(self._wake_write, b".")
        give_up = None if longest_seconds is None else time.monotonic() + longest_seconds
        while not done.is_set() and thread.is_alive:
            if give_up is not None and time.monotonic() > give_up:
                # Where the thread has taken it up meanwhile it is answered all the same.
                with suppress(ValueError):
                    self._requests.remove((request, done))
                return
            try:
                done.wait(0.2)
            except KeyboardInterrupt:
                # At exit the trace is worth the wait; elsewhere the interrupt is the script's.
                if request != "exit":
                    raise

    # The agent's own thread.

    def _run(self) -> None:
        try:
            if jax_process.wait_until_initialised():
                self._tell_backend()
                self._loop()
        except Exception as error:
            self.connection.send("problem", message=words_of(error))
        finally:
            self._has_begun.set()
            while self._requests:
                self._requests.pop(0)[1].set()

    def _tell_backend(self) -> None:
        # Start before telling: a short script's first program is already on its way to the compiler.
        for command in self.connection.receive() if self._first is None else self._first:
            self._obey(command)
        if self.has_code_window:
            self._plan_code_window()
        self._do_what_is_due()
        self._has_begun.set()
        backend, devices = jax_process.backend_and_devices()
        self.connection.send(
            "backend",
            backend=backend,
            devices=devices,
            **jax_process.this_process(),
            versions=jax_process.versions(),
            files=jax_process.user_files(),
            environment=settings.environment(),
        )

    def _loop(self) -> None:
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        poll.register(self._wake_read, select.POLLIN)
        while self.connection.alive:
            ready = [descriptor for descriptor, _ in poll.poll(self._milliseconds_to_wait())]
            if self._wake_read in ready:
                os.read(self._wake_read, 4096)
            if self.connection.fileno() in ready:
                for command in self.connection.receive():
                    self._obey(command)
            while self._requests:
                request, done = self._requests.pop(0)
                self._answer(request)
                done.set()
                if request == "exit":
                    return
            self._do_what_is_due()
            self._glances.end_if_due()
            if self._memory is not None:
                self._memory.sample_if_due(is_tracing=self.tracer.active, is_window=self._is_window)
            UnseenThread.hide()
        # The launcher is gone: the script goes on untouched, without the tracer's cost.
        self._glances.make_room()
        if self.tracer.active:
            self._stop()

    def _milliseconds_to_wait(self) -> float | None:
        running, waiting = (self._stop_at, self._cut_from, self._cut_at), (None if self._yielding else self._start_at,)
        due = running if self.tracer.active else waiting
        waits = [
            *(None if each is None else each - time.monotonic() for each in due),
            None if self._memory is None else self._memory.seconds_to_wait(),
            self._glances.seconds_to_wait(),
        ]
        return min((max(0.0, each * 1000) for each in waits if each is not None), default=None)

    def _plan_code_window(self) -> None:
        file = os.path.join(self._folder or tempfile.gettempdir(), f"code{self._code_windows}.{self.process}.xspace")  # noqa: PTH118
        self._planned = Planned(file, is_window=True, by_code=True)
        self._start_at = time.monotonic()

    def _obey(self, command: dict[str, Any]) -> None:
        if command["do"] in ("trace", "stop") and (self._by_code or self.steps.windows.is_open):
            # The script's window goes before that of anyone else, and one of steps before that of time.
            return
        if command["do"] == "watch-memory":
            self._memory = MemoryWatch(command["folder"], self.connection.send)
        elif command["do"] == "record-host":
            self.host = Recording(is_whole=command["of"] == "whole", named=self.named_queues)
        elif command["do"] == "trace":
            self._folder = os.path.dirname(command["file"])  # noqa: PTH120
            self._planned = Planned(command["file"], command["seconds"], command["is_window"])
            begins_at = time.monotonic() + command["after"]
            if self.tracer.active:
                self._cut_from = begins_at
            else:
                self._start_at = begins_at
        elif command["do"] == "glance" or command["do"].endswith("-steps"):
            obey = self._glances.begin if command["do"] == "glance" else self.steps.obey
            obey(command)
        elif command["do"] == "stop":
            self._start_at = None
            next_file = command["next"]
            self._planned = None if next_file is None else Planned(next_file)
            if self.tracer.active and next_file is not None:
                self._cut_at_next_step()
                return
            if self.tracer.active:
                self._stop()
            else:
                self.connection.send("idle")
            if next_file is not None:
                self._start_at = time.monotonic()

    def _cut_at_next_step(self) -> None:
        self._cut_from, self._cut_at = None, time.monotonic() + self.borders.want()

    @property
    def may_trace(self) -> bool:
        """Whether the script has no trace of its own, nor a window that it asked for."""
        return not self._yielding and not self._by_code

    def begin_trace(self, file: str, seconds: float | None, *, is_window: bool) -> bool:
        """Begin a trace at once, in the place of any that runs; whether it does."""
        planned = self._planned = Planned(file, seconds, is_window)
        if self.tracer.active:
            self._stop(planned)
        self._start_at = time.monotonic()
        self._do_what_is_due()
        return self.tracer.active and self.tracer.file == file

    def end_trace(self, *, is_kept: bool) -> None:
        """End the trace that runs, if one does; what is not kept is not even collected."""
        if self.tracer.active and is_kept:
            self._stop()
        elif self.tracer.active:
            self._stop_at = None
            self._cut_recording()
            self._recorded = None
            self.steps.windows.dropped()
            self.tracer.drop()

    def _answer(self, request: str | Callable[[], None]) -> None:
        if callable(request):
            request()
            return
        if request == "want":
            if self._memory is not None:
                self._memory.snapshot_of_want()
            return
        if request == "open-window":
            if self.tracer.active and self._by_code:
                # It began with this thread, which has come up meanwhile.
                return
            if self.tracer.active:
                self._stop()
            self._plan_code_window()
            self._do_what_is_due()
            return
        if request == "close-window":
            wait_for_devices()
            if self.tracer.active and self._by_code:
                self._stop()
            return
        self._start_at = None
        self._yielding = True
        self._glances.make_room("script-traces")
        self.end_trace(is_kept=self.steps.windows.is_worth_keeping)
        if request == "exit":
            if self._memory is not None:
                self._memory.snapshot("end" if self._failure is None else "out-of-memory")
                self._memory.finish()
            self.connection.send("left", failed=getattr(sys, "last_type", None) is not None)

    def _do_what_is_due(self) -> None:
        now = time.monotonic()
        if self.tracer.active:
            if self._cut_from is not None and now >= self._cut_from:
                self._cut_at_next_step()
            if self._cut_at is not None and now >= self._cut_at:
                self._cut()
            elif self._stop_at is not None and now >= self._stop_at:
                self._stop()
        elif self._start_at is not None and now >= self._start_at and not self._yielding and self._planned is not None:
            self._start_at = None
            self._glances.make_room()
            if self._planned.is_window and self._memory is not None:
                self._memory.snapshot("window-start")
            try:
                self.tracer.start(self._planned.file)
            except Exception as error:
                self._planned = None
                self.connection.send("not-traced", message=words_of(error))
                return
            self._has_started(self._planned)

    def _has_started(self, trace: Planned) -> None:
        self._planned = None
        self._is_window, self._by_code = trace.is_window, trace.by_code
        self._stop_at = None if trace.seconds is None else time.monotonic() + trace.seconds
        if self._memory is not None:
            self._memory.hurry()
        if self.host is not None:
            self.host.begin(is_window=trace.is_window)

    def _cut(self) -> None:
        """Stop the running trace and begin the next, with no step between: one waits already, or the script is held."""
        if self._is_cut.is_set():
            self._script.hold()
        if self._planned is not None and self._planned.is_window and self._memory is not None:
            self._memory.snapshot("window-start")
        try:
            self._stop(self._planned)
        finally:
            self._script.let_go()

    def _stop(self, following: Planned | None = None) -> None:
        """Stop the running trace; ``following`` begins at once."""
        self._stop_at = self._cut_from = self._cut_at = None
        self.borders.want_no_more()
        was_window, by_code, failure = self._is_window, self._by_code, None
        # Of those that end while it is stopped it does not hold all.
        steps = self.steps.windows.told()
        self._is_window = self._by_code = False
        try:
            if following is None:
                self._cut_recording()
                traced = self.tracer.stop()
            else:
                traced, failure = self.tracer.cut(following.file, self._it_is_cut)
        except Exception as error:
            self.connection.send("not-traced", message=words_of(error))
            self._start_at = None if following is None else time.monotonic()
            return
        finally:
            # Whatever became of it, no step waits any longer.
            self._is_cut.set()
        if following is not None and failure is None:
            self._has_started(following)
        self._keep_recording(traced["file"])
        # Before the launcher hears of the trace: it makes the profile of what is there then.
        if was_window and self._memory is not None:
            self._memory.snapshot("window-end")
        # Before the trace again: what it names is kept with it.
        cells.tell(self.connection.send)
        # A script may set variables until its first program is compiled.
        said = {"jax_options": settings.jax_options(), "environment": settings.environment()}
        self.connection.send("traced", **traced, **said, by_code=by_code, steps=steps)
        if failure is not None:
            self.connection.send("not-traced", message=words_of(failure))

    def _it_is_cut(self) -> None:
        """Another trace runs, or none can: the script goes on, while the last is written."""
        self._cut_recording()
        self._is_cut.set()
        self._script.let_go()

    def _cut_recording(self) -> None:
        if self.host is not None:
            self._recorded = self.host.cut()

    def _keep_recording(self, trace: str) -> None:
        """Write down what was recorded beside a trace; record no more where no other runs."""
        recorded, self._recorded = self._recorded, None
        if self.host is None:
            return
        if not self.tracer.active:
            self.host.end()
        try:
            if recorded is not None:
                self.host.write(recorded, trace)
        except Exception as error:
            # The trace is worth more than what was recorded beside it.
            self.connection.send("host-not-recorded", message=words_of(error))
