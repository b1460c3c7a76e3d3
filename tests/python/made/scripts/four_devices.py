"""Trains over four devices of the CPU under jax's profiler: gradients of a loop over layers, summed across devices."""

import os
import sys

os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

shard_map = jax.shard_map if hasattr(jax, "shard_map") else None
if shard_map is None:
    from jax.experimental.shard_map import shard_map


def local_loss(weights, x):
    def layer(x, weight):
        with jax.named_scope("layer"):
            return jnp.tanh(x @ weight), ()

    with jax.named_scope("model"):
        return jnp.mean(jax.lax.scan(layer, x, weights)[0] ** 2)


def local_gradient(weights, x):
    return jax.lax.pmean(jax.grad(local_loss)(weights, x), "data")


mesh = Mesh(jax.devices(), ("data",))


@jax.jit
def train_step(weights, x):
    gradient = shard_map(local_gradient, mesh=mesh, in_specs=(P(), P("data")), out_specs=P())(weights, x)
    with jax.named_scope("sgd"):
        return weights - 1e-2 * gradient


weights = jax.device_put(jnp.stack([jnp.eye(128)] * 3), NamedSharding(mesh, P()))
x = jax.device_put(jax.random.normal(jax.random.key(0), (512, 128)), NamedSharding(mesh, P("data")))
weights = train_step(weights, x).block_until_ready()
with jax.profiler.trace(sys.argv[1]):
    for _ in range(6):
        weights = train_step(weights, x)
        weights.block_until_ready()
