"""Capture a script that is launched: what is checked before, and what is recorded of it and of its git repository."""

import platform
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

import attrs

from scopelight import __version__
from scopelight.capture.calibrating.calibrator import Calibrator
from scopelight.capture.conducting.conductor import Conductor
from scopelight.capture.conducting.job import HostExtent
from scopelight.capture.conducting.observer import Observer
from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.launching.interpreter import InterpreterFacts, ask_interpreter
from scopelight.capture.launching.launch import Launched, Script, launch
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.capture.publishing.sources import Sources
from scopelight.capture.resources.sampler import Sampler
from scopelight.capture.source import Captured
from scopelight.model.run.earlier import earlier_run
from scopelight.model.run.information import GitState, RecordedSource, RunInformation, WindowOptions
from scopelight.model.run.names import RUNS_FOLDER


@attrs.frozen
class LaunchSpec:
    """What is captured of a script, into the directory ``out``; None: a new one below the folder that it runs in.

    With ``calibrates`` the machine is measured after the script, where its CPU was the device and it is not known yet.
    With ``watches_memory`` its memory and that of its devices are sampled, and snapshots of its live arrays kept; with
    ``records_host`` where its threads stand. With ``resources_seconds`` what the machine and the script's processes do
    is read, so often while a trace runs.
    """

    window: WindowOptions = attrs.Factory(WindowOptions)
    out: Path | None = None
    calibrates: bool = False
    watches_memory: bool = True
    records_host: bool = True
    resources_seconds: float | None = None

    @property
    def host_extent(self) -> HostExtent | None:
        """What of the script tells its lines."""
        if not self.records_host:
            return None
        return "whole" if self.window.whole else "window"


@attrs.define
class LaunchSource:
    """A script that is run with ``python`` in ``cwd``.

    ``on_window`` is called with the run directory when a profile is on disk: when a window closes, and again should
    another trace take its place; ``say`` is told what is done beside that. What the script prints goes to the file of
    the descriptor ``output``, where there is one.
    """

    script: Script
    python: str
    cwd: Path
    environment: Mapping[str, str]
    on_window: Callable[[RunDirectory], None] = lambda _: None
    say: Callable[[str], None] = lambda _: None
    output: int | None = None
    _job: Launched | None = attrs.field(default=None, init=False)

    def probe(self) -> InterpreterFacts:
        """The interpreter that will run it. Raises `CaptureFailure` for what prevents the script from starting."""
        script, is_module = self.script, self.script.is_module
        if not is_module:
            file = self.cwd / script.name
            if not file.exists() or (file.is_dir() and not (file / "__main__.py").exists()):
                raise CaptureFailure(f"There is no script {script.name}: check the path.", Exit.SCRIPT_MISSING)
        facts = ask_interpreter(self.python, script.first_path(self.cwd), script.name if is_module else None)
        if not facts.has_module:
            raise CaptureFailure(
                f"{self.python} finds no module {script.name}: start in the folder that holds it, or install it.",
                Exit.SCRIPT_MISSING,
            )
        if not facts.has_jax:
            raise CaptureFailure(
                f"{self.python} has no jax: install jax there, or name another interpreter with --python.",
                Exit.NO_JAX,
            )
        return facts

    def capture(self, spec: LaunchSpec) -> Captured:
        """Run the script to its end. Raises `CaptureFailure` for what prevents it from starting."""
        self.probe()
        folder = self.cwd / RUNS_FOLDER if spec.out is None else spec.out.parent
        description = self._description(spec)
        description = attrs.evolve(description, follows=earlier_run(folder, description))
        run = RunDirectory.create(spec.out, self.cwd, self.script.stem, description)
        calibrator = Calibrator(self.python, self.cwd, self.environment, self.say) if spec.calibrates else None
        sources = Sources(self.cwd, time.time())
        if not self.script.is_module:
            sources.remember([self.script.name])
        conductor = Conductor(run, spec.window, sources, self.on_window, Observer(), calibrator)
        job = self._job = launch(
            self.script,
            self.python,
            self.cwd,
            self.environment,
            conductor.next_file(),
            run.path if spec.watches_memory else None,
            records_host=spec.host_extent,
            output=self.output,
        )
        period = spec.resources_seconds
        return conductor.conduct(job, None if period is None else Sampler(run.path, job.process.pid, period))

    def cancel(self) -> None:
        """End the script, as a terminal does; what was captured of it is kept."""
        self.end(signal.SIGINT)

    def end(self, number: int) -> None:
        """End the script with a signal, where it has begun."""
        if self._job is not None:
            self._job.signal(number)

    def _description(self, spec: LaunchSpec) -> RunInformation:
        return attrs.evolve(
            describe(self.script, self.python, self.cwd),
            options=spec.window,
            watches_memory=spec.watches_memory,
            records_host=spec.records_host,
            reads_resources=spec.resources_seconds is not None,
        )


def describe(script: Script, python: str, cwd: Path) -> RunInformation:
    """A run of a script that is about to be started: when, how and where, and the state of its repository."""
    return RunInformation(
        state="running",
        created=datetime.now().astimezone().isoformat(timespec="seconds"),
        command=tuple(script.command(python)),
        script=script.name,
        is_module=script.is_module,
        args=script.arguments,
        cwd=str(cwd),
        python=python,
        platform=platform.platform(),
        versions={"scopelight": __version__},
        devices=(),
        source=RecordedSource(kind="launch"),
        git=git_state(cwd),
    )


def git_state(folder: Path) -> GitState | None:
    """The commit, and whether tracked files differ from it; None outside a repository or without git."""

    def git(*arguments: str) -> str:
        return subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, text=True, timeout=5, check=True
        ).stdout.strip()

    try:
        commit = git("rev-parse", "HEAD")
        return GitState(commit, dirty=bool(git("status", "--porcelain", "--untracked-files=no")))
    except (OSError, subprocess.SubprocessError):
        return None
