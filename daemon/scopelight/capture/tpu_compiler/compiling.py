"""Compiles programs for TPUs: a line of JSON comes in for each, and one goes out.

Runs as a script in the managed environment, which has jax and libtpu; nothing of ours is there. The compiler may crash,
or take all memory: whoever started it expects that.
"""

import base64
import contextlib
import json
import os
import sys
import time
from typing import Any

# No TPU is here: do not look for the one of a cloud's machine.
os.environ["TPU_SKIP_MDS_QUERY"] = "1"
# Nobody uses a TPU: others may compile at the same time.
os.environ["ALLOW_MULTIPLE_LIBTPU_LOAD"] = "true"


class Compiler:
    """The topologies that were asked for are kept."""

    def __init__(self) -> None:
        self._devices: dict[str, list[Any]] = {}

    def devices(self, name: str, arguments: dict[str, Any]) -> list[Any]:
        """Those of a topology."""
        from jax.experimental import topologies  # noqa: PLC0415 (takes half a second, which `main` says is done)

        key = json.dumps([name, arguments])
        if key not in self._devices:
            told = {each: tuple(value) if isinstance(value, list) else value for each, value in arguments.items()}
            described = topologies.get_topology_desc(platform="tpu", topology_name=name, **told)
            self._devices[key] = list(described.devices)
        return self._devices[key]

    def try_topology(self, task: dict[str, Any]) -> dict[str, Any]:
        """Load libtpu with its flags, and describe a topology."""
        return {"outcome": "described", "devices": len(self.devices(task["topology"], task["arguments"]))}

    def compile(self, task: dict[str, Any]) -> dict[str, Any]:
        """Compile what the file of a task holds; what the compiler says of it."""
        from jax._src import compiler  # noqa: PLC0415
        from jax._src.interpreters import mlir  # noqa: PLC0415
        from jaxlib import xla_client  # noqa: PLC0415
        from jaxlib.mlir import ir  # noqa: PLC0415
        from jaxlib.mlir.dialects import stablehlo  # noqa: PLC0415
        from numpy import array  # noqa: PLC0415

        devices = self.devices(task["topology"], task["arguments"])
        partitions = task["partitions"]
        if partitions > len(devices):
            return {"outcome": "too-few-devices", "message": "", "devices": len(devices)}
        chosen = devices[:partitions]
        options = compiler.get_compile_options(
            num_replicas=1,
            num_partitions=partitions,
            device_assignment=array(chosen).reshape(1, partitions),
            env_options_overrides={
                **task["options"],
                "xla_dump_to": task["dump"],
                "xla_dump_hlo_as_proto": "True",
                "xla_dump_hlo_module_re": ".*",
            },
        )
        build = options.executable_build_options
        build.allow_spmd_sharding_propagation_to_parameters = task["propagates_to_parameters"]
        build.allow_spmd_sharding_propagation_to_output = task["propagates_to_results"]
        build.use_shardy_partitioner = task["uses_shardy"]
        with open(task["module"], "rb") as file:  # noqa: PTH123
            artifact = file.read()
        began = time.monotonic()
        with mlir.make_ir_context() as context:
            try:
                module = stablehlo.deserialize_portable_artifact(context, artifact)
            except Exception:
                module = _other_form(ir, task["module"], artifact)
            try:
                executable = chosen[0].client.compile(module, xla_client.DeviceList(tuple(chosen)), options)
            except Exception as error:
                return {"outcome": "refused", "kind": type(error).__name__, "message": str(error)}
        seconds = time.monotonic() - began
        return {
            "outcome": "compiled",
            "seconds": seconds,
            "parameter_shardings": _shardings(executable.get_parameter_shardings()),
            "result_shardings": _shardings(executable.get_output_shardings()),
            "memory": _memory(executable.get_compiled_memory_stats()),
            "stated_bytes": _stated_bytes(executable.get_compiled_memory_stats()),
            "costs": _costs(executable),
        }


def _other_form(ir: Any, file: str, artifact: bytes) -> Any:  # noqa: ANN401 (modules of jaxlib)
    """A module that is no portable artifact of this version: its text, where it lies beside, for a newer jax wrote ops
    that it has no version for; else the bytecode itself, which an older jax wrote."""
    if os.path.exists(f"{file}.txt"):  # noqa: PTH110
        with contextlib.suppress(Exception), open(f"{file}.txt", encoding="utf-8") as text:  # noqa: PTH123
            return ir.Module.parse(text.read())
    return ir.Module.parse(artifact)


def _shardings(shardings: Any) -> "list[str] | None":  # noqa: ANN401 (classes of jaxlib)
    if shardings is None:
        return None
    return [base64.b64encode(each.SerializeToString()).decode() for each in shardings]


def _memory(stated: Any) -> dict[str, int]:  # noqa: ANN401
    return {
        name: int(getattr(stated, f"{field}_in_bytes"))
        for name, field in (
            ("argument_bytes", "argument_size"),
            ("output_bytes", "output_size"),
            ("alias_bytes", "alias_size"),
            ("temporary_bytes", "temp_size"),
            ("code_bytes", "generated_code_size"),
            ("peak_bytes", "peak_memory"),
        )
        if hasattr(stated, f"{field}_in_bytes")
    }


def _stated_bytes(stated: Any) -> dict[str, int]:  # noqa: ANN401
    ending = "_in_bytes"
    return {name.removesuffix(ending): int(getattr(stated, name)) for name in dir(stated) if name.endswith(ending)}


def _costs(executable: Any) -> "dict[str, float] | None":  # noqa: ANN401
    with contextlib.suppress(Exception):
        costs = executable.cost_analysis()
        # Older versions say them of each module.
        costs = costs[0] if isinstance(costs, list) else costs
        # Less than nothing is how it says that it does not know.
        return {name: float(value) for name, value in costs.items() if 0 <= value < float("inf")}
    return None


def main() -> None:
    """Answer until nobody asks any more."""
    # libtpu and whoever else prints goes to standard error.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(**said: Any) -> None:  # noqa: ANN401 (anything that JSON can hold)
        answers.write(json.dumps(said) + "\n")
        answers.flush()

    import jax  # noqa: PLC0415
    import jaxlib.version  # noqa: PLC0415

    answer(outcome="ready", jax=jax.__version__, jaxlib=jaxlib.version.__version__)
    compiler = Compiler()
    for line in sys.stdin:
        task = json.loads(line)
        try:
            said = compiler.compile(task) if "module" in task else compiler.try_topology(task)
        except Exception as error:
            # It did not come to compiling: nothing is said of the program.
            said = {"outcome": "crashed", "kind": type(error).__name__, "message": str(error)}
        answer(task=task["task"], **said)


if __name__ == "__main__":
    main()
