"""What the value of a key may be: its type and its bounds, in words and as a check."""

import os
from collections.abc import Callable
from typing import Any, NamedTuple

MEGABYTE = 1_000_000


class Kind(NamedTuple):
    """``words`` complete "must be ..."; ``accepts`` says whether a value of JSON is one; ``convert`` makes it ours."""

    words: str
    accepts: Callable[[Any], bool]
    convert: Callable[[Any], Any] = lambda value: value


def _is_number(value: Any) -> bool:  # noqa: ANN401 (any value of JSON)
    # No infinity and no NaN, which JSON has not, but Python's reader takes.
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < float("inf")


def _is_integer(value: Any, least: int, most: int | None = None) -> bool:  # noqa: ANN401
    is_integer = isinstance(value, int) and not isinstance(value, bool)
    return is_integer and value >= least and (most is None or value <= most)


def _is_path(value: Any) -> bool:  # noqa: ANN401
    if not isinstance(value, str) or not value or "\0" in value:
        return False
    try:
        os.fsencode(value)
    except UnicodeEncodeError:
        # Halves of characters, which JSON can write and no file system can.
        return False
    return True


def _is_slow(value: Any) -> bool:  # noqa: ANN401
    if not isinstance(value, str):
        return False
    word, colon, ratio = value.partition(":")
    if word != "slow":
        return False
    try:
        return not colon or 1 < float(ratio) < float("inf")
    except ValueError:
        return False


SWITCH = Kind("true or false", lambda value: isinstance(value, bool))
COUNT = Kind("a whole number from 0", lambda value: _is_integer(value, 0))
POSITIVE = Kind("a whole number from 1", lambda value: _is_integer(value, 1))
SECONDS = Kind("a number of seconds above 0", lambda value: _is_number(value) and value > 0, float)
MILLISECONDS = Kind("a whole number of milliseconds from 10 to 60000", lambda value: _is_integer(value, 10, 60_000))
MEGABYTES = Kind(
    "a number of megabytes above 0",
    lambda value: _is_number(value) and value > 0,
    lambda value: max(1, round(value * MEGABYTE)),
)
PATH = Kind("a path", _is_path)
SLOW = Kind('"slow" or "slow:K" with a number K above 1', _is_slow)
ANYTHING = Kind("anything", lambda value: True)  # noqa: ARG005
