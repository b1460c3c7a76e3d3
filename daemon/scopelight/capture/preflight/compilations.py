"""Compiles caught programs one after the other while the script goes on: what it waits for first, then the largest."""

import itertools
import queue
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future

from scopelight.capture.preflight.caught_programs import CaughtProgram
from scopelight.capture.tpu_compiler.process import CompilerProcess
from scopelight.capture.tpu_compiler.task import CompileTask, Verdict
from scopelight.capture.tpu_compiler.topologies import Topology
from scopelight.capture.tpu_compiler.verdicts import Verdicts

_FIRST, _LAST = -(1 << 62), 1 << 62


class Compilations:
    """``told`` is called with each program that was compiled, from the thread that compiles."""

    def __init__(
        self,
        process: CompilerProcess,
        verdicts: Verdicts,
        topology: Topology,
        compiler: str,
        told: Callable[[CaughtProgram, Verdict], None] = lambda *_: None,
    ) -> None:
        self._process = process
        self._verdicts = verdicts
        self._topology = topology
        self._compiler = compiler
        self._told = told
        self._tasks: queue.PriorityQueue[tuple[int, int, CaughtProgram | None]] = queue.PriorityQueue()
        self._numbers = itertools.count()
        self._futures: dict[int, Future[Verdict]] = {}
        self._thread = threading.Thread(target=self._run, name="compilations", daemon=True)
        self._thread.start()

    def add(self, program: CaughtProgram) -> None:
        """Compile a program when its turn comes."""
        if program.task is not None:
            self._futures[program.number] = Future()
            # The queue gives out the least first.
            self._tasks.put((-program.bytes, next(self._numbers), program))

    def want(self, program: CaughtProgram) -> Verdict:
        """Compile a program next, and wait for it."""
        self._tasks.put((_FIRST, next(self._numbers), program))
        return self._futures[program.number].result()

    def finish(self) -> Mapping[int, Verdict]:
        """Wait for all of them: verdicts by the programs' numbers."""
        self._tasks.put((_LAST, next(self._numbers), None))
        self._thread.join()
        return {number: each.result() for number, each in self._futures.items() if each.done()}

    def _run(self) -> None:
        while True:
            program = self._tasks.get()[2]
            if program is None:
                return
            future = self._futures[program.number]
            if not future.done() and program.task is not None:
                verdict = self._verdict(program.task)
                future.set_result(verdict)
                self._told(program, verdict)

    def _verdict(self, task: CompileTask) -> Verdict:
        try:
            key = task.key(self._topology, self._compiler)
            return self._verdicts.of(key, lambda file: self._process.compile(task, self._topology, file))
        except Exception as error:
            return Verdict("crashed", f"{type(error).__name__}: {error}")
