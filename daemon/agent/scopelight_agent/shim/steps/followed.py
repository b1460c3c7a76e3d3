"""The agent's part in windows of steps: what it hears of steps, and how it traces between two of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..held_script import wait_for_devices
from . import calls
from .armed import Armed
from .counter import StepCounter
from .windows import StepWindows

if TYPE_CHECKING:
    from ..agent import Agent

LONGEST_WAIT_SECONDS = 1.0
"""At most so long the script waits between two steps for a trace to begin or end."""


class FollowedSteps:
    """Commands ``judge-steps`` (``slow_ratio``), ``count-steps`` (name of a program or an annotation), ``trace-steps``
    (as `Armed`) and ``trace-no-steps`` come in."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.counter = StepCounter()
        self.windows = StepWindows(self.counter, self, agent.connection.send)

    def watch(self) -> None:
        """Count from now on."""
        calls.watch(self.counter.called)

    def obey(self, command: dict[str, Any]) -> None:
        """Do what the conductor says of steps; called in the agent's thread."""
        if command["do"] == "judge-steps":
            self.windows.judge_at_end(command["slow_ratio"])
        elif command["do"] == "count-steps":
            self.counter.count(command["name"])
        elif command["do"] == "trace-steps":
            self.windows.arm(Armed.of(command))
        elif command["do"] == "trace-no-steps":
            self.windows.disarm()

    def enters(self, name: str, step: object) -> int | None:
        """An annotated step is about to begin, called in the script's threads."""
        self._agent.borders.enters()
        return self.counter.enters(name, step)

    def compile_ended(self, stage: str, program: str | None) -> None:
        """A program went to the compiler or came back, called in the script's threads."""
        if stage == "compiled":
            self.counter.compiled(program)

    def leave_the_child(self) -> None:
        """In a forked child nothing is traced."""
        self.counter.begins = self.counter.ended = self.counter.passed = None

    def exit(self) -> None:
        """The script ends: tell of slow steps that nobody looked for yet, or what looking for them has cost it."""
        self.windows.judge()
        cost = self.windows.cost()
        if cost is not None:
            self._agent.connection.send("slow-steps-sought", **cost)

    # As `Traces`.

    def do_between_steps(self, work: Callable[[], None], *, waits: bool) -> None:
        """As `Traces` says."""
        if waits:
            wait_for_devices()
        self._agent.ask(work, LONGEST_WAIT_SECONDS)

    def may_trace(self) -> bool:
        """As `Traces` says."""
        return self._agent.may_trace

    def begin_trace(self, file: str, seconds: float | None, *, is_window: bool) -> bool:
        """As `Traces` says."""
        return self._agent.begin_trace(file, seconds, is_window=is_window)

    def end_trace(self, *, is_kept: bool) -> None:
        """As `Traces` says."""
        self._agent.end_trace(is_kept=is_kept)
