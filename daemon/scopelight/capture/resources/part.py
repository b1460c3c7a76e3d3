"""What a part of a reading is, and how often it is asked for."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import attrs


class Part(Protocol):
    """One thing that is read. Whatever it raises ends it, not the sampler."""

    def read(self) -> Mapping[str, Any]:
        """What it says now: fields of a line."""

    def close(self) -> None:
        """Close what was kept open; twice is once."""


@attrs.frozen
class Planned:
    """A part that ``make`` makes. ``every_seconds`` at least lie between two readings of it; one that ``may_be_absent``
    is not told of by some systems."""

    make: Callable[[], Part]
    every_seconds: float = 0.0
    may_be_absent: bool = False


Parts = Mapping[str, Planned]
"""By name."""
OnProblem = Callable[[str, Exception], None]
"""Told the name of a part that cannot be read, and why."""
