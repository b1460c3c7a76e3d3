"""What figures rest on while a view is worded: those of a device that ran nothing are marked, whatever they are of."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_MARK: Final = "≈"
_MARKED: Final = (_MARK, "≥")
"""What says by itself that a figure is not exact."""
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
