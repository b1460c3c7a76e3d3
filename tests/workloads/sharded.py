"""shard_map over four devices that the script itself asks of the CPU backend before it imports jax."""

import os

os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
from ground_truth import StepClock
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

shard_map = jax.shard_map if hasattr(jax, "shard_map") else None
if shard_map is None:
    from jax.experimental.shard_map import shard_map


def local_gradient(weight, x):
    residual = x @ weight - x  # line: residual
    gradient = x.T @ residual  # line: gradient
    return jax.lax.pmean(gradient, "data")  # line: mean


mesh = Mesh(jax.devices(), ("data",))


@jax.jit
def train_step(weight, x):
    gradient = shard_map(local_gradient, mesh=mesh, in_specs=(P(), P("data")), out_specs=P())(weight, x)
    return weight - 1e-4 * gradient  # line: update


weight = jax.device_put(jnp.eye(512), NamedSharding(mesh, P()))  # line: arrays
x = jax.device_put(jax.random.normal(jax.random.key(0), (2048, 512)), NamedSharding(mesh, P("data")))  # line: arrays
clock = StepClock()
for _ in range(50):
    with clock.step():
        weight = train_step(weight, x)
        weight.block_until_ready()
clock.report()
