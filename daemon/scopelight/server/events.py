"""Events: what happens in a session, told to those who subscribed."""

from collections.abc import Callable
from typing import Generic, ParamSpec

P = ParamSpec("P")


class Event(Generic[P]):
    """Something that happens again and again, with the arguments that describe it."""

    def __init__(self) -> None:
        self._listeners: list[Callable[P, object]] = []

    def subscribe(self, listener: Callable[P, object]) -> None:
        """Have ``listener`` called whenever it happens, after those who subscribed before."""
        self._listeners.append(listener)

    def emit(self, *arguments: P.args, **named: P.kwargs) -> None:
        """It has happened."""
        for listener in self._listeners:
            listener(*arguments, **named)
