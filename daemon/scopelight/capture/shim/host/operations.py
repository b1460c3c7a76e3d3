"""Of what operations the script's input is made, as far as libraries keep them: grain's datasets, torch's loaders.

They are read once, when a recording ends, from what the libraries hold: nothing is imported, called or kept for it, and
what is not as expected is left out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from types import CodeType, FunctionType, MethodType
from typing import Any

from .queues import Queues

MOST_OPERATIONS = 256
LONGEST_NAME = 120
MOST_WRAPPERS = 8
_GRAIN_ITERATORS = "grain._src.python.dataset.stats"
_GRAIN_FILES = "/grain/_src/"
_OWN_FUNCTIONS = ("_transform", "_map_fn", "_source", "_reader")
"""Where operations of grain keep what the user gave them."""
_METHODS = ("map", "random_map", "map_with_index", "filter", "flat_map", "__getitem__", "__call__")
"""In which methods such an object does its work."""


def described(queues: Queues) -> list[dict[str, Any]]:
    """Each operation that is there: its id, kind and class, ids of those that it reads from, what else is known."""
    found: dict[int, dict[str, Any]] = {}
    with suppress(Exception):
        for root in _grain_iterators():
            _add_grain(root, found)
    with suppress(Exception):
        for loader in queues.alive("torch"):
            _add_torch(loader, found)
    return list(found.values())


def _grain_iterators() -> Iterator[Any]:
    """The iterators that the script itself reads from."""
    for reference in list(getattr(sys.modules.get(_GRAIN_ITERATORS), "_iter_weakref_registry", ())):
        with suppress(Exception):
            iterator = reference()
            if iterator is not None:
                yield iterator


def _add_grain(root: Any, found: dict[int, dict[str, Any]]) -> None:  # noqa: ANN401 (objects of libraries)
    waiting = [root]
    while waiting and len(found) < MOST_OPERATIONS:
        operation = waiting.pop()
        if id(operation) in found:
            continue
        own = vars(operation)
        inputs = [each for each in (own.get("_map_parent"), *(own.get("_parents") or ())) if each is not None]
        options = own.get("_read_options")
        found[id(operation)] = {
            "id": id(operation),
            "kind": "grain",
            "class": type(operation).__name__,
            "inputs": [id(each) for each in inputs],
            **_function_of(own),
            "threads": _number(own.get("_target_num_threads") or getattr(options, "num_threads", None)),
            "capacity": _number(own.get("_target_prefetch_buffer_size")),
        }
        waiting += inputs


def _add_torch(loader: Any, found: dict[int, dict[str, Any]]) -> None:  # noqa: ANN401
    own = loader.__dict__
    dataset = own.get("_dataset")
    workers = [_number(getattr(each, "pid", None)) for each in list(own.get("_workers") or ())]
    found[id(loader)] = {
        "id": id(loader),
        "kind": "torch",
        "class": type(loader).__name__,
        "inputs": [] if dataset is None else [id(dataset)],
        "processes": [each for each in workers if each is not None],
        "capacity": _number(own["_prefetch_factor"] * own["_num_workers"]),
    }
    if dataset is not None:
        found[id(dataset)] = {
            "id": id(dataset),
            "kind": "torch",
            "class": type(dataset).__name__,
            "inputs": [],
            **_function_of({"_source": dataset}),
        }


def _function_of(own: dict[str, Any]) -> dict[str, Any]:
    """The user's function that an operation calls: its file, its name and its first line; and what it is called."""
    for name in _OWN_FUNCTIONS:
        given = own.get(name)
        code = None if given is None else _code_of(given)
        if code is not None:
            called = given.__name__ if isinstance(given, (FunctionType, MethodType)) else type(given).__name__
            function = [code.co_filename, getattr(code, "co_qualname", code.co_name), code.co_firstlineno]
            return {"function": function, "called": str(called)[:LONGEST_NAME]}
    return {}


def _code_of(given: Any) -> CodeType | None:  # noqa: ANN401
    """Of a function, of what wraps one, or of an object's method that works; None where it is the library's own.

    Only what objects of Python's own hold is asked for: the user's may answer by running code.
    """
    function: Any = given
    if not isinstance(given, (FunctionType, MethodType, partial)):
        function = next(
            (vars(base)[name] for name in _METHODS for base in type(given).__mro__ if name in vars(base)), None
        )
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
    return None if code is None or _GRAIN_FILES in code.co_filename.replace("\\", "/") else code


def _number(value: Any) -> int | None:  # noqa: ANN401
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 31 else None
