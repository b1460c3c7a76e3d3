"""How often Python looks for garbage."""

import gc
from typing import Final

_THRESHOLDS: Final = (200_000, 50, 50)


def look_for_it_seldom() -> None:
    """Look through what was made after 200,000 objects, not after the usual 700.

    What reads and analyses makes many records that stay and few circles of them: looking through the records again and
    again takes an eighth of the analysis of a large program.
    """
    gc.set_threshold(*_THRESHOLDS)
