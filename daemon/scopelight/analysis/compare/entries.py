"""Rows of one run that are compared with those of another."""

from collections.abc import Hashable, Sequence

import attrs

from scopelight.analysis.compare.records import RowKind
from scopelight.analysis.records import Phase
from scopelight.analysis.totals.charging import apportion


@attrs.frozen(slots=True, eq=False)
class Entry:
    """A row of one run.

    ``key`` is that of the run's own view. ``identities`` are what it may be found by on its line, or anywhere where it
    has none, from the most exact on; it never pairs with what shares none of them. ``is_of_place``: it is its line,
    which is looked for by its key where there is no text. Times are of a step and a device, or of the window.
    """

    key: str
    kind: RowKind
    label: str
    identities: tuple[Hashable, ...]
    path: str | None = None
    file: str | None = None
    line: int | None = None
    function: str = ""
    phase: Phase | None = None
    time_ps: int | None = None
    waiting_ps: int = 0
    cpu_ps: int | None = None
    bytes: int | None = None
    flops: float | None = None
    flops_are_estimated: bool = False
    executions: float | None = None

    @property
    def is_of_place(self) -> bool:
        """Whether it is a line, and no thing on one."""
        return self.kind == "line"


@attrs.frozen(eq=False, repr=False)
class Table:
    """The rows of one run in one grouping. Their times, or bytes, sum to those of the whole."""

    entries: Sequence[Entry]


@attrs.frozen(eq=False, repr=False)
class Rounds:
    """One row in the rounds of a side: ``rounds`` has None of those that lack it, ``entry`` is the first there is.

    Times and bytes are integers whose sums over the rows of a side are those of the whole: see `rounds_of`.
    """

    entry: Entry
    rounds: tuple[Entry | None, ...]
    time_ps: int | None
    cpu_ps: int | None
    bytes: int | None

    def values(self, name: str) -> list[float]:
        """A quantity by round, 0 where it is not there."""
        return [0 if each is None else getattr(each, name) or 0 for each in self.rounds]

    def knows(self, name: str) -> bool:
        """Whether each round that has the row has the quantity."""
        return all(each is None or getattr(each, name) is not None for each in self.rounds)

    def mean(self, name: str) -> float | None:
        """The mean of a quantity over the rounds; None where one of them does not know it."""
        return sum(self.values(name)) / len(self.rounds) if self.knows(name) else None


def nothing_of(entry: Entry, rounds: int) -> Rounds:
    """A row that has nothing in any round of a side on which it stands all the same."""
    nothing = attrs.evolve(
        entry,
        time_ps=_nothing(entry.time_ps),
        waiting_ps=0,
        cpu_ps=_nothing(entry.cpu_ps),
        bytes=_nothing(entry.bytes),
        flops=_nothing(entry.flops),
        executions=_nothing(entry.executions),
    )
    return Rounds(nothing, (nothing,) * rounds, nothing.time_ps, nothing.cpu_ps, nothing.bytes)


def _nothing(value: float | None) -> int | None:
    """0, of what is known."""
    return None if value is None else 0


def rounds_of(tables: Sequence[Table]) -> list[Rounds]:
    """The rows of a side: those of all rounds, joined by their keys."""
    found: dict[str, list[Entry | None]] = {}
    for number, table in enumerate(tables):
        for entry in table.entries:
            found.setdefault(entry.key, [None] * len(tables))[number] = entry
    rows = list(found.values())
    columns = {name: _means(rows, name) for name in ("time_ps", "cpu_ps", "bytes")}
    return [
        Rounds(
            entry=next(each for each in row if each is not None),
            rounds=tuple(row),
            time_ps=columns["time_ps"][number],
            cpu_ps=columns["cpu_ps"][number],
            bytes=columns["bytes"][number],
        )
        for number, row in enumerate(rows)
    ]


def _means(rows: Sequence[Sequence[Entry | None]], name: str) -> Sequence[int | None]:
    """Means over the rounds in whole numbers that sum to that of the wholes; None where a round does not know it."""
    if any(each is not None and getattr(each, name) is None for row in rows for each in row):
        return [None] * len(rows)
    sums = [sum(getattr(each, name) for each in row if each is not None) for row in rows]
    return shared_out(sums, len(rows[0]) if rows else 1)


def shared_out(values: Sequence[int], divisor: int) -> list[int]:
    """Each value over ``divisor`` in whole numbers that sum to the sum of all over it (largest remainder)."""
    there = [number for number, value in enumerate(values) if value]
    result = [0] * len(values)
    if there:
        parts = apportion(round(sum(values) / divisor), [values[number] for number in there])
        for number, part in zip(there, parts, strict=True):
            result[number] = part
    return result
