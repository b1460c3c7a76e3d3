"""What figures rest on while a view is worded: those of a device that ran nothing are marked, whatever they are of."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, ParamSpec, TypeVar

_MARK: Final = "≈"
_MARKED: Final = (_MARK, "≥", "<")
"""What says by itself that a figure is not exact: ``<0.1 %``."""
P = ParamSpec("P")
T = TypeVar("T")
_are_predicted: ContextVar[bool] = ContextVar("are_predicted", default=False)


@contextmanager
def predicted_times(are_predicted: bool) -> Iterator[None]:
    """Whether times, and what rests on them, are predicted in what is worded meanwhile."""
    before = _are_predicted.set(are_predicted)
    try:
        yield
    finally:
        _are_predicted.reset(before)


def are_times_predicted() -> bool:
    """Whether times are predicted in what is worded now."""
    return _are_predicted.get()


def timed(figure: str, *, is_estimated: bool = False) -> str:
    """A figure that rests on times, with a ``≈`` before it where they are predicted or it is estimated: ``≈38.2 %``."""
    is_exact = not (is_estimated or _are_predicted.get()) or not figure or figure.startswith(_MARKED)
    return figure if is_exact else f"{_MARK}{figure}"


def predicted_for(record: object) -> str | None:
    """The device that the times of a record, or of what is answered with one, are predicted for; None for any other."""
    of_record: str | None = getattr(record, "predicted_for", None)
    return of_record or getattr(getattr(record, "record", None), "predicted_for", None)


def marked(word: Callable[P, T]) -> Callable[P, T]:
    """Has ``word`` mark times where a record among what it words is of a prediction."""

    @functools.wraps(word)
    def with_marks(*arguments: P.args, **named: P.kwargs) -> T:
        given = (*arguments, *named.values())
        with predicted_times(are_times_predicted() or any(predicted_for(each) is not None for each in given)):
            return word(*arguments, **named)

    return with_marks
