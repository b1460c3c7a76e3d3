"""What the script's main thread ends with where nothing catches it: its kind, what it says, and the user's line."""

import os
import sys
from types import TracebackType
from typing import Any

from .host.codes import Codes

LONGEST_MESSAGE = 200
"""Characters: it is told in one sentence, and the terminal has all of it."""
LONGEST_CHAIN = 100_000
"""Frames: a script may end with a stack that is as deep as Python lets it be."""


def uncaught() -> BaseException | None:
    """The exception that the interpreter has printed at the end of the main thread."""
    return getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)


def told() -> dict[str, Any] | None:
    """What is told of that; None where the script ended otherwise, or was interrupted."""
    error = uncaught()
    if error is None or isinstance(error, KeyboardInterrupt):
        return None
    path, line, function = _place(error)
    return {
        "kind": type(error).__name__,
        "message": _first_line(error),
        "path": path,
        "line": line,
        "function": function,
        "module": error.name if isinstance(error, ImportError) else None,
    }


def _first_line(error: BaseException) -> str:
    try:
        # A syntax error has its place after what it says.
        text = str(error.msg) if isinstance(error, SyntaxError) else str(error)
    except Exception:
        text = ""
    line = next((each.strip() for each in text.splitlines() if each.strip()), "")
    return line if len(line) <= LONGEST_MESSAGE else line[: LONGEST_MESSAGE - 1] + "…"


def _place(error: BaseException) -> tuple[str | None, int | None, str | None]:
    """File, line and function of the innermost frame of the user's own; nothing where there is none."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return _absolute(error.filename), error.lineno, None
    codes = Codes()
    found: TracebackType | None = None
    trace, frames = error.__traceback__, 0
    while trace is not None and frames < LONGEST_CHAIN:
        if codes.is_users(trace.tb_frame.f_code):
            found = trace
        trace, frames = trace.tb_next, frames + 1
    if found is None:
        return None, None, None
    code = found.tb_frame.f_code
    return _absolute(code.co_filename), found.tb_lineno, getattr(code, "co_qualname", code.co_name)


def _absolute(path: str) -> str:
    """A cell of a notebook has a name, and no file."""
    return path if path.startswith("<") else os.path.abspath(path)  # noqa: PTH100
