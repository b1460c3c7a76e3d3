"""A job of this machine that a profiler server can be reached at."""

from typing import Literal

import attrs

ServerKind = Literal["current", "older", "tensorflow", "none"]
"""``current``: jaxlib 0.9 or later, which answers with the data. ``older``: jaxlib before, which a capture from outside
can freeze or end. ``tensorflow``: TensorFlow's own server. ``none``: no profiler."""


@attrs.frozen(slots=True)
class LocalJob:
    """A job that listens: ``script`` relative to ``cwd``, or a module. ``kind`` says how it can be captured:
    ``current`` without danger, ``older`` and ``tensorflow`` only where that is trusted."""

    pid: int
    address: str
    script: str
    arguments: tuple[str, ...]
    cwd: str | None
    jaxlib: str | None
    kind: ServerKind
    shares_port: bool = False
