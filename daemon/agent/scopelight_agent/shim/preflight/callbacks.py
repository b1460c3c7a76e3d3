"""Calls of Python from within programs: lowered for a TPU, what they take goes to the host, and comes back from it."""

import sys
from collections.abc import Sequence
from inspect import signature
from typing import Any

PRIMITIVES = frozenset(("pure_callback", "io_callback", "debug_callback", "debug_print"))
"""Names of the primitives, the last one in newer versions alone."""


def lower_to_transfers() -> None:
    """Have programs for a TPU call the host as jax has them do it there, but for the Python that the host would run.

    For another platform than the client's jax lowers no call of Python. What feeds it has to stay in the program, and
    nothing may be known of what it returns: a compiler leaves out what nobody needs.
    """
    callback: Any = sys.modules["jax._src.callback"]
    lower = callback.emit_python_callback

    def lower_for_tpu(context: Any, python: Any, token: Any, operands: Sequence[Any], *avals: Any, **named: Any) -> Any:  # noqa: ANN401
        if tuple(context.module_context.platforms) != ("tpu",):
            return lower(context, python, token, operands, *avals, **named)
        results, token = _transfers(callback, context, token, operands, avals[1], named.get("sharding"))
        if not named.get("returns_token", True):
            token = None
        return results, token, None

    callback.emit_python_callback = lower_for_tpu


def _transfers(
    callback: Any,  # noqa: ANN401 (jax's module, and values of its MLIR)
    context: Any,  # noqa: ANN401
    token: Any,  # noqa: ANN401
    operands: Sequence[Any],
    result_avals: Sequence[Any],
    sharding: Any,  # noqa: ANN401
) -> tuple[Sequence[Any], Any]:
    """What is sent and what is received, and the token that comes after it; as `jax._src.callback` has it for TPUs."""
    mlir = sys.modules["jax._src.interpreters.mlir"]
    numpy = sys.modules["numpy"]
    module = context.module_context
    # Older versions do not take the module.
    given = (module,) if next(iter(signature(callback.send_to_host).parameters)) == "ctx" else ()
    token = token or mlir.hlo.create_token()
    # A call that takes nothing is told to run by something.
    for each in operands or (mlir.ir_constant(numpy.zeros(1, numpy.float32)),):
        token = callback.send_to_host(*given, module.new_channel(), token, each, "host", sharding=sharding)
    results = []
    for aval in result_avals:
        token, result = callback.receive_from_host(*given, module.new_channel(), token, aval, "host", sharding=sharding)
        results.append(result)
    return results, token
