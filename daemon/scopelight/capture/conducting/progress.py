"""How far the capture has come, written to ``run.json`` for those that follow it."""

import os
import time
from typing import Any

import attrs

from scopelight.capture.actions import Action, Observe, Trace
from scopelight.capture.observed import Observation
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.capture.window import WindowPlan
from scopelight.model.run.information import CaptureProgress, CaptureStage


class Progress:
    """Follows what the conductor hears and does, and writes it down."""

    def __init__(self, run: RunDirectory) -> None:
        self._run = run
        self._now = self._before = CaptureProgress("starting", pid=os.getpid())

    def started(self) -> None:
        """The script is being launched."""
        self._waits(seen=0)

    def jax_appeared(self) -> None:
        """The script has imported jax, and used no device yet."""
        self._waits(has_jax=True)

    def backend_appeared(self, plan: WindowPlan) -> None:
        """The first trace runs; it is the window itself where the whole script was asked for."""
        if plan.options.whole:
            self._tell("capturing", started_ns=time.time_ns())
        else:
            self._tell("compiling", since_ns=time.time_ns(), waits=plan.is_waiting)

    def lowered(self, program: str | None) -> None:
        """A program went to the compiler."""
        self._waits(compiling=program or "")

    def compiled(self) -> None:
        """A program came back from the compiler."""
        self._waits(programs=self._now.programs + 1, compiling=None)

    def observed(self, seen: Observation, plan: WindowPlan) -> None:
        """A trace has been looked at."""
        if self._now.stage == "measuring":
            period_seconds = seen.period_seconds if seen.found else None
            self._now = attrs.evolve(self._now, waits=plan.is_waiting, seen=seen.found, period_seconds=period_seconds)
            self._write()

    def asked_by_hand(self) -> None:
        """The window is to open at once."""
        self._waits(waits=False, is_by_hand=True)

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
                self._tell("measuring", since_ns=self._now.since_ns, waits=plan.is_waiting)

    def calibrates(self) -> None:
        """The script has ended, and the machine is being measured."""
        self._before, self._now = self._now, attrs.evolve(self._now, stage="calibrating")
        self._write()

    def calibrated(self) -> None:
        """That is over, whether or not anything was measured."""
        self._now = self._before
        self._write()

    def _waits(self, **fields: Any) -> None:  # noqa: ANN401 (the fields of the record)
        """Something else is waited for from now on."""
        self._now = attrs.evolve(self._now, since_ns=time.time_ns(), **fields)
        self._write()

    def _tell(self, stage: CaptureStage, **fields: Any) -> None:  # noqa: ANN401 (the fields of the record)
        self._now = attrs.evolve(
            CaptureProgress(stage, pid=self._now.pid, programs=self._now.programs, has_jax=True),
            compiling=self._now.compiling,
            is_by_hand=self._now.is_by_hand,
            **fields,
        )
        self._write()

    def _write(self) -> None:
        self._run.update(progress=self._now)
