"""Functions that jax cannot trace, such as those whose sizes depend on values: they never become a program."""

import os
import re
import sys
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any

from .equations import MOST_FRAMES

ERRORS = (
    "ConcretizationTypeError",
    "NonConcreteBooleanIndexError",
    "TracerArrayConversionError",
    "TracerBoolConversionError",
    "TracerIntegerConversionError",
)
"""What jax raises where a function asks for values while it is traced."""
LONGEST_MESSAGE = 10_000
MOST = 100
_IS_OF_PYTHON = re.compile(r"__(?:bool|int|float|complex|index|array)__")
"""What Python calls to have the value of an array."""
_TRACERS = ("trace_to_jaxpr", "trace_to_jaxpr_dynamic")
_PLUMBING = frozenset(("traceback_util.py", "pjit.py", "api.py", "core.py", "partial_eval.py", "profiler.py"))
"""Files of jax whose functions stand between a call and what was called."""


class Untraced:
    """``told`` are those met so far, each once."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        self._seen: list[BaseException] = []

    def listen(self) -> None:
        """Stand around jax's tracing."""
        module = sys.modules["jax._src.interpreters.partial_eval"]
        kinds = tuple(each for name in ERRORS if (each := getattr(sys.modules["jax"].errors, name, None)) is not None)
        for name in _TRACERS:
            trace = getattr(module, name, None)
            if trace is not None:
                setattr(module, name, _Tracing(trace, kinds, self._meet))

    def _meet(self, error: BaseException) -> None:
        # It passes through every function around it as well.
        if len(self.told) >= MOST or any(error is each for each in self._seen):
            return
        self._seen.append(error)
        stack, called = _place(error, sys._getframe(2))
        self.told.append(
            {
                "primitive": called or type(error).__name__,
                "kind": type(error).__name__,
                "message": str(error)[:LONGEST_MESSAGE],
                "stack": stack,
            }
        )


class _Tracing:
    """What jax calls to trace a function: as before, and what it raises is told."""

    def __init__(self, trace: Any, kinds: tuple[type, ...], meet: Any) -> None:  # noqa: ANN401
        self._trace = trace
        self._kinds = kinds
        self._meet = meet

    def __call__(self, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401
        try:
            return self._trace(*arguments, **named)
        except Exception as error:
            if isinstance(error, self._kinds):
                self._meet(error)
            raise

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._trace, name)


def _place(error: BaseException, outside: FrameType | None) -> tuple[list[tuple[str, int, str]], str]:
    """The user's frames, innermost first, and the function of jax that the innermost of them called."""
    is_users = sys.modules["jax._src.source_info_util"].is_user_filename
    inside = list(_inside(error.__traceback__))
    called = ""
    for path, _, function in inside:
        if is_users(path):
            break
        name = function.rpartition(".")[2]
        if os.path.basename(path) not in _PLUMBING or _IS_OF_PYTHON.fullmatch(name):  # noqa: PTH119
            called = name.strip("_")
    frames = [each for each in (*inside, *_outside(outside)) if is_users(each[0])]
    return frames[:MOST_FRAMES], called


def _inside(traceback: TracebackType | None) -> Iterator[tuple[str, int, str]]:
    found = []
    while traceback is not None:
        found.append(_frame(traceback.tb_frame, traceback.tb_lineno))
        traceback = traceback.tb_next
    # The first is that of whoever caught it, which is among those outside.
    yield from reversed(found[1:])


def _outside(frame: FrameType | None) -> Iterator[tuple[str, int, str]]:
    while frame is not None:
        yield _frame(frame, frame.f_lineno)
        frame = frame.f_back


def _frame(frame: FrameType, line: int) -> tuple[str, int, str]:
    code = frame.f_code
    return code.co_filename, line, getattr(code, "co_qualname", code.co_name)
