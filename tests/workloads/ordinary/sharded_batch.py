"""Data parallel over two devices: weights everywhere, the batch divided."""

import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

mesh = jax.make_mesh((2,), ("batch",))
divided = NamedSharding(mesh, PartitionSpec("batch"))
everywhere = NamedSharding(mesh, PartitionSpec())


def loss_fn(params, x, y):
    return jnp.mean((jnp.tanh(x @ params["w1"]) @ params["w2"] - y) ** 2)


@jax.jit
def train_step(params, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.05 * g, params, grads), loss


rng = np.random.default_rng(0)
params = {
    "w1": rng.normal(size=(256, 512), scale=0.05).astype(np.float32),
    "w2": rng.normal(size=(512, 16), scale=0.05).astype(np.float32),
}
params = jax.device_put(params, everywhere)
for step in range(100):
    x = rng.normal(size=(256, 256)).astype(np.float32)
    batch = jax.device_put((x, x[:, :16]), divided)
    params, loss = train_step(params, *batch)
    if step % 20 == 0:
        print(step, loss)
