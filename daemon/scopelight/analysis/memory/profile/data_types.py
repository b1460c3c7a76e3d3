"""The data types that allocators record, by the numbers of TensorFlow's ``DataType``."""

from typing import Final

_NAMES: Final = {
    1: "float",
    2: "double",
    3: "int32",
    4: "uint8",
    5: "int16",
    6: "int8",
    7: "string",
    8: "complex64",
    9: "int64",
    10: "bool",
    11: "qint8",
    12: "quint8",
    13: "qint32",
    14: "bfloat16",
    15: "qint16",
    16: "quint16",
    17: "uint16",
    18: "complex128",
    19: "half",
    20: "resource",
    21: "variant",
    22: "uint32",
    23: "uint64",
    24: "float8_e5m2",
    25: "float8_e4m3fn",
    29: "int4",
    30: "uint4",
}
_REFERENCE: Final = 100
"""Added to the number of a type for a reference to it."""


def data_type_name(number: int) -> str | None:
    """The name of a data type; None for 0 or less, which say nothing, and for numbers that are not known."""
    if number > _REFERENCE:
        name = _NAMES.get(number - _REFERENCE)
        return f"{name}_ref" if name else None
    return _NAMES.get(number)
