"""Run a script for its programs, have them compiled for a TPU, and keep what the compiler says as a run."""

import platform
import shutil
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

import attrs

from scopelight import __version__
from scopelight.capture.conducting.endings import ending
from scopelight.capture.conducting.job import Ended
from scopelight.capture.launching.launch import Launched, Script, launch_preflight
from scopelight.capture.launching.launch_source import LaunchSource, git_state
from scopelight.capture.preflight.caught_programs import Calls, CaughtProgram, caught
from scopelight.capture.preflight.compilations import Compilations
from scopelight.capture.publishing.run_directory import RunDirectory, file_name
from scopelight.capture.publishing.sources import Sources
from scopelight.capture.source import Captured
from scopelight.capture.tpu_compiler.environment import PACKAGES, CompilerEnvironment
from scopelight.capture.tpu_compiler.process import CompilerProcess
from scopelight.capture.tpu_compiler.task import Verdict
from scopelight.capture.tpu_compiler.topologies import Topology
from scopelight.capture.tpu_compiler.verdicts import Verdicts
from scopelight.formats.lenient import from_json
from scopelight.model.run.information import RecordedSource, RunInformation, ScriptError
from scopelight.model.run.names import PROGRAMS_FOLDER
from scopelight.model.run.prediction import PredictedOutcome, PredictedProgram, Prediction, write_prediction

MOST_CALLS = 10_000
"""Calls of programs after which a script is ended: on zeros, what its Python waits for may never come."""
MOST_PROGRAMS = 1_000
MOST_MEMORY_RATIO = 0.6
"""Of the machine's memory, that the compiler may take."""


@attrs.frozen
class PreflightSpec:
    """For which TPU, and into which directory; None: a new one below the folder that the script runs in.

    The script is ended after ``most_calls`` of programs, or ``most_programs``; the compiler where it takes more than
    ``most_bytes`` of memory.
    """

    topology: Topology
    out: Path | None = None
    most_calls: int = MOST_CALLS
    most_programs: int = MOST_PROGRAMS
    most_bytes: int | None = None


@attrs.define
class PreflightSource:
    """A script that is run with ``python`` in ``cwd``. ``say`` is told what is done."""

    script: Script
    python: str
    cwd: Path
    environment: Mapping[str, str]
    compiler: CompilerEnvironment
    say: Callable[[str], None] = lambda _: None
    _job: Launched | None = attrs.field(default=None, init=False)
    _process: CompilerProcess | None = attrs.field(default=None, init=False)

    def capture(self, spec: PreflightSpec) -> Captured:
        """Run the script, and compile its programs. Raises `CaptureFailure` for what prevents it from starting."""
        LaunchSource(self.script, self.python, self.cwd, self.environment).probe()
        run = RunDirectory.create(spec.out, self.cwd, self.script.stem, self._description())
        sources = Sources(self.cwd, time.time())
        if not self.script.is_module:
            sources.remember([self.script.name])
        modules = run.path / ".modules"
        modules.mkdir(exist_ok=True)
        self._process = CompilerProcess(self.compiler, spec.most_bytes)
        try:
            return self._follow(run, spec, sources, modules)
        finally:
            self._process.close()
            shutil.rmtree(modules, ignore_errors=True)

    def cancel(self) -> None:
        """End the script and the compiler; what is known by then is kept."""
        if self._job is not None:
            self._job.signal(signal.SIGINT)
        if self._process is not None:
            self._process.cancel()

    def _follow(self, run: RunDirectory, spec: PreflightSpec, sources: Sources, modules: Path) -> Captured:
        assert self._process is not None
        settings = {"folder": str(modules), "most_calls": spec.most_calls, "most_programs": spec.most_programs}
        job, agent = launch_preflight(
            self.script, self.python, self.cwd, _environment(self.environment, spec.topology), settings
        )
        self._job = job
        compilations = Compilations(
            self._process, Verdicts(self.compiler.folder.parent / "tpu-programs"), spec.topology, " ".join(PACKAGES)
        )
        programs: dict[int, CaughtProgram] = {}
        calls = Calls()
        ended_by = None
        while not isinstance(message := job.messages.get(), Ended):
            event = message.get("event")
            if event in ("program", "refused"):
                program = programs[message["program"]] = caught(message)
                compilations.add(program)
            elif event == "called":
                calls.add(message["programs"])
            elif event == "wanted":
                verdict = compilations.want(programs[message["program"]])
                agent.send(
                    "shardings",
                    program=message["program"],
                    parameters=verdict.parameter_shardings,
                    results=verdict.result_shardings,
                )
            elif event == "enough":
                ended_by = message["of"]
            elif event == "jax":
                run.update(versions={**run.information.versions, **_known(message["versions"])})
            elif event == "exiting":
                sources.remember(message["files"])
                run.update(jax_options=message["jax_options"])
            elif event == "script-error":
                run.update(error=from_json(message, ScriptError))
        verdicts = compilations.finish()
        prediction = Prediction(
            target=spec.topology.name,
            device=spec.topology.device,
            devices=spec.topology.devices,
            compiler=" ".join(PACKAGES),
            programs=tuple(_keep(run, each, verdicts.get(each.number)) for each in programs.values()),
            calls=tuple(calls.in_order),
            ended_by=ended_by,
        )
        write_prediction(run.path, prediction)
        for each in sources.save(run, _named(run)):
            run.warn(each)
        code = message.returncode
        failure = None if programs else f"{self.script.name} {ending(code)} and compiled no program."
        run.update(state="captured" if programs else "failed", failure=failure, exit_code=code, has_ended=True)
        return Captured(run, exit_code=code if code else None, failure=failure)

    def _description(self) -> RunInformation:
        return RunInformation(
            state="running",
            created=datetime.now().astimezone().isoformat(timespec="seconds"),
            command=tuple(self.script.command(self.python)),
            script=self.script.name,
            is_module=self.script.is_module,
            args=self.script.arguments,
            cwd=str(self.cwd),
            python=self.python,
            platform=platform.platform(),
            versions={"scopelight": __version__},
            devices=(),
            source=RecordedSource(kind="launch"),
            git=git_state(self.cwd),
        )


def _environment(environment: Mapping[str, str], topology: Topology) -> dict[str, str]:
    """That of the script, with as many devices as the TPU has, none of which is real."""
    flags = [each for each in environment.get("XLA_FLAGS", "").split() if "host_platform_device_count" not in each]
    flags.append(f"--xla_force_host_platform_device_count={topology.devices}")
    return {**environment, "XLA_FLAGS": " ".join(flags), "JAX_PLATFORMS": "cpu"}


def _known(versions: Mapping[str, str | None]) -> dict[str, str]:
    return {name: version for name, version in versions.items() if version is not None}


def _keep(run: RunDirectory, program: CaughtProgram, verdict: Verdict | None) -> PredictedProgram:
    if verdict is None:
        outcome: PredictedOutcome = "not-lowered" if program.task is None else "cancelled"
        return PredictedProgram(
            program.number,
            program.name,
            outcome,
            partitions=program.partitions,
            message=program.message,
            host_calls=program.host_calls,
        )
    file = None
    if verdict.file is not None:
        place = run.path / PROGRAMS_FOLDER / f"{file_name(program.name)}.{program.number}.hlo.pb"
        place.parent.mkdir(exist_ok=True)
        shutil.copyfile(verdict.file, place)
        file = place.relative_to(run.path).as_posix()
    return PredictedProgram(
        number=program.number,
        name=program.name,
        outcome=verdict.outcome,
        file=file,
        partitions=program.partitions,
        message=verdict.message,
        seconds=verdict.seconds,
        memory=verdict.memory,
        host_calls=program.host_calls,
    )


def _named(run: RunDirectory) -> Sequence[str]:
    """The files that frames of the programs name."""
    from scopelight.formats.errors import FormatError  # noqa: PLC0415 (decoders load while the script runs)
    from scopelight.model.opening.profile import open_profile  # noqa: PLC0415
    from scopelight.model.profile import recorded_paths  # noqa: PLC0415

    try:
        return [path for path in recorded_paths(open_profile(run.path)) if path]
    except FormatError:
        return []
