"""Capture a job that began by itself, from beside it: what its agent asked for."""

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs

from scopelight.capture.conducting.conductor import Conductor
from scopelight.capture.conducting.observer import Observer
from scopelight.capture.joining.description import described
from scopelight.capture.joining.joined_job import JoinedJob
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.capture.publishing.sources import Sources
from scopelight.capture.resources.pace import PERIOD_SECONDS
from scopelight.capture.resources.sampler import Sampler
from scopelight.capture.source import Captured
from scopelight.formats.lenient import from_json
from scopelight.model.run.earlier import earlier_run
from scopelight.model.run.information import WindowOptions

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

    def capture(self) -> Captured | None:
        """Follow the job to its end; None where none came. Raises `CaptureFailure` where nothing can be written."""
        job = JoinedJob(self.listener)
        if not job.wait_for_the_first(FIRST_SECONDS):
            return None
        options = self.options
        description = described(
            job.description,
            from_json(options, WindowOptions) or WindowOptions(),
            watches_memory=bool(options["memory"]),
            records_host=bool(options["host"]),
            reads_resources=bool(options["resources"]),
        )
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
