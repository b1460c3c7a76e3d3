"""What a loop trains on, with each wait for its next element marked, and how full its queue is."""

from __future__ import annotations

import sys

from .queues import name_queue
from .switch import IS_OFF

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeVar

    T = TypeVar("T")

MARK = "scopelight.data"
"""By what readers of traces tell these stages from those of libraries."""


def data(iterable: Iterable[T], name: str = "data", *, queue: Any = None) -> Iterable[T]:  # noqa: ANN401
    """What a loop trains on, such that every wait for its next element is seen as input called ``name``.

    ``queue`` is what its elements wait in, any object with ``qsize()``; how full it is is read beside each trace. An
    iterator that has ``qsize()`` itself needs none. The answer is used as ``iterable`` is, which keeps all else that
    it can do.
    """
    if IS_OFF:
        return iterable
    if hasattr(iterable, "__next__"):
        return _Waits(iterable, name, queue)
    return _Data(iterable, name, queue)


class _Data:
    """An iterable whose iterators mark their waits."""

    def __init__(self, iterable: Iterable[Any], name: str, queue: Any) -> None:  # noqa: ANN401
        self._iterable = iterable
        self._name = name
        self._queue = queue

    def __iter__(self) -> _Waits:
        return _Waits(iter(self._iterable), self._name, self._queue, self)

    def __len__(self) -> int:
        # As Python says where it has none.
        return len(self._iterable)  # type: ignore[arg-type]

    def __bool__(self) -> bool:
        return bool(self._iterable)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._iterable, name)


class _Waits:
    """An iterator that marks how long each next element takes."""

    def __init__(self, iterator: Any, name: str, queue: Any, whole: _Data | None = None) -> None:  # noqa: ANN401
        self._iterator = iterator
        self._name = name
        # All that goes through an iterable is one stage, turn after turn.
        self._id = id(self if whole is None else whole) & 0x7FFF_FFFF
        if queue is None and callable(getattr(iterator, "qsize", None)):
            queue = iterator
        # What makes an element where it is asked for works meanwhile; what is taken from a queue is waited for.
        self._category = "preprocessing" if queue is None else "prefetch"
        if queue is not None:
            name_queue(queue, name)

    def __iter__(self) -> _Waits:
        return self

    def __next__(self) -> Any:  # noqa: ANN401
        annotation: Any = getattr(sys.modules.get("jax.profiler"), "TraceAnnotation", None)
        if annotation is None or not annotation.is_enabled():
            return next(self._iterator)
        stage = {"_ipl_stage_id": self._id, "_ipl_stage_name": self._name}
        with annotation(MARK, **stage, _ipl_stage_cat=self._category):
            return next(self._iterator)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._iterator, name)
