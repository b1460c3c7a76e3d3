"""Small programs of what a script knows are computed all the same: sizes, counters and loops over rows hang on them."""

import math
import sys
from collections.abc import Callable, Sequence
from typing import Any

from .callbacks import PRIMITIVES
from .equations import plain
from .zeros import are_zeros

MOST_ELEMENTS = 256
"""Of each array: counters, shapes and keys have few."""
MOST_EQUATIONS = 32
_CALLS = frozenset(("jit", "pjit", "closed_call", "core_call", "custom_jvp_call", "custom_vjp_call"))
"""Primitives whose equations run once, in their place."""


class KnownValues:
    """Computes a program on the script's own backend where all that it takes is known; ``compile_`` compiles it there.

    What cannot be compiled there has no value.
    """

    def __init__(self, compile_: Callable[[], Any]) -> None:
        self._compile: Callable[[], Any] | None = compile_
        self._call: Callable[..., Any] | None = None

    def of(self, arguments: Sequence[Any]) -> Any:  # noqa: ANN401 (as jax's own call has them)
        """Its results; None where what it takes are zeros that stand for values, or where it cannot be computed."""
        if any(map(are_zeros, arguments)):
            return None
        if self._compile is not None:
            compile_, self._compile = self._compile, None
            try:
                self._call = compile_().unsafe_call
            except Exception:
                return None
        return None if self._call is None else self._call(*arguments)


def is_small(jaxpr: Any) -> bool:  # noqa: ANN401 (a closed jaxpr of any version of jax)
    """Whether a program takes no time to compute, and does nothing else: few equations, small arrays, no loop."""
    return _equations(jaxpr, MOST_EQUATIONS) is not None


def _equations(jaxpr: Any, most: int) -> int | None:  # noqa: ANN401
    """How many there are, within nested calls too; None where there are more than ``most``, or some of another kind."""
    inner = plain(jaxpr)
    # What a program is closed over may be zeros.
    if getattr(jaxpr, "consts", ()) or inner.constvars or inner.effects or not all(map(_is_small, inner.invars)):
        return None
    count = 0
    core = sys.modules["jax._src.core"]
    for each in inner.eqns:
        count += 1
        if count > most or each.primitive.name in PRIMITIVES or not all(map(_is_small, each.outvars)):
            return None
        called = [value for value in each.params.values() if hasattr(value, "eqns") or hasattr(value, "jaxpr")]
        if each.primitive.name not in _CALLS:
            if called or any(True for _ in core.jaxprs_in_params(each.params)):
                return None
            continue
        for nested in called:
            more = _equations(nested, most - count)
            if more is None:
                return None
            count += more
    return count


def _is_small(variable: Any) -> bool:  # noqa: ANN401
    """Whether its values are few, and numbers: keys of random ones, and gradients of whole ones, have other types."""
    dtype = getattr(variable.aval, "dtype", None)
    numpy = sys.modules["numpy"]
    is_number = isinstance(dtype, numpy.dtype) and dtype != sys.modules["jax"].dtypes.float0
    return is_number and math.prod(variable.aval.shape) <= MOST_ELEMENTS
