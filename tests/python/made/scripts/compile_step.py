"""Compiles a training step for a kind of TPU that is not there, and prints what the compiler says of it.

    python compile_step.py TOPOLOGY FOLDER

The compiler's own plan of memory goes to FOLDER. Its sizes fit no tile.
"""

import json
import os
import sys

os.environ["TPU_SKIP_MDS_QUERY"] = "1"

import jax
import jax.numpy as jnp
from jax.experimental import topologies
from jax.sharding import SingleDeviceSharding

BATCH, FEATURES, HIDDEN, CLASSES = 300, 200, 1000, 130


def layer(weight, x):
    return jnp.tanh(x @ weight)


def loss(weights, x, labels):
    def body(carry, weight):
        return layer(weight, carry), None

    x = layer(weights["in"], x)
    x, _ = jax.lax.scan(jax.checkpoint(body), x, weights["blocks"])
    logits = x @ weights["out"]  # line: logits
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], -1))


def step(weights, x, labels):
    value, gradients = jax.value_and_grad(loss)(weights, x, labels)
    return jax.tree.map(lambda w, g: w - (0.01 * g).astype(w.dtype), weights, gradients), value


def main(topology: str, folder: str) -> None:
    device = topologies.get_topology_desc(platform="tpu", topology_name=topology).devices[0]

    def array(*shape, dtype=jnp.bfloat16):
        return jax.ShapeDtypeStruct(shape, dtype, sharding=SingleDeviceSharding(device))

    weights = {
        "in": array(FEATURES, HIDDEN),
        "blocks": array(6, HIDDEN, HIDDEN),
        "out": array(HIDDEN, CLASSES),
    }
    lowered = jax.jit(step, donate_argnums=0).lower(weights, array(BATCH, FEATURES), array(BATCH, dtype=jnp.int32))
    compiled = lowered.compile(compiler_options={"xla_dump_to": folder, "xla_dump_hlo_as_proto": True})
    memory = compiled.memory_analysis()
    costs = compiled.cost_analysis()
    said = {
        "device_kind": device.device_kind,
        "flops": costs["flops"],
        "argument_bytes": memory.argument_size_in_bytes,
        "output_bytes": memory.output_size_in_bytes,
        "alias_bytes": memory.alias_size_in_bytes,
        "temporary_bytes": memory.temp_size_in_bytes,
        "peak_bytes": compiled.runtime_executable().get_compiled_memory_stats().peak_memory_in_bytes,
    }
    print(json.dumps(said))


if __name__ == "__main__":
    main(*sys.argv[1:])
