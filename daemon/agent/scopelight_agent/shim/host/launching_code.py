"""Which code launches programs: what it names is one of jax's functions that do so when they are called."""

from __future__ import annotations

import inspect
import sys
from types import FrameType
from typing import Any

_LAUNCHED = ("PjitFunction", "PmapFunction", "Compiled")
"""Types whose objects launch programs when they are called."""
_HELD_BY_FRAME = 3
"""References to a dict that the frame has, and who counts them."""


def launches(frame: FrameType) -> bool:
    """Whether what the code names is something that launches programs: the loop of the steps names its step."""
    code, named = frame.f_code, locals_of(frame)
    attributes = code.co_names
    for name in attributes:
        if name in frame.f_globals:
            named.setdefault(name, frame.f_globals[name])
    for value in named.values():
        own: object = getattr(value, "__dict__", None)
        held = [own.get(name) for name in attributes] if type(own) is dict else []
        if any(type(each).__name__ in _LAUNCHED for each in (value, *held)):
            return True
    return False


def locals_of(frame: FrameType) -> dict[str, Any]:
    """The values of the names of a frame.

    Up to Python 3.12 a function's frame keeps those that were asked for as long as it lasts: they are let go of, unless
    the script has asked for them itself.
    """
    kept = frame.f_locals
    found = dict(kept)
    if frame.f_code.co_flags & inspect.CO_OPTIMIZED and type(kept) is dict and sys.getrefcount(kept) <= _HELD_BY_FRAME:
        kept.clear()
    return found
