"""Marks of what was differentiated: versions of jax that leave none where a function has no scope are made to."""

import sys
from typing import Any


def leave_marks() -> None:
    """Have jax write ``jvp()`` into the names of ops where nothing inside has one, as it does from 0.8 on.

    Up to 0.7 it wrote a transformation around the next scope alone: without one, no op told its phase.
    """
    transform = sys.modules["jax._src.source_info_util"].Transform
    wrap = transform.wrap
    tried: list[str] = []
    wrap(transform("jvp"), tried)
    if tried:
        return

    def wrap_nothing_too(self: Any, stack: list[str]) -> None:  # noqa: ANN401 (a class of the user's jax)
        if not stack:
            stack.append("")
        wrap(self, stack)

    transform.wrap = wrap_nothing_too
