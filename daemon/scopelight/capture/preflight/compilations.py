"""Compiles caught programs one after the other while the script goes on: what it waits for first, then the largest."""

import itertools
import queue
import threading
from collections.abc import Callable
from typing import Any

from scopelight.capture.preflight.caught_programs import CaughtProgram
from scopelight.capture.tpu_compiler.process import CompilerProcess
from scopelight.capture.tpu_compiler.task import CompileTask, Verdict
from scopelight.capture.tpu_compiler.topologies import Topology
from scopelight.capture.tpu_compiler.verdicts import Verdicts

_FIRST, _LAST = -(1 << 62), 1 << 62


class Compilations:
    """``tell`` is called, from a thread, with events: ``compiling`` and ``compiled``, each with its ``program``, and
    ``all-compiled`` once `end` was called and nothing is left.

    ``compiler`` names the compiler's version.
    """

    def __init__(
        self,
        process: CompilerProcess,
        verdicts: Verdicts,
        topology: Topology,
        compiler: str,
        tell: Callable[[dict[str, Any]], None],
    ) -> None:
        self._process = process
        self._kept = verdicts
        self._topology = topology
        self._compiler = compiler
        self._tell = tell
        self._tasks: queue.PriorityQueue[tuple[int, int, CaughtProgram | None]] = queue.PriorityQueue()
        self._order = itertools.count()
        self.verdicts: dict[int, Verdict] = {}
        """By the programs' numbers."""
        threading.Thread(target=self._run, name="compilations", daemon=True).start()

    def add(self, program: CaughtProgram, *, is_waited_for: bool = False) -> None:
        """Compile a program when its turn comes: at once where the script waits for it."""
        # The queue gives out the least first.
        self._tasks.put((_FIRST if is_waited_for else -program.bytes, next(self._order), program))

    def end(self) -> None:
        """No more are added."""
        self._tasks.put((_LAST, next(self._order), None))

    def _run(self) -> None:
        while (program := self._tasks.get()[2]) is not None:
            if program.task is None or program.number in self.verdicts:
                continue
            self._tell({"event": "compiling", "program": program.number})
            self.verdicts[program.number] = self._verdict(program.task)
            self._tell({"event": "compiled", "program": program.number})
        self._tell({"event": "all-compiled"})

    def _verdict(self, task: CompileTask) -> Verdict:
        try:
            key = task.key(self._topology, self._compiler)
            file = task.module.with_suffix(".hlo.pb")
            return self._kept.of(key, file, lambda place: self._process.compile(task, self._topology, place))
        except Exception as error:
            # Whoever waits must hear of it.
            return Verdict("crashed", f"{type(error).__name__}: {error}")
