"""What a kernel returns, from the words of memory that its machine code writes."""

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Shape = None | str | Sequence[Any]
"""Nothing, the kind of one number (``i`` whole, ``b`` truth, ``f`` real), or a tuple: a name, empty for a plain one,
and the shapes of its items."""


def words_of(shape: Shape) -> int:
    """How many words of 8 bytes a result takes."""
    if shape is None:
        return 0
    return 1 if isinstance(shape, str) else sum(words_of(each) for each in shape[1:])


def reader_of(shape: Shape, names: Mapping[str, Any]) -> Callable[[list[int]], Any]:
    """What makes the result out of its words; ``names`` has the classes of named tuples."""
    if shape is None:
        return lambda _words: None
    take = _taker(shape, names)
    return lambda words: take(iter(words))


def _taker(shape: Shape, names: Mapping[str, Any]) -> Callable[[Any], Any]:
    if shape == "i":
        return next
    if shape == "b":
        return lambda words: bool(next(words))
    if shape == "f":
        return lambda words: struct.unpack("<d", struct.pack("<q", next(words)))[0]
    assert shape is not None
    takers = [_taker(each, names) for each in shape[1:]]
    if not shape[0]:
        return lambda words: tuple([take(words) for take in takers])
    made = names[shape[0]]
    return lambda words: made(*[take(words) for take in takers])
