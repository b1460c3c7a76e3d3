"""Objects that say what they hold, without a method of their own for it.

attrs writes and compiles a ``__repr__`` for each class as it is imported; over all classes that takes a fiftieth of a
short command, and few are ever printed.
"""

from typing import Any

import attrs


class Legible:
    """Of an attrs class that is made with ``repr=False``: its fields are read when they are asked for."""

    __slots__ = ()

    def __repr__(self) -> str:
        """``LineRecord(path='train.py', line=3)``: every field, as attrs would write it."""
        kind: type[Any] = type(self)
        fields = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in attrs.fields(kind) if each.repr)
        return f"{kind.__qualname__}({fields})"
