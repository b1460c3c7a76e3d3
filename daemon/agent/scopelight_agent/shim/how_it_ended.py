"""What the script ends with, told at the interpreter's exit."""

from collections.abc import Callable
from typing import Any

from . import last_words, script_error
from .memory_errors import MemoryErrors


def tell(send: Callable[..., None], memory_errors: MemoryErrors, *, is_compiling: bool) -> dict[str, Any] | None:
    """Tell it with ``send``; what is known of a want of memory that nothing caught, None for any other end."""
    failure = None
    try:
        failure = last_words.out_of_memory(is_compiling=is_compiling)
    except Exception as error:
        send("problem", message=f"{type(error).__name__}: {error}")
    is_failing = script_error.uncaught() is not None
    try:
        raised = script_error.told()
    except Exception as error:
        send("problem", message=f"{type(error).__name__}: {error}")
    else:
        if raised is not None:
            send("script-error", **raised)
    handled = memory_errors.at_exit(is_failing=is_failing)
    if failure is not None:
        send("out-of-memory", **failure, in_thread=False, is_certain=True)
    elif handled is not None:
        send("out-of-memory", **handled)
    elif is_failing:
        send("other-error")
    return failure
