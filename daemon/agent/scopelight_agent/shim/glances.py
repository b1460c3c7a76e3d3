"""Glances of who watches the job: traces of a fraction of a second, which give way to every other trace.

What is counted of steps between two glances is told with the second.
"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from .steps.passing import PassingSteps
from .tracer import Tracer

if TYPE_CHECKING:
    from .agent import Agent


class Glances:
    """The command ``glance`` (file, seconds, steps_of: a program's name or None, of_programs) comes in, and ``glanced``
    goes out: with what the trace cost, or with ``why`` there is none. All is called in the agent's thread."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._tracer = Tracer()
        self._ends_at = 0.0
        self._steps = PassingSteps(agent.steps.counter)

    def begin(self, command: dict[str, Any]) -> None:
        """Begin the trace that is asked for, unless another runs or is about to."""
        self._steps.follow(command["steps_of"])
        if self._agent.tracer.active or self._tracer.active:
            self._tell(why="captured")
            return
        if not self._agent.may_trace:
            self._tell(why="script-traces")
            return
        try:
            self._tracer.start(command["file"], of_programs=command["of_programs"])
        except Exception as error:
            self._tell(why="failed", problem=f"{type(error).__name__}: {error}")
            return
        self._ends_at = time.monotonic() + command["seconds"]
        if self._agent.host is not None:
            self._agent.host.begin(is_window=True)

    def seconds_to_wait(self) -> float | None:
        """How long until the trace ends; None where none runs."""
        return self._ends_at - time.monotonic() if self._tracer.active else None

    def end_if_due(self) -> None:
        """End the trace where its time is over."""
        if not self._tracer.active or time.monotonic() < self._ends_at:
            return
        host = self._agent.host
        recorded = None if host is None else host.cut()
        try:
            told = self._tracer.stop()
        except Exception as error:
            self._tell(why="failed", problem=f"{type(error).__name__}: {error}")
            return
        finally:
            if host is not None:
                host.end()
        # Without it the trace still says how far devices were used.
        with suppress(Exception):
            if host is not None and recorded is not None:
                host.write(recorded, told["file"])
        self._tell(**{name: told[name] for name in ("file", "seconds", "start_seconds", "stop_seconds")})

    def make_room(self, why: str = "captured") -> None:
        """Another trace is about to begin: keep nothing of this one."""
        if not self._tracer.active:
            return
        if self._agent.host is not None:
            self._agent.host.cut()
            self._agent.host.end()
        self._tracer.drop()
        self._tell(why=why)

    def _tell(self, **fields: Any) -> None:  # noqa: ANN401 (what is told)
        compiles = self._agent.steps.counter.compiles
        self._agent.connection.send("glanced", steps=self._steps.passed(), compiles=compiles, **fields)
