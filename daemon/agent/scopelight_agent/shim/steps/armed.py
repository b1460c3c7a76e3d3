"""What the conductor asks of windows of steps: when each begins, and how long it is."""

from collections.abc import Mapping
from typing import Any, NamedTuple

RING_STEPS = 20
"""A session of a ring has so many steps."""


class Armed(NamedTuple):
    """Windows of ``steps`` steps, one for each of ``files``.

    The first begins with step ``first``, or the first of an ``epoch``, or the next there is; the others ``every`` so
    many steps after it. With ``slow_ratio`` sessions are kept that hold a step that takes more than so many times as
    long as the others: from the start, or (``after_slow``) once one has been slow, as far as they cost no more than
    ``most_cost_ratio`` of the time. No window lasts longer than ``most_seconds``, and
    none begins before ``after_seconds`` have passed.
    """

    files: tuple[str, ...]
    steps: int
    first: int | None = None
    every: int | None = None
    epoch: int | None = None
    slow_ratio: float | None = None
    after_slow: bool = False
    most_cost_ratio: float = 0.01
    most_seconds: float | None = None
    after_seconds: float = 0.0

    @staticmethod
    def of(command: Mapping[str, Any]) -> "Armed":
        """What a command says."""
        fields = {name: command[name] for name in Armed._fields if command.get(name) is not None}
        return Armed(**{**fields, "files": tuple(command["files"])})
