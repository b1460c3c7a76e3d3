"""Stacks with weights: what every format for flame graphs holds."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import attrs

Unit = Literal["ps", "flops", "bytes"]

PS_PER_NS: Final = 1_000
PS_PER_MS: Final = 1_000_000_000


@attrs.frozen(slots=True)
class StackFrame:
    """One position of a stack. ``path`` is empty and ``line`` 0 where they are unknown."""

    function: str
    path: str
    line: int

    @property
    def label(self) -> str:
        """What viewers show that know no files: ``function (path:line)``."""
        if not self.path:
            return self.function
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{self.function} ({place})" if self.function else place


@attrs.frozen(eq=False, repr=False)
class WeightedStacks:
    """Stacks and what each weighs by itself, in whole ``unit``; no stack occurs twice.

    A stack is rows of ``frames``, outermost first. ``quantity`` names what is weighed (``op time``), ``name`` the
    profile.
    """

    name: str
    quantity: str
    unit: Unit
    frames: Sequence[StackFrame]
    stacks: Mapping[tuple[int, ...], int]

    @property
    def total(self) -> int:
        """Sum of the weights."""
        return sum(self.stacks.values())


def decimal(weight: int, unit: int) -> str:
    """``weight / unit`` as a decimal number without rounding; ``unit`` is a power of ten."""
    whole, rest = divmod(abs(weight), unit)
    sign = "-" if weight < 0 else ""
    fraction = str(rest).zfill(len(str(unit)) - 1).rstrip("0")
    return f"{sign}{whole}.{fraction}" if rest else f"{sign}{whole}"
