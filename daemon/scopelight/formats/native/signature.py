"""What kernels are called with: a quick key for the types of arguments, and their names in words."""

from typing import Any

import numpy as np

Signature = tuple[Any, ...]
"""Hashable; equal for arguments that the same machine code takes."""

WHOLE = "<i8"
_SCALARS = {int: WHOLE, bool: "|b1", float: "<f8"}


def signature_of(arguments: tuple[Any, ...]) -> Signature:
    """A key for the types of arguments."""
    return tuple([_key(each) for each in arguments])


def _key(argument: Any) -> Any:  # noqa: ANN401 (whatever a kernel takes)
    if isinstance(argument, np.ndarray):
        # The flags tell whether its rows stand one behind the other, and whether it can be written.
        return argument.dtype, argument.ndim, argument.flags.num
    if isinstance(argument, tuple):
        return type(argument), signature_of(argument)
    if isinstance(argument, int) and not -(1 << 63) <= argument < 1 << 63:
        return None
    return type(argument)


def described(argument: Any) -> str | None:  # noqa: ANN401, PLR0911 (whatever a kernel takes)
    """The type of an argument in words that numba is later given types for; None where no machine code is kept.

    An array is its dtype, its dimensions, C or A (contiguous or not) and r or w (read-only or not): ``<i8:1Cw``.
    """
    if isinstance(argument, np.ndarray):
        flags = argument.flags
        if not (flags.aligned and argument.dtype.isnative and argument.dtype.kind in "iufb"):
            return None
        layout = "C" if flags.c_contiguous else "A"
        return f"{argument.dtype.str}:{argument.ndim}{layout}{'w' if flags.writeable else 'r'}"
    if isinstance(argument, tuple):
        inner = [described(each) for each in argument]
        if type(argument) is tuple or None in inner:
            return None
        return f"{type(argument).__name__}({', '.join(map(str, inner))})"
    if isinstance(argument, np.generic):
        return argument.dtype.str if argument.dtype.kind in "iufb" else None
    if isinstance(argument, int) and not -(1 << 63) <= argument < 1 << 63:
        return None
    return _SCALARS.get(type(argument))
