"""Loads from memory addresses, as numba compiles them."""

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic


def load_bits(bits: int) -> Any:  # noqa: ANN401 (numba's own)
    """What loads ``bits`` bits, little-endian, from an address, as a number of 64 bits."""

    def load(_typing_context: object, _address: object) -> object:
        def generate(_context: object, builder: ir.IRBuilder, _signature: object, arguments: list[ir.Value]) -> object:
            pointer = builder.inttoptr(arguments[0], ir.IntType(bits).as_pointer())
            value = builder.load(pointer, align=1)
            return value if bits == 64 else builder.zext(value, ir.IntType(64))

        return types.int64(types.int64), generate

    return intrinsic(load)
