"""Capture a job that began by itself, from beside it: what its agent asked for."""

import json
import platform
import socket
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import attrs

from scopelight import __version__
from scopelight.capture.conducting.conductor import CaptureResult, Conductor
from scopelight.capture.conducting.observer import Observer
from scopelight.capture.joining.joined_job import JoinedJob
from scopelight.capture.launching.script_capture import git_state
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.capture.publishing.sources import Sources
from scopelight.capture.resources.pace import PERIOD_SECONDS
from scopelight.capture.resources.sampler import Sampler
from scopelight.formats.lenient import from_json
from scopelight.model.run.earlier import earlier_run
from scopelight.model.run.information import RunInformation, WindowOptions

FIRST_SECONDS = 30.0
"""The agent that started this connects at once; on a machine that is out of breath, within this time."""
LOG = "conductor.log"
"""In the run directory: what went wrong here, if anything did."""


@attrs.frozen
class JoinedCapture:
    """Fills the directory ``run`` with what the job that connects to ``listener`` does.

    ``options`` are those of the agent (``scopelight_agent.options.Options``).
    """

    run: Path
    listener: socket.socket
    options: dict[str, Any]
    on_window: Callable[[RunDirectory], None] = lambda _: None

    @classmethod
    def asked(cls, text: str) -> "JoinedCapture":
        """What an agent has asked for on the command line. Raises `ValueError` where it is no such text."""
        asked = json.loads(text)
        return cls(Path(asked["run"]), socket.socket(fileno=int(asked["listener"])), asked["options"])

    def capture(self) -> CaptureResult | None:
        """Follow the job to its end; None where none came. Raises `CaptureFailure` where nothing can be written."""
        job = JoinedJob(self.listener)
        if not job.wait_for_the_first(FIRST_SECONDS):
            return None
        description = self._description(job.description)
        description = attrs.evolve(description, follows=earlier_run(self.run.parent, description))
        run = RunDirectory.create(self.run, self.run.parent, self.run.name, description)
        cwd = Path(description.cwd or ".")
        sources = Sources(cwd, job.description["time"])
        if description.script and not description.is_module:
            sources.remember([description.script])
        assert description.options is not None
        conductor = Conductor(
            run, description.options, sources, self.on_window, Observer(), is_asked_for=not self.options["start"]
        )
        conductor.next_file()
        result = conductor.conduct(job, self._sampler(int(job.description["pid"])))
        log = run.path / LOG
        if log.exists() and not log.stat().st_size:
            log.unlink()
        return result

    def _sampler(self, pid: int) -> Sampler | None:
        period_ms = self.options["resources_period"]
        period_seconds = PERIOD_SECONDS if period_ms is None else period_ms / 1000
        return Sampler(self.run, pid, period_seconds) if self.options["resources"] else None

    def _description(self, told: dict[str, Any]) -> RunInformation:
        script = [str(each) for each in told["script"]]
        is_module = script[:1] == ["-m"]
        name, arguments = (script[1:2], script[2:]) if is_module else (script[:1], script[1:])
        python = str(told["python"])
        window = from_json(self.options, WindowOptions)
        return RunInformation(
            state="running",
            created=datetime.now().astimezone().isoformat(timespec="seconds"),
            command=(python, *script),
            script=name[0] if name else None,
            is_module=is_module,
            args=tuple(arguments),
            cwd=str(told["cwd"]),
            python=python,
            platform=platform.platform(),
            versions={"scopelight": __version__},
            devices=(),
            options=WindowOptions() if window is None else window,
            watches_memory=bool(self.options["memory"]),
            records_host=bool(self.options["host"]),
            reads_resources=bool(self.options["resources"]),
            calibrates=False,
            git=git_state(Path(str(told["cwd"]))),
        )
