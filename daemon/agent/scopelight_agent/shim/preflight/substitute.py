"""What runs in the place of a program that cannot be lowered for a TPU, so that the script goes on."""

import sys
from typing import Any


def zeros_for(jaxpr: Any) -> Any:  # noqa: ANN401 (a jaxpr of the user's jax)
    """A jaxpr of the same arguments and results, which are zeros."""
    jax = sys.modules["jax"]
    core = sys.modules["jax._src.core"]
    numpy = jax.numpy

    def make(*_arguments: Any) -> list[Any]:  # noqa: ANN401
        return [_zeros(jax, numpy, core, each) for each in jaxpr.out_avals]

    return jax.make_jaxpr(make)(*jaxpr.in_avals)


def _zeros(jax: Any, numpy: Any, core: Any, aval: Any) -> Any:  # noqa: ANN401
    physical = core.physical_aval(aval)
    zeros = numpy.zeros(physical.shape, physical.dtype)
    return zeros if physical is aval else jax.random.wrap_key_data(zeros, impl=aval.dtype._impl.name)
