"""The process in which programs are compiled: started when it is needed, watched, and started again after it ended."""

import contextlib
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any

import attrs

from scopelight.capture.conducting.endings import ending
from scopelight.capture.tpu_compiler.environment import COMPILER, CompilerEnvironment
from scopelight.capture.tpu_compiler.flags import COMPILING, compiler_variables
from scopelight.capture.tpu_compiler.program_file import keep_program
from scopelight.capture.tpu_compiler.task import CompileTask, Verdict
from scopelight.capture.tpu_compiler.topologies import Topology
from scopelight.formats.errors import FormatError
from scopelight.formats.lenient import from_json, read_object
from scopelight.model.run.prediction import PredictedMemory

_LOOK_SECONDS = 0.2
"""How often its memory is looked at."""
_NO_ROOM = "CompileTimeHbmOom"
_LONGEST_MESSAGE = 20_000


class CompilerProcess:
    """One at a time compiles for whoever asks. ``most_bytes`` of memory and it is ended: a machine must not suffer.

    ``flags`` are libtpu's, which takes them or ends (`flags.refusal`).
    `cancel` may be called from any thread, and ends what runs; all else belongs to one thread.
    """

    def __init__(self, environment: CompilerEnvironment, most_bytes: int | None, flags: str = "") -> None:
        self.flags = flags
        self._environment = environment
        self._most_bytes = most_bytes
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._is_cancelled = threading.Event()
        self._folder = tempfile.TemporaryDirectory(prefix="scopelight-compiler-")

    @property
    def name(self) -> str:
        """What its verdicts depend on: its version, and its flags."""
        return f"{COMPILER} {self.flags}".rstrip()

    def compile(self, task: CompileTask, topology: Topology, file: Path) -> Verdict:
        """Compile a program for a topology; its dump becomes ``file``."""
        if self._is_cancelled.is_set():
            return Verdict("cancelled")
        dump = Path(self._folder.name) / str(task.program)
        shutil.rmtree(dump, ignore_errors=True)
        dump.mkdir(parents=True)
        try:
            answer = self._ask(task.request(topology, dump))
            verdict = answer if isinstance(answer, Verdict) else _verdict(answer)
            if not verdict.is_lasting or not keep_program(dump, file):
                return verdict
        except (OSError, FormatError) as error:
            return Verdict("crashed", f"what it dumped cannot be kept: {error}")
        finally:
            shutil.rmtree(dump, ignore_errors=True)
        return attrs.evolve(verdict, file=file)

    def cancel(self) -> None:
        """End what runs; nothing is compiled any more."""
        self._is_cancelled.set()
        self._kill()

    def close(self) -> None:
        """End the process, and remove what it left."""
        self._kill()
        self._folder.cleanup()

    def _ask(self, request: dict[str, Any]) -> "dict[str, Any] | Verdict":
        process = self._started()
        if process is None:
            return Verdict("crashed", "the compiler's process did not start")
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
        except OSError:
            return self._ended(process)
        while True:
            try:
                answer = self._answers.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                if self._most_bytes is not None and _resident_bytes(process.pid) > self._most_bytes:
                    self._kill()
                    return Verdict(
                        "memory-limit", f"the compiler took more than {self._most_bytes / 1e9:.1f} GB of memory"
                    )
                continue
            if answer is None:
                return self._ended(process)
            if answer.get("task") == request["task"]:
                return answer

    def _ended(self, process: subprocess.Popen[bytes]) -> Verdict:
        self._process = None
        if self._is_cancelled.is_set():
            return Verdict("cancelled")
        return Verdict("crashed", f"the compiler's process {ending(process.wait())}")

    def _started(self) -> subprocess.Popen[bytes] | None:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._answers = queue.SimpleQueue()
        process = subprocess.Popen(
            [str(self._environment.python), str(COMPILING)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=compiler_variables(os.environ, self.flags),
            # An interrupt of the terminal is ours: what is compiled is ended by `cancel`.
            start_new_session=True,
        )
        self._process = process
        threading.Thread(target=_read, args=(process, self._answers), daemon=True).start()
        ready = self._answers.get()
        return process if ready is not None and ready.get("outcome") == "ready" else None

    def _kill(self) -> None:
        process = self._process
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()
        self._process = None


def _read(process: subprocess.Popen[bytes], answers: "queue.SimpleQueue[dict[str, Any] | None]") -> None:
    assert process.stdout is not None
    with contextlib.suppress(OSError, ValueError):
        for line in process.stdout:
            said = read_object(line)
            if said is not None:
                answers.put(said)
    answers.put(None)


def _verdict(answer: dict[str, Any]) -> Verdict:
    message = str(answer.get("message", ""))[:_LONGEST_MESSAGE]
    outcome = answer.get("outcome")
    if outcome == "refused" and _NO_ROOM in message:
        outcome = "no-room"
    fields = {**answer, "outcome": outcome, "message": message, "file": None}
    fields.pop("task", None)
    memory = from_json(fields.pop("memory", None), PredictedMemory)
    verdict = from_json(fields, Verdict)
    if verdict is None:
        return Verdict("crashed", "the compiler's process answered with something else")
    return attrs.evolve(verdict, memory=memory)


def _resident_bytes(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        told = Path(f"/proc/{pid}/statm").read_text(encoding="ascii")
        return int(told.split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0
