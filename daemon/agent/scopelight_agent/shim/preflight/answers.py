"""What the compiler elsewhere says of programs: it is asked once of each, when the script comes to need it."""

import base64
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from .caught import Caught

if TYPE_CHECKING:
    from ..connection import Connection


class Answers:
    """``lock`` is held while the connection is read."""

    def __init__(self, connection: "Connection", lock: threading.Lock) -> None:
        self._connection = connection
        self._lock = lock
        self._answers: dict[int, Mapping[str, Any]] = {}
        self._shardings: dict[int, tuple[Sequence[Any], Sequence[Any]]] = {}

    def shardings(self, caught: Caught) -> tuple[Sequence[Any], Sequence[Any]]:
        """How a program of several devices divides what it takes and returns.

        Of one that is not compiled they are what the script asked for, so that it goes on.
        """
        number = caught.number
        if number not in self._shardings:
            answer = self._of(number)
            is_said = answer.get("results") is not None
            self._shardings[number] = _shardings(answer) if is_said else caught.asked_shardings()
        return self._shardings[number]

    def memory(self, caught: Caught) -> Any:  # noqa: ANN401 (as a class of jaxlib that cannot be made)
        """What a program takes of each device's memory, by the names that jax has for it.

        Raises jax's error for what a platform has not where the compiler does not say it.
        """
        return SimpleNamespace(**{f"{name}_in_bytes": value for name, value in self._said(caught, "memory").items()})

    def costs(self, caught: Caught) -> Mapping[str, float]:
        """What the compiler counts of a program's work. Raises as `memory`."""
        return dict(self._said(caught, "costs"))

    def modules(self, caught: Caught) -> Sequence[Any]:
        """The compiled program, as jaxlib has it. Raises as `memory`, also where this jaxlib cannot read it."""
        name = self._said(caught, "file")
        try:
            with open(name, "rb") as file:  # noqa: PTH123 (pathlib is slow to import here)
                program = file.read()
            return [_class_of_modules().from_serialized_hlo_module_proto(_module_in(program))]
        except Exception as error:
            # What a newer compiler writes older ones do not know.
            raise _unknown(f"this jaxlib cannot read {caught.name}") from error

    def _said(self, caught: Caught, what: str) -> Any:  # noqa: ANN401 (what JSON holds)
        said = self._of(caught.number).get(what)
        if said is None:
            raise _unknown(f"the compiler says no {what} of {caught.name}")
        return said

    def _of(self, number: int) -> Mapping[str, Any]:
        if number not in self._answers:
            with self._lock:
                self._connection.send("wanted", program=number)
                self._answers[number] = self._received(number)
        return self._answers[number]

    def _received(self, number: int) -> Mapping[str, Any]:
        while self._connection.alive:
            for command in self._connection.receive():
                if command["do"] == "answer" and command["program"] == number:
                    return command
        return {}


def _shardings(answer: Mapping[str, Any]) -> tuple[Sequence[Any], Sequence[Any]]:
    client = sys.modules["jax._src.lib"].xla_client

    def read(text: str) -> Any:  # noqa: ANN401 (a class of the user's jaxlib)
        sharding = client.OpSharding()
        sharding.ParseFromString(base64.b64decode(text))
        return sharding

    return [read(each) for each in answer["parameters"] or ()], [read(each) for each in answer["results"]]


def _module_in(program: bytes) -> bytes:
    """The module of a serialized HloProto, whose first field it is: all of its fields are messages."""
    place = 0
    while place < len(program):
        field, place = _number(program, place)
        length, place = _number(program, place)
        if field >> 3 == 1:
            return program[place : place + length]
        place += length
    raise ValueError


def _number(message: bytes, place: int) -> tuple[int, int]:
    """One of protobuf's numbers of several bytes, and where it ends."""
    number = shift = 0
    while True:
        byte = message[place]
        place += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, place


def _class_of_modules() -> Any:  # noqa: ANN401
    for place in ("jaxlib._hlo", "jaxlib.xla_extension"):
        with suppress(ImportError):
            return import_module(place).HloModule
    raise ImportError


def _unknown(message: str) -> Exception:
    """What jax takes for an answer that its platform does not have."""
    error: Exception = sys.modules["jax"].errors.JaxRuntimeError(f"UNIMPLEMENTED: {message}")
    return error
