"""How many ops the TPU computes, and how: counted by whatever they are counted by."""

from collections.abc import Hashable
from typing import Any, Generic, TypeVar

import attrs

from scopelight.model.run.compatibility import OpVerdict

Key = TypeVar("Key", bound=Hashable)


@attrs.define(slots=True)
class Tally:
    """Counts of verdicts."""

    native: int = 0
    emulated: int = 0
    on_host: int = 0
    refused: int = 0
    unjudged: int = 0
    programs: set[int] = attrs.field(factory=set)
    """Numbers of those that have any."""

    def add(self, verdict: OpVerdict, count: int, program: int | None = None) -> None:
        """So many more of a verdict."""
        name = verdict.replace("-", "_")
        setattr(self, name, getattr(self, name) + count)
        if program is not None:
            self.programs.add(program)

    @property
    def ops(self) -> int:
        """All."""
        return self.native + self.emulated + self.on_host + self.refused + self.unjudged

    @property
    def valid_ratio(self) -> float:
        """The share of those that the TPU computes, by itself or with the host; 1 where there are none."""
        return (self.native + self.emulated + self.on_host) / self.ops if self.ops else 1.0

    @property
    def counts(self) -> dict[str, int]:
        """By the names of a record's fields."""
        names = ("native", "emulated", "on_host", "refused", "unjudged")
        return {name: getattr(self, name) for name in names}

    @property
    def fields(self) -> dict[str, Any]:
        """What a record of a place says of its ops."""
        return {
            "ops": self.ops,
            **self.counts,
            "valid_ratio": self.valid_ratio,
            "programs": len(self.programs),
        }


class Tallies(Generic[Key]):
    """A tally for each key, in the order in which they were met."""

    def __init__(self) -> None:
        self.by_key: dict[Key, Tally] = {}

    def of(self, key: Key) -> Tally:
        """That of a key, which may be a new one."""
        tally = self.by_key.get(key)
        if tally is None:
            tally = self.by_key[key] = Tally()
        return tally
