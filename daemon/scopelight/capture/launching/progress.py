"""How far the capture has come, written to ``run.json`` for those that follow it."""

import os
import time
from typing import Any

import attrs

from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.capture.window import Action, Observe, Trace, WindowPlan
from scopelight.model.run.information import CaptureProgress, CaptureStage


class Progress:
    """Follows what the conductor hears and does, and writes it down."""

    def __init__(self, run: RunDirectory) -> None:
        self._run = run
        self._now = self._before = CaptureProgress("starting", pid=os.getpid())

    def started(self) -> None:
        """The script is being launched."""
        self._write()

    def backend_appeared(self, plan: WindowPlan) -> None:
        """The first trace runs; it is the window itself where the whole script was asked for."""
        if plan.options.whole:
            self._tell("capturing", started_ns=time.time_ns())
        else:
            self._tell("compiling")

    def compiled(self) -> None:
        """A program came back from the compiler."""
        self._now = attrs.evolve(self._now, programs=self._now.programs + 1)
        self._write()

    def acted(self, action: Action, plan: WindowPlan) -> None:
        """The plan has decided. That a profile can be opened is told by the run's state alone, once it lies there."""
        options = plan.options
        match action:
            case Trace(is_window=True):
                self._tell(
                    "capturing",
                    steps=options.steps if options.seconds is None else None,
                    started_ns=time.time_ns() + round(action.after_seconds * 1e9),
                    period_seconds=plan.period_seconds,
                    seconds=action.seconds,
                )
            case Observe() if self._now.stage == "compiling":
                self._tell("measuring")

    def calibrates(self) -> None:
        """The script has ended, and the machine is being measured."""
        self._before, self._now = self._now, attrs.evolve(self._now, stage="calibrating")
        self._write()

    def calibrated(self) -> None:
        """That is over, whether or not anything was measured."""
        self._now = self._before
        self._write()

    def _tell(self, stage: CaptureStage, **fields: Any) -> None:  # noqa: ANN401 (the fields of the record)
        self._now = CaptureProgress(stage, programs=self._now.programs, pid=self._now.pid, **fields)
        self._write()

    def _write(self) -> None:
        self._run.update(progress=self._now)
