"""Each distinct equation of a program alone, lowered for a TPU: which of them it refuses, all and not the first."""

import sys
from collections.abc import Callable, Iterator
from typing import Any

CONTAINERS = frozenset(
    (
        *(
            "jit",
            "pjit",
            "closed_call",
            "core_call",
            "xla_call",
            "remat",
            "remat2",
            "checkpoint",
            "scan",
            "while",
            "cond",
        ),
        *(
            "custom_jvp_call",
            "custom_vjp_call",
            "custom_vjp_call_jaxpr",
            "custom_lin",
            "shard_map",
            "run_state",
            "named_call",
        ),
    )
)
"""Primitives of which the equations within are judged, and not they themselves."""


def distinct(jaxpr: Any) -> Iterator[tuple[str, Any, str]]:  # noqa: ANN401 (a jaxpr of any version of jax)
    """Equations of a jaxpr and within it: what tells an equation from others, itself, and the path of names around it.

    Within nested programs the stack of names begins anew: it is put behind that of the caller.
    """
    yield from _distinct(getattr(jaxpr, "jaxpr", jaxpr), "")


def _distinct(jaxpr: Any, outer: str) -> Iterator[tuple[str, Any, str]]:  # noqa: ANN401
    core = sys.modules["jax._src.core"]
    for each in jaxpr.eqns:
        names = "/".join(filter(None, (outer, str(each.source_info.name_stack))))
        if each.primitive.name in CONTAINERS:
            for inner in core.jaxprs_in_params(each.params):
                yield from _distinct(getattr(inner, "jaxpr", inner), names)
            continue
        yield _signature(each), each, names


def _signature(equation: Any) -> str:  # noqa: ANN401
    arguments = ",".join(each.aval.str_short() for each in equation.invars)
    return f"{equation.primitive.name} {arguments} {sorted(equation.params.items(), key=lambda each: each[0])}"


def lowered_alone(equation: Any, lower: Callable[..., Any]) -> Any:  # noqa: ANN401
    """What jax's ``lower`` makes of an equation for a TPU, of a program that has no other. Raises what it raises."""
    core = sys.modules["jax._src.core"]
    mlir = sys.modules["jax._src.interpreters.mlir"]
    unspecified = sys.modules["jax._src.sharding_impls"].UNSPECIFIED
    arguments = list(dict.fromkeys(each for each in equation.invars if not isinstance(each, core.Literal)))
    results = [each for each in equation.outvars if not isinstance(each, core.DropVar)]
    alone = core.ClosedJaxpr(core.Jaxpr((), arguments, results, [equation], equation.effects), ())
    taken, made = len(arguments), len(results)
    return lower(
        alone,
        "jit",
        equation.primitive.name,
        (unspecified,) * taken,
        (unspecified,) * made,
        (None,) * taken,
        (None,) * made,
        (False,) * taken,
        keep_unused=True,
        context_mesh=sys.modules["jax._src.mesh"].get_concrete_mesh(),
        compiler_options_kvs=(),
        lowering_platforms=("tpu",),
        lowering_parameters=mlir.LoweringParameters(),
        pgle_profiler=None,
    )
