"""Sizes of shapes: elements and bytes, without padding."""

import math
from collections.abc import Iterator, Mapping

from scopelight.program.hlo.nouns import Shape

_ELEMENT_BITS: Mapping[str, int] = {
    **dict.fromkeys(("pred", "s8", "u8", "s4", "u4", "s2", "u2", "s1", "u1", "f4e2m1fn"), 8),
    **dict.fromkeys(("f8e5m2", "f8e4m3fn", "f8e4m3b11fnuz", "f8e5m2fnuz", "f8e4m3fnuz"), 8),
    **dict.fromkeys(("f8e4m3", "f8e3m4", "f8e8m0fnu"), 8),
    **dict.fromkeys(("s16", "u16", "f16", "bf16"), 16),
    **dict.fromkeys(("s32", "u32", "f32"), 32),
    **dict.fromkeys(("s64", "u64", "f64", "c64"), 64),
    "c128": 128,
}


def element_count(shape: Shape) -> int:
    """Elements of an array; for a tuple the sum over its leaves."""
    if shape.tuple_shapes:
        return sum(map(element_count, shape.tuple_shapes))
    return math.prod(shape.dimensions)


def byte_size(shape: Shape) -> int:
    """Bytes of an array without padding; for a tuple the sum over its leaves.

    Types narrower than a byte take one byte for each element unless the layout says that they are packed.
    """
    if shape.tuple_shapes:
        return sum(map(byte_size, shape.tuple_shapes))
    return -(-math.prod(shape.dimensions) * element_bits(shape) // 8)


def element_bits(shape: Shape) -> int:
    """Bits that an element of an array takes in memory: 8 for narrower types unless the layout packs them; else 0."""
    bits = _ELEMENT_BITS.get(shape.element_type, 0)
    if bits and shape.layout is not None and shape.layout.element_size_bits > 0:
        return shape.layout.element_size_bits
    return bits


def leaves(shape: Shape) -> Iterator[Shape]:
    """The arrays of a tuple, those of tuples in it included, or the array itself."""
    if shape.tuple_shapes:
        for each in shape.tuple_shapes:
            yield from leaves(each)
    else:
        yield shape


def first_array(shape: Shape) -> Shape:
    """The array, or the first one of a tuple: of a variadic op, or of a library call with a workspace."""
    while shape.tuple_shapes:
        shape = shape.tuple_shapes[0]
    return shape
