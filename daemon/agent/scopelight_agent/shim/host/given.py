"""What users gave to the operations of libraries: functions, and numbers of things."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from types import CodeType, FunctionType, MethodType
from typing import Any

LONGEST_NAME = 120
MOST_WRAPPERS = 8
_LIBRARIES = ("/grain/_src/", "/torch/utils/data/", "/concurrent/futures/")
"""In the paths of files of libraries, and of Python's own, whose functions call those of users."""
_METHODS = (
    "map",
    "random_map",
    "map_with_index",
    "filter",
    "flat_map",
    "np_random_map",
    "__getitems__",
    "__getitem__",
    "__call__",
    "__iter__",
)
"""In which methods objects that are given to libraries do their work."""
_ADAPTED = "transform"
"""What grain's loader calls the user's object in functions of its own that it gives to its operations."""
_CHUNK = "_process_chunk"
"""Through which `map` of a pool of processes calls the user's function, its first argument."""


def function_of(*given: Any) -> dict[str, Any]:  # noqa: ANN401 (objects of users and libraries)
    """The first of what an operation was given that is the user's function, or has one: file, name and first line of
    that, and what it is called; nothing where there is none."""
    for each in given:
        for held in (each, *_held_by(each)):
            code = _code_of(held)
            if code is not None:
                called = _name_of(held, code)
                function = [code.co_filename, getattr(code, "co_qualname", code.co_name), code.co_firstlineno]
                return {"function": function, "called": called[:LONGEST_NAME]}
    return {}


def _name_of(held: Any, code: CodeType) -> str:  # noqa: ANN401
    """Of a function its name, of what wraps one that of the function, and of an object that of its class."""
    if isinstance(held, (FunctionType, MethodType)):
        return str(held.__name__)
    return code.co_name if isinstance(held, partial) else type(held).__name__


def _held_by(given: Any) -> Iterator[Any]:  # noqa: ANN401
    """What a function of a library's own, in place of the user's, passes on to."""
    if isinstance(given, partial) and isinstance(given.func, FunctionType) and given.func.__name__ == _CHUNK:
        yield from given.args[:1]
    if isinstance(given, FunctionType) and _is_of_library(given.__code__):
        for name, cell in zip(given.__code__.co_freevars, given.__closure__ or (), strict=False):
            if name == _ADAPTED:
                yield cell.cell_contents


def _code_of(given: Any) -> CodeType | None:  # noqa: ANN401
    """Of a function, of what wraps one, or of an object's method that works; None where it is the library's own.

    Only what objects of Python's own hold is asked for: the user's may answer by running code.
    """
    if given is None:
        return None
    if isinstance(given, (FunctionType, MethodType, partial)):
        return _unwrapped(given)
    for name in _METHODS:
        function = next((vars(base)[name] for base in type(given).__mro__ if name in vars(base)), None)
        code = _unwrapped(function)
        if code is not None:
            return code
    return None


def _unwrapped(function: Any) -> CodeType | None:  # noqa: ANN401
    for _ in range(MOST_WRAPPERS):
        if isinstance(function, partial):
            function = function.func
        elif isinstance(function, (MethodType, staticmethod, classmethod)):
            function = function.__func__
        elif isinstance(function, FunctionType) and "__wrapped__" in function.__dict__:
            function = function.__dict__["__wrapped__"]
        else:
            break
    code = function.__code__ if isinstance(function, FunctionType) else None
    return None if code is None or _is_of_library(code) else code


def _is_of_library(code: CodeType) -> bool:
    file = code.co_filename.replace("\\", "/")
    return any(each in file for each in _LIBRARIES)


def number_of(value: Any) -> int | None:  # noqa: ANN401
    """What is a number of things, at least one."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 31 else None
