"""The phases of a training step."""

import enum
from typing import Final


class Phase(enum.IntEnum):
    """Phases in the order in which a step runs them; usable as a column."""

    FORWARD = 0
    BACKWARD = 1
    RECOMPUTE = 2
    OPTIMIZER = 3
    OTHER = 4


UNKNOWN: Final = -1
"""In a column of phases, where none is known yet."""
