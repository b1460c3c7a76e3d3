"""Follow a script whose programs are caught, and the thread that compiles them, to the end of both."""

import os
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import attrs

from scopelight.capture.conducting.job import Agent, Ended
from scopelight.capture.launching.launch import Launched
from scopelight.capture.preflight.caught_programs import Calls, CaughtProgram, caught
from scopelight.capture.preflight.compilations import Compilations
from scopelight.capture.preflight.judgement import Judgement
from scopelight.capture.preflight.known_ops import KnownOps
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.capture.publishing.sources import Sources
from scopelight.capture.tpu_compiler.task import Verdict
from scopelight.findings import warning
from scopelight.formats.lenient import from_json
from scopelight.model.run.compatibility import Compatibility
from scopelight.model.run.information import CaptureProgress, ScriptError
from scopelight.model.run.prediction import DECISIONS, PredictedOutcome, ReadZero

MOST_PLACES = 20
"""Lines that a finding holds."""


@attrs.define
class Following:
    """What comes to be known of a script's programs. ``compilations`` tells its events to ``job.messages``.

    ``known_ops`` are those of the versions that the script has. ``on_wait`` is told what is compiled once the script
    has ended.
    """

    run: RunDirectory
    sources: Sources
    job: Launched
    agent: Agent
    compilations: Compilations
    judgement: Judgement = attrs.field(factory=Judgement)
    known_ops: Callable[[Mapping[str, str]], KnownOps] | None = None
    on_wait: Callable[[str], None] = lambda _: None
    programs: dict[int, CaughtProgram] = attrs.field(factory=dict, init=False)
    calls: Calls = attrs.field(factory=Calls, init=False)
    returncode: int | None = attrs.field(default=None, init=False)
    read_zeros: tuple[ReadZero, ...] = attrs.field(default=(), init=False)
    _wanted: set[int] = attrs.field(factory=set, init=False)
    _has_ended: bool = attrs.field(default=False, init=False)
    _asks_for_ops: bool = attrs.field(default=False, init=False)
    """The script has told all ops, and waits to hear which of them it is to lower alone."""
    _alone: dict[int, tuple[str, str]] = attrs.field(factory=dict, init=False)
    """Keys and names of ops that are compiled alone, by numbers that no program has."""

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
            "distributed": self._is_one_of_several,
            "exiting": self._exits,
            "script-error": self._fails,
            "ops": self.judgement.told,
            "ops-told": self._told_ops,
            "alone": self._compile_alone,
            "alone-refused": self._refused_alone,
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
        """Tell the script what the compiler says of a program, where it says it."""
        verdict = self.compilations.verdicts.get(number, Verdict("not-lowered"))
        self.agent.send(
            "answer",
            program=number,
            parameters=verdict.parameter_shardings,
            results=verdict.result_shardings,
            memory=verdict.stated_bytes,
            costs=verdict.costs,
            file=None if verdict.file is None else str(verdict.file),
        )

    def _compiles(self, message: Mapping[str, Any]) -> None:
        progress = CaptureProgress(
            stage="predicting",
            programs=sum(each in self.programs for each in list(self.compilations.verdicts)),
            caught=len(self.programs),
            compiling=self._name(message["program"]),
            since_ns=time.time_ns(),
            pid=os.getpid(),
        )
        self.run.update(progress=progress)
        if self._has_ended:
            self.on_wait(f"compiling: {progress.programs} of {progress.caught} programs, now {progress.compiling}")

    def _compiled(self, message: Mapping[str, Any]) -> None:
        number = int(message["program"])
        if number in self._wanted:
            self._wanted.discard(number)
            self._answer(number)
        if number in self._alone:
            self.judgement.alone(self._alone[number][0], self.compilations.verdicts[number])
        self._ask_for_ops()

    def compatibility(self) -> Compatibility:
        """What the TPU would do with each op."""
        if self._known_ops is not None:
            self._known_ops.keep(self.judgement.compiled_alone)
        return self.judgement.record(self._outcomes())

    @property
    def _known_ops(self) -> KnownOps | None:
        """What was found of ops alone in other runs of the same versions."""
        return None if self.known_ops is None else self.known_ops(self.run.information.versions)

    def _outcomes(self) -> Mapping[int, PredictedOutcome]:
        verdicts = self.compilations.verdicts
        return {
            number: verdicts[number].outcome if number in verdicts else each.outcome
            for number, each in self.programs.items()
        }

    def _told_ops(self, message: Mapping[str, Any]) -> None:
        self.judgement.all_told(message)
        self._asks_for_ops = True
        self._ask_for_ops()

    def _ask_for_ops(self) -> None:
        """Once it is known what became of every program, have ops lowered alone of those that did not compile."""
        verdicts = self.compilations.verdicts
        if self._asks_for_ops and all(
            each.task is None or number in verdicts for number, each in self.programs.items()
        ):
            self._asks_for_ops = False
            wanted = self.judgement.wanted(self._outcomes())
            known = self._known_ops.read() if self._known_ops is not None and wanted else {}
            for key in wanted:
                if key in known:
                    self.judgement.alone(key, known[key])
            self.agent.send("judge", keys=[key for key in wanted if key not in known])

    def _compile_alone(self, message: Mapping[str, Any]) -> None:
        number = -1 - len(self._alone)
        program = caught({**message, "event": "program", "program": number})
        self._alone[number] = (str(message["key"]), program.name)
        self.compilations.add(program)

    def _refused_alone(self, message: Mapping[str, Any]) -> None:
        verdict = Verdict("not-lowered", str(message["message"]), str(message["kind"]))
        self.judgement.alone(str(message["key"]), verdict)

    def _name(self, number: int) -> str:
        return self.programs[number].name if number in self.programs else self._alone[number][1]

    def _enough(self, message: Mapping[str, Any]) -> None:
        self.run.warn(warning("prediction-ended", of=str(message["of"]), most=int(message["most"])))

    def _exits(self, message: Mapping[str, Any]) -> None:
        self._has_ended = True
        self.sources.remember(message["files"])
        self.run.update(jax_options=message["jax_options"])
        devices, asked = message.get("devices"), len(self.run.information.devices or ())
        if devices is not None and devices != asked:
            target = self.run.information.predicted_for
            self.run.warn(warning("prediction-other-devices", devices=int(devices), asked=asked, target=target))
        if message.get("written"):
            names = [os.path.relpath(each, self.run.information.cwd or os.curdir) for each in message["written"]]
            self.run.warn(warning("prediction-wrote-files", files=tuple(names)))
        if message.get("spawned"):
            self.run.warn(warning("prediction-spawned-processes"))
        self._hears_of_lines(message)

    def _hears_of_lines(self, message: Mapping[str, Any]) -> None:
        """Which lines asked what is not here as on a TPU."""
        self.read_zeros = from_json(message["read"], tuple[ReadZero, ...]) or ()
        deciding = _places((each.path, each.line) for each in self.read_zeros if each.how in DECISIONS)
        if deciding:
            self.run.warn(warning("prediction-decided-by-zeros", places=deciding))
        asking = _places((path, int(line)) for path, line in message["asked"])
        if asking:
            self.run.warn(warning("prediction-asks-for-device", places=asking))

    def _is_one_of_several(self, _: Mapping[str, Any]) -> None:
        self.run.warn(warning("prediction-one-process"))

    def _fails(self, message: Mapping[str, Any]) -> None:
        self.run.update(error=from_json(message, ScriptError))


def _places(lines: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"{Path(path).name}:{line}" for path, line in lines))[:MOST_PLACES]
