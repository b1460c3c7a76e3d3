"""Calls of Python from within programs: lowered for a TPU they are nothing, for the host would do their work."""

import sys
from collections.abc import Sequence
from typing import Any

PRIMITIVES = {
    "pure_callback": ("jax._src.callback", "pure_callback_p"),
    "io_callback": ("jax._src.callback", "io_callback_p"),
    "debug_callback": ("jax._src.debugging", "debug_callback_p"),
    "debug_print": ("jax._src.debugging", "debug_print_p"),
}
"""Names of primitives, and where jax has them; the last one is in newer versions alone."""


def lower_to_nothing() -> None:
    """Have each lowered for a TPU as zeros that pass its token on: for another platform than the client's it is not."""
    mlir = sys.modules["jax._src.interpreters.mlir"]
    for module, name in PRIMITIVES.values():
        primitive = getattr(sys.modules.get(module), name, None)
        if primitive is not None:
            mlir.register_lowering(primitive, _zeros, platform="tpu")


def _zeros(context: Any, *_arguments: Any, **_parameters: Any) -> Sequence[Any]:  # noqa: ANN401 (values of jax's MLIR)
    mlir = sys.modules["jax._src.interpreters.mlir"]
    numpy = sys.modules["numpy"]
    tokens = context.tokens_in
    if tokens is not None and tokens.effects():
        context.set_tokens_out(tokens)
    return [
        mlir.full_like_aval(context, 0, each) if each.shape else mlir.ir_constant(numpy.zeros((), each.dtype))
        for each in context.avals_out
    ]
