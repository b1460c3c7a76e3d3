"""Where coroutines stand that gave way: the frames of what awaits and of what it awaits."""

from __future__ import annotations

import gc
from types import AsyncGeneratorType, CoroutineType, FrameType, GeneratorType
from typing import Any

MOST_AWAITING = 32
"""Coroutines that await one another, and what stands between them."""
_BETWEEN = ("async_generator_asend", "async_generator_athrow", "anext_awaitable", "coroutine_wrapper")
"""Types of Python's own that pass on what they hold, and have no attribute that tells it."""
_PAUSING = (CoroutineType, AsyncGeneratorType, GeneratorType)


def frames_awaiting(outermost: Any) -> list[FrameType]:  # noqa: ANN401 (what a task runs)
    """The frames of a coroutine that gave way and of those that it awaits, the innermost first.

    Nothing of the script's is called: only what the interpreter's own types have is asked for.
    """
    found: list[FrameType] = []
    each = outermost
    for _ in range(MOST_AWAITING):
        kind = type(each)
        frame: FrameType | None = None
        if kind is CoroutineType:
            frame, each = each.cr_frame, each.cr_await
        elif kind is AsyncGeneratorType:
            frame, each = each.ag_frame, each.ag_await
        elif kind is GeneratorType:
            frame, each = each.gi_frame, each.gi_yieldfrom
        elif kind.__name__ in _BETWEEN and kind.__module__ == "builtins":
            held = gc.get_referents(each)
            each = next((of for of in held if type(of) in _PAUSING or type(of).__name__ in _BETWEEN), None)
            continue
        else:
            break
        if frame is None:
            break
        found.append(frame)
    found.reverse()
    return found


def is_running(coroutine: Any) -> bool:  # noqa: ANN401
    """Whether a coroutine is on a thread's stack."""
    kind = type(coroutine)
    if kind is CoroutineType:
        return bool(coroutine.cr_running)
    return bool(kind is GeneratorType and coroutine.gi_running)
