"""Run a script so that its programs are caught and compiled for a TPU, and keep what the compiler says of them."""

import contextlib
import functools
import os
import shlex
import shutil
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import attrs

from scopelight.capture.conducting.endings import ending, exit_code
from scopelight.capture.failures import Exit
from scopelight.capture.launching.launch import Launched, Script, launch_preflight
from scopelight.capture.launching.launch_source import LaunchSource, describe
from scopelight.capture.preflight.compilations import Compilations
from scopelight.capture.preflight.following import Following
from scopelight.capture.preflight.judgement import Judged, Judgement
from scopelight.capture.preflight.kept_programs import keep
from scopelight.capture.preflight.known_ops import KnownOps
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.capture.publishing.sources import Sources, named_files
from scopelight.capture.source import Captured
from scopelight.capture.tpu_compiler.environment import COMPILER
from scopelight.capture.tpu_compiler.process import CompilerProcess
from scopelight.capture.tpu_compiler.topologies import Topology
from scopelight.capture.tpu_compiler.verdicts import Verdicts
from scopelight.findings import Finding, note, warning
from scopelight.model.devices.table import device_model
from scopelight.model.run.compatibility import write_compatibility
from scopelight.model.run.information import CaptureProgress, RecordedDevice, RunInformation
from scopelight.model.run.names import COMPATIBILITY_FILE, PREDICTION_FILE
from scopelight.model.run.prediction import PredictedProgram, Prediction, PreflightMode, write_prediction

MOST_CALLS = 10_000
"""Calls of programs after which a script is ended: on zeros, what its Python waits for may never come."""
MOST_PROGRAMS = 1_000
PATIENCE_SECONDS = 3.0
"""So long a script has to end once the preflight was cancelled."""
_WRONG_USAGE = 2
"""Exit code of a script whose parser of arguments does not know one."""
_NOT_OF_THE_PROGRAM = ("crashed", "memory-limit", "cancelled")
"""Outcomes that say nothing of a program."""
_NOT_FOR_ZEROS = ("ImportError", "ModuleNotFoundError", "SyntaxError", "IndentationError", "TabError")
"""Kinds of errors that a script has whatever its numbers are."""


@attrs.frozen
class PreflightSpec:
    """For which TPU, and into which directory; None: a new one below the folder that the script runs in.

    The script is ended after ``most_calls`` of programs, or ``most_programs``. ``mode`` says whether they run.
    ``judges`` says which ops are compiled alone.
    """

    topology: Topology
    out: Path | None = None
    mode: PreflightMode = "dry"
    most_calls: int = MOST_CALLS
    most_programs: int = MOST_PROGRAMS
    judges: Judged = "failed"


@attrs.define
class PreflightSource:
    """A script that is run with ``python`` in ``cwd``. ``compiler`` compiles, and ``verdicts`` are those known.

    Whoever made the compiler's process closes it. With ``keeps_output_apart`` what the script prints goes to standard
    error. ``on_wait`` is told what is done once the script has ended.
    """

    script: Script
    python: str
    cwd: Path
    environment: Mapping[str, str]
    compiler: CompilerProcess
    verdicts: Verdicts
    keeps_output_apart: bool = False
    on_wait: Callable[[str], None] = lambda _: None
    refused_arguments: bool = attrs.field(default=False, init=False)
    """The script has ended as one does that does not take its arguments, and before any program."""
    _job: Launched | None = attrs.field(default=None, init=False)
    _is_cancelled: bool = attrs.field(default=False, init=False)

    def probe(self) -> None:
        """Raises `CaptureFailure` for what prevents the script from starting."""
        LaunchSource(self.script, self.python, self.cwd, self.environment).probe()

    def capture(self, spec: PreflightSpec) -> Captured:
        """Run the script, and compile its programs. Raises `CaptureFailure` for what prevents it from starting."""
        self.probe()
        run = RunDirectory.create(spec.out, self.cwd, self.script.stem, self._description(spec))
        modules = run.path / ".modules"
        try:
            # Of an earlier preflight into the same directory: what becomes of this one is not known yet.
            _forget(run.path)
            modules.mkdir(exist_ok=True)
            return self._follow(run, spec, modules)
        except OSError as error:
            failure = (
                f"What was compiled cannot be kept in {run.path} ({error.strerror or error}): free some of the disk, or"
                " choose another folder with --out, and try again."
            )
            # What was caught and is not compiled makes room to say so.
            shutil.rmtree(modules, ignore_errors=True)
            return _failed(run, failure, Exit.UNWRITABLE)
        except KeyboardInterrupt:
            # The second: the first is heard by `cancel`.
            _forget(run.path)
            failure = f"The preflight was interrupted again before it had ended: {run.path} holds no prediction."
            return _failed(run, failure, 128 + signal.SIGINT)
        finally:
            if self._job is not None and self._job.process.poll() is None:
                self._job.signal(signal.SIGTERM)
            shutil.rmtree(modules, ignore_errors=True)

    def cancel(self, number: int = signal.SIGINT) -> None:
        """End the compiler, and the script where it does not end; what is known by then is kept.

        Where the terminal is interrupted the script is, too: a second interrupt would end it in the midst of its end.
        Another signal that asks us to end is passed on.
        """
        self._is_cancelled = True
        self.compiler.cancel()
        if self._job is not None:
            if number != signal.SIGINT:
                self._job.signal(number)
            timer = threading.Timer(PATIENCE_SECONDS, self._job.signal, [signal.SIGINT])
            timer.daemon = True
            timer.start()

    def _follow(self, run: RunDirectory, spec: PreflightSpec, modules: Path) -> Captured:
        sources = Sources(self.cwd, time.time())
        if not self.script.is_module:
            sources.remember([self.script.name])
        settings = {
            "folder": str(modules),
            "most_calls": spec.most_calls,
            "most_programs": spec.most_programs,
            "mode": spec.mode,
        }
        self._job, agent = launch_preflight(
            self.script,
            self.python,
            self.cwd,
            _environment(self.environment, spec),
            settings,
            keeps_output_apart=self.keeps_output_apart,
        )
        compilations = Compilations(
            self.compiler, self.verdicts, spec.topology, self.compiler.name, self._job.messages.put
        )
        known_ops = functools.partial(KnownOps.of, self.verdicts.folder / "ops", spec.topology, self.compiler.name)
        model = device_model(spec.topology.device)
        judgement = Judgement(spec.judges, multiplies_float8=model is None or "f8" in model.flops_per_s)
        following = Following(run, sources, self._job, agent, compilations, judgement, known_ops, self.on_wait)
        following.follow()
        programs = tuple(
            keep(run.path, each, compilations.verdicts.get(each.number)) for each in following.programs.values()
        )
        prediction = Prediction(
            target=spec.topology.name,
            device=spec.topology.device,
            devices=spec.topology.devices,
            mode=spec.mode,
            compiler=COMPILER,
            programs=programs,
            calls=tuple(following.calls.in_order),
            was_cancelled=self._is_cancelled,
            read_zeros=following.read_zeros,
        )
        write_prediction(run.path, prediction)
        write_compatibility(run.path, following.compatibility())
        if self.compiler.flags:
            run.warn(note("prediction-libtpu-flags", flags=self.compiler.flags))
        for finding in sources.save(run, named_files(run.path)):
            run.warn(finding)
        return self._ended(run, programs, following.returncode, spec.mode)

    def _ended(
        self, run: RunDirectory, programs: Sequence[PredictedProgram], returncode: int | None, mode: PreflightMode
    ) -> Captured:
        code = exit_code(returncode)
        unjudged = [each for each in programs if each.outcome in _NOT_OF_THE_PROGRAM]
        failure = None
        self.refused_arguments = not programs and returncode == _WRONG_USAGE and bool(self.script.arguments)
        if self.refused_arguments:
            failure = (
                f"{self.script.name} {ending(returncode)} before any program of it, as scripts do that do not know an"
                f" argument: it was given {shlex.join(self.script.arguments)}."
            )
        elif not programs and self._is_cancelled:
            failure = "The preflight was cancelled before any program was compiled."
        elif not programs:
            failure = f"{self.script.name} {ending(returncode)}, and no program of it was compiled."
        elif not any(each.file for each in programs) and self._is_cancelled:
            failure = "The preflight was cancelled before any program was compiled."
        elif not any(each.file for each in programs) and unjudged:
            failure = f"The compiler for TPUs compiled none of the programs ({unjudged[-1].message}): try again."
        if failure is not None:
            return _failed(run, failure, code or (Exit.NOT_CAPTURED if programs else Exit.JAX_NOT_USED))
        if unjudged and not self._is_cancelled:
            run.warn(warning("prediction-unfinished", programs=len(unjudged), reason=unjudged[0].message))
        if code or run.information.error is not None:
            sees_zeros = mode == "dry" and not self._is_cancelled
            run.warn(_cut_short(run.information, ending(returncode), sees_zeros=sees_zeros))
        run.update(state="captured", exit_code=code, has_ended=True)
        return Captured(run, exit_code=code or None, was_cancelled=self._is_cancelled)

    def _description(self, spec: PreflightSpec) -> RunInformation:
        return attrs.evolve(
            describe(self.script, self.python, self.cwd),
            backend="tpu",
            predicted_for=spec.topology.name,
            devices=(RecordedDevice(platform="tpu", kind=spec.topology.device),) * spec.topology.devices,
            progress=CaptureProgress(stage="predicting", pid=os.getpid()),
            watches_memory=False,
            records_host=False,
            reads_resources=False,
            calibrates=False,
        )


def _environment(environment: Mapping[str, str], spec: PreflightSpec) -> dict[str, str]:
    """That of the script, with as many devices as the TPU has; where it runs dry, none of them is real."""
    flags = [each for each in environment.get("XLA_FLAGS", "").split() if "host_platform_device_count" not in each]
    flags.append(f"--xla_force_host_platform_device_count={spec.topology.devices}")
    changed = {**environment, "XLA_FLAGS": " ".join(flags)}
    changed.pop("JAX_NUM_CPU_DEVICES", None)
    return {**changed, "JAX_PLATFORMS": "cpu"} if spec.mode == "dry" else changed


def _forget(folder: Path) -> None:
    for name in (PREDICTION_FILE, COMPATIBILITY_FILE):
        (folder / name).unlink(missing_ok=True)


def _cut_short(information: RunInformation, how: str, *, sees_zeros: bool) -> Finding:
    """What is to be known of a script that did not end by itself: what would have come after is not predicted.

    What it raises may be for the zeros that it sees; an exit that it asks for, or what it cannot import, is not.
    """
    error = information.error
    may_be_for_zeros = sees_zeros and error is not None and error.module is None and error.kind not in _NOT_FOR_ZEROS
    place = None
    if error is not None and error.path is not None and error.line is not None:
        place = f"{Path(error.path).name}:{error.line}"
    kind = None if error is None else error.kind
    return warning("prediction-cut-short", ending=how, error=kind, place=place, may_be_for_zeros=may_be_for_zeros)


def _failed(run: RunDirectory, failure: str, code: int) -> Captured:
    # Where it cannot be written either, it is known from the process, which is gone then.
    with contextlib.suppress(OSError):
        run.update(state="failed", failure=failure, exit_code=code, has_ended=True)
    return Captured(run, exit_code=code, failure=failure)
