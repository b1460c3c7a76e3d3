"""What the script ended with, where it found no more memory."""

import dis
import errno
import os
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any

from .script_error import uncaught

LONGEST_MESSAGE = 1 << 20
"""Characters: a compiler lists what it wanted to place."""
MOST_FRAMES = 200
MOST_ERRORS = 50

_MEMORY_WORDS = ("memory", "alloc", "hbm", "vmem", "oom")
_PHRASES = ("out of memory", "failed to allocate")
_STATUS = "resource_exhausted: "
"""With which jax begins the message, whatever the class of the error."""
_COMPILER = "jax/_src/compiler.py"


def out_of_memory(*, is_compiling: bool) -> dict[str, Any] | None:
    """What the uncaught exception that the interpreter left at its end says of it, as `said_by`."""
    return said_by(uncaught(), is_compiling=is_compiling)


def said_by(last: BaseException | None, *, is_compiling: bool) -> dict[str, Any] | None:
    """The first that says so of an exception and those that it came from: message and stack, innermost first.

    ``is_compiling``: a program went to the compiler and did not come back.
    """
    error = first_of_memory(last)
    return None if error is None else words_of(error, last, is_compiling=is_compiling)


def first_of_memory(last: BaseException | None) -> BaseException | None:
    """The first that says so of an exception and those that it came from."""
    return next((error for error in _chain(last) if is_of_memory(error, _text(error))), None)


def words_of(error: BaseException, last: BaseException | None = None, *, is_compiling: bool) -> dict[str, Any]:
    """What is told of an error of memory, at its own stack or at that of ``last``, which came from it."""
    return words(_text(error), _stack(error) or _stack(last), is_compiling=is_compiling)


def words(text: str, stack: list[dict[str, Any]], *, is_compiling: bool) -> dict[str, Any]:
    """What is told of an error of memory; ``stack`` is where it came up, innermost first."""
    in_compiler = any(frame["path"].replace("\\", "/").endswith(_COMPILER) for frame in stack)
    return {
        "message": text[:LONGEST_MESSAGE],
        "stack": stack,
        "during_compilation": is_compiling or in_compiler,
        "dump": _dump_folder(),
    }


def is_of_memory(error: BaseException, text: str) -> bool:
    """Whether an exception says that there was no more memory."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    lowered = text.lower()
    # jaxlib raises a ValueError where the memory for a number of Python's is missing.
    if not isinstance(error, RuntimeError) and not lowered.startswith(_STATUS):
        return False
    # Other things are exhausted too: quotas, sizes of messages. A program that ran beside the script fails as INTERNAL.
    return any(phrase in lowered for phrase in _PHRASES) or (
        "resource_exhausted" in lowered and any(word in lowered for word in _MEMORY_WORDS)
    )


def _text(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:
        text = ""
    name = type(error).__name__
    if isinstance(error, MemoryError):
        return f"{name}: {text}" if text else name
    return text


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An exception and those that it came from, each once."""
    waiting = [error]
    seen: set[int] = set()
    while waiting and len(seen) < MOST_ERRORS:
        each = waiting.pop(0)
        if not isinstance(each, BaseException) or id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        waiting += [each.__cause__, each.__context__, *getattr(each, "exceptions", ())]


def _dump_folder() -> str | None:
    """Where the compiler was told to write what it does."""
    found = None
    for flag in os.environ.get("XLA_FLAGS", "").split():
        name, _, value = flag.partition("=")
        if name == "--xla_dump_to" and value and value != "-":
            found = os.path.abspath(value)  # noqa: PTH100
    return found


def _stack(error: BaseException | None) -> list[dict[str, Any]]:
    frames = []
    last = None
    trace = getattr(error, "__traceback__", None)
    while trace is not None:
        frames.append(_frame(trace.tb_frame.f_code, trace.tb_lineno))
        last = trace
        trace = trace.tb_next
    if last is not None and _waits(last.tb_frame.f_code, last.tb_lasti):
        frames[-1]["waits"] = True
    return frames[::-1][:MOST_FRAMES]


def stack_above(frame: FrameType | None) -> list[dict[str, Any]]:
    """A frame and its callers, innermost first."""
    frames: list[dict[str, Any]] = []
    waits = frame is not None and _waits(frame.f_code, frame.f_lasti)
    while frame is not None and len(frames) < MOST_FRAMES:
        frames.append(_frame(frame.f_code, frame.f_lineno))
        frame = frame.f_back
    if waits:
        frames[0]["waits"] = True
    return frames


def _waits(code: CodeType, last: int) -> bool:
    """Whether the instruction at ``last`` calls an array's ``block_until_ready``, which leaves no frame of its own.

    What it calls is an attribute that begins where the call begins, and ends within it.
    """
    called = {each.offset: each.positions for each in dis.get_instructions(code)}.get(last)
    if called is None or called.end_lineno is None or called.end_col_offset is None:
        return False
    return any(
        each.argval == "block_until_ready"
        and each.positions is not None
        and each.positions[0] == called[0]
        and each.positions[2] == called[2]
        and (each.positions.end_lineno or 0, each.positions.end_col_offset or 0)
        <= (called.end_lineno, called.end_col_offset)
        for each in dis.get_instructions(code)
    )


def _frame(code: CodeType, line: int | None) -> dict[str, Any]:
    return {"path": code.co_filename, "line": line or 0, "function": getattr(code, "co_qualname", code.co_name)}
