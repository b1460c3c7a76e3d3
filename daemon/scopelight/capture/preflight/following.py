"""Follow a script whose programs are caught, and the thread that compiles them, to the end of both."""

import os
import time
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from scopelight.capture.conducting.job import Agent, Ended
from scopelight.capture.launching.launch import Launched
from scopelight.capture.preflight.caught_programs import Calls, CaughtProgram, caught
from scopelight.capture.preflight.compilations import Compilations
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.capture.publishing.sources import Sources
from scopelight.findings import warning
from scopelight.formats.lenient import from_json
from scopelight.model.run.information import CaptureProgress, ScriptError

TOLD_EVERY_SECONDS = 0.25
"""So often it is written down how far it has come."""


@attrs.define
class Following:
    """What comes to be known of a script's programs. ``compilations`` tells its events to ``job.messages``."""

    run: RunDirectory
    sources: Sources
    job: Launched
    agent: Agent
    compilations: Compilations
    programs: dict[int, CaughtProgram] = attrs.field(factory=dict, init=False)
    calls: Calls = attrs.field(factory=Calls, init=False)
    returncode: int | None = attrs.field(default=None, init=False)
    _wanted: set[int] = attrs.field(factory=set, init=False)
    _told: float = attrs.field(default=0.0, init=False)

    def follow(self) -> None:
        """Until the script has ended and all of its programs are compiled."""
        hear: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
            "jax": self._has_jax,
            "program": self._caught,
            "refused": self._caught,
            "unwritten": self._caught,
            "called": self._called,
            "wanted": self._wants,
            "compiling": self._compiles,
            "compiled": self._compiled,
            "enough": self._enough,
            "exiting": self._exits,
            "script-error": self._fails,
        }
        is_compiled = False
        while self.returncode is None or not is_compiled:
            message = self.job.messages.get()
            if isinstance(message, Ended):
                self.returncode = message.returncode
                self.compilations.end()
            elif message.get("event") == "all-compiled":
                is_compiled = True
            elif message.get("event") in hear:
                hear[message["event"]](message)

    def _has_jax(self, message: Mapping[str, Any]) -> None:
        versions = {name: version for name, version in message["versions"].items() if version is not None}
        self.run.update(versions={**self.run.information.versions, **versions})

    def _caught(self, message: Mapping[str, Any]) -> None:
        program = self.programs[int(message["program"])] = caught(message)
        self.compilations.add(program)

    def _called(self, message: Mapping[str, Any]) -> None:
        self.calls.add(message["programs"])

    def _wants(self, message: Mapping[str, Any]) -> None:
        number = int(message["program"])
        program = self.programs[number]
        if program.task is None or number in self.compilations.verdicts:
            self._answer(number)
        else:
            self._wanted.add(number)
            self.compilations.add(program, is_waited_for=True)

    def _answer(self, number: int) -> None:
        """Tell the script how a program divides what it takes and returns: nothing where the compiler does not say."""
        verdict = self.compilations.verdicts.get(number)
        self.agent.send(
            "shardings",
            program=number,
            parameters=None if verdict is None else verdict.parameter_shardings,
            results=None if verdict is None else verdict.result_shardings,
        )

    def _compiles(self, message: Mapping[str, Any]) -> None:
        now = time.monotonic()
        if now - self._told < TOLD_EVERY_SECONDS:
            return
        self._told = now
        progress = CaptureProgress(
            stage="predicting",
            programs=len(self.compilations.verdicts),
            caught=len(self.programs),
            compiling=self.programs[message["program"]].name,
            since_ns=time.time_ns(),
            pid=os.getpid(),
        )
        self.run.update(progress=progress)

    def _compiled(self, message: Mapping[str, Any]) -> None:
        number = int(message["program"])
        if number in self._wanted:
            self._wanted.discard(number)
            self._answer(number)

    def _enough(self, message: Mapping[str, Any]) -> None:
        self.run.warn(warning("prediction-ended", of=str(message["of"]), most=int(message["most"])))

    def _exits(self, message: Mapping[str, Any]) -> None:
        self.sources.remember(message["files"])
        self.run.update(jax_options=message["jax_options"])

    def _fails(self, message: Mapping[str, Any]) -> None:
        self.run.update(error=from_json(message, ScriptError))
