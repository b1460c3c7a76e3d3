"""Every op of the caught programs is told at the end of the script, and those that are asked for are lowered alone."""

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from . import alone
from .caught import Caught
from .equations import Occurrence, Walk
from .signature import Described
from .untraced import Untraced

if TYPE_CHECKING:
    from ..connection import Connection

MOST_ROWS = 1_000
"""Of one message."""
LONGEST_MESSAGE = 10_000


class Judging:
    """``folder`` takes the modules of equations that are lowered alone."""

    def __init__(self, connection: "Connection", folder: str) -> None:
        self._connection = connection
        self._folder = folder
        self._programs: list[tuple[Caught, bool]] = []
        """And whether numbers of 64 bits were allowed when it was caught."""
        self._untraced = Untraced()
        self._tables = _Tables()

    def begin(self) -> None:
        """Listen for functions that cannot be traced, which never become a program."""
        self._untraced.listen()

    def add(self, caught: Caught) -> None:
        """A program was caught, whether it could be lowered or not."""
        self._programs.append((caught, bool(sys.modules["jax"].config.jax_enable_x64)))

    def run(self) -> None:
        """Tell all ops, and answer what is asked of them."""
        walk = Walk()
        lost = []
        for caught, is_wide in self._programs:
            self._tables.is_wide = is_wide
            try:
                self._tell(caught, walk)
            except Exception as error:
                lost.append({"program": caught.number, "message": f"{type(error).__name__}: {error}"[:LONGEST_MESSAGE]})
        self._connection.send("ops-told", untraced=self._untraced.told, lost=lost)
        # What the script printed is seen before anybody waits.
        for stream in (sys.stdout, sys.stderr):
            with suppress(Exception):
                stream.flush()
        for key in self._asked():
            self._lower(key)
        self._connection.send("judged")

    def _tell(self, caught: Caught, walk: Walk) -> None:
        counts: dict[tuple[int, int, int], int] = {}
        for each in walk.through(caught.jaxpr, caught.called_at):
            row = self._tables.row(each)
            counts[row] = counts.get(row, 0) + 1
        rows = [[*row, count] for row, count in counts.items()]
        for place in range(0, max(1, len(rows)), MOST_ROWS):
            part = rows[place : place + MOST_ROWS]
            self._connection.send("ops", program=caught.number, rows=part, **self._tables.untold())

    def _asked(self) -> Sequence[str]:
        while self._connection.alive:
            for command in self._connection.receive():
                if command["do"] == "judge":
                    keys: list[str] = command["keys"]
                    return keys
        return ()

    def _lower(self, key: str) -> None:
        if key not in self._tables.equations:
            return
        equation, is_wide = self._tables.equations[key]
        try:
            caught = Caught(0, alone.lowered_alone(equation, is_wide=is_wide), _NoEquations())
            file = os.path.join(self._folder, f"alone-{key}.mlir")  # noqa: PTH118
            caught.write(file)
        except Exception as error:
            message = str(error)[:LONGEST_MESSAGE]
            self._connection.send("alone-refused", key=key, kind=type(error).__name__, message=message)
        else:
            self._connection.send("alone", key=key, file=file, **caught.description())


class _NoEquations:
    """What an equation alone calls back is known from its program."""

    eqns: Sequence[Any] = ()


class _Tables:
    """Numbers of what is told once: ops, stacks and paths; and what of them has not been told yet."""

    def __init__(self) -> None:
        self.is_wide = False
        """Whether numbers of 64 bits are allowed in the program that is told."""
        self.equations: dict[str, tuple[Any, bool]] = {}
        """One of each key, and whether they are allowed there."""
        self._ops: dict[str, int] = {}
        self._known: dict[tuple[int, bool, bool], tuple[Any, int]] = {}
        """By identity of what determines it, which is kept so that no identity is used twice."""
        self._stacks: dict[object, int] = {}
        self._paths: dict[str, int] = {}
        self._untold: dict[str, list[Any]] = {"ops": [], "stacks": [], "paths": []}

    def row(self, occurrence: Occurrence) -> tuple[int, int, int]:
        return (
            self._op(occurrence),
            self._number(self._stacks, occurrence.stack, "stacks"),
            self._number(self._paths, occurrence.path, "paths"),
        )

    def untold(self) -> Mapping[str, Any]:
        untold, self._untold = self._untold, {"ops": [], "stacks": [], "paths": []}
        return untold

    def _op(self, occurrence: Occurrence) -> int:
        equation = occurrence.equation
        same = (id(equation), occurrence.is_on_host, self.is_wide)
        known = self._known.get(same)
        if known is not None:
            return known[1]
        described = Described(equation, is_on_host=occurrence.is_on_host, is_wide=self.is_wide)
        number = self._ops.get(described.key)
        if number is None:
            number = self._ops[described.key] = len(self._ops)
            self.equations[described.key] = (equation, self.is_wide)
            self._untold["ops"].append({**described.told(), "is_in_shards": occurrence.is_in_shards})
        self._known[same] = (equation, number)
        return number

    def _number(self, table: "dict[Any, int]", value: Any, name: str) -> int:  # noqa: ANN401
        number = table.get(value)
        if number is None:
            number = table[value] = len(table)
            self._untold[name].append(value)
        return number
