"""Names of XLA's element types."""

from typing import Final

PRIMITIVE_TYPES: Final = (
    *("invalid", "pred", "s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64", "f16", "f32", "f64"),
    *("tuple", "opaque", "c64", "bf16", "token", "c128", "f8e5m2", "f8e4m3fn", "s4", "u4"),
    *("f8e4m3b11fnuz", "f8e5m2fnuz", "f8e4m3fnuz", "s2", "u2", "f8e4m3", "f8e3m4", "s1", "u1"),
    *("f4e2m1fn", "f8e8m0fnu", "buffer"),
)
"""By the number of XLA's ``PrimitiveType``, from 0."""

_NO_NUMBERS = frozenset(("invalid", "pred", "tuple", "opaque", "token", "buffer"))

NUMBER_TYPES: Final = tuple(name for name in PRIMITIVE_TYPES if name not in _NO_NUMBERS)
"""Those that are computed with."""
