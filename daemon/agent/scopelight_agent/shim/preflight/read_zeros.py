"""Where the script's Python reads numbers that programs returned, which are zeros: what it then does, zeros decide."""

import functools
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from ..host.codes import MOST_FRAMES, Codes, line_at, name_of
from .zeros import are_zeros

_READINGS = {
    "__bool__": "bool",
    "__index__": "index",
    "__int__": "int",
    "__float__": "float",
    "__complex__": "complex",
    "item": "item",
}
"""What Python calls to have an array of one number as a number of its own, and how that is told."""
_GETS = "_device_get"
"""The function within `jax.device_get` that copies an array to the host. Others do so for what reads no number."""
MOST = 200
"""Places that are told, those that read most often first."""


class ReadZeros:
    """Counts how often each place of the user's code has read a zero that stands for a value."""

    def __init__(self) -> None:
        self._codes = Codes()
        self._times: dict[tuple[int, int, str], int] = {}
        """By the identity of a code object, the offset in it, and how it was read."""

    def listen(self) -> None:
        """Stand around jax's ways of reading an array."""
        arrays: Any = sys.modules["jax._src.array"].ArrayImpl
        for name, how in _READINGS.items():
            read = getattr(arrays, name, None)
            if read is not None:
                setattr(arrays, name, self._hearing(read, how))
        arrays.__array__ = self._hearing_of_copies(arrays.__array__)

    def told(self) -> list[dict[str, Any]]:
        """The lines that read zeros."""
        times: dict[tuple[CodeType, int, str], int] = {}
        for (code_id, offset, how), count in list(self._times.items()):
            code = self._codes.by_id[code_id]
            place = (code, line_at(code, offset), how)
            times[place] = times.get(place, 0) + count
        most = sorted(times.items(), key=lambda each: -each[1])[:MOST]
        return [
            {"path": code.co_filename, "line": line, "function": name_of(code), "how": how, "times": count}
            for (code, line, how), count in most
        ]

    def _hearing(self, read: Callable[..., Any], how: str) -> Callable[..., Any]:
        @functools.wraps(read)
        def read_and_tell(array: Any, *arguments: Any) -> Any:  # noqa: ANN401 (an array of jax, and a number)
            value = read(array, *arguments)
            if not value and are_zeros(array):
                self._count(sys._getframe(1), how)
            return value

        return read_and_tell

    def _hearing_of_copies(self, read: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(read)
        def read_and_tell(array: Any, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 (as jax has it)
            frame = sys._getframe(1)
            if frame.f_code.co_name == _GETS and array.size == 1 and are_zeros(array):
                self._count(frame, "copy")
            return read(array, *arguments, **named)

        return read_and_tell

    def _count(self, frame: FrameType | None, how: str) -> None:
        """A script may come here a million times: the innermost frame of the user's is all that is looked for."""
        codes = self._codes
        for _ in range(MOST_FRAMES):
            if frame is None:
                return
            code = frame.f_code
            if codes.is_users(code):
                key = id(code)
                codes.by_id[key] = code
                place = (key, frame.f_lasti, how)
                self._times[place] = self._times.get(place, 0) + 1
                return
            frame = frame.f_back
