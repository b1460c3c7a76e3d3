"""An equation as a program of its own, lowered for a TPU: whether jax has a way to say it for one."""

import sys
from typing import Any


def lowered_alone(equation: Any, *, is_wide: bool) -> Any:  # noqa: ANN401 (an equation of any version of jax, and its lowering)
    """What jax makes of an equation for a TPU in a program that has no other. Raises what jax raises.

    ``is_wide``: numbers of 64 bits are allowed meanwhile.
    """
    pxla = sys.modules["jax._src.interpreters.pxla"]
    mlir = sys.modules["jax._src.interpreters.mlir"]
    unspecified = sys.modules["jax._src.sharding_impls"].UNSPECIFIED
    alone = program_of(equation)
    taken, made = len(alone.in_avals), len(alone.out_avals)
    # The hook leaves alone what names its platform.
    with sys.modules["jax._src.config"].enable_x64(is_wide):
        return pxla.lower_sharding_computation(
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


def program_of(equation: Any) -> Any:  # noqa: ANN401
    """A closed jaxpr that has one equation, on one device, and returns all that it makes."""
    core = sys.modules["jax._src.core"]
    new: dict[Any, Any] = {}

    def own(atom: Any) -> Any:  # noqa: ANN401
        if isinstance(atom, core.Literal):
            return atom
        if atom not in new:
            new[atom] = _variable(core, _on_one_device(core, atom.aval))
        return new[atom]

    operands = [own(each) for each in equation.invars]
    arguments = list(new.values())
    results = [own(each) if not _is_dropped(core, each) else _variable(core, each.aval) for each in equation.outvars]
    # What says how a result lies on several devices means nothing on one.
    parameters = {
        name: None if name in ("sharding", "out_sharding") else value for name, value in equation.params.items()
    }
    effects = equation.effects
    rewritten = equation.replace(invars=operands, outvars=results, params=parameters)
    debug_info = _debug_info(core, equation.primitive.name, len(arguments), len(results))
    jaxpr = core.Jaxpr((), arguments, results, [rewritten], effects, debug_info)
    closed = getattr(core, "ClosedJaxpr", None)
    # The newest jax has one class for both.
    return jaxpr if closed is None else closed(jaxpr, ())


def _is_dropped(core: Any, variable: Any) -> bool:  # noqa: ANN401
    return isinstance(variable, core.DropVar)


def _variable(core: Any, aval: Any) -> Any:  # noqa: ANN401
    try:
        return core.Var(aval)
    except TypeError:
        # In older versions the first argument is a suffix of its name.
        return core.Var("", aval)


def _on_one_device(core: Any, aval: Any) -> Any:  # noqa: ANN401
    """The same shape and element type, without how it lies on devices."""
    if type(aval) is not core.ShapedArray:
        return aval
    return core.ShapedArray(aval.shape, aval.dtype, weak_type=aval.weak_type)


def _debug_info(core: Any, name: str, arguments: int, results: int) -> Any:  # noqa: ANN401
    names = tuple(f"operand{each}" for each in range(arguments))
    return core.DebugInfo("jit", name, names, tuple(f"result[{each}]" for each in range(results)))
