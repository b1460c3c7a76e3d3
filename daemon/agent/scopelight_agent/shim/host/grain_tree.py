"""The operations of grain, from the iterators that the script reads from down to what makes the data."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from .given import function_of, number_of

_ITERATORS = "grain._src.python.dataset.stats"
_INTERLEAVED = "_iterators_in_use"
_ITERATORS_OF_INTERLEAVED = "_prefetch_ds_iter"
_PROCESS = "_prefetch_process"
_THREAD = "_prefetch_thread"
"""What iterators that read from others in turn have, and those that read in a process or a thread of their own."""
_WRAPPERS = ("WithOptionsIterDataset", "_MpContextIterDataset", "_LazyWorkerSliceIterDataset")
"""Datasets that do nothing but to tell processes apart."""
_GIVEN = ("_transform", "_map_fn", "_filter_fn", "_source", "_reader")
"""Where operations of grain keep what the user gave them."""


def add_grain(found: dict[int, dict[str, Any]], most: int) -> None:
    """Add by id each operation that is there."""
    roots = list(_roots())
    hidden = _inner_iterators(roots)
    waiting = [each for each in reversed(roots) if id(each) not in hidden]
    while waiting and len(found) < most:
        operation = waiting.pop()
        if id(operation) in found:
            continue
        with suppress(Exception):
            own = vars(operation)
            inputs = _inputs_of(own)
            found[id(operation)] = _described(operation, own, inputs)
            waiting += reversed(inputs)


def _roots() -> Iterator[Any]:
    """The iterators that the script itself reads from, and some that these read from."""
    for reference in list(getattr(sys.modules.get(_ITERATORS), "_iter_weakref_registry", ())):
        with suppress(Exception):
            iterator = reference()
            if iterator is not None:
                yield iterator


def _inner_iterators(roots: list[Any]) -> set[int]:
    """Those by which elements come from several iterators in turn."""
    hidden: set[int] = set()
    seen: set[int] = set()
    waiting = list(roots)
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        with suppress(Exception):
            own = vars(each)
            if _INTERLEAVED in own:
                inner = [*_in_use(own), *(_process_of(of) for of in _in_use(own)), own.get(_ITERATORS_OF_INTERLEAVED)]
                hidden |= {id(of) for of in inner if of is not None}
            waiting += own.get("_parents") or ()
    return hidden


def _inputs_of(own: dict[str, Any]) -> list[Any]:
    """What an operation reads from."""
    in_use = _in_use(own)
    processes = [each for each in map(_process_of, in_use) if each is not None]
    if processes:
        # All of them read from the same, a part each.
        inputs = [vars(processes[0])["_iter_parent"]]
    else:
        own_process = [own["_iter_parent"]] if _PROCESS in own else []
        inputs = [own.get("_map_parent"), *(own.get("_parents") or ()), *in_use, *own_process]
    return [_unwrapped(each) for each in inputs if each is not None]


def _described(operation: Any, own: dict[str, Any], inputs: list[Any]) -> dict[str, Any]:  # noqa: ANN401
    processes = [each for each in map(_process_of, _in_use(own)) if each is not None]
    processes = processes or ([operation] if _PROCESS in own else [])
    pids = [number_of(getattr(vars(each)[_PROCESS], "pid", None)) for each in processes]
    sizes = [number_of(vars(each).get("_buffer_size")) for each in processes]
    threads = [vars(each).get(_THREAD) for each in (*_in_use(own), operation)]
    options = own.get("_read_options")
    return {
        "id": id(operation),
        "kind": "grain",
        "class": type(processes[0] if processes else operation).__name__,
        "inputs": [id(each) for each in inputs],
        **function_of(*(own.get(each) for each in _GIVEN)),
        "threads": number_of(own.get("_target_num_threads") or getattr(options, "num_threads", None)),
        "processes": [each for each in pids if each is not None],
        "members": [each.ident for each in threads if isinstance(each, threading.Thread) and each.ident is not None],
        "capacity": sum(each or 0 for each in sizes) or number_of(own.get("_target_prefetch_buffer_size")),
    }


def _in_use(own: dict[str, Any]) -> list[Any]:
    return [each for each in list(own.get(_INTERLEAVED) or ()) if each is not None]


def _process_of(iterator: Any) -> Any:  # noqa: ANN401
    """The iterator in a process of its own from which another one reads ahead; None where it reads from none."""
    inner = vars(iterator).get("_maybe_nonnative_parent")
    return inner if inner is not None and _PROCESS in vars(inner) else None


def _unwrapped(dataset: Any) -> Any:  # noqa: ANN401
    while type(dataset).__name__ in _WRAPPERS:
        dataset = vars(dataset)["_parents"][0]
    return dataset
