"""Marks of steps and epochs: annotations of jax's own, by which every profiler knows a step."""

from __future__ import annotations

import sys
import threading

from .switch import IS_OFF, running_agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType
    from typing import Any, TypeVar

    T = TypeVar("T")

NAME = "step"
"""Of the annotations."""


class Step:
    """A step that has begun; it ends with its ``with`` block, or where the next one of its thread begins."""

    def __init__(self, number: int, annotation: Any) -> None:  # noqa: ANN401 (a class of the user's jax)
        self.number = number
        self._annotation = annotation

    def end(self) -> None:
        """End it, unless it has ended."""
        annotation, self._annotation = self._annotation, None
        if annotation is not None:
            annotation.__exit__(None, None, None)

    def __enter__(self) -> int:
        return self.number

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()


class _OfThread(threading.local):
    """The step that runs in a thread, and the number of the next."""

    step: Step | None = None
    following = 0


_of_thread = _OfThread()


def step(number: int | None = None) -> Step:
    """Mark that a step begins: ``with scopelight.step():`` around it, or a plain call at its beginning.

    ``number`` is the step's, by default one more than the last; the ``with`` gives it back. A plain call ends the step
    before it.
    """
    known = _of_thread
    if known.step is not None:
        known.step.end()
    if number is None:
        number = known.following
    known.following = number + 1
    begun = Step(number, None if IS_OFF else _annotation(number))
    known.step = begun
    return begun


def steps(iterable: Iterable[T]) -> Iterator[T]:
    """Go through what a loop trains on, with a step around each turn: ``for batch in scopelight.steps(loader):``."""
    for element in iterable:
        with step():
            yield element


def end_step() -> None:
    """End the step that runs in this thread, if one does."""
    if _of_thread.step is not None:
        _of_thread.step.end()


def epoch(number: int | None = None) -> None:
    """Mark that an epoch begins, by default the one after the last: captures can be asked for by its number."""
    agent = running_agent()
    if agent is not None:
        agent.epoch_began(number)


def _annotation(number: int) -> Any:  # noqa: ANN401
    # Before jax is imported nothing can run on a device.
    make = getattr(sys.modules.get("jax.profiler"), "StepTraceAnnotation", None)
    if make is None:
        return None
    annotation = make(NAME, step_num=number)
    annotation.__enter__()
    return annotation
