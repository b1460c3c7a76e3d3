"""A trace that is to begin."""

from typing import NamedTuple


class Planned(NamedTuple):
    """A trace that is to begin: into which file, and for how many seconds (None until told). ``by_code``: the script
    asked for it."""

    file: str
    seconds: float | None = None
    is_window: bool = False
    by_code: bool = False
