"""Capture a script: what is checked before it starts, and what is recorded of it and of its git repository."""

import platform
import subprocess
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

import attrs

from scopelight import __version__
from scopelight.capture.calibrating.calibrator import Calibrator
from scopelight.capture.conducting.conductor import CaptureResult, Conductor
from scopelight.capture.conducting.job import HostExtent
from scopelight.capture.conducting.observer import Observer
from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.launching.interpreter import ask_interpreter
from scopelight.capture.launching.launch import Script, launch
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.capture.publishing.sources import Sources
from scopelight.capture.resources.sampler import Sampler
from scopelight.model.run.earlier import earlier_run
from scopelight.model.run.information import GitState, RunInformation, WindowOptions
from scopelight.model.run.names import RUNS_FOLDER


@attrs.frozen
class ScriptCapture:
    """Runs ``script`` with ``python`` in ``cwd``, and leaves a run directory.

    ``on_window`` is called with the run directory when the profile is on disk: when the window closes, and again
    should another trace take its place. With ``calibrates`` the machine is measured after the script, where its CPU
    was the device and it is not known yet; ``say`` is told so. With ``watches_memory`` its memory and that of its
    devices are sampled, and snapshots of its live arrays kept; with ``records_host`` where its threads stand. With
    ``resources_seconds`` what the machine and the script's processes do is read, so often while a trace runs.
    """

    script: Script
    python: str
    cwd: Path
    environment: Mapping[str, str]
    options: WindowOptions = attrs.Factory(WindowOptions)
    out: Path | None = None
    on_window: Callable[[RunDirectory], None] = lambda _: None
    calibrates: bool = False
    watches_memory: bool = True
    records_host: bool = True
    resources_seconds: float | None = None
    say: Callable[[str], None] = lambda _: None

    def capture(self) -> CaptureResult:
        """Run the script to its end. Raises `CaptureFailure` for what prevents it from starting."""
        self._check()
        folder = self.cwd / RUNS_FOLDER if self.out is None else self.out.parent
        description = self._description()
        description = attrs.evolve(description, follows=earlier_run(folder, description))
        run = RunDirectory.create(self.out, self.cwd, self.script.stem, description)
        calibrator = Calibrator(self.python, self.cwd, self.environment, self.say) if self.calibrates else None
        sources = Sources(self.cwd, time.time())
        if not self.script.is_module:
            sources.remember([self.script.name])
        conductor = Conductor(run, self.options, sources, self.on_window, Observer(), calibrator)
        job = launch(
            self.script,
            self.python,
            self.cwd,
            self.environment,
            conductor.next_file(),
            run.path if self.watches_memory else None,
            records_host=self._host_extent,
        )
        period = self.resources_seconds
        return conductor.conduct(job, None if period is None else Sampler(run.path, job.process.pid, period))

    @property
    def _host_extent(self) -> HostExtent | None:
        if not self.records_host:
            return None
        return "whole" if self.options.whole else "window"

    def _check(self) -> None:
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
            options=self.options,
            watches_memory=self.watches_memory,
            records_host=self.records_host,
            reads_resources=self.resources_seconds is not None,
            git=git_state(self.cwd),
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
