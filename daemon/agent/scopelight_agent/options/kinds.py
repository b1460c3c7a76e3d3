"""What the value of a key may be: its type and its bounds, in words and as a check."""

import os
from collections.abc import Callable
from typing import Any, NamedTuple

MEGABYTE = 1_000_000
SLOW_RATIO = 2.0
"""A step that takes so many times as long as the others is slow, where nobody says otherwise."""


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


def _slow_ratio(value: str) -> float:
    return float(value.partition(":")[2] or SLOW_RATIO)


def _is_slow(value: Any) -> bool:  # noqa: ANN401
    if not isinstance(value, str) or value.partition(":")[0] != "slow" or value == "slow:":
        return False
    try:
        return 1 < _slow_ratio(value) < float("inf")
    except ValueError:
        return False


def _share(value: Any) -> float:  # noqa: ANN401
    return float(value[:-1]) / 100 if isinstance(value, str) and value.endswith("%") else float(value)


def _is_share(value: Any) -> bool:  # noqa: ANN401
    try:
        return not isinstance(value, bool) and 0 < _share(value) <= 1
    except (TypeError, ValueError, OverflowError):
        return False


def _size_bytes(value: Any) -> int:  # noqa: ANN401
    if not isinstance(value, str):
        return int(value)
    text = value.strip().upper().removesuffix("B")
    power = "KMGT".find(text[-1:]) + 1 if text else 0
    return int(float(text[:-1] if power else text) * 1000.0**power)


def _is_size(value: Any) -> bool:  # noqa: ANN401
    try:
        return isinstance(value, (int, str)) and not isinstance(value, bool) and _size_bytes(value) > 0
    except (ValueError, OverflowError):
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
SIZE = Kind('a number of bytes, or a size such as "200MB"', _is_size, _size_bytes)
SHARE = Kind('a share above 0, such as "1%" or 0.01', _is_share, _share)
SLOW = Kind('"slow" or "slow:K" with a number K above 1', _is_slow, _slow_ratio)
SLOW_BY = Kind('"timer" or "ring"', lambda value: value in ("timer", "ring"))
ANYTHING = Kind("anything", lambda value: True)  # noqa: ARG005
