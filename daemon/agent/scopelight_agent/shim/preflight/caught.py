"""A program on its way to the compiler, as a TPU would get it, and what of jax's knowledge must travel with it."""

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from .callbacks import PRIMITIVES
from .equations import Walk, present_stack

_UNVERSIONED = (b"chlo", b"_xla_host_transfer_rendezvous")
"""What is in modules whose form is not that of every version: a dialect that portable artifacts have as it is, and ops
of which older versions, without artifacts of all dialects, write less than newer ones read."""
_ALIASES = ("tf.aliasing_output", "jax.buffer_donor")
"""Attributes of arguments whose memory results may take."""


class Caught:
    """``lowering`` is what jax lowered for a TPU, ``jaxpr`` what it was lowered from.

    ``number`` counts the programs of the script.
    """

    def __init__(self, number: int, lowering: Any, jaxpr: Any) -> None:  # noqa: ANN401 (objects of the user's jax)
        self.number = number
        self.jaxpr = jaxpr
        self.called_at = present_stack()
        """The frames of the user's that called it first."""
        self.name: str = lowering._name
        self.module = lowering._hlo
        self._options: Sequence[tuple[str, Any]] = lowering._compiler_options_kvs
        arguments: Mapping[str, Any] = lowering.compile_args
        self.results: Sequence[Any] = arguments["global_out_avals"]
        self._parameters: Sequence[Any] = arguments["global_in_avals"]
        self.kept: frozenset[int] = frozenset(arguments["kept_var_idx"])
        self.devices: Sequence[Any] = tuple(getattr(lowering, "_device_list", None) or arguments["device_assignment"])
        self._shardings = (arguments["in_shardings"], arguments["out_shardings"])
        self.ordered_effects = len(arguments["ordered_effects"])
        self.donated = _donated(self.module, self.ordered_effects)
        """Of the arguments that are kept, which are gone once the program has run."""

    def description(self) -> dict[str, Any]:
        """What a compiler elsewhere has to be told beside the module."""
        pxla = sys.modules["jax._src.interpreters.pxla"]
        to_parameters, to_results = pxla.get_prop_to_input_output(*self._shardings, self.ordered_effects)
        config = sys.modules["jax"].config
        return {
            "program": self.number,
            "name": self.name,
            "partitions": len(self.devices),
            "propagates_to_parameters": list(map(bool, to_parameters)),
            "propagates_to_results": list(map(bool, to_results)),
            "uses_shardy": bool(getattr(config, "jax_use_shardy_partitioner", True)),
            "options": {str(name): str(value) for name, value in self._options},
            "ordered_effects": self.ordered_effects,
            "callbacks": [
                {"primitive": each.equation.primitive.name, "stack": each.stack}
                for each in Walk().through(self.jaxpr, self.called_at)
                if each.equation.primitive.name in PRIMITIVES
            ],
        }

    def asked_shardings(self) -> tuple[Sequence[Any], Sequence[Any]]:
        """How the script asks for parameters and results to be divided; where it does not, they are on each device."""
        client = sys.modules["jax._src.lib"].xla_client
        replicated = client.OpSharding()
        replicated.type = client.OpSharding.Type.REPLICATED

        def asked(sharding: Any, aval: Any) -> Any:  # noqa: ANN401
            divide = getattr(sharding, "_to_xla_hlo_sharding", None)
            return replicated if divide is None else divide(aval.ndim).to_proto()

        of_parameters, of_results = self._shardings
        return list(map(asked, of_parameters, self._parameters)), list(map(asked, of_results, self.results))

    def asked_memory_kinds(self) -> Sequence[str | None]:
        """Which memory the script asks for results to lie in: None where it does not."""
        return [getattr(each, "memory_kind", None) for each in self._shardings[1]]

    def write(self, file: str) -> None:
        """Write the module as an artifact that other versions of jax can read."""
        artifact = _artifact(self.module)
        with open(file, "wb") as stream:  # noqa: PTH123 (pathlib is slow to import here)
            stream.write(artifact)
        if any(each in artifact for each in _UNVERSIONED):
            # How its ops are written changes with versions, while their text stays.
            with open(f"{file}.txt", "w", encoding="utf-8") as text:  # noqa: PTH123
                text.write(self.module.operation.get_asm(enable_debug_info=True))


def _artifact(module: Any) -> bytes:  # noqa: ANN401 (a module of the user's jaxlib)
    stablehlo = import_module("jaxlib.mlir.dialects.stablehlo")
    version = stablehlo.get_version_from_compatibility_requirement(stablehlo.StablehloCompatibilityRequirement.WEEK_12)
    own_form = bytes(sys.modules["jax._src.interpreters.mlir"].module_to_bytecode(module))
    with module.context:
        # Writing an artifact rewrites the module, which is jax's, and the script's where it asks to see it.
        copy = import_module("jaxlib.mlir.ir").Module.parse(own_form)
    try:
        return bytes(stablehlo.serialize_portable_artifact(copy, version, True))
    except TypeError:
        # Older ones cannot where other dialects are in it; that their own form is read later has been tried.
        return own_form


def _donated(module: Any, tokens: int) -> frozenset[int]:  # noqa: ANN401
    ir = import_module("jaxlib.mlir.ir")
    for operation in module.body.operations:
        if getattr(operation, "sym_name", None) is not None and operation.sym_name.value == "main":
            attributes = [ir.DictAttr(each) for each in operation.arg_attrs]
            return frozenset(
                place - tokens for place, each in enumerate(attributes) if any(name in each for name in _ALIASES)
            )
    return frozenset()
